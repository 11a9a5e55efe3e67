import Foundation

/// The days on which a trip is made, and its departure time.
///
/// A subset of RFC 5545: `RRULE:FREQ=WEEKLY;BYDAY=…;UNTIL=…` and `EXDATE`. The departure is a local time in its zone,
/// the same in summer and winter.
public struct Schedule: Hashable, Sendable {
    /// Maximum number of exceptions of a repeating trip.
    public static let mostExceptions = 1_000

    public let firstDay: Day
    public let secondOfDay: Int
    /// Bit 0 is Monday; 0 means once, on the first day.
    public let weekdays: UInt8
    /// The last day, included.
    public let until: Day?
    /// Sorted, without duplicates.
    public let exceptions: [Day]
    let zone: Zone

    /// By its IANA name.
    public var timeZone: String { zone.identifier }

    public var repeats: Bool { weekdays != 0 }

    /// Nil if the system doesn't know the zone, or if a value is invalid.
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

    /// The days within that period on which it is made, both ends included.
    public func days(from first: Day, through last: Day) -> [Day] {
        let (first, last) = bounds(first, last)
        return first <= last ? (first...last).filter(runs) : []
    }

    /// The first day from that day on; nil if there is none.
    public func next(from day: Day) -> Day? {
        // Each week has a day that isn't an exception, or uses up an exception.
        let (first, last) = bounds(day, max(day, firstDay) + 7 * (exceptions.count + 1))
        return first <= last ? (first...last).first(where: runs) : nil
    }

    private func bounds(_ first: Day, _ last: Day) -> (Day, Day) {
        (max(first, firstDay), min(last, repeats ? until ?? last : firstDay))
    }

    /// The departure on that day, whether the trip is made or not. A local time that is skipped by a clock change is
    /// read with the offset before it; of one that occurs twice, the first is used.
    public func departure(on day: Day) -> Date {
        Date(
            timeIntervalSince1970: Double(zone.instant(on: day, secondOfDay: secondOfDay)))
    }

    /// The date in the trip's zone.
    public func day(at date: Date) -> Day {
        let seconds = date.timeIntervalSince1970
        // Beyond the range of `Day` (and `Int`) all times are equal.
        guard abs(seconds) < 1e12 else { return seconds < 0 ? .earliest : .latest }
        return zone.day(at: Int(seconds.rounded(.down)))
    }
}
