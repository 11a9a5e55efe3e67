import Contracts
import Foundation
import ServiceKit

/// A day of the calendar in a time zone: UTC for limits by day, the company's zone for the books.
struct Day: Sendable, Hashable {
    /// Usual length in seconds. With a change of the clocks, a local day has an hour more or less.
    static let length: TimeInterval = 86_400

    /// For example `2026-11-21`.
    let text: String
    let zone: TimeZone
    /// From its first moment to that of the next day.
    let span: Range<Date>

    init(_ date: Date, in zone: TimeZone = .gmt) {
        let days = LocalDays(zone)
        let parts = days.day(of: date)
        let next = DateComponents(year: parts.year, month: parts.month, day: (parts.day ?? 1) + 1)
        let start = days.start(of: parts)
        text = Self.text(parts)
        self.zone = zone
        span = start..<max(start, days.start(of: next))
    }

    /// Accepts only the form `2026-11-21`, and only days that exist in the zone.
    init(_ text: String, in zone: TimeZone = .gmt) throws(Refusal) {
        guard let parts = text.wholeMatch(of: /([0-9]{4})-([0-9]{2})-([0-9]{2})/),
            let year = Int(parts.1), let month = Int(parts.2), let day = Int(parts.3)
        else { throw .dayInvalid }
        let start = LocalDays(zone).start(of: DateComponents(year: year, month: month, day: day))
        self.init(start, in: zone)
        // 30 February is another day, and so is one that a zone has skipped.
        guard self.text == text else { throw .dayInvalid }
    }

    var before: Day { Day(span.lowerBound.addingTimeInterval(-1), in: zone) }

    var after: Day { Day(span.upperBound, in: zone) }

    /// For example `2026-11`.
    var month: String { String(text.prefix(7)) }

    private static func text(_ parts: DateComponents) -> String {
        func digits(_ number: Int?, _ count: Int) -> String {
            let text = String(number ?? 1)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return "\(digits(parts.year, 4))-\(digits(parts.month, 2))-\(digits(parts.day, 2))"
    }
}

/// A month of the calendar in a time zone.
struct Month: Sendable, Hashable {
    let text: String
    /// The days of the month, oldest first.
    let days: [Day]

    /// Accepts only the form `2026-11`.
    init(_ text: String, in zone: TimeZone) throws(Refusal) {
        guard text.wholeMatch(of: /[0-9]{4}-[0-9]{2}/) != nil else { throw .monthInvalid }
        self.text = text
        days = (1...31).compactMap { day in
            try? Day("\(text)-\(day < 10 ? "0" : "")\(day)", in: zone)
        }
        guard !days.isEmpty else { throw .monthInvalid }
    }

    init(of day: Day) throws(Refusal) { try self.init(day.month, in: day.zone) }
}

/// A period that a list or a file is filtered by; either end may be open.
struct BookSpan: Sendable, Hashable {
    var from: Date?
    /// Exclusive.
    var until: Date?

    /// A day at the end is included, a time isn't.
    init(_ from: DayOrTime?, _ to: DayOrTime?, in zone: TimeZone) throws(Refusal) {
        self.from = try Self.moment(from, "from", zone) { $0.span.lowerBound }
        until = try Self.moment(to, "to", zone) { $0.span.upperBound }
        if let from = self.from, let until, from >= until {
            throw Refusal.invalid("to", "Use a time or day after `from`.")
        }
    }

    private static func moment(
        _ value: DayOrTime?, _ field: String, _ zone: TimeZone, _ end: (Day) -> Date
    ) throws(Refusal) -> Date? {
        switch value {
        case nil: return nil
        case .time(let time): return time
        case .day(let text):
            guard let day = try? Day(text, in: zone) else {
                throw Refusal.invalid(field, "There is no such day.")
            }
            return end(day)
        }
    }
}
