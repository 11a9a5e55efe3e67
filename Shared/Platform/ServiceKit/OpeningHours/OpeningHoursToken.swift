import Foundation

extension OpeningHours {
    /// A word, number, time, sign or comment of a text.
    struct Token {
        enum Kind: Hashable {
            /// In lower case.
            case word(String)
            case number(Int, digits: Int)
            /// `HH:MM`, in minutes.
            case time(Int)
            case sign(Character)
            case comment
        }

        let kind: Kind
        /// The text from the token on.
        let rest: Substring

        private static let dashes: Set<Character> = [
            "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2014}", "\u{2015}", "\u{2212}",
            "\u{301C}", "~",
        ]

        static func all(of text: String) throws(Unreadable) -> [Token] {
            let plain = text.precomposedStringWithCompatibilityMapping.unicodeScalars.filter {
                $0.properties.generalCategory != .format
            }
            var (rest, tokens) = (Substring(String(plain)), [Token]())
            while let first = rest.first {
                if first.isWhitespace {
                    rest.removeFirst()
                    continue
                }
                let start = rest
                let kind = try kind(takenFrom: &rest, first)
                tokens.append(Token(kind: kind, rest: start))
            }
            return tokens
        }

        private static func kind(
            takenFrom rest: inout Substring, _ first: Character
        ) throws(Unreadable) -> Kind {
            if let match = rest.prefixMatch(of: /(\d{1,2})[:.]([0-5]\d)(?!\d)/),
                let hour = Int(match.1), let minute = Int(match.2)
            {
                rest = rest[match.range.upperBound...]
                return .time(hour * 60 + minute)
            }
            if let match = rest.prefixMatch(of: /\d{1,4}/), let number = Int(match.0) {
                rest = rest[match.range.upperBound...]
                return .number(number, digits: match.0.count)
            }
            if first.isLetter {
                let word = rest.prefix { $0.isLetter }
                rest = rest.dropFirst(word.count)
                // As in "Mo.-Fr."
                if rest.first == "." { rest.removeFirst() }
                return .word(word.lowercased())
            }
            if first == "\"" || first == "\u{201C}" || first == "\u{201D}" {
                let text = rest.dropFirst()
                guard let end = text.firstIndex(where: { "\"\u{201C}\u{201D}".contains($0) }) else {
                    throw Unreadable(
                        rest: String(rest.prefix(20)), wanted: "the end of a comment is wanted")
                }
                rest = text[text.index(after: end)...]
                return .comment
            }
            rest.removeFirst()
            return .sign(dashes.contains(first) ? "-" : first)
        }
    }
}

extension OpeningHours.Token.Kind {
    private static let weekdays = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]
    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september",
        "october", "november", "december",
    ]

    private func place(in names: [String], least: Int) -> Int? {
        guard case .word(let word) = self, word.count >= least else { return nil }
        return names.firstIndex { $0.hasPrefix(word) || $0 + "s" == word }
    }

    /// 0 is Monday.
    var weekday: Int? { place(in: Self.weekdays, least: 2) }
    /// 1 is January.
    var month: Int? { place(in: Self.months, least: 3).map { $0 + 1 } }
    var isDate: Bool { month != nil || self == .word("easter") }
    var isHalfOfDay: Bool { self == .word("am") || self == .word("pm") }

    var isJoint: Bool { sign.map { ";,|".contains($0) } ?? false }

    var event: SunEvent? {
        guard case .word(let word) = self else { return nil }
        return SunEvent(rawValue: word)
    }

    var sign: Character? {
        guard case .sign(let sign) = self else { return nil }
        return sign
    }
}
