import Contracts
import Foundation
import ServiceKit

/// The words by which payments and people are found.
///
/// A payment has the words of its reference, of its details such as the plate, and of its id; each text also as one
/// word without spaces and signs, so that `AB 1234` is found by `ab1234`. An amount is `=` and its decimal number. A
/// phone number is `~` and its digits from the last to the first, since people leave out the country code.
enum SearchWords {
    /// Longest word in characters; longer texts are cut.
    static let longest = 40
    /// The most words of one payment or person.
    static let most = 60
    /// The fewest digits that are taken for a phone number.
    static let fewestPhoneDigits = 5

    /// The words of a text, and all of it as one word.
    static func of(_ text: String) -> [String] {
        let words = split(text)
        let whole = joined(text)
        return whole.isEmpty || words == [whole] ? words : words + [whole]
    }

    static func split(_ text: String) -> [String] {
        WordSearch.folded(text).split { !$0.isLetter && !$0.isNumber }
            .map { String($0.prefix(longest)) }
    }

    static func joined(_ text: String) -> String {
        String(WordSearch.folded(text).filter { $0.isLetter || $0.isNumber }.prefix(longest))
    }

    static func amount(_ money: Money) -> String {
        "=" + canonical(money.decimal)
    }

    /// `~` and the digits backwards; nil if there are too few.
    static func phone(_ text: String) -> String? {
        let digits = text.filter { $0.isASCII && $0.isNumber }
        return digits.count < fewestPhoneDigits ? nil : "~" + String(digits.reversed())
    }

    /// `12.50` is `12.5`, and `12.00` is `12`.
    fileprivate static func canonical(_ decimal: String) -> String {
        guard decimal.contains(".") else { return decimal }
        var text = decimal
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }
}

/// The words of a search.
struct SearchTerms: Sendable, Equatable {
    /// All of it as one word.
    let whole: String
    /// Its words; a payment has to have all of them.
    let words: [String]
    /// Words of which an amount has one exactly; empty if it is none.
    let amounts: [String]
    /// The beginning of a phone number's word; nil if it is none.
    let phone: String?

    /// Nil if there is nothing to look for.
    init?(_ text: String?) {
        guard let text, case let typed = text.trimmingCharacters(in: .whitespacesAndNewlines),
            !typed.isEmpty
        else { return nil }
        whole = SearchWords.joined(typed)
        words = SearchWords.split(typed)
        amounts = Self.amounts(typed).map { "=" + $0 }
        phone = Self.phone(typed)
    }

    /// Whether anything can be found at all.
    var isEmpty: Bool { whole.isEmpty && amounts.isEmpty }

    private static func phone(_ text: String) -> String? {
        guard text.allSatisfy({ "+-()./ ".contains($0) || ($0.isASCII && $0.isNumber) }) else {
            return nil
        }
        // The zero before a national number is not part of the international one, nor is 00 before a country code.
        let digits = text.filter(\.isNumber).drop { $0 == "0" }
        return SearchWords.phone(String(digits))
    }

    /// The decimal numbers that an amount may mean as people write it: `12.50`, `€12,50`, `$1,200`, `1 200.5 EUR`.
    static func amounts(_ text: String) -> [String] {
        let isUnit = { (character: Character) in
            character.isCurrencySymbol || character.isLetter || character.isWhitespace
        }
        var number = text.drop(while: isUnit)
        while let last = number.last, isUnit(last) { number.removeLast() }
        if let first = number.first, "-−".contains(first) { number = number.dropFirst() }
        let digits = number.filter { !$0.isWhitespace && !"'’".contains($0) }
        guard digits.count <= 20, digits.contains(where: \.isNumber),
            digits.allSatisfy({ ".,".contains($0) || ($0.isASCII && $0.isNumber) })
        else { return [] }
        return decimals(String(digits)).map(SearchWords.canonical)
    }

    /// The last sign is the decimal mark, or one between thousands if it is one of several. With three digits behind a
    /// single one it may be either.
    private static func decimals(_ text: String) -> [String] {
        let marks = text.filter { ".,".contains($0) }
        let whole = text.filter { !".,".contains($0) }
        guard let last = marks.last else { return [plain(text)] }
        guard marks.count(where: { $0 == last }) == 1 else { return [plain(whole)] }
        let fraction = text[text.lastIndex(of: last)!...].dropFirst()
        let integer = plain(String(whole.dropLast(fraction.count)))
        guard fraction.count <= 3 else { return [] }
        let decimal = fraction.isEmpty ? integer : "\(integer).\(fraction)"
        return marks.count == 1 && fraction.count == 3 ? [plain(whole), decimal] : [decimal]
    }

    /// Without zeros in front.
    private static func plain(_ digits: String) -> String {
        let text = String(digits.drop { $0 == "0" })
        return text.isEmpty ? "0" : text
    }
}

extension Character {
    fileprivate var isCurrencySymbol: Bool {
        unicodeScalars.allSatisfy { $0.properties.generalCategory == .currencySymbol }
    }
}

extension Money {
    /// The amount as a decimal number in major units, for files and searches: `-12.50`.
    var decimal: String {
        let unit = Money.minorUnits(of: currency)
        let digits = String(unit).count - 1
        let sign = amount < 0 ? "-" : ""
        let (whole, rest) = amount.magnitude.quotientAndRemainder(dividingBy: UInt(unit))
        guard digits > 0 else { return "\(sign)\(whole)" }
        let fraction = String(rest)
        return
            "\(sign)\(whole).\(String(repeating: "0", count: digits - fraction.count))\(fraction)"
    }
}
