import Foundation
import Store

/// Searches names and addresses in SQL: each word may be anywhere in a column of folded text.
public enum WordSearch {
    /// The text for comparison: lower case, without accents.
    public static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }

    /// The words of a search. Signs between them, as in "P-Kluuvi" and "@ Metallitalo", may be others than those in the
    /// column; only a search for signs alone is for these.
    fileprivate static func words(of text: String) -> [Substring] {
        let text = folded(text)
        let words = text.split { !$0.isLetter && !$0.isNumber }
        return words.isEmpty ? text.split(whereSeparator: \.isWhitespace) : words
    }

    fileprivate static func escaped(_ word: Substring) -> String {
        word.reduce(into: "") { text, character in
            if "%_\\".contains(character) { text.append("\\") }
            text.append(character)
        }
    }
}

extension Conditions {
    /// Requires each of the words.
    public mutating func require(words: String?, in column: String) {
        for word in words.map(WordSearch.words) ?? [] {
            require("\(column) LIKE ? ESCAPE '\\'", "%\(WordSearch.escaped(word))%")
        }
    }
}
