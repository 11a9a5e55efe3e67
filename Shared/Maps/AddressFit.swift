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
    private struct Title {
        /// Without articles.
        let words: [String]
        let articles: Int
    }

    private let titles: [Title]
    /// Those of all titles and of where it is.
    private let all: Set<String>
    /// Of a house's number; nil for whatever is no house.
    private let number: Set<String>?

    init(_ kind: AddressEntry.Kind, titles: [String], surroundings: [String], number: String?) {
        let words = titles.map { $0.split(separator: " ").map(String.init) }
        self.titles = words.map { all in
            let words = StreetWords.withoutArticles(all)
            return Title(words: words, articles: all.count - words.count)
        }
        all = Set(words.joined()).union(surroundings)
        self.number =
            kind == .address
            ? Set(
                HouseNumber.spellings(number ?? "").flatMap {
                    $0.split(separator: " ").map(String.init)
                }) : nil
    }

    /// By the title that fits best; nil where one of the words is nowhere. `articles` are left out of the words.
    func fit(_ sought: inout [SoughtWord], articles: Int) -> AddressFit? {
        let anywhere = sought.indices.compactMap { index in
            all.compactMap { sought[index].match($0) }.min()
        }
        guard anywhere.count == sought.count else { return nil }
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
            mistakes: mistakes, kind: kind(title.words, unsaid, begun),
            aside: number == nil ? aside : aside + unsaid.count)
    }

    private func kind(
        _ title: [String], _ unsaid: [String], _ begun: Set<String>
    ) -> AddressFit.Kind {
        if unsaid.isEmpty, begun.isEmpty { return .exact }
        guard let number else {
            return unsaid.count == title.count ? .within : unsaid.isEmpty ? .begun : .named
        }
        let street = title.filter { !number.contains($0) }
        let isNumberSaid = number.isDisjoint(with: begun.union(unsaid))
        let isStreetSaid = unsaid.filter(street.contains).count < street.count
        return isNumberSaid && isStreetSaid ? .house : .within
    }
}
