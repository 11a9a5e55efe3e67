import Foundation
import TripMaker

/// How people type what they look for.
public enum Slip: String, CaseIterable, Sendable {
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

    /// A letter is left out, doubled, replaced by another or swapped with its neighbour, in one of the longer words.
    private static func mistyped(
        _ text: String, _ numbers: inout SeededNumbers, but name: String? = nil
    ) -> String? {
        var words = text.split(separator: " ", omittingEmptySubsequences: false).map(Array.init)
        let whole = name?.split(separator: " ", omittingEmptySubsequences: false).map(Array.init)
        // A second mistake is in another word, or in a long one.
        let places = words.indices.filter { index in
            words[index].filter(\.isLetter).count >= shortestWord
                && words[index].allSatisfy { !$0.isNumber }
                && (whole.map { $0[index] == words[index] || words[index].count > 8 } ?? true)
        }
        guard let word = places.randomElement(using: &numbers) else { return nil }
        let letters = words[word].indices.filter { words[word][$0].isLetter }
        guard let place = letters.randomElement(using: &numbers) else { return nil }
        switch Int.random(in: 0..<4, using: &numbers) {
        case 0: words[word].remove(at: place)
        case 1: words[word].insert(words[word][place], at: place)
        case 2:
            let other = "abcdefghijklmnoprstuvyz".filter {
                String($0) != words[word][place].lowercased()
            }.randomElement(using: &numbers)
            words[word][place] = other ?? "x"
        default:
            let next = place + 1 < words[word].count ? place + 1 : place - 1
            guard words[word][next] != words[word][place] else {
                words[word].remove(at: place)
                break
            }
            words[word].swapAt(place, next)
        }
        return words.map { String($0) }.joined(separator: " ")
    }
}
