import Contracts
import Foundation
import ServiceKit

/// An E.164 number: `+`, an assigned country code, and 8 to 15 digits altogether.
struct PhoneNumber: Hashable, Sendable, CustomStringConvertible {
    static let digits = 8...15
    /// The longest text that is parsed: a number with generous punctuation.
    static let longestInput = 40

    /// As in `+447700900123`.
    let description: String

    /// Nil if the text without the usual punctuation is not such a number.
    init?(_ text: String) {
        guard text.unicodeScalars.count <= Self.longestInput else { return nil }
        let plain = text.trimmingCharacters(in: .whitespaces).unicodeScalars
            .filter { !Self.punctuation.contains($0) }
        guard plain.first == "+" else { return nil }
        let digits = plain.dropFirst()
        guard Self.digits.contains(digits.count),
            digits.allSatisfy({ ("0"..."9").contains($0) }),
            CountryCode.isAssigned(prefixOf: String(String.UnicodeScalarView(digits)))
        else { return nil }
        description = String(String.UnicodeScalarView(plain))
    }

    /// Throws `request.invalid` with the name of the field.
    init(checking text: String, field: String = "phone") throws {
        guard let phone = Self(text) else {
            throw Refusal.invalid(
                field, "Enter a phone number with country code, for example +44 7700 900123.")
        }
        self = phone
    }

    /// Characters that people write between digits, or paste from a contact card: spaces, hyphens (typographic ones
    /// too) and parentheses.
    private static let punctuation: Set<Unicode.Scalar> = [
        " ", "-", "(", ")", "\u{A0}", "\u{2010}", "\u{2011}", "\u{202F}",
    ]
}

/// Country codes of ITU-T E.164, Annex to ITU Operational Bulletin ("List of Recommendation
/// ITU-T E.164 assigned country codes").
///
/// Left out, because no text message reaches them: freephone and shared cost (800, 808), premium
/// rate (979), universal personal numbers (878), and spare or reserved codes.
enum CountryCode {
    /// Whether the digits start with an assigned code. No code is the beginning of another.
    static func isAssigned(prefixOf digits: String) -> Bool {
        guard !digits.hasPrefix("0") else { return false }
        return (1...3).contains { length in
            Int(digits.prefix(length)).map { assigned.contains($0) } ?? false
        }
    }

    static let assigned = Set(ranges.joined())

    private static let ranges: [ClosedRange<Int>] = [
        1...1, 7...7, 20...20, 27...27,
        211...213, 216...216, 218...218, 220...258, 260...269, 290...291, 297...299,
        30...34, 36...36, 39...39, 350...359, 370...383, 385...387, 389...389,
        40...41, 43...49, 420...421, 423...423,
        51...58, 500...509, 590...599,
        60...66, 670...670, 672...683, 685...692,
        81...82, 84...84, 86...86, 850...850, 852...853, 855...856, 880...880, 886...886,
        870...870, 881...883, 888...888,
        90...95, 98...98, 960...968, 970...977, 992...996, 998...998,
    ]
}
