import Contracts
import Foundation
import Geo
import TripMaker

/// Questions about an extract, drawn from it without the index's code: names and addresses as people type them, and
/// what they mean.
///
/// An answer is right if its first item is called so and lies there; of several that are called so each is right.
public struct AddressExam {
    public struct Question: Sendable {
        public let typing: Typing
        public let text: String
        let landmark: Landmark
    }

    public struct Result: Sendable {
        public var asked = 0
        public var right = 0

        public var share: Double { asked == 0 ? 1 : Double(right) / Double(asked) }
    }

    /// How far a figure of docs/benchmarks.md is from the next run's: not at all.
    public static let seed: UInt64 = 1
    /// Names and addresses, half of them houses where there are as many; each as every typing allows.
    public static let landmarks = 200
    /// Shorter names are hardly looked for.
    private static let shortestName = 4
    private static let languages = 2

    /// From where all is asked: the middle of the extract.
    public let middle: Coordinate
    public let questions: [Question]

    public init(_ features: URL, count: Int = landmarks, seed: UInt64 = seed) throws {
        let all = try Landmark.all(in: features).sorted {
            ($0.sign, $0.number ?? "") < ($1.sign, $1.number ?? "")
        }
        middle = Self.middle(of: all)
        var numbers = SeededNumbers(seed: seed)
        let long = all.filter { $0.sign.filter(\.isLetter).count >= Self.shortestName }
        let houses = long.filter { $0.number != nil }.shuffled(using: &numbers)
        let names = long.filter { $0.number == nil }.shuffled(using: &numbers)
        let drawn = houses.prefix(count / 2) + names.prefix(count - min(count / 2, houses.count))
        let known = Known(all)
        let languages = Self.languages(of: all)
        questions = drawn.flatMap { landmark in
            Typing.allCases.compactMap { typing in
                let other = languages.lazy.compactMap { landmark.names[$0] }.first {
                    Landmark.key($0) != Landmark.key(landmark.sign)
                }
                guard let name = typing.isInOtherLanguage ? other : landmark.sign else {
                    return nil
                }
                return typing.text(
                    of: name, landmark, &numbers,
                    isUnclear: { known.isAnother($0, than: landmark) }
                ).map { Question(typing: typing, text: $0, landmark: landmark) }
            }
        }
    }

    /// The first answers to all questions; what was answered wrongly is handed on.
    public func mark(
        _ answer: (String) async throws -> FoundPlace?,
        wrong: (Question, FoundPlace?) -> Void = { _, _ in }
    ) async rethrows -> [Typing: Result] {
        var results: [Typing: Result] = [:]
        for question in questions {
            let found = try await answer(question.text)
            let isRight = found.map(question.landmark.isMeant) ?? false
            results[question.typing, default: Result()].asked += 1
            if isRight {
                results[question.typing, default: Result()].right += 1
            } else {
                wrong(question, found)
            }
        }
        return results
    }

    /// The languages that most names are in, beside that of the signs.
    private static func languages(of all: [Landmark]) -> [String] {
        let counts = all.reduce(into: [String: Int]()) { counts, landmark in
            for language in landmark.names.keys where !language.isEmpty {
                counts[language, default: 0] += 1
            }
        }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(languages).map(
            \.key)
    }

    private static func middle(of all: [Landmark]) -> Coordinate {
        let boxes = all.flatMap(\.boxes)
        func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
        guard !boxes.isEmpty else { return Coordinate(latitude: 0, longitude: 0) }
        return Coordinate(
            latitude: median(boxes.map(\.south)), longitude: median(boxes.map(\.west)))
    }
}

/// All names, to tell what might mean another thing.
private struct Known {
    /// Sorted, each with the sign of what is called so.
    private let names: [(text: String, sign: String)]
    /// Street and number of each.
    private let houses: Set<String>

    init(_ all: [Landmark]) {
        names = all.flatMap { landmark in
            (Array(landmark.names.values) + landmark.others).map {
                (Landmark.key($0), Landmark.key(landmark.sign))
            }
        }.sorted { $0.0 < $1.0 }
        houses = Set(
            all.compactMap { landmark in
                landmark.number.map { Landmark.key("\(landmark.sign) \($0)") }
            })
    }

    /// Whether a text is a house, or begins the name of something that is called otherwise.
    func isAnother(_ text: String, than landmark: Landmark) -> Bool {
        let (plain, sign) = (Landmark.key(text), Landmark.key(landmark.sign))
        if houses.contains(plain) { return true }
        var (low, high) = (0, names.count)
        while low < high {
            let middle = (low + high) / 2
            if names[middle].text < plain { low = middle + 1 } else { high = middle }
        }
        return names[low...].prefix { $0.text.hasPrefix(plain) }.contains { $0.sign != sign }
    }
}
