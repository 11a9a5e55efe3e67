import Contracts
import Foundation

/// A message with what belongs into its placeholders; becomes text once the reader's language is
/// known.
struct Phrase: Sendable, Hashable {
    enum Value: Sendable, Hashable {
        case text(String)
        /// Nil while the order's own event has not arrived.
        case ticket(String?)
        case minutes(ofSeconds: Int)
        /// However long: in minutes, whole hours or whole days.
        case span(ofSeconds: Int)
        case money(Money)
        case status(OrderStatus)
    }

    let message: Message
    let values: [String: Value]

    func title(_ language: Language) -> String { fill(message[language].title, language) }
    func text(_ language: Language) -> String { fill(message[language].text, language) }

    /// Fills each placeholder once: braces in a value stay as they are.
    private func fill(_ template: String, _ language: Language) -> String {
        var result = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            result += rest[..<open]
            let name = String(rest[rest.index(after: open)..<close])
            result += values[name]?.words(language) ?? "…"
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }
}

extension Phrase.Value {
    func words(_ language: Language) -> String {
        switch self {
        case .text(let text), .ticket(let text?): text
        case .ticket(nil): language == .english ? "Your order" : "您的訂單"
        case .money(let money): money.words(language)
        case .status(let status): status.words(language)
        case .span(let seconds): Self.span(seconds, language)
        case .minutes(let seconds):
            switch (language, max(1, (seconds + 59) / 60)) {
            case (.english, 1): "1 minute"
            case (.english, let minutes): "\(minutes) minutes"
            case (.traditionalChinese, let minutes): "\(minutes) 分鐘"
            }
        }
    }
}

extension Phrase.Value {
    private static let hour = 3_600
    private static let day = 86_400

    /// Two of a unit are the fewest that are told in it.
    private static func span(_ seconds: Int, _ language: Language) -> String {
        if seconds < 2 * hour { return Phrase.Value.minutes(ofSeconds: seconds).words(language) }
        let isHours = seconds < 2 * day
        let count = seconds / (isHours ? hour : day)
        switch language {
        case .english: return "\(count) \(isHours ? "hours" : "days")"
        case .traditionalChinese: return "\(count) \(isHours ? "小時" : "天")"
        }
    }
}

extension Money {
    /// ISO 4217 currencies whose minor unit is not a hundredth.
    private static let digits: [String: Int] = [
        "BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "ISK": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0,
        "RWF": 0, "UGX": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
        "BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3,
    ]

    /// The amount as people write it: `HK$1,200.00`, `¥500`.
    func words(_ language: Language) -> String {
        let digits = Self.digits[currency] ?? 2
        let value = Decimal(
            sign: amount < 0 ? .minus : .plus, exponent: -digits,
            significand: Decimal(abs(amount)))
        return value.formatted(
            .currency(code: currency).precision(.fractionLength(digits))
                .locale(Locale(identifier: language.rawValue)))
    }
}
