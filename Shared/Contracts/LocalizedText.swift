/// A text in every language of the house, by BCP 47 tag: `{ "en": "Parked", "zh-Hant": "已停泊" }`.
public struct LocalizedText: Codable, Sendable, Hashable {
    public var texts: [String: String]

    public init(_ texts: [String: String]) { self.texts = texts }

    /// `text` of each language.
    public init(_ text: (Language) -> String) {
        texts = Dictionary(
            uniqueKeysWithValues: Language.allCases.map { ($0.rawValue, text($0)) })
    }

    /// In English where the language is missing; empty where that is missing too.
    public subscript(language: Language) -> String {
        texts[language.rawValue] ?? texts[Language.english.rawValue] ?? ""
    }

    public init(from decoder: any Decoder) throws {
        texts = try decoder.singleValueContainer().decode([String: String].self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(texts)
    }
}
