/// A text in every language of the platform, by language tag (BCP 47), for example
/// `{ "en": "Parked", "zh-Hant": "已停泊" }`.
public struct LocalizedText: Codable, Sendable, Hashable {
    public var texts: [String: String]

    public init(_ texts: [String: String]) { self.texts = texts }

    /// The result of `text` for each language.
    public init(_ text: (Language) -> String) {
        texts = Dictionary(
            uniqueKeysWithValues: Language.allCases.map { ($0.rawValue, text($0)) })
    }

    /// The text in a language, in English if that is missing, or empty if English is missing too.
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
