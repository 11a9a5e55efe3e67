import Foundation

/// How names and what people type are compared: small letters without marks.
enum SearchWords {
    /// Words of one name, or of one search, that count.
    static let most = 12

    /// In scripts without spaces each character is a word.
    static func of(_ text: String) -> [String] {
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
            } else if isWord(scalar) {
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

    /// Letters of their own that keyboards elsewhere lack, as people write them there.
    private static let letters: [Unicode.Scalar: String] = [
        "ħ": "h", "ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae",
        "œ": "oe",
        "ı": "i",
    ]

    /// Han, Hiragana and Katakana.
    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3040...0x30FF, 0x3400...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
        default: false
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .nonspacingMark
    }
}
