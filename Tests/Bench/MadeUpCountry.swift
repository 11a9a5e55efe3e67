import Foundation
import Geo
import TripMaker

/// So many names in two degrees square: towns, streets, seven in ten of them houses, and places; the same on every run.
struct MadeUpCountry {
    struct Query {
        let text: String
        let near: Coordinate
    }

    private struct House {
        let line: String
        let at: Coordinate
    }

    private static let (south, west, degrees) = (48.0, 8.0, 2.0)
    private static let kinds = ["Street", "Road", "Lane", "Avenue", "Square", "Close"]
    private static let (consonants, vowels) = (Array("bdfgklmnprstvz"), Array("aeiou"))

    private var numbers: SeededNumbers
    private var houses: [House] = []
    /// What the scan reads: a line each, as they are compared.
    private var lines: [String] = []
    private(set) var features: [String] = []

    init(names: Int, seed: UInt64) {
        numbers = SeededNumbers(seed: seed)
        let vocabulary = (0..<max(100, names / 10)).map { _ in word() }
        let towns = (0..<max(1, names / 500)).map { _ in
            (name: word(), at: point(Self.south + 1, Self.west + 1, within: Self.degrees / 2))
        }
        for town in towns { add(town.name, #""place":"village""#, town.at) }
        var streets: [(name: String, at: Coordinate)] = []
        for index in 0..<names / 10 {
            let kind = Self.kinds[index % Self.kinds.count]
            let town = towns[index % towns.count]
            let name = "\(vocabulary.randomElement(using: &numbers) ?? "") \(kind)"
            streets.append((name, point(town.at.latitude, town.at.longitude, within: 0.03)))
            add(name, #""highway":"residential""#, streets[index].at, isLine: true)
        }
        for index in 0..<names * 7 / 10 {
            let street = streets[index % max(1, streets.count)]
            let at = point(street.at.latitude, street.at.longitude, within: 0.005)
            let number = index / streets.count + 1
            features.append(
                feature(
                    #""addr:housenumber":"\#(number)","addr:street":"\#(street.name)""#, at))
            houses.append(House(line: "\(number) \(street.name)", at: at))
            lines.append(" \(number) \(street.name.lowercased())")
        }
        while features.count < names {
            let name = [0, 1].compactMap { _ in vocabulary.randomElement(using: &numbers) }
            let at = streets.randomElement(using: &numbers)?.at ?? towns[0].at
            add(name.joined(separator: " "), #""shop":"yes""#, at)
        }
    }

    /// Beginnings of addresses, from a letter to all, with another letter in every second word that is long enough.
    mutating func queries(_ count: Int, mistyped: Bool) -> [Query] {
        (0..<count).map { _ in
            let house = houses[Int.random(in: 0..<houses.count, using: &numbers)]
            var text = Array(house.line)
            let start = (text.firstIndex(of: " ") ?? 0) + 1
            if mistyped {
                let place = Int.random(in: start..<start + 4, using: &numbers)
                text[place] = text[place] == "x" ? "y" : "x"
            }
            let least = start + (mistyped ? 4 : 1)
            let end = Int.random(in: min(least, text.count)...text.count, using: &numbers)
            let isWithNumber = numbers.chance(0.5)
            return Query(
                text: String(text[(isWithNumber ? 0 : start)..<end]),
                near: point(house.at.latitude, house.at.longitude, within: 0.05))
        }
    }

    /// Of each search that looks for all words in each name: how long it takes, and how many have them.
    func scan(_ texts: [String]) -> [(seconds: Double, found: Int)] {
        let names = lines.map { Array($0.utf8CString) }
        return texts.map { text in
            let words = text.lowercased().split(separator: " ").map { Array(" \($0)".utf8CString) }
            let begun = ContinuousClock.now
            let found = names.count { name in words.allSatisfy { strstr(name, $0) != nil } }
            return ((ContinuousClock.now - begun).inSeconds, found)
        }
    }

    private mutating func word() -> String {
        (0..<Int.random(in: 2...4, using: &numbers)).map { _ in
            let consonant = Self.consonants.randomElement(using: &numbers) ?? "b"
            let vowel = Self.vowels.randomElement(using: &numbers) ?? "a"
            return "\(consonant)\(vowel)"
        }.joined().capitalized
    }

    private mutating func point(
        _ latitude: Double, _ longitude: Double, within degrees: Double
    ) -> Coordinate {
        Coordinate(
            latitude: latitude + .random(in: -degrees..<degrees, using: &numbers),
            longitude: longitude + .random(in: -degrees..<degrees, using: &numbers))
    }

    private mutating func add(
        _ name: String, _ tag: String, _ at: Coordinate, isLine: Bool = false
    ) {
        features.append(feature(#""name":"\#(name)",\#(tag)"#, at, isLine: isLine))
        lines.append(" \(name.lowercased())")
    }

    private func feature(_ tags: String, _ at: Coordinate, isLine: Bool = false) -> String {
        let position = "[\(at.longitude),\(at.latitude)]"
        let geometry =
            isLine
            ? #""LineString","coordinates":[\#(position),[\#(at.longitude + 0.002),\#(at.latitude)]]"#
            : #""Point","coordinates":\#(position)"#
        return #"{"type":"Feature","geometry":{"type":\#(geometry)},"properties":{\#(tags)}}"#
    }
}
