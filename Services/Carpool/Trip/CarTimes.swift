import Contracts
import Foundation
import ServiceKit
import Store
import TripSearch

/// When somebody is in a car, as its driver or as a passenger: once, or on the days of a trip. Pure.
struct CarTimes: Sendable {
    /// The days of a trip, and the stretch of it, in seconds after the departure.
    private struct Days {
        let schedule: Schedule
        let skipped: Set<Day>
        let from, to: Int

        func time(on day: Day) -> Range<Date> {
            let departure = schedule.departure(on: day)
            return departure.addingTimeInterval(
                TimeInterval(from))..<departure.addingTimeInterval(TimeInterval(to))
        }
    }

    private enum Pattern {
        case once(Range<Date>)
        case each(Days)
    }

    private static let day: TimeInterval = 86_400
    /// Seconds that two rides of a passenger may share: times at stops are estimates.
    private static let margin: TimeInterval = 60
    /// Two trips without an end that ever meet do so within a year and a week: their weeks differ only by clock
    /// changes.
    private static let longestPeriod = 372
    /// Two departures are at least this far apart, in seconds: the clock change in spring makes a day shorter.
    private static let shortestPause = 82_800

    let trip: TripID
    private let isDriver: Bool
    private let pattern: Pattern

    /// The driver of a trip.
    init(driving trip: TripRecord) throws {
        (self.trip, isDriver) = (trip.id, true)
        pattern = .each(
            Days(
                schedule: try trip.schedule, skipped: Set(trip.cancelled), from: 0,
                to: trip.course.durationSeconds))
    }

    /// The driver of a ride that has started.
    init(driving ride: RideRecord) {
        (trip, isDriver) = (ride.trip, true)
        pattern = .once(ride.departsAt..<max(ride.departsAt, ride.arrivesAt))
    }

    /// The passenger of a seat: of one day, or of every day of the trip except those given up.
    init(_ seat: SeatRecord, of trip: TripRecord) throws {
        (self.trip, isDriver) = (trip.id, false)
        let (from, to) = (seat.stops.pickUp.along, seat.stops.dropOff.along)
        pattern =
            seat.every
            ? .each(
                Days(
                    schedule: try trip.schedule,
                    skipped: Set(trip.cancelled + trip.skipped(by: seat.id)), from: from,
                    to: max(from, to)))
            : Self.pattern(once: seat)
    }

    /// The passenger of a seat of one day.
    init(once seat: SeatRecord) {
        (trip, isDriver, pattern) = (seat.trip, false, Self.pattern(once: seat))
    }

    private static func pattern(once seat: SeatRecord) -> Pattern {
        .once(seat.pickUpAt..<max(seat.pickUpAt, seat.dropOffAt))
    }

    /// The first time, from a moment on, at which both would be in a car; nil if there is none.
    func overlap(with other: CarTimes, after now: Date) -> Range<Date>? {
        let start = max(now, begins, other.begins)
        let period = Self.longestPeriod + 7 * (skippedCount + other.skippedCount)
        let end = min(
            start.addingTimeInterval(Double(period) * Self.day), ends ?? .distantFuture,
            other.ends ?? .distantFuture)
        let margin = isDriver || other.isDriver ? 0 : Self.margin
        return times(from: start, to: end).first { time in
            !other.times(
                from: time.lowerBound.addingTimeInterval(margin),
                to: time.upperBound.addingTimeInterval(-margin)
            ).isEmpty
        }
    }

    /// Whether a trip is still under way at its next departure.
    func overlapsItself(after now: Date) -> Bool {
        guard case .each(let days) = pattern, days.to - days.from >= Self.shortestPause else {
            return false
        }
        let start = max(now, begins)
        let period = Double(Self.longestPeriod + 7 * skippedCount) * Self.day
        let times = times(from: start, to: start.addingTimeInterval(period))
        return zip(times, times.dropFirst()).contains { $0.upperBound > $1.lowerBound }
    }

    /// The times that end after `start` and begin before `end`, in order.
    private func times(from start: Date, to end: Date) -> [Range<Date>] {
        let found: [Range<Date>]
        switch pattern {
        case .once(let time): found = [time]
        case .each(let days):
            let first = days.schedule.day(at: start.addingTimeInterval(-TimeInterval(days.to))) - 1
            found = days.schedule.days(from: first, through: days.schedule.day(at: end))
                .filter { !days.skipped.contains($0) }.map(days.time(on:))
        }
        return found.filter { $0.upperBound > start && $0.lowerBound < end }
    }

    private var begins: Date {
        switch pattern {
        case .once(let time): time.lowerBound
        case .each(let days): days.time(on: days.schedule.firstDay).lowerBound
        }
    }

    /// Nil if it has no end.
    private var ends: Date? {
        switch pattern {
        case .once(let time): return time.upperBound
        case .each(let days):
            let first = days.schedule.firstDay
            let last = days.schedule.repeats ? days.schedule.until.map { max(first, $0) } : first
            return last.map { days.time(on: $0).upperBound }
        }
    }

    private var skippedCount: Int {
        guard case .each(let days) = pattern else { return 0 }
        return days.schedule.exceptions.count + days.skipped.count
    }
}

extension SeatStore {
    /// When a person is in a car: as a driver of open trips and of rides under way, and as an accepted passenger.
    func carTimes(of person: PersonID) throws -> [CarTimes] {
        let driven = try transaction.trips.open(of: person).map(CarTimes.init(driving:))
        let underWay = try transaction.rides.underWay(drivenBy: person)
            .map(CarTimes.init(driving:))
        let seats = try open(of: person).filter { $0.status == .accepted && !$0.isOver }
        let known = try transaction.trips.find(Set(seats.filter(\.every).map(\.trip)))
        let ridden = try seats.compactMap { seat -> CarTimes? in
            guard seat.every else { return CarTimes(once: seat) }
            return try known[seat.trip].flatMap { trip in
                try trip.status == .open ? CarTimes(seat, of: trip) : nil
            }
        }
        return driven + underWay + ridden
    }
}

extension [CarTimes] {
    /// The first of these, besides those of the same trip, at which both would be in a car.
    func overlap(
        with times: CarTimes, after now: Date
    ) -> (trip: TripID, time: Range<Date>)? {
        for other in self where other.trip != times.trip {
            if let time = times.overlap(with: other, after: now) { return (other.trip, time) }
        }
        return nil
    }
}
