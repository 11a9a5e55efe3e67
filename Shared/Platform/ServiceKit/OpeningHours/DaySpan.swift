import Foundation

/// A moment of a day: minutes since it began, or the sun's time and minutes after that.
enum TimeOfDay: Sendable, Hashable {
    case clock(Int)
    case sun(SunEvent, offset: Int)

    /// Nil if the sun's time isn't known without a position.
    func moment(on day: CivilDay, _ days: LocalDays) -> Date? {
        switch self {
        case .clock(let minute): return days.moment(day, minute: minute)
        case .sun(let event, let offset):
            return days.position.map {
                event.moment(on: day, at: $0, noon: days.moment(day, minute: 720))
                    .addingTimeInterval(Double(offset) * 60)
            }
        }
    }
}

/// A period of a day in a rule of opening hours, which may end on the next day.
struct DaySpan: Sendable, Hashable {
    var start: TimeOfDay
    /// Nil for `17:00+`.
    var end: TimeOfDay?
    /// When it closes after `end` isn't known.
    var isOpenEnded = false

    static let wholeDay = DaySpan(start: .clock(0), end: .clock(LocalDays.minutes))

    /// It begins at a later event of the sun than that at which it ends.
    private var isNight: Bool {
        guard case .sun(let first, _) = start, case .sun(let last, _) = end else { return false }
        return SunEvent.allCases.drop { $0 != last }.dropFirst().contains(first)
    }

    /// From when to when on that day. `end` is when it may have closed, at the latest, as `opening_hours.js`
    /// guesses it: midnight, or ten hours after 17:00, or eight after 22:00. Nil without a position that it needs.
    func moments(
        on day: CivilDay, _ days: LocalDays
    ) -> (known: Range<Date>, end: Date)? {
        guard let from = start.moment(on: day, days) else { return nil }
        var until = from
        if let end {
            guard let given = end.moment(on: day, days) else { return nil }
            until = given
            if until < from || until == from && isNight,
                let next = end.moment(on: day + 1, days)
            {
                until = next
            }
            until = max(from, until)
        }
        guard isOpenEnded else { return (from..<until, until) }
        let midnight = days.moment(day, minute: LocalDays.minutes)
        let late: TimeInterval =
            until >= days.moment(day, minute: 1_320)
            ? 28_800 : until >= days.moment(day, minute: 1_020) ? 36_000 : 0
        let latest = late > 0 ? until.addingTimeInterval(late) : midnight
        let known = end == nil ? max(from, midnight) : until
        return (from..<known, max(known, latest))
    }
}
