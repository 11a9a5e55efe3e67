/// How well an entry fits a search; the best one is the least.
struct AddressFit: Comparable {
    /// How the typed words relate to the entry.
    enum Kind: Int {
        /// The whole name, with all words complete.
        case exact
        /// A house with its number; sorted before shops in it.
        case house
        /// The whole name, the last word of which is not complete.
        case begun
        /// Part of the name.
        case named
        /// Something in the street or town that was typed.
        case within
    }

    let mistakes: Int
    let kind: Kind
    /// Number of words that belong to its surroundings or are only synonyms, plus typed words that were left out, extra
    /// or missing articles, and, for a house, words of its name that were not typed.
    let aside: Int

    static func < (one: Self, other: Self) -> Bool {
        (one.mistakes, one.kind.rawValue, one.aside)
            < (other.mistakes, other.kind.rawValue, other.aside)
    }

    /// The entry has exactly this name, so nothing else can be meant.
    var isSure: Bool { mistakes == 0 && (kind == .exact || kind == .house) }
}

/// The words of an entry.
struct AddressWords {
    /// Separates the street from the number in a house's title.
    static let numberMark = "\t"

    private struct Title {
        /// Without articles.
        let words: [String]
        let articles: Int
        /// The words of a house's number; nil for other entries.
        let number: [String]?

        init(_ text: String) {
            let parts = pieces(of: text, between: "\t").map { pieces(of: $0, between: " ") }
            let plain = parts.map { StreetWords.withoutArticles($0) }
            articles = parts.joined().count - plain.joined().count
            number = plain.count > 1 ? plain[1] : nil
            words = Array(plain.joined())
        }
    }

    private let titles: [Title]
    /// The words of each title, and those of its surroundings.
    private let all: [[String]]

    /// `titles` has one title per line; other words are separated by spaces.
    init(titles: String, surroundings: String) {
        self.titles = Self.pieces(of: titles, between: "\n").map(Title.init)
        all =
            self.titles.map(\.words) + [Self.pieces(of: surroundings, between: " ")]
    }

    static func words(of title: String) -> [String] {
        pieces(of: title, between: "\t").flatMap { pieces(of: $0, between: " ") }
    }

    /// Works on bytes, which is many times faster than on characters.
    private static func pieces(of text: String, between mark: Unicode.Scalar) -> [String] {
        text.utf8.split(separator: UInt8(ascii: mark)).map { String(Substring($0)) }
    }

    /// The fit of the best title; nil if one of the words is missing. `articles` is the number of articles removed
    /// from the words, `leftOut` the number of other words.
    func fit(_ sought: inout [SoughtWord], articles: Int, leftOut: Int) -> AddressFit? {
        var anywhere: [SoughtWord.Match] = []
        for index in sought.indices {
            var best: SoughtWord.Match?
            for words in all {
                for word in words {
                    guard let match = sought[index].match(word) else { continue }
                    best = best.map { min($0, match) } ?? match
                }
            }
            guard let best else { return nil }
            anywhere.append(best)
        }
        return titles.map { title in
            fit(title, &sought, anywhere, aside: leftOut + abs(articles - title.articles))
        }.min()
    }

    private func fit(
        _ title: Title, _ sought: inout [SoughtWord], _ anywhere: [SoughtWord.Match], aside: Int
    ) -> AddressFit {
        var (unsaid, begun) = (title.words, Set<String>())
        var (mistakes, aside) = (0, aside)
        for index in sought.indices {
            let inTitle = unsaid.indices.compactMap { place in
                sought[index].match(unsaid[place]).map { (match: $0, place: place) }
            }.min { $0.match < $1.match }
            mistakes += anywhere[index].mistakes
            guard let inTitle, inTitle.match.mistakes <= anywhere[index].mistakes else {
                aside += 1
                continue
            }
            if inTitle.match.isTranslated { aside += 1 }
            let word = unsaid.remove(at: inTitle.place)
            if !inTitle.match.isWhole { begun.insert(word) }
        }
        return AddressFit(
            mistakes: mistakes, kind: kind(title, unsaid, begun),
            aside: title.number == nil ? aside : aside + unsaid.count)
    }

    private func kind(
        _ title: Title, _ unsaid: [String], _ begun: Set<String>
    ) -> AddressFit.Kind {
        if unsaid.isEmpty, begun.isEmpty { return .exact }
        guard let number = title.number else {
            return unsaid.count == title.words.count ? .within : unsaid.isEmpty ? .begun : .named
        }
        let isNumberSaid = !number.contains { begun.contains($0) || unsaid.contains($0) }
        let isStreetSaid = unsaid.count < title.words.count - number.count
        return isNumberSaid && isStreetSaid ? .house : .within
    }
}
