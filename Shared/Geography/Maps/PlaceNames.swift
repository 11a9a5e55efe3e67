import Foundation

/// Names by language: `en`, `zh-Hant`. The name for "" is the one on local signs.
struct PlaceNames: Codable, Sendable, Hashable {
    /// The tags of further names, also with a language, as in `alt_name:sv`
    /// (wiki.openstreetmap.org/wiki/Names).
    private static let otherTags: Set<Substring> = [
        "alt_name", "official_name", "short_name", "old_name", "loc_name", "int_name", "nat_name",
        "reg_name", "full_name", "nickname",
    ]

    var values: [String: String]
    /// Further names, in any language. People search for them, but they are neither shown nor stored.
    var others: Set<String> = []

    init(_ values: [String: String]) { self.values = values }

    /// From OpenStreetMap's tags `name`, `name:en` and so on; nil without a name.
    init?(tags: [String: String]) {
        var values: [String: String] = [:]
        for (key, value) in tags where !value.isEmpty {
            if key == "name" {
                values[""] = value
            } else if key.hasPrefix("name:"), Self.isLanguage(key.dropFirst(5)) {
                values[String(key.dropFirst(5)).lowercased()] = value
            } else if Self.isOther(key) {
                // Several names are separated by semicolons.
                others.formUnion(value.split(separator: ";").map(String.init))
            }
        }
        guard values[""] != nil else { return nil }
        self.values = values
    }

    /// Also numbered ones, as in `alt_name_1`, and those of the sides of a street on a border.
    private static func isOther(_ key: String) -> Bool {
        if ["name:left", "name:right"].contains(key) { return true }
        let tag = key.prefix { $0 != ":" }
        let plain = tag.replacing(/_[0-9]+$/, with: "")
        return otherTags.contains(plain) || plain == "name" && plain != tag
    }

    private static func isLanguage(_ tag: Substring) -> Bool {
        tag.wholeMatch(of: /[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*/) != nil
    }

    init(from decoder: any Decoder) throws { values = try .init(from: decoder) }
    func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }

    /// The name in the first of the languages that has one.
    func best(_ languages: [String]) -> String {
        for language in languages {
            // A reader of zh-Hant-HK prefers zh-Hant, then zh.
            var parts = language.split(separator: "-")
            while !parts.isEmpty {
                if let name = values[parts.joined(separator: "-")] { return name }
                parts.removeLast()
            }
        }
        return values[""] ?? ""
    }

    /// Each name, others too, in the form for comparison, with single spaces between words.
    var folded: [String] {
        Set((Array(values.values) + others).map { SearchWords.of($0).joined(separator: " ") })
            .subtracting([""]).sorted()
    }

    /// The languages of an `Accept-Language` (RFC 9110, 12.5.4), in order of preference.
    static func languages(_ header: String) -> [String] {
        header.lowercased().split(separator: ",").compactMap { part -> (String, Double)? in
            let pieces = part.split(separator: ";").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard let tag = pieces.first, !tag.isEmpty else { return nil }
            let weight = pieces.dropFirst().first { $0.hasPrefix("q=") }
                .flatMap { Double($0.dropFirst(2)) }
            return (tag, weight ?? 1)
        }.enumerated().sorted {
            ($1.element.1, $0.offset) < ($0.element.1, $1.offset)
        }.map(\.element.0)
    }
}
