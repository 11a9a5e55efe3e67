import Foundation

/// A day of the Gregorian calendar, without a time zone.
struct CivilDay: Sendable, Hashable, Comparable {
    /// With weeks of ISO 8601, of which week 1 has the year's first Thursday.
    private static let calendar = {
        var calendar = Calendar(identifier: .gregorian)
        (calendar.timeZone, calendar.firstWeekday) = (.gmt, 2)
        calendar.minimumDaysInFirstWeek = 4
        return calendar
    }()

    /// Days since 1 January 1970.
    let number: Int
    let year, month, day: Int

    init(number: Int) {
        self.number = number
        let parts = Self.calendar.dateComponents([.year, .month, .day], from: Self.date(number))
        (year, month, day) = (parts.year ?? 1970, parts.month ?? 1, parts.day ?? 1)
    }

    /// Days and months beyond the last one continue in the next month and year.
    init(_ year: Int, _ month: Int, _ day: Int) {
        let parts = DateComponents(year: year, month: month, day: day)
        let date = Self.calendar.date(from: parts) ?? .distantPast
        self.init(number: Int((date.timeIntervalSince1970 / 86_400).rounded()))
    }

    static func < (one: CivilDay, other: CivilDay) -> Bool { one.number < other.number }
    static func + (day: CivilDay, days: Int) -> CivilDay {
        days == 0 ? day : CivilDay(number: day.number + days)
    }

    private static func date(_ number: Int) -> Date {
        Date(timeIntervalSince1970: Double(number) * 86_400)
    }

    /// 0 is Monday.
    var weekday: Int { ((number + 3) % 7 + 7) % 7 }
    /// The week of ISO 8601.
    var week: Int { Self.calendar.component(.weekOfYear, from: Self.date(number)) }

    /// 1 on the first Monday of a month, on its first Tuesday and so on.
    var placeInMonth: Int { (day - 1) / 7 + 1 }
    /// -1 on the last Monday of a month, on its last Tuesday and so on.
    var placeFromEndOfMonth: Int {
        let last = CivilDay(year, month + 1, 1).number - 1
        return -((last - number) / 7 + 1)
    }

    /// Easter Sunday, by the algorithm of Meeus, Jones and Butcher (Meeus, Astronomical Algorithms, chapter 8).
    static func easter(in year: Int) -> CivilDay {
        let (golden, century, ofCentury) = (year % 19, year / 100, year % 100)
        let correction = (century - (century + 8) / 25 + 1) / 3
        let epact = (19 * golden + century - century / 4 - correction + 15) % 30
        let advance = (32 + 2 * (century % 4) + 2 * (ofCentury / 4) - epact - ofCentury % 4) % 7
        let late = (golden + 11 * epact + 22 * advance) / 451
        let sum = epact + advance - 7 * late + 114
        return CivilDay(year, sum / 31, sum % 31 + 1)
    }
}
