import Contracts
import EventBus
import Foundation
import ServiceKit
import Store
import TripSearch

/// One trip on one day. Pure.
struct RideRecord: Document, Hashable {
    /// Every transition; nil before the first request for a seat.
    static let transitions: [RideStatus?: Set<RideStatus>] = [
        nil: [.planned],
        .planned: [.underWay, .ended, .cancelled],
        .underWay: [.ended],
        // A change of the trip may restore a day that an earlier one cancelled.
        .cancelled: [.planned],
        .ended: [],
    ]

    let id: RideID
    var version: Version
    let trip: TripID
    let day: Day
    let driver: PersonID
    private(set) var status: RideStatus
    private(set) var departsAt, arrivesAt: Date
    private(set) var startedAt, endedAt: Date?
    /// Whether a passenger has ever seen the driver; 1.0.0 doesn't note it.
    var wasShared: Bool?

    init(_ id: RideID, _ trip: TripRecord, on day: Day) throws {
        (self.id, version, self.trip, self.day) = (id, Version(), trip.id, day)
        (driver, status) = (trip.driver, .planned)
        (departsAt, arrivesAt) = (try trip.departure(on: day), try trip.arrival(on: day))
    }

    var columns: KeyValuePairs<String, (any SQLConvertible)?> {
        [
            "trip": trip, "day": day, "driver": driver, "status": status.rawValue,
            "is_open": isOpen, "departs_at": departsAt,
        ]
    }

    var isOpen: Bool { status == .planned || status == .underWay }

    mutating func start(at now: Date) throws {
        guard status != .underWay else { return }
        let earliest = departsAt.addingTimeInterval(-CarpoolLimits.early)
        if status == .planned, now < earliest {
            throw Refusal.rideTooEarly.because("Possible from \(Wire.text(earliest)).")
        }
        try move(to: .underWay)
        startedAt = now
    }

    /// Ended by its driver once they have started, or by the clock.
    mutating func end(at now: Date, byItself: Bool = false) throws {
        guard byItself || status == .underWay || status == .planned && now >= departsAt else {
            throw notPossible
        }
        try move(to: .ended)
        endedAt = now
    }

    mutating func cancel() throws { try move(to: .cancelled) }

    /// The trip departs at another time, or takes longer.
    mutating func move(to departure: Date, arrival: Date) {
        (departsAt, arrivesAt) = (departure, arrival)
        version.advance()
    }

    /// Restores the ride of a day that was cancelled.
    mutating func plan(from departure: Date, to arrival: Date) throws {
        try move(to: .planned)
        (departsAt, arrivesAt) = (departure, arrival)
    }

    /// Raises the version because the passengers have changed.
    mutating func touch() { version.advance() }

    var notPossible: Refusal { .rideNotPossible.because("The ride is \(status.rawValue).") }

    private mutating func move(to next: RideStatus) throws {
        guard Self.transitions[status]?.contains(next) ?? false else {
            throw notPossible
        }
        status = next
        version.advance()
    }
}
