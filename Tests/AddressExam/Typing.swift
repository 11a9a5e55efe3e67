import Foundation
import TripMaker

/// The ways in which people type a name or an address, mistakes included.
public enum Typing: String, CaseIterable, Sendable {
    case asWritten = "as it is written"
    case plain = "small letters without marks"
    case otherLanguage = "in the other language"
    case reordered = "words in another order"
    case shortened = "street words shortened"
    case prefix = "the beginning alone"
    case typo = "one mistake"
    case typos = "two mistakes"
    case typoInPrefix = "one mistake in the beginning"
    case typoInOtherLanguage = "one mistake in the other language"
    case staircase = "with staircase and flat"
    case postcode = "with postcode and town"
    case country = "with postcode, town and country"
    case numberSign = "with a sign of the number"
    case partOfRange = "a number of a range"
    case otherName = "by another name"

    /// Shorter words have no mistakes.
    private static let shortestWord = 4
    private static let longWord = 8
    private static let shortestPrefix = 5
    /// Whole words, then endings.
    private static let words = [
        "street": "st", "road": "rd", "avenue": "ave", "square": "sq", "saint": "st", "lane": "ln",
        "place": "pl", "triq": "street", "pjazza": "square", "sqaq": "alley",
    ]
    private static let endings = ["katu": "k.", "gatan": "g."]
    /// Staircase and flat, after the number.
    private static let flats = ["B 12", "C 21", "D", "as. 3", "bst 7", "A as 14", "E, 2. krs"]
    private static let flatsBefore = ["Flat 3,", "Apt 4B,", "2nd floor,"]
    private static let countries = ["Finland", "Suomi", "FINLAND"]
    private static let signs = ["No. ", "nro ", "#", "Nr "]

    /// What somebody types of a name and, of a house, its number; nil where this can't be done to it.
    ///
    /// `isUnclear` says whether what somebody types is, or begins, the name of something else.
    func text(
        of name: String, _ landmark: Landmark, _ numbers: inout SeededNumbers,
        isUnclear: (String) -> Bool
    ) -> String? {
        let number = landmark.number
        switch self {
        case .staircase:
            guard let number, number.allSatisfy(\.isNumber) else { return nil }
            return Self.withFlat(name, number, &numbers, isUnclear)
        case .postcode, .country, .numberSign: return address(of: name, landmark, &numbers)
        case .partOfRange:
            return number.map(Self.numbers)?.filter { !isUnclear("\(name) \($0)") }
                .randomElement(using: &numbers).map { "\(name) \($0)" }
        case .otherName:
            return landmark.others.sorted().randomElement(using: &numbers).flatMap {
                isUnclear($0) ? nil : Self.line($0, number, first: false)
            }
        case .asWritten, .otherLanguage: return Self.line(name, number, first: numbers.chance(0.5))
        case .plain: return Landmark.plain(Self.line(name, number, first: numbers.chance(0.5)))
        case .reordered:
            let words = Self.line(name, number, first: true).split(separator: " ").shuffled(
                using: &numbers)
            let text = words.joined(separator: " ")
            return words.count > 1 && text != Self.line(name, number, first: true) ? text : nil
        case .shortened:
            return Self.shortened(name).map {
                Self.line($0, number, first: numbers.chance(0.5))
            }
        case .prefix:
            return Self.beginning(of: name, &numbers, isUnclear).map {
                Self.line($0, number, first: true)
            }
        case .typoInPrefix:
            return Self.beginning(of: name, &numbers, isUnclear).flatMap {
                Self.mistyped($0, &numbers)
            }.map { Self.line($0, number, first: true) }
        case .typo, .typoInOtherLanguage:
            return Self.mistyped(name, &numbers).flatMap {
                isUnclear($0) ? nil : Self.line($0, number, first: numbers.chance(0.5))
            }
        case .typos:
            return Self.mistyped(name, &numbers).flatMap { Self.mistyped($0, &numbers, but: name) }
                .flatMap {
                    isUnclear($0) ? nil : Self.line($0, number, first: numbers.chance(0.5))
                }
        }
    }

    private static func withFlat(
        _ name: String, _ number: String, _ numbers: inout SeededNumbers,
        _ isUnclear: (String) -> Bool
    ) -> String? {
        if numbers.chance(0.3) {
            return flatsBefore.randomElement(using: &numbers).map { "\($0) \(number) \(name)" }
        }
        return flats.randomElement(using: &numbers).flatMap { flat in
            isUnclear("\(name) \(number) \(flat.prefix(1))") ? nil : "\(name) \(number) \(flat)"
        }
    }

    private func address(
        of name: String, _ landmark: Landmark, _ numbers: inout SeededNumbers
    ) -> String? {
        guard let number = landmark.number else { return nil }
        if self == .numberSign {
            return Self.signs.randomElement(using: &numbers).map { "\($0)\(number) \(name)" }
        }
        guard let postcode = landmark.postcode, let town = landmark.town else { return nil }
        let line = "\(Self.line(name, number, first: numbers.chance(0.3))), "
        guard self == .country, let country = Self.countries.randomElement(using: &numbers) else {
            return "\(line)\(postcode) \(town)"
        }
        switch Int.random(in: 0..<3, using: &numbers) {
        case 0: return "\(line)FI-\(postcode) \(town)"
        case 1: return "\(line)\(country)"
        default: return "\(line)\(postcode) \(town), \(country)"
        }
    }

    /// Those of a range such as "12-16"; none for another number.
    private static func numbers(of number: String) -> [String] {
        guard let range = number.wholeMatch(of: /([0-9]+)-([0-9]+)/), let first = Int(range.1),
            let last = Int(range.2), first < last
        else { return [] }
        let isOneSide = (last - first).isMultiple(of: 2)
        return stride(from: first, through: last, by: isOneSide ? 2 : 1).map { "\($0)" }
    }

    var isInOtherLanguage: Bool { self == .otherLanguage || self == .typoInOtherLanguage }

    private static func line(_ name: String, _ number: String?, first: Bool) -> String {
        guard let number else { return name }
        return first ? "\(number) \(name)" : "\(name) \(number)"
    }

    private static func shortened(_ name: String) -> String? {
        let parts = name.split(separator: " ").map(String.init)
        let short = parts.map { part in
            if let word = words[part.lowercased()] { return word }
            for (ending, letters) in endings.sorted(by: { $0.key < $1.key })
            where part.hasSuffix(ending) && part.count > ending.count {
                return part.dropLast(ending.count) + letters
            }
            return part
        }
        return short == parts ? nil : short.joined(separator: " ")
    }

    /// From 60 to 90 % of it, as much as no other name begins with.
    private static func beginning(
        of name: String, _ numbers: inout SeededNumbers, _ isUnclear: (String) -> Bool
    ) -> String? {
        let least = max(
            shortestPrefix, Int(Double(name.count) * .random(in: 0.6..<0.9, using: &numbers)))
        return (least..<max(least, name.count)).lazy.map { String(name.prefix($0)) }
            .first { $0.last?.isLetter == true && !isUnclear($0) }
    }

    /// A letter is left out, doubled, replaced by another or swapped with the next, in one of the longer words.
    ///
    /// A second mistake, where `name` is what the text was before the first, is in another word or in a long one.
    private static func mistyped(
        _ text: String, _ numbers: inout SeededNumbers, but name: String? = nil
    ) -> String? {
        let words = text.split { !$0.isLetter && !$0.isNumber }.filter { word in
            word.count >= shortestWord && word.allSatisfy(\.isLetter)
                && (name.map { $0.contains(word) || word.count >= longWord } ?? true)
        }
        guard let word = words.randomElement(using: &numbers) else { return nil }
        var letters = Array(word)
        let place = Int.random(in: 0..<letters.count, using: &numbers)
        let next = place + 1
        switch Int.random(in: 0..<4, using: &numbers) {
        case 0: letters.insert(letters[place], at: place)
        case 1:
            let others = "abcdefghijklmnoprstuvyz".filter {
                String($0) != letters[place].lowercased()
            }
            letters[place] = others.randomElement(using: &numbers) ?? "x"
        case 2 where next < letters.count && letters[place] != letters[next]:
            letters.swapAt(place, next)
        default: letters.remove(at: place)
        }
        return text.replacingCharacters(in: word.startIndex..<word.endIndex, with: String(letters))
    }
}
