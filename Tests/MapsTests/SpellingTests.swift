import Testing
import TripMaker

@testable import Maps

@Suite struct SpellingTests {
    @Test(arguments: [
        ("valletta", "valletta", 0), ("valetta", "valletta", 1), ("vallletta", "valletta", 1),
        ("vlaletta", "valletta", 1), ("falletta", "valletta", 1), ("valelta", "valletta", 2),
        ("", "abc", 3), ("ca", "abc", 3), ("катя", "кадя", 1),
    ])
    func mistakesAreCounted(typed: String, word: String, mistakes: Int) {
        var spelling = Spelling(typed)
        #expect(spelling.mistakes(in: word).whole == mistakes)
        // What was compared before does not matter.
        _ = spelling.mistakes(in: "something else")
        #expect(spelling.mistakes(in: word).whole == mistakes)
    }

    @Test(arguments: [
        ("8", 0), ("1234567", 0), ("8a", 0), ("st", 0), ("rue", 1), ("queen", 1), ("queens", 2),
    ])
    func numbersAndShortWordsAreMeantAsTheyAre(word: String, most: Int) {
        #expect(Spelling.mostMistakes(in: word) == most)
    }

    /// Against asking each word, by the definition as it reads.
    @Test func theVocabularyFindsWhatAskingEachWordFinds() {
        var numbers = SeededNumbers(seed: 1)
        func word() -> String {
            String(
                (0..<Int.random(in: 1...5, using: &numbers)).map { _ in
                    "abc".randomElement(using: &numbers) ?? "a"
                })
        }
        let words = Set((0..<150).map { _ in word() })
        let vocabulary = Vocabulary(words)
        for _ in 0..<50 {
            let (typed, most) = (word(), Int.random(in: 0...2, using: &numbers))
            let near = words.filter { naive(Array(typed), Array($0)) <= most }
            let whole = vocabulary.guesses(for: typed, mistakes: most, isHalf: false)
            #expect(near.count > Vocabulary.mostGuesses || Set(whole) == near, "\(typed)")
            let begun = words.filter { word in
                (1...word.count).contains { naive(Array(typed), Array(word.prefix($0))) <= most }
            }
            let beginnings = vocabulary.guesses(for: typed, mistakes: most, isHalf: true)
            let found = words.filter { word in beginnings.contains { word.hasPrefix($0) } }
            #expect(beginnings.count == Vocabulary.mostGuesses || found == begun, "\(typed)")
        }
    }

    private func naive(_ one: [Character], _ other: [Character]) -> Int {
        guard let last = one.last, let letter = other.last else { return one.count + other.count }
        let (rest, remains) = (Array(one.dropLast()), Array(other.dropLast()))
        var least = min(naive(rest, other) + 1, naive(one, remains) + 1)
        least = min(least, naive(rest, remains) + (last == letter ? 0 : 1))
        if rest.last == letter, remains.last == last {
            least = min(least, naive(Array(rest.dropLast()), Array(remains.dropLast())) + 1)
        }
        return least
    }
}
