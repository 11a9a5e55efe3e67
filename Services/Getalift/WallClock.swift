import Contracts
import Foundation

/// The time zone of the original's dates, which are written without an offset, or with a `Z` that means none.
struct WallClock: Sendable {
    let zone: TimeZone

    init(_ zone: TimeZone) { self.zone = zone }

    /// A local time without a time zone.
    struct Time: Sendable, Hashable {
        var year, month, day, hour, minute: Int
        var second = 0

        /// As in `2018-06-08T18:00:00`.
        var text: String {
            String(
                format: "%04d-%02d-%02dT%02d:%02d:%02d", year, month, day, hour, minute, second)
        }
    }

    private var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }

    func time(of date: Date) -> Time {
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second], from: date)
        return Time(
            year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0,
            hour: parts.hour ?? 0, minute: parts.minute ?? 0, second: parts.second ?? 0)
    }

    /// Nil for a day that does not exist. A time that a change of the clocks skips moves to the next hour.
    func date(of time: Time) -> Date? {
        var parts = DateComponents(
            calendar: calendar, timeZone: zone, year: time.year, month: time.month, day: time.day)
        guard (1...12).contains(time.month), (1_000...9_999).contains(time.year),
            let midnight = calendar.date(from: parts),
            calendar.component(.day, from: midnight) == time.day
        else { return nil }
        (parts.hour, parts.minute, parts.second) = (time.hour, time.minute, time.second)
        return calendar.date(from: parts)
    }

    /// A date as the original writes it: `2018-06-08T18:00:00.000Z`.
    func text(_ date: Date) -> String { "\(time(of: date).text).000Z" }

    func weekday(of date: Date) -> TripWeekday {
        let days: [TripWeekday] = [
            .sunday, .monday, .tuesday, .wednesday, .thursday, .friday, .saturday,
        ]
        return days[(calendar.component(.weekday, from: date) - 1) % 7]
    }

    func day(_ count: Int, after date: Date) -> Date {
        calendar.date(byAdding: .day, value: count, to: date) ?? date
    }
}

// MARK: - Formats that apps send

extension WallClock {
    /// How long after it a time of day still means today, not tomorrow, in seconds.
    private static let lateness: TimeInterval = 3_600

    /// Reads `2026-12-01 07:30` (iOS), `01-12-2026 07:30` (Postman) and `07:30` (Android), also with seconds, and with
    /// AM or PM.
    func moment(_ text: String, at now: Date) -> Date? {
        let pattern =
            /\s*(?:(\d{4})-(\d{1,2})-(\d{1,2})[\sT]+|(\d{1,2})-(\d{1,2})-(\d{4})[\sT]+)?(\d.*?)\s*/
        guard text.utf8.count <= 40, let match = text.wholeMatch(of: pattern)?.output,
            let (hour, minute, second) = Self.timeOfDay(String(match.7))
        else { return nil }
        let day: (year: Substring, month: Substring, day: Substring)? =
            if let year = match.1, let month = match.2, let day = match.3 {
                (year, month, day)
            } else if let day = match.4, let month = match.5, let year = match.6 {
                (year, month, day)
            } else { nil }
        var time = self.time(of: now)
        (time.hour, time.minute, time.second) = (hour, minute, second)
        guard let day else {
            guard let today = date(of: time) else { return nil }
            return today < now - Self.lateness ? self.day(1, after: today) : today
        }
        guard let year = Int(day.year), let month = Int(day.month), let number = Int(day.day) else {
            return nil
        }
        (time.year, time.month, time.day) = (year, month, number)
        return date(of: time)
    }

    /// Reads a date of a query, which may be a day alone.
    func lowerBound(_ text: String, at now: Date) -> Date? {
        moment(text, at: now) ?? moment("\(text) 00:00", at: now)
    }

    /// Reads `7:30`, `07:30:00` and `7:30 PM`. Hours 24 and 25, which Android sends for an evening, belong to the next
    /// day.
    static func timeOfDay(_ text: String) -> (hour: Int, minute: Int, second: Int)? {
        let pattern =
            /\s*(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.\d+)?)?\s*(?:([AaPp])\.?[Mm]\.?)?Z?\s*/
        guard let match = text.wholeMatch(of: pattern)?.output, var hour = Int(match.1),
            let minute = Int(match.2), let second = Int(match.3 ?? "0"),
            minute < 60, second < 60
        else { return nil }
        if let half = match.4?.lowercased() {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (half == "p" ? 12 : 0)
        }
        return hour < 26 ? (hour, minute, second) : nil
    }

    /// A date of a new route.
    struct Departure: Sendable, Hashable {
        var date: Date
        var isWeekly: Bool
    }

    static let mostDepartures = 14

    /// Reads days with times, separated by `;`: `2026-12-01;07:30` and `2026-12-01;07:30;1`, or `2026-12-01 07:30:00;0`
    /// as in the original's table. `1` means every week.
    func departures(_ text: String, at now: Date) -> [Departure]? {
        var found: [Departure] = []
        var day: String?
        for part in text.split(separator: ";").map({ $0.trimmingCharacters(in: .whitespaces) }) {
            if part == "0" || part == "1" {
                guard day == nil, !found.isEmpty else { return nil }
                found[found.count - 1].isWeekly = part == "1"
            } else if part.contains("-") {
                guard day == nil else { return nil }
                if let date = moment(part, at: now) {
                    found.append(Departure(date: date, isWeekly: false))
                } else {
                    day = part
                }
            } else if let known = day {
                guard let date = moment("\(known) \(part)", at: now) else { return nil }
                found.append(Departure(date: date, isWeekly: false))
                day = nil
            } else if !part.isEmpty {
                return nil
            }
        }
        guard day == nil, (1...Self.mostDepartures).contains(found.count) else { return nil }
        return found
    }
}

/// A date of a trip as the original lists it: one per weekday for a weekly trip.
struct TripDay: Sendable, Hashable {
    /// `once`, or a weekday.
    var name: String
    /// The next departure, or the first one if none is in the future.
    var date: Date
    var text: String
    var isWeekly: Bool
}

extension WallClock {
    /// The most weeks to search for a date that is not an exception.
    private static let mostWeeks = 60

    func days(of trip: Trip, at now: Date) -> [TripDay] {
        guard let zone = TimeZone(identifier: trip.timeZone),
            let first = WallClock(zone).moment(trip.departsAt, at: now)
        else { return [] }
        guard let repeats = trip.repeats else {
            return [TripDay(name: "once", date: first, text: text(first), isWeekly: false)]
        }
        let clock = WallClock(zone)
        return repeats.weekdays.compactMap { weekday in
            let start = (0..<7).lazy.map { clock.day($0, after: first) }
                .first { clock.weekday(of: $0) == weekday }
            guard let start else { return nil }
            let weeks = max(0, Int(now.timeIntervalSince(start) / (7 * 86_400)))
            let next = (weeks..<weeks + Self.mostWeeks).lazy.map { clock.day(7 * $0, after: start) }
                .first { $0 > now && repeats.isDriven(on: clock.dayText($0)) }
            let date = next ?? start
            return TripDay(
                name: weekday.rawValue, date: date, text: text(date), isWeekly: true)
        }
    }

    /// As in `2026-12-01`.
    func dayText(_ date: Date) -> String { String(time(of: date).text.prefix(10)) }
}

extension TripRepeats {
    fileprivate func isDriven(on day: String) -> Bool {
        !exceptions.contains(day) && until.map { day <= $0 } ?? true
    }
}
