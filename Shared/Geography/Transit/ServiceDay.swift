import Foundation

/// A day of service: a date in the agency's calendar, with trips that may end on a later date.
public struct ServiceDay: Hashable, Comparable, Sendable, CustomStringConvertible {
    static let seconds = 86_400

    /// Days since 1970-01-01 in the proleptic Gregorian calendar.
    public let number: Int

    public init(number: Int) { self.number = number }

    /// Nil if there is no such date.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9_999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.days(of: month, year)
        else { return nil }
        // H. Hinnant, "chrono-compatible low-level date algorithms", days_from_civil: years begin in March.
        let years = month > 2 ? year : year - 1
        let era = years / 400
        let yearOfEra = years - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        number = era * 146_097 + dayOfEra - 719_468
    }

    /// In GTFS's form: `20261231`.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 8, text.utf8.allSatisfy({ (48...57).contains($0) }),
            let number = Int(text)
        else { return nil }
        self.init(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }

    /// The local date at that time.
    public init(at instant: Int, in zone: TimeZone) {
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant)))
        number = (instant + offset).floored(by: Self.seconds)
    }

    private static func days(of month: Int, _ year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    public static func < (a: Self, b: Self) -> Bool { a.number < b.number }
    public static func + (day: Self, days: Int) -> Self { Self(number: day.number + days) }

    /// Monday is 0.
    public var weekday: Int { (number + 3) - (number + 3).floored(by: 7) * 7 }

    /// In GTFS's form.
    public var description: String {
        let days = number + 719_468
        let era = days.floored(by: 146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let parts = [month, dayOfYear - (153 * shifted + 2) / 5 + 1].map {
            $0 < 10 ? "0\($0)" : "\($0)"
        }
        return "\(year)" + parts.joined()
    }

    /// Seconds of a day of service in GTFS's form; `25:10:00` is ten past one in the following night.
    public static func clock(_ seconds: Int) -> String {
        [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
    }

    /// Seconds since 1970 from which times of the day count: noon minus twelve hours. This is midnight except on days
    /// when clocks change (gtfs.org/documentation/schedule/reference, field type Time).
    public func start(in zone: TimeZone) -> Int {
        let noon = number * Self.seconds + Self.seconds / 2
        func offset(_ instant: Int) -> Int {
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant)))
        }
        return noon - offset(noon - offset(noon)) - Self.seconds / 2
    }
}

extension Int {
    /// Division that rounds down for negative numbers, too.
    func floored(by divisor: Int) -> Int {
        let quotient = self / divisor
        return self < 0 && quotient * divisor != self ? quotient - 1 : quotient
    }
}
