/// Words of addresses that stand for each other: abbreviations, and what a street is called where two languages share
/// the signs.
///
/// Abbreviations by wiki.openstreetmap.org/wiki/Name_finder:Abbreviations, whose Finnish and Swedish ones are endings
/// of longer words ("Runebergink."): those are beginnings, which are found without a table.
enum StreetWords {
    /// Each line means the same; a word may be in several.
    private static let groups = [
        // English, and Maltese as the two stand side by side on the signs there.
        ["street", "st", "str", "triq"], ["road", "rd", "triq"],
        ["avenue", "ave", "av", "vjal"], ["square", "sq", "pjazza", "misrah"],
        ["lane", "ln", "sqaq", "trejqa"], ["alley", "aly", "sqaq"],
        ["boulevard", "blvd", "bvd"], ["close", "cl"], ["court", "ct"], ["crescent", "cres"],
        ["drive", "dr"], ["gardens", "gdns"], ["highway", "hwy"], ["park", "pk"], ["place", "pl"],
        ["terrace", "tce", "ter"], ["mount", "mt"], ["upper", "uppr"], ["lower", "lwr"],
        ["saint", "st", "san", "santa"], ["doctor", "dr"],
        ["north", "n"], ["south", "s"], ["east", "e"], ["west", "w"],
        // Swedish, where no ending of a word.
        ["norra", "n"], ["sodra", "s"], ["ostra", "o"], ["vastra", "v"], ["stora", "st"],
        ["lilla", "l"], ["gamla", "gla"], ["sankt", "st"],
        // German, French, Italian, Spanish.
        ["strasse", "str"], ["platz", "pl"], ["avenue", "av"], ["boulevard", "bd"],
        ["saint", "st"], ["sainte", "ste"], ["piazza", "pza"], ["viale", "vle"],
        ["avenida", "av", "avda"], ["calle", "c"], ["plaza", "pza"],
    ]

    /// What people leave out or put in as they like: the article of English, and of Maltese before each letter.
    private static let articles: Set = [
        "the", "il", "l", "ic", "id", "in", "ir", "is", "it", "ix", "iz",
    ]

    private static let meanings = groups.reduce(into: [String: Set<String>]()) { meanings, group in
        for word in group { meanings[word, default: []].formUnion(group) }
    }

    /// Of a word as it is compared; itself among them.
    static func meanings(of word: String) -> Set<String> { meanings[word] ?? [word] }

    /// Of several words; all of them where they are nothing else.
    static func withoutArticles<Words: Collection<String>>(_ words: Words) -> [String] {
        let rest = words.filter { !articles.contains($0) }
        return rest.isEmpty ? Array(words) : rest
    }
}
