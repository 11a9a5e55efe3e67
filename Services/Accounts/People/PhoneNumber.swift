import CPhoneNumber
import Contracts
import Foundation
import ServiceKit

/// A phone number in E.164: `+`, country code and national number.
///
/// Numbers are read by libphonenumber, which knows the lengths, trunk prefixes and ranges of each country. A number is
/// accepted if its length is possible: ranges change faster than the library, and numbers for drama and tests are in no
/// range.
struct PhoneNumber: Hashable, Sendable, CustomStringConvertible {
    /// The longest text that is parsed: a number with generous punctuation.
    static let longestInput = 40

    /// As in `+447700900123`.
    let description: String

    /// A number as it is stored, which an earlier release may have read by other rules.
    init?(stored text: String) {
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "+"), !digits.isEmpty,
            digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { return nil }
        description = text
    }

    /// A number as earlier releases stored the same text: digit by digit, with trunk prefixes, and also if no number of
    /// that country has this length. Nil if they refused it.
    init?(earlier text: String) {
        guard let dialled = Self.dialled(text), (8...15).contains(dialled.count - 1) else {
            return nil
        }
        self.init(stored: dialled)
    }

    /// Reads a number as people write or paste it. Without a country code it is a number of `country`; nil if that is
    /// unknown, or if the text is not such a number.
    init?(_ text: String, in country: Country? = nil) {
        guard let dialled = Self.dialled(text), let number = Self.read(dialled, in: country),
            !Self.unreachable.contains(where: number.hasPrefix)
        else { return nil }
        description = number
    }

    /// Throws `request.invalid` with the name of the field.
    init(checking text: String, in country: Country?, field: String = "phone") throws {
        guard let phone = Self(text, in: country) else {
            throw Refusal.invalid(
                field, "Enter a phone number with country code, for example +44 7700 900123.")
        }
        self = phone
    }

    /// Freephone and shared cost, premium rate and universal personal numbers (ITU-T E.164.1), which no text message
    /// reaches. No country code is the beginning of another.
    private static let unreachable = ["+800", "+808", "+878", "+979"]

    // MARK: Characters

    /// Only the digits and a leading `+`. Nil if there are characters that don't belong in a number, such as letters.
    private static func dialled(_ text: String) -> String? {
        // Address books put invisible marks around a number, for example of writing direction.
        let marks = String(
            text.unicodeScalars.filter { $0.properties.generalCategory != .format }
        ).trimmingCharacters(in: .whitespacesAndNewlines).unicodeScalars
        guard marks.count <= longestInput else { return nil }
        var dialled = ""
        for mark in marks {
            if mark.properties.generalCategory == .decimalNumber,
                let digit = mark.properties.numericValue
            {
                dialled += String(Int(digit))
            } else if pluses.contains(mark), dialled.isEmpty {
                dialled = "+"
            } else if !isPunctuation(mark) {
                return nil
            }
        }
        return dialled
    }

    private static let pluses: Set<Unicode.Scalar> = ["+", "\u{FF0B}"]

    /// Whether people write it between digits: spaces, brackets, dashes, dots and slashes, in any script.
    private static func isPunctuation(_ mark: Unicode.Scalar) -> Bool {
        switch mark.properties.generalCategory {
        case .spaceSeparator, .dashPunctuation, .openPunctuation, .closePunctuation: true
        default: separators.contains(mark)
        }
    }

    /// Full stops, middle dots, slashes, the minus sign, tildes and the Japanese long vowel mark, which looks like a
    /// dash.
    private static let separators: Set<Unicode.Scalar> = [
        ".", "\u{FF0E}", "\u{B7}", "\u{2022}", "\u{30FB}", "/", "\u{FF0F}", "\u{2212}", "~",
        "\u{223C}", "\u{FF5E}", "\u{30FC}",
    ]

    // MARK: libphonenumber

    /// The number in E.164.
    private static func read(_ dialled: String, in country: Country?) -> String? {
        // In some countries 00 is only the beginning of the international prefix, such as 001, or none at all; but
        // people write it everywhere.
        let abroad =
            country != nil && dialled.hasPrefix("00")
            ? parsed("+" + dialled.dropFirst(2), in: nil) : nil
        if let abroad, abroad.isValid { return abroad.number }
        guard let (number, isValid) = parsed(dialled, in: country) else { return abroad?.number }
        // The length of a number without country code says little: either a prefix shows that it was meant to be
        // dialled there, or its range has to exist.
        return isValid || dialled.hasPrefix("+") || !number.hasSuffix(dialled) ? number : nil
    }

    private static func parsed(
        _ dialled: String, in country: Country?
    ) -> (number: String, isValid: Bool)? {
        var text = [CChar](repeating: 0, count: Int(CPHONENUMBER_SIZE))
        let region = country?.description ?? CPHONENUMBER_REGION_UNKNOWN
        let reading = cphonenumber_read(dialled, region, &text, text.count)
        guard reading != CPHONENUMBER_NONE else { return nil }
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return (String(decoding: bytes, as: UTF8.self), reading == CPHONENUMBER_VALID)
    }
}
