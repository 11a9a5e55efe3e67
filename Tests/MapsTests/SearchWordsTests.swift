import Testing

@testable import Maps

@Suite struct SearchWordsTests {
    @Test(arguments: [
        ("Triq il-Ħarruba", ["triq", "il", "harruba"]), ("QUEEN’S Road", ["queens", "road"]),
        ("Straße 8a", ["strasse", "8a"]), ("Łódź", ["lodz"]), ("角豆街", ["角", "豆", "街"]),
        ("彌敦道 Nathan Road", ["彌", "敦", "道", "nathan", "road"]), ("Ｃａｆé", ["cafe"]),
        ("\"a\" OR b*", ["a", "or", "b"]), (" -–, ", []),
    ])
    func namesAreComparedWithoutMarksAndCapitals(text: String, words: [String]) {
        #expect(SearchWords.of(text) == words)
    }

    @Test(arguments: [
        ("zh-Hant-HK, en;q=0.5", "角豆街"), ("en", "Carob Street"), ("de, en;q=0.8", "Carob Street"),
        ("en;q=0.1, zh", "角豆街"), ("de", "Triq il-Ħarruba"), ("", "Triq il-Ħarruba"),
        (";;,q=,-", "Triq il-Ħarruba"),
    ])
    func aNameIsInTheFirstLanguageThatThereIsOneIn(header: String, name: String) throws {
        let names = try #require(
            PlaceNames(tags: [
                "name": "Triq il-Ħarruba", "name:en": "Carob Street", "name:zh": "角豆街",
                "name:etymology:wikidata": "Q1", "highway": "residential",
            ]))
        #expect(names.best(PlaceNames.languages(header)) == name)
    }
}
