/// A selector of days in a rule of opening hours.
enum DaySelector: Sendable, Hashable {
    /// Every `step`th year from the first.
    case years(ClosedRange<Int>, step: Int)
    /// Without `to`, from the date on: until the end of its year, or for ever if it names the year.
    case dates(from: AnnualDate, to: AnnualDate?)
    /// Weeks of ISO 8601; from a later to an earlier one over the turn of the year.
    case weeks(from: Int, to: Int, step: Int)
    /// 0 is Monday; from a later to an earlier one over Sunday. Without places in the month, every such day.
    case weekdays(from: Int, to: Int, places: Set<Int>, offset: Int)
    case publicHoliday(offset: Int)
    case schoolHoliday

    func contains(_ day: CivilDay, _ days: LocalDays, isSchoolHoliday: Bool) -> Bool {
        switch self {
        case .years(let years, let step):
            return years.contains(day.year) && (day.year - years.lowerBound) % step == 0
        case .dates(let from, let to): return Self.contains(day, from, to)
        case .weeks(let from, let to, let step):
            let week = day.week
            let isWithin = from <= to ? (from...to) ~= week : week >= from || week <= to
            return isWithin && (week - from) % step == 0
        case .weekdays(let from, let to, let places, let offset):
            let day = day + -offset
            guard (day.weekday - from + 7) % 7 <= (to - from + 7) % 7 else { return false }
            return places.isEmpty || places.contains(day.placeInMonth)
                || places.contains(day.placeFromEndOfMonth)
        case .publicHoliday(let offset): return days.isHoliday(day + -offset)
        case .schoolHoliday: return isSchoolHoliday
        }
    }

    private static func contains(_ day: CivilDay, _ from: AnnualDate, _ to: AnnualDate?) -> Bool {
        let years = from.year.map { $0...$0 } ?? (day.year - 1)...(day.year + 1)
        return years.contains { year in
            let start = from.first(in: year)
            guard day >= start else { return false }
            guard let to else { return from.year != nil || day.year == start.year }
            var end = to.last(in: to.year ?? year)
            if end < start, to.year == nil, to != from { end = to.last(in: year + 1) }
            return day <= end
        }
    }
}

/// A date, a month or Easter Sunday, of each year or of one.
struct AnnualDate: Sendable, Hashable {
    enum Base: Sendable, Hashable {
        case easter
        /// The whole month without a day.
        case month(Int, day: Int?)
    }

    /// The weekday (0 is Monday) on or after a date, or on or before it.
    struct Weekday: Sendable, Hashable {
        var day: Int
        var isAfter: Bool
    }

    var year: Int?
    var base: Base
    var weekday: Weekday?
    /// In days.
    var offset = 0

    init(year: Int?, _ base: Base) { (self.year, self.base) = (year, base) }

    func first(in year: Int) -> CivilDay {
        switch base {
        case .easter: shifted(.easter(in: year))
        case .month(let month, let day): shifted(CivilDay(year, month, day ?? 1))
        }
    }

    /// At the latest the last day of its month: `Feb 29` is 28 February in most years.
    func last(in year: Int) -> CivilDay {
        guard case .month(let month, let day) = base else { return first(in: year) }
        let end = CivilDay(year, month + 1, 1) + -1
        return shifted(day.map { min(CivilDay(year, month, $0), end) } ?? end)
    }

    private func shifted(_ date: CivilDay) -> CivilDay {
        guard let weekday else { return date + offset }
        let ahead = (weekday.day - date.weekday + 7) % 7
        return date + ((weekday.isAfter || ahead == 0 ? ahead : ahead - 7) + offset)
    }
}

extension [DaySelector] {
    /// As in `Mo-We,Fr`.
    private var areWeekdays: Bool {
        allSatisfy {
            if case .weekdays = $0 { true } else { false }
        }
    }

    /// As in `2026-2028,2030`.
    var areYears: Bool {
        allSatisfy {
            if case .years = $0 { true } else { false }
        }
    }

    private var haveDaysOfWeek: Bool {
        contains {
            switch $0 {
            case .weekdays, .publicHoliday, .schoolHoliday: true
            case .years, .dates, .weeks: false
            }
        }
    }

    /// Weekdays are named once, and years before weekdays and holidays.
    func mayFollow(_ groups: [[DaySelector]]) -> Bool {
        if areYears { return !groups.contains(where: \.haveDaysOfWeek) }
        return !areWeekdays || !groups.contains(where: \.areWeekdays)
    }
}
