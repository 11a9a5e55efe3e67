import Contracts
import Foundation

/// A service's texts for people, by key: one JSON file per language in the folder `Words` beside its code.
///
/// ```json
/// { "job": { "title": "New job", "text": "{ticket}: {photos}." },
///   "photos": { "one": "{count} photo", "other": "{count} photos" } }
/// ```
/// An object in an object makes a longer key: `job.title`. An object with `other` is one text with CLDR's plural
/// categories; the value `count` selects one. Names in braces are replaced; braces in a value stay as they are.
public struct Catalogue: Sendable {
    /// The texts of one key by plural category; `other` if the number does not matter.
    typealias Forms = [PluralCategory: String]

    let texts: [Language: [String: Forms]]
    /// Problems found when reading. They are part of `differences`, which is empty in a release.
    private let unreadable: [String]

    /// From the contents of the files, by language.
    public init(_ files: [Language: [UInt8]]) {
        var unreadable: [String] = []
        texts = files.reduce(into: [:]) { texts, file in
            let (language, bytes) = file
            var reader = Reader()
            if let value = try? Wire.decode(JSONValue.self, from: Data(bytes)) {
                reader.read(value, below: "")
            } else {
                reader.unreadable.append("no JSON")
            }
            texts[language] = reader.forms
            unreadable += reader.unreadable.map { "\(language.rawValue): \($0)" }
        }
        self.unreadable = unreadable
    }

    private struct Reader {
        var forms: [String: Forms] = [:]
        var unreadable: [String] = []

        mutating func read(_ value: JSONValue, below key: String) {
            switch value {
            case .text(let text): forms[key] = [.other: text]
            case .object(let object) where object[PluralCategory.other.rawValue] != nil:
                for (name, value) in object { read(value, of: name, below: key) }
            case .object(let object):
                for (name, value) in object {
                    read(value, below: key.isEmpty ? name : "\(key).\(name)")
                }
            case .null, .bool, .integer, .number, .list:
                unreadable.append("\(key) is no text")
            }
        }

        private mutating func read(_ value: JSONValue, of category: String, below key: String) {
            guard let category = PluralCategory(rawValue: category), case .text(let text) = value
            else { return unreadable.append("\(key).\(category) is no text by number") }
            forms[key, default: [:]][category] = text
        }
    }
}

// MARK: Saying

extension Catalogue {
    /// A value for a name in braces. It becomes text once the language is known.
    public enum Value: Sendable, Hashable {
        case text(String)
        case count(Int)
        /// Another text of the same catalogue.
        case words(String)
        case money(Money)
        /// The amount charged for the bill of the notice, which payments fills in.
        case charge
        /// Local time in a time zone.
        case time(Date, in: TimeZone, withYear: Bool = false)
        /// Rounded up.
        case minutes(ofSeconds: Int)
        /// A duration in minutes, whole hours or whole days.
        case span(ofSeconds: Int)
    }

    /// The text of a key in one language, or in English if the language lacks it. The key itself if there is no such
    /// text.
    public func text(
        _ key: String, _ values: [String: Value] = [:], in language: Language
    ) -> String {
        guard let forms = texts[language]?[key] ?? texts[.english]?[key] else { return key }
        var category = PluralCategory.other
        if case .count(let count) = values["count"] { category = .of(count, in: language) }
        return fill(forms[category] ?? forms[.other] ?? key, values, language)
    }

    /// The text of a key in every language.
    public func text(_ key: String, _ values: [String: Value] = [:]) -> LocalizedText {
        LocalizedText { text(key, values, in: $0) }
    }

    /// A message for somebody's feed, from the texts `key.title` and `key.text`.
    public func message(
        to recipient: Recipient, _ key: String, _ values: [String: Value] = [:],
        push: Notice.Push? = nil
    ) -> Notice.Message {
        Notice.Message(
            to: recipient, title: text("\(key).title", values), text: text("\(key).text", values),
            push: push)
    }

    /// Replaces each name once: braces in a value stay as they are.
    private func fill(_ text: String, _ values: [String: Value], _ language: Language) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            result += rest[..<open]
            let name = String(rest[rest.index(after: open)..<close])
            result += values[name].map { words($0, language) } ?? "…"
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    private func words(_ value: Value, _ language: Language) -> String {
        switch value {
        case .text(let text): text
        case .count(let count): String(count)
        case .words(let key): text(key, in: language)
        case .money(let money): money.text(in: language)
        case .charge: Self.charge
        case .time(let time, let zone, let withYear):
            LocalDays(zone).text(time, in: language, withYear: withYear)
        case .minutes(let seconds): Self.amount(max(1, (seconds + 59) / 60), "minutes", language)
        case .span(let seconds): Self.span(seconds, language)
        }
    }
}

// MARK: Charges

extension Catalogue {
    /// Stands in a text for the amount that is charged for a bill.
    fileprivate static let charge = "{charge}"
}

extension Notice {
    /// The notice with an amount wherever a text names what its bill costs.
    public func naming(_ charge: Money) -> Notice {
        var notice = self
        for index in notice.messages.indices { notice.messages[index].name(charge) }
        return notice
    }
}

extension Notice.Message {
    /// Whether a text names what a bill costs.
    public var namesCharge: Bool {
        [title, text].compactMap(\.self).flatMap(\.texts.values)
            .contains { $0.contains(Catalogue.charge) }
    }

    fileprivate mutating func name(_ charge: Money) {
        func filled(_ text: LocalizedText) -> LocalizedText {
            LocalizedText {
                text[$0].replacing(Catalogue.charge, with: charge.text(in: $0))
            }
        }
        (title, text) = (title.map(filled), text.map(filled))
    }
}

// MARK: Units

extension Catalogue {
    private static let hour = 3_600
    private static let day = 86_400

    /// Words that all services share.
    static let units = Catalogue([
        .english: PackageResources.en_json, .traditionalChinese: PackageResources.zh_Hant_json,
    ])

    private static func amount(_ count: Int, _ unit: String, _ language: Language) -> String {
        units.text(unit, ["count": .count(count)], in: language)
    }

    /// Uses hours from two hours on, and days from two days on.
    private static func span(_ seconds: Int, _ language: Language) -> String {
        if seconds < 2 * hour { return amount(max(1, (seconds + 59) / 60), "minutes", language) }
        if seconds < 2 * day { return amount(seconds / hour, "hours", language) }
        return amount(seconds / day, "days", language)
    }
}

/// Categories of numbers as CLDR names them.
enum PluralCategory: String, Sendable, CaseIterable {
    case zero, one, two, few, many, other

    /// Languages in which 0 is singular like 1.
    private static let zeroIsOne: Set<Substring> = ["fr", "pt", "hi", "fa", "bn"]
    /// Languages without plural forms.
    private static let unchanging: Set<Substring> = ["zh", "ja", "ko", "th", "vi", "id", "ms"]

    /// The category of a whole number. Languages with more categories than `one` and `other` need a rule here.
    static func of(_ count: Int, in language: Language) -> PluralCategory {
        if unchanging.contains(language.primary) { return .other }
        if count == 0 { return zeroIsOne.contains(language.primary) ? .one : .other }
        return count == 1 ? .one : .other
    }
}

extension Money {
    /// The amount as people write it: `HK$1,200.00`, `¥500`.
    public func text(in language: Language) -> String {
        let digits = Self.digits(of: currency)
        let value = Decimal(
            sign: amount < 0 ? .minus : .plus, exponent: -digits,
            significand: Decimal(abs(amount)))
        return value.formatted(
            .currency(code: currency).precision(.fractionLength(digits))
                .locale(Locale(identifier: language.rawValue)))
    }
}

extension LocalDays {
    /// The time as people write it: `Thu 24 Dec, 18:30`.
    public func text(_ time: Date, in language: Language, withYear: Bool = false) -> String {
        let style = Date.FormatStyle(
            locale: language.region, calendar: calendar, timeZone: calendar.timeZone
        ).weekday(.abbreviated).day().month(.abbreviated).hour().minute()
        return time.formatted(withYear ? style.year() : style)
    }
}

extension Language {
    /// Dates are written as in the United Kingdom and in Hong Kong.
    fileprivate var region: Locale {
        switch self {
        case .english: Locale(identifier: "en_GB")
        case .traditionalChinese: Locale(identifier: "zh_Hant_HK")
        default: Locale(identifier: rawValue)
        }
    }
}

// MARK: Checking

extension Catalogue {
    /// Differences between the languages: keys that one lacks, and names in braces that only another has. Empty if
    /// there are none.
    public var differences: [String] {
        let keys = Set(texts.values.flatMap(\.keys))
        var found = unreadable
        found += Language.allCases.filter { texts[$0] == nil }.map { "\($0.rawValue): no file" }
        for key in keys.sorted() {
            var names: Set<Set<String>> = []
            for (language, texts) in texts {
                guard let forms = texts[key] else {
                    found.append("\(language.rawValue): \(key) is missing")
                    continue
                }
                if forms.values.contains(where: \.isEmpty) {
                    found.append("\(language.rawValue): \(key) is empty")
                }
                names.insert(Set(forms.values.flatMap(Self.names)))
            }
            if names.count > 1 { found.append("\(key): the names in braces differ") }
        }
        return found
    }

    /// Every key once.
    public var keys: Set<String> { Set(texts.values.flatMap(\.keys)) }

    private static func names(in text: String) -> [String] {
        text.matches(of: /\{([^}]*)\}/).map { String($0.1) }
    }
}
