/// Synonyms in addresses: abbreviations, and words for streets where signs have two languages.
///
/// Abbreviations are from wiki.openstreetmap.org/wiki/Name_finder:Abbreviations. The Finnish and Swedish ones there
/// are endings of longer words ("Runebergink."): such abbreviations are beginnings, which are found without a table.
enum StreetWords {
    /// The words of a line are synonyms; a word may be in several lines.
    private static let groups = [
        // English and Maltese, which are side by side on signs.
        ["street", "st", "str", "triq"], ["road", "rd", "triq"],
        ["avenue", "ave", "av", "vjal"], ["square", "sq", "pjazza", "misrah"],
        ["lane", "ln", "sqaq", "trejqa"], ["alley", "aly", "sqaq"],
        ["boulevard", "blvd", "bvd"], ["close", "cl"], ["court", "ct"], ["crescent", "cres"],
        ["drive", "dr"], ["gardens", "gdns"], ["highway", "hwy"], ["park", "pk"], ["place", "pl"],
        ["terrace", "tce", "ter"], ["mount", "mt"], ["upper", "uppr"], ["lower", "lwr"],
        ["saint", "st", "san", "santa"], ["doctor", "dr"],
        ["north", "n"], ["south", "s"], ["east", "e"], ["west", "w"],
        // Swedish words that aren't endings.
        ["norra", "n"], ["sodra", "s"], ["ostra", "o"], ["vastra", "v"], ["stora", "st"],
        ["lilla", "l"], ["gamla", "gla"], ["sankt", "st"],
        // German, French, Italian, Spanish.
        ["strasse", "str"], ["straat", "str"], ["platz", "pl"], ["avenue", "av"],
        ["boulevard", "bd"],
        ["saint", "st"], ["sainte", "ste"], ["piazza", "pza"], ["viale", "vle"],
        ["avenida", "av", "avda"], ["calle", "c"], ["plaza", "pza"],
        ["chemin", "ch"], ["route", "rte"], ["impasse", "imp"], ["faubourg", "fg", "fbg"],
        // "Queen's Rd C" of Hong Kong.
        ["central", "c"],
        // Polish, Turkish, Russian.
        ["ulica", "ul"], ["aleja", "al"], ["plac", "pl"],
        ["caddesi", "cad", "cd"], ["sokak", "sokagi", "sok", "sk"], ["bulvari", "blv"],
        ["улица", "ул"], ["проспект", "пр", "прт", "просп"], ["переулок", "пер"],
        ["площадь", "пл"],
        ["набережная", "наб"], ["бульвар", "бул", "бр"], ["шоссе", "ш"],
    ]

    /// Words that people leave out or add freely: the English article, and the Maltese one before each letter.
    private static let articles: Set = [
        "the", "il", "l", "ic", "id", "in", "ir", "is", "it", "ix", "iz",
    ]

    private static let meanings = groups.reduce(into: [String: Set<String>]()) { meanings, group in
        for word in group { meanings[word, default: []].formUnion(group) }
    }

    /// The synonyms of a normalised word, including itself.
    static func meanings(of word: String) -> Set<String> { meanings[word] ?? [word] }

    /// Words that end a street's name, with or without a space before them, longest first.
    private static let endings = ["strasse", "straat", "street", "platz", "allee", "road", "str"]

    /// "berliner" and "str" of "berlinerstr"; nil without such an ending.
    static func split(_ word: String) -> [String]? {
        endings.first { word.hasSuffix($0) && word.count > $0.count + 2 }.map {
            [String(word.dropLast($0.count)), $0]
        }
    }

    /// The words without articles; all of them if there are only articles.
    static func withoutArticles<Words: Collection<String>>(_ words: Words) -> [String] {
        let rest = words.filter { !articles.contains($0) }
        return rest.isEmpty ? Array(words) : rest
    }
}
