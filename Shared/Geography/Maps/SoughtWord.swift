/// A word that somebody looks for, and what else they may mean by it.
struct SoughtWord {
    /// How well a word fits.
    struct Match: Comparable {
        let mistakes: Int
        /// Not only begun.
        let isWhole: Bool
        /// By another word of the same meaning.
        var isTranslated = false

        private var order: (Int, Int, Int) { (mistakes, isWhole ? 0 : 1, isTranslated ? 1 : 0) }

        static func < (one: Self, other: Self) -> Bool { one.order < other.order }
    }

    /// Shorter words are meant as they are, unless they are being typed.
    private static let shortestBeginning = 3

    private let text: String
    private let meanings: Set<String>
    /// The last, at which somebody is still typing.
    private let isHalf: Bool
    private let mistakes: Int
    /// Before the last one, too, words are cut short ("Runebergink. 5"), where nothing is called so.
    private let isBeginning: Bool
    private var spelling: Spelling
    /// Of words that were compared before: many entries have the same.
    private var known: [String: Match?] = [:]

    /// Up to so many mistakes; nil: as it is spelt.
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

    /// As FTS5 looks for it (sqlite.org/fts5.html, 3). Words are letters and digits alone: nothing in them leaves its
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

    /// Nil where it does not fit.
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
