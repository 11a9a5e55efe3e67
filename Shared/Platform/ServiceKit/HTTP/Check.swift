import Contracts
import Foundation
import Geo

/// Checks of single fields. Each throws `Refusal.invalid` with the field's path.
public enum Check {
    /// The text without surrounding white space. Checks its length in characters, and refuses control characters, line
    /// separators, marks that turn the direction of writing, and a text of invisible characters only.
    public static func text(
        _ value: String, _ field: String, _ length: ClosedRange<Int>
    ) throws -> String {
        let text = value.trimmingCharacters(in: .whitespacesAndNewlines)
        guard value.utf8.count <= length.upperBound * 4 + 64, length.contains(text.count) else {
            throw Refusal.invalid(
                field, "Use \(length.lowerBound) to \(length.upperBound) characters.")
        }
        guard text.unicodeScalars.allSatisfy({ $0.isPlain && !$0.isLineSeparator }) else {
            throw Refusal.invalid(field, "Remove the control characters.")
        }
        guard text.isEmpty || text.unicodeScalars.contains(where: \.isVisible) else {
            throw Refusal.invalid(field, "Use characters that can be seen.")
        }
        return text
    }

    /// Nil for an absent or empty text.
    public static func optionalText(
        _ value: String?, _ field: String, most: Int
    ) throws -> String? {
        guard let value else { return nil }
        let text = try text(value, field, 0...most)
        return text.isEmpty ? nil : text
    }

    /// Control characters that a multi-line text may contain.
    private static let layout: Set<Unicode.Scalar> = ["\n", "\t"]

    /// A text that may have several lines; nil if it is empty.
    public static func lines(_ value: String, _ field: String, most: Int) throws -> String? {
        let text = value.replacingOccurrences(of: "\r\n", with: "\n")
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.count <= most, text.utf8.count <= most * 16 else {
            throw Refusal.invalid(field, "Use at most \(most) characters.")
        }
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            layout.contains(scalar) || scalar.isPlain
        }
        guard isPlain else { throw Refusal.invalid(field, "Remove the control characters.") }
        return text.isEmpty ? nil : text
    }

    /// In octets (RFC 5321, section 4.5.3.1).
    private static let longestMailAddress = 254

    /// An e-mail address in ASCII, in lower case.
    public static func mailAddress(_ text: String, _ field: String) throws(Refusal) -> String {
        let text = text.trimmingCharacters(in: .whitespaces).lowercased()
        let form =
            /[a-z0-9!#$%&'*+\-\/=?^_`{|}~.]+@[a-z0-9]([a-z0-9\-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9\-]*[a-z0-9])?)+/
        guard text.utf8.count <= longestMailAddress, text.wholeMatch(of: form) != nil else {
            throw .invalid(field, "Enter an e-mail address, for example ada@example.org.")
        }
        return text
    }

    /// A supported language.
    public static func language(_ value: Language?, _ field: String) throws -> Language? {
        guard value?.isSpoken ?? true else {
            let spoken = Language.allCases.map(\.rawValue).joined(separator: ", ")
            throw Refusal.malformed(field, "Use one of \(spoken).")
        }
        return value
    }

    public static func int(_ value: Int, _ field: String, in range: ClosedRange<Int>) throws -> Int
    {
        guard range.contains(value) else {
            throw Refusal.invalid(
                field, "Use a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return value
    }

    /// A price that is nothing, or that a card can be charged.
    public static func price(
        _ value: Int, _ field: String, in currency: String, most: Int = Money.largestAmount
    ) throws -> Int {
        guard try int(value, field, in: 0...most) > 0 else { return value }
        let least = Money(amount: Money.leastCharge(in: currency), currency: currency)
        guard value >= least.amount else {
            throw Refusal.invalid(
                field, "The price has to be 0 or at least \(least.text(in: .english)).")
        }
        return try part(value, field, in: currency)
    }

    /// A part of a price, which may be less than a card can be charged.
    public static func part(_ value: Int, _ field: String, in currency: String) throws -> Int {
        let step = Money.chargeStep(in: currency)
        guard value.isMultiple(of: step) else {
            let step = Money(amount: step, currency: currency)
            throw Refusal.invalid(
                field, "The price has to be a multiple of \(step.text(in: .english)).")
        }
        return value
    }

    public static func coordinate(
        latitude: Double, longitude: Double, _ field: String
    ) throws -> Coordinate {
        let prefix = field.isEmpty ? "" : "\(field)."
        guard (-90.0...90.0).contains(latitude) else {
            throw Refusal.invalid("\(prefix)latitude", "Use degrees from -90 to 90.")
        }
        guard (-180.0...180.0).contains(longitude) else {
            throw Refusal.invalid("\(prefix)longitude", "Use degrees from -180 to 180.")
        }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// Maximum length of an address, in characters.
    public static let longestAddress = 200

    public static func place(_ place: Place, _ field: String) throws -> Place {
        let coordinate = try coordinate(
            latitude: place.latitude, longitude: place.longitude, field)
        let address = try optionalText(place.address, "\(field).address", most: longestAddress)
        return Place(coordinate, address: address)
    }
}

extension Unicode.Scalar {
    /// Neither a control character nor a mark that turns the direction of writing. Such marks (Unicode Standard Annex
    /// 9, section 2) make a text look like another one.
    fileprivate var isPlain: Bool {
        properties.generalCategory != .control && !properties.isBidiControl
    }

    fileprivate var isLineSeparator: Bool {
        [.lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
    }

    /// U+2800 is a letter of Braille without a dot.
    fileprivate var isVisible: Bool {
        !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint && self != "\u{2800}"
    }
}
