import Foundation
import Store

/// How names and addresses are looked for in SQL: each word anywhere in a column of folded text.
public enum WordSearch {
    /// As words are compared: small, without accents.
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
