/// A word of a search, and other words that it may mean.
struct SoughtWord {
    /// How well a word fits.
    struct Match: Comparable {
        let mistakes: Int
        /// Whether the word is complete.
        let isWhole: Bool
        /// By a synonym.
        var isTranslated = false

        private var order: (Int, Int, Int) { (mistakes, isWhole ? 0 : 1, isTranslated ? 1 : 0) }

        static func < (one: Self, other: Self) -> Bool { one.order < other.order }
    }

    /// Shorter words are not treated as beginnings, unless they are being typed.
    private static let shortestBeginning = 3

    private let text: String
    private let meanings: Set<String>
    /// Whether it is the last word, which may be incomplete.
    private let isHalf: Bool
    private let mistakes: Int
    /// Whether it may be an abbreviation ("Runebergink. 5"), if nothing has exactly this name.
    private let isBeginning: Bool
    private var spelling: Spelling
    /// Earlier results: many entries have the same words.
    private var known: [String: Match?] = [:]

    /// `mistakes` is the maximum; nil for exact spelling.
    init(_ text: String, isHalf: Bool, mistakes: Int?) {
        (self.text, self.isHalf) = (text, isHalf)
        meanings = StreetWords.meanings(of: text)
        self.mistakes = min(mistakes ?? 0, Spelling.mostMistakes(in: text))
        isBeginning =
            isHalf
            || mistakes != nil && text.count >= Self.shortestBeginning
                && !text.contains(where: \.isNumber)
        spelling = Spelling(text)
    }

    /// The FTS5 query (sqlite.org/fts5.html, 3). Words contain only letters and digits, so nothing can escape its
    /// quotes.
    func expression(_ vocabulary: Vocabulary?) -> String {
        var terms = meanings.sorted().map { "\"\($0)\"" }
        if isBeginning { terms.append("\"\(text)\"*") }
        if mistakes > 0, let vocabulary {
            terms += vocabulary.guesses(for: text, mistakes: mistakes, isHalf: isHalf).map {
                isHalf ? "\"\($0)\"*" : "\"\($0)\""
            }
        }
        return "(\(terms.joined(separator: " OR ")))"
    }

    /// Nil if it does not match.
    mutating func match(_ other: String) -> Match? {
        if let known = known[other] { return known }
        let match = compare(other)
        known.updateValue(match, forKey: other)
        return match
    }

    private mutating func compare(_ other: String) -> Match? {
        if meanings.contains(other) {
            return Match(mistakes: 0, isWhole: true, isTranslated: other != text)
        }
        if isBeginning, other.hasPrefix(text) { return Match(mistakes: 0, isWhole: false) }
        guard mistakes > 0 else { return nil }
        let (whole, beginning) = spelling.mistakes(in: other)
        if isHalf, beginning < whole, beginning <= mistakes {
            return Match(mistakes: beginning, isWhole: false)
        }
        return whole <= mistakes ? Match(mistakes: whole, isWhole: true) : nil
    }
}
