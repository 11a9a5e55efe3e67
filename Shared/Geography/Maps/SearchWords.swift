import Foundation

/// Normalises names and typed text for comparison: lower case, without diacritical marks.
enum SearchWords {
    /// Maximum number of words of a name or a search.
    static let most = 12

    /// In scripts without spaces, each character is a word.
    static func of(_ text: String, most: Int = most) -> [String] {
        var words: [String] = []
        var word = ""
        func end() {
            if !word.isEmpty { words.append(word) }
            word = ""
        }
        let folded = text.folding(
            options: [.diacriticInsensitive, .caseInsensitive, .widthInsensitive], locale: nil)
        for scalar in folded.unicodeScalars {
            if let plain = letters[scalar] {
                word += plain
            } else if isIdeograph(scalar) {
                end()
                words.append(String(scalar))
            } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                word.unicodeScalars.append(scalar)
            } else if !"'’ʼ".unicodeScalars.contains(scalar), !isMark(scalar) {
                end()
            }
        }
        end()
        return Array(words.prefix(most))
    }

    /// Letters that foreign keyboards lack, as people abroad write them.
    private static let letters: [Unicode.Scalar: String] = [
        "ħ": "h", "ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae",
        "œ": "oe",
        "ı": "i",
    ]

    /// Han, Hiragana and Katakana.
    static func isIdeograph(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3040...0x30FF, 0x3400...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
        default: false
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .nonspacingMark
    }
}
