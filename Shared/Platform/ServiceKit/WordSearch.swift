import Foundation
import Store

/// How names and addresses are looked for in SQL: each word anywhere in a column of folded text.
public struct WordSearch: Sendable {
    /// For `WHERE`, a condition a word.
    public private(set) var conditions: [String] = []
    public private(set) var arguments: [(any SQLConvertible)?] = []

    public init(_ words: String?, in column: String) {
        for word in words.map(Self.folded)?.split(separator: " ") ?? [] {
            conditions.append("\(column) LIKE ? ESCAPE '\\'")
            arguments.append("%\(Self.escaped(word))%")
        }
    }

    /// As words are compared: small, without accents.
    public static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }

    private static func escaped(_ word: Substring) -> String {
        word.reduce(into: "") { text, character in
            if "%_\\".contains(character) { text.append("\\") }
            text.append(character)
        }
    }
}
