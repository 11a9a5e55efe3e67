/// How well an entry fits what somebody looks for; the best is the least.
struct AddressFit: Comparable {
    /// What somebody means who types so.
    enum Kind: Int {
        /// All of its name is said, and nothing of it is only begun.
        case exact
        /// A house whose number is said: before the shops in it.
        case house
        /// All of its name is said, the end of which is still to be typed.
        case begun
        /// A part of its name is said.
        case named
        /// In a street or town that is looked for.
        case within
    }

    let mistakes: Int
    let kind: Kind
    /// Words that are none of its name, but of where it is, or that only mean the same; articles that are too many or
    /// too few; of a house's name, what is not said.
    let aside: Int

    static func < (one: Self, other: Self) -> Bool {
        (one.mistakes, one.kind.rawValue, one.aside)
            < (other.mistakes, other.kind.rawValue, other.aside)
    }

    /// What is called so: nobody means anything else.
    var isSure: Bool { mistakes == 0 && (kind == .exact || kind == .house) }
}

/// The words of an entry.
struct AddressWords {
    /// Between the street and the number of a house's title.
    static let numberMark = "\t"

    private struct Title {
        /// Without articles.
        let words: [String]
        let articles: Int
        /// Of a house's number; nil for whatever is no house.
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
    /// The words of each title, and those of where it is.
    private let all: [[String]]

    /// Titles a line each; the other words with spaces between.
    init(titles: String, surroundings: String) {
        self.titles = Self.pieces(of: titles, between: "\n").map(Title.init)
        all =
            self.titles.map(\.words) + [Self.pieces(of: surroundings, between: " ")]
    }

    /// All words of a title.
    static func words(of title: String) -> [String] {
        pieces(of: title, between: "\t").flatMap { pieces(of: $0, between: " ") }
    }

    /// By bytes, which is many times faster than by characters.
    private static func pieces(of text: String, between mark: Unicode.Scalar) -> [String] {
        text.utf8.split(separator: UInt8(ascii: mark)).map { String(Substring($0)) }
    }

    /// By the title that fits best; nil where one of the words is nowhere. `articles` are left out of the words.
    func fit(_ sought: inout [SoughtWord], articles: Int) -> AddressFit? {
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
            fit(title, &sought, anywhere, articles: abs(articles - title.articles))
        }.min()
    }

    private func fit(
        _ title: Title, _ sought: inout [SoughtWord], _ anywhere: [SoughtWord.Match], articles: Int
    ) -> AddressFit {
        var (unsaid, begun) = (title.words, Set<String>())
        var (mistakes, aside) = (0, articles)
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
