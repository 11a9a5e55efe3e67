/// How well an entry fits what somebody looks for; the best is the least.
struct AddressFit: Comparable {
    /// What somebody means who types so.
    enum Kind: Int {
        /// All of its name is said, and nothing of it is only begun.
        case exact
        /// A house whose number is among the words: before the shops in it.
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
    /// Words that are none of its name, but of where it is.
    let besides: Int

    static func < (one: Self, other: Self) -> Bool {
        (one.mistakes, one.kind.rawValue, one.besides)
            < (other.mistakes, other.kind.rawValue, other.besides)
    }
}

/// The words of an entry.
struct AddressWords {
    let titles: [[String]]
    /// Those of all titles and of where it is.
    let all: Set<String>
    /// Of a house's number; nil for whatever is no house.
    let number: Set<String>?

    init(_ kind: AddressEntry.Kind, titles: [String], surroundings: [String], number: String?) {
        let words = titles.map { $0.split(separator: " ").map(String.init) }
        self.titles = words.map { StreetWords.withoutArticles($0) }
        all = Set(words.joined()).union(surroundings)
        self.number =
            kind == .address
            ? Set(HouseNumber.spellings(number ?? "").flatMap(SearchWords.of)) : nil
    }

    /// By the title that fits best; nil where one of the words is nowhere.
    func fit(_ sought: inout [SoughtWord]) -> AddressFit? {
        let anywhere = sought.indices.compactMap { index in
            all.compactMap { sought[index].match($0) }.min()
        }
        guard anywhere.count == sought.count else { return nil }
        return (titles.isEmpty ? [[]] : titles).map { fit($0, &sought, anywhere) }.min()
    }

    private func fit(
        _ title: [String], _ sought: inout [SoughtWord], _ anywhere: [SoughtWord.Match]
    ) -> AddressFit {
        var unsaid = title
        var (mistakes, besides, isWhole) = (0, 0, true)
        for index in sought.indices {
            let inTitle = unsaid.indices.compactMap { place in
                sought[index].match(unsaid[place]).map { (match: $0, place: place) }
            }.min { $0.match < $1.match }
            mistakes += anywhere[index].mistakes
            if let inTitle, inTitle.match.mistakes <= anywhere[index].mistakes {
                isWhole = isWhole && inTitle.match.isWhole
                unsaid.remove(at: inTitle.place)
            } else {
                besides += 1
            }
        }
        return AddressFit(
            mistakes: mistakes,
            kind: kind(title, unsaid: unsaid, isWhole: isWhole), besides: besides)
    }

    private func kind(_ title: [String], unsaid: [String], isWhole: Bool) -> AddressFit.Kind {
        if unsaid.isEmpty, isWhole, !title.isEmpty { return .exact }
        guard let number else {
            return unsaid.count == title.count ? .within : unsaid.isEmpty ? .begun : .named
        }
        func isSaid(_ words: [String]) -> Bool {
            words.count > unsaid.filter(words.contains).count
        }
        let isHouse =
            isSaid(title.filter(number.contains)) && isSaid(title.filter { !number.contains($0) })
        return isHouse ? .house : .within
    }
}
