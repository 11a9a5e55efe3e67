import Foundation

/// On which days a trip is made, and when it departs there.
///
/// A subset of RFC 5545: `RRULE:FREQ=WEEKLY;BYDAY=…;UNTIL=…` and `EXDATE`. The departure is a time of
/// the wall clock in its zone, the same in summer and winter.
public struct Schedule: Hashable, Sendable {
    /// What an owner may leave out of a repeat.
    public static let mostExceptions = 1_000

    public let firstDay: Day
    public let secondOfDay: Int
    /// Bit 0 is Monday; 0 means once, on the first day.
    public let weekdays: UInt8
    /// The last day that counts.
    public let until: Day?
    /// In their order, each once.
    public let exceptions: [Day]
    let zone: Zone

    /// By its IANA name.
    public var timeZone: String { zone.identifier }

    public var repeats: Bool { weekdays != 0 }

    /// Nil for a zone that the machine does not know and for values that no day or week has.
    public init?(
        firstDay: Day, secondOfDay: Int, timeZone: String, weekdays: UInt8 = 0, until: Day? = nil,
        exceptions: [Day] = []
    ) {
        guard (0..<86_400).contains(secondOfDay), weekdays < 128,
            exceptions.count <= Self.mostExceptions, let zone = Zone.named(timeZone)
        else { return nil }
        self.firstDay = firstDay
        self.secondOfDay = secondOfDay
        self.weekdays = weekdays
        self.until = until
        self.exceptions = exceptions.count > 1 ? Set(exceptions).sorted() : exceptions
        self.zone = zone
    }

    public func runs(on day: Day) -> Bool {
        if weekdays == 0 {
            guard day == firstDay else { return false }
        } else {
            guard day >= firstDay, weekdays >> UInt8(day.weekday) & 1 == 1 else { return false }
            if let until, day > until { return false }
        }
        return !exceptions.contains(day)
    }

    /// Those that run in that time, both ends included.
    public func days(from first: Day, through last: Day) -> [Day] {
        let (first, last) = bounds(first, last)
        return first <= last ? (first...last).filter(runs) : []
    }

    /// The first that runs, not before that day; nil when none does any more.
    public func next(from day: Day) -> Day? {
        // Every week has one that is no exception, or loses one of them.
        let (first, last) = bounds(day, max(day, firstDay) + 7 * (exceptions.count + 1))
        return first <= last ? (first...last).first(where: runs) : nil
    }

    private func bounds(_ first: Day, _ last: Day) -> (Day, Day) {
        (max(first, firstDay), min(last, repeats ? until ?? last : firstDay))
    }

    /// When that day's trip departs, whether it runs or not. A local time that a change of the clock
    /// leaves out is read with the offset before it; of one that there is twice the first is meant.
    public func departure(on day: Day) -> Date {
        Date(
            timeIntervalSince1970: Double(zone.instant(on: day, secondOfDay: secondOfDay)))
    }

    /// The date that it is in the trip's zone.
    public func day(at date: Date) -> Day {
        let seconds = date.timeIntervalSince1970
        // Beyond the years of `Day` (and `Int`) there is nothing to tell apart.
        guard abs(seconds) < 1e12 else { return seconds < 0 ? .earliest : .latest }
        return zone.day(at: Int(seconds.rounded(.down)))
    }
}
