import Foundation

/// Countries as people write them at the end of an address, in English and in their own languages.
enum CountryNames {
    /// The most words of a name that are compared.
    static let longest = 9

    /// Names that CLDR has in another form, such as "Hong Kong SAR China".
    private static let further = [
        "UK", "Great Britain", "England", "Scotland", "Wales", "USA", "US", "U.S.A.", "America",
        "UAE", "Holland", "Czech Republic", "Turkey", "Korea", "Hong Kong", "Hong Kong SAR", "HK",
        "香港特別行政區", "香港特别行政区",
        "Macau", "Macao", "香港", "澳門", "澳门", "中国", "中國", "台灣", "臺灣", "台湾", "日本",
    ]

    /// Words of names, joined by spaces, as `SearchWords` has them. From CLDR, which Foundation includes.
    private static let all: Set<String> = {
        let english = Locale(identifier: "en")
        var names =
            further
            + Locale.Region.isoRegions.filter { $0.identifier.count == 2 }
            .compactMap { english.localizedString(forRegionCode: $0.identifier) }
        for locale in Locale.availableIdentifiers.map({ Locale(identifier: $0) }) {
            guard let country = locale.region?.identifier else { continue }
            names += [locale.localizedString(forRegionCode: country)].compactMap(\.self)
        }
        return Set(names.map { SearchWords.of($0).joined(separator: " ") }).subtracting([""])
    }()

    static func contains(_ words: some Sequence<String>) -> Bool {
        all.contains(words.joined(separator: " "))
    }
}
