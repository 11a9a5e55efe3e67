import Contracts
import Foundation
import ServiceKit

extension Engagement {
    /// The people whom a person rates: all whom they may rate, or only the named one. The answer to a rating
    /// names the first of them. Throws if there is nobody to rate, or if it is too early.
    func rated(by person: PersonID, only named: PersonID?) throws -> [PersonID] {
        guard let participant = participant(person) else { throw Refusal.nothingToRate }
        guard state == .ended else { throw Refusal.ratedTooEarly }
        guard !participant.rates.isEmpty else { throw Refusal.nobodyToRate }
        guard let named else { return participant.rates }
        guard participant.rates.contains(named) else { throw Refusal.nobodyToRate }
        return [named]
    }
}

/// A checked rating.
struct Opinion: Hashable, Sendable {
    static let stars = 1...5
    /// The longest comment, in characters.
    static let longestComment = 1_000

    let stars: Int
    let comment: String?

    init(stars: Int, comment: String?) {
        self.stars = stars
        self.comment = comment
    }

    init(checking body: RatingBody) throws {
        stars = try Check.int(body.stars, "stars", in: Self.stars)
        comment = try body.comment.flatMap {
            try Check.lines($0, "comment", most: Self.longestComment)
        }
    }
}
