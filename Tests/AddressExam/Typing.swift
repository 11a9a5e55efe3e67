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

    /// What somebody types of a name and, of a house, its number; nil where this can't be done to it.
    ///
    /// `isUnclear` says whether what somebody types is, or begins, the name of something else.
    func text(
        of name: String, _ number: String?, _ numbers: inout SeededNumbers,
        isUnclear: (String) -> Bool
    ) -> String? {
        switch self {
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
