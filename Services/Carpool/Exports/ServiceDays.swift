import Foundation
import TripSearch

/// The clock of a feed. GTFS has one time zone for all agencies of a feed (agency.txt), and counts times from noon
/// minus twelve hours of the day of service (stop_times.txt).
struct FeedClock {
    let timeZone: String
    private let noons: Schedule

    /// Nil if the system doesn't know the zone.
    init?(_ timeZone: String) {
        guard
            let noons = Schedule(firstDay: .earliest, secondOfDay: 43_200, timeZone: timeZone)
        else { return nil }
        (self.timeZone, self.noons) = (timeZone, noons)
    }

    /// The day of service of a time, and the seconds from its start: at least 0, and nearly always less than a day.
    func read(_ time: Date) -> (day: Day, second: Int) {
        let day = noons.day(at: time)
        let second = second(of: time, on: day)
        // When summer time ends, the first hour of the date is before the start of the day of service.
        return second >= 0 ? (day, second) : (day - 1, self.second(of: time, on: day - 1))
    }

    private func second(of time: Date, on day: Day) -> Int {
        Int(time.timeIntervalSince(noons.departure(on: day))) + 43_200
    }
}

/// The days of service on which a trip departs at one time by the clock of the feed. A trip of another time zone has
/// several of them if the clocks there change on other days, as has a trip at night when the clocks change.
struct ServiceDays {
    /// How many days ahead trips are published.
    static let most = 365

    /// Seconds from the start of the day of service to the departure.
    let second: Int
    /// Whether the trip is driven on each of its days.
    private var known: [(day: Day, isDriven: Bool)]

    private init(second: Int) { (self.second, known) = (second, []) }

    /// From a moment's day on, the most frequent time first; empty if the trip is not driven any more.
    static func all(of trip: IndexedTrip, by clock: FeedClock, from now: Date) -> [ServiceDays] {
        let schedule = trip.schedule
        let rule = Schedule(
            firstDay: schedule.firstDay, secondOfDay: schedule.secondOfDay,
            timeZone: schedule.timeZone, weekdays: schedule.weekdays, until: schedule.until)
        let today = schedule.day(at: now)
        var found: [ServiceDays] = []
        for day in (rule ?? schedule).days(from: today, through: today + most) {
            let (serviceDay, second) = clock.read(schedule.departure(on: day))
            let place = found.firstIndex { $0.second == second } ?? found.count
            if place == found.count { found.append(ServiceDays(second: second)) }
            found[place].known.append((serviceDay, trip.runs(on: day)))
        }
        return found.filter { !$0.driven.isEmpty }
            .sorted { ($1.driven.count, $0.second) < ($0.driven.count, $1.second) }
    }

    var driven: [Day] { known.filter(\.isDriven).map(\.day) }

    /// All of its days, driven or not; it has at least one.
    var span: ClosedRange<Day> { known[0].day...known[known.count - 1].day }

    /// Bit 0 is Monday.
    var weekdays: UInt8 { driven.reduce(0) { $0 | 1 << UInt8($1.weekday) } }

    /// The days of a period that have one of its weekdays, and on which the trip is not driven.
    func exceptions(in period: ClosedRange<Day>) -> [Day] {
        let (driven, weekdays) = (Set(driven), weekdays)
        return period.filter { weekdays >> UInt8($0.weekday) & 1 == 1 && !driven.contains($0) }
    }
}
