import Contracts
import Foundation
import ServiceKit

extension Engagement {
    /// Whom the person rates. The first of them stands in the answer.
    func rated(by person: PersonID) throws -> [PersonID] {
        guard let participant = participant(person) else { throw RatingError.unknown }
        guard state == .ended else { throw RatingError.notEnded }
        guard !participant.rates.isEmpty else { throw RatingError.nobodyServed }
        return participant.rates
    }
}

/// What somebody says; checked.
struct Opinion: Hashable, Sendable {
    static let stars = 1...5
    /// In characters.
    static let longestComment = 1_000
    /// Control characters that a comment of several lines may have.
    private static let layout: Set<Unicode.Scalar> = ["\n", "\t"]

    let stars: Int
    let comment: String?

    init(stars: Int, comment: String?) {
        self.stars = stars
        self.comment = comment
    }

    init(checking body: RatingBody) throws {
        stars = try Check.int(body.stars, "stars", in: Self.stars)
        comment = try body.comment.flatMap(Self.check)
    }

    private static func check(_ comment: String) throws -> String? {
        let text = comment.replacingOccurrences(of: "\r\n", with: "\n")
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.count <= longestComment, text.utf8.count <= longestComment * 16 else {
            throw InvalidRequest("comment", "At most \(longestComment) characters.")
        }
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            layout.contains(scalar) || scalar.properties.generalCategory != .control
        }
        guard isPlain else {
            throw InvalidRequest("comment", "A text without control characters.")
        }
        return text.isEmpty ? nil : text
    }
}
