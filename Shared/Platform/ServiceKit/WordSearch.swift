import Foundation
import Store

/// Searches names and addresses in SQL: each word may be anywhere in a column of folded text.
public enum WordSearch {
    /// The text for comparison: lower case, without accents.
    public static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
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
        for word in words.map(WordSearch.folded)?.split(separator: " ") ?? [] {
            require("\(column) LIKE ? ESCAPE '\\'", "%\(WordSearch.escaped(word))%")
        }
    }
}
