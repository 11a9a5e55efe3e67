import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// The engagement of a ride: who sees the driver, and who rates whom.
extension RideRecord {
    /// Nil before the first passenger sees the driver. Then it stays, without those who don't see them any more: others
    /// would keep the last one, in which they do.
    func engagement(of seats: [SeatRecord], at now: Date) -> Engagement? {
        let riders = seats.filter { $0.status == .accepted || $0.status == .rode }
        let isShared = isOpen && (wasShared == true || isShared(with: seats, at: now))
        guard isShared || status == .ended && !riders.isEmpty || status == .cancelled else {
            return nil
        }
        var engagement = Engagement(
            id: id.as(EngagementID.self), product: .carpool, version: version.number,
            state: isOpen ? .open : status == .ended ? .ended : .cancelled)
        let rode = riders.filter { $0.status == .rode && !$0.isDisputed }
        engagement.participants = [
            Engagement.Participant(
                driver, isPresent: isOpen, rates: rode.map(\.passenger))
        ]
        engagement.participants += riders.map { seat in
            let sees = isOpen && seat.status == .accepted && seat.sharedFrom <= now
            return Engagement.Participant(
                seat.passenger, isPresent: isOpen, sees: sees ? [driver] : [],
                rates: rode.contains(seat) ? [driver] : [])
        }
        if isOpen { engagement.markers = [Engagement.Marker("driver", of: driver)] }
        return engagement
    }

    func isShared(with seats: [SeatRecord], at now: Date) -> Bool {
        sharedFrom(seats).map { $0 <= now } ?? false
    }

    /// When the first passenger to be picked up sees the driver; nil without passengers.
    func sharedFrom(_ seats: [SeatRecord]) -> Date? {
        seats.filter { $0.status == .accepted }.map(\.sharedFrom).min()
    }
}

extension SeatRecord {
    var sharedFrom: Date { pickUpAt.addingTimeInterval(-CarpoolLimits.sharing) }
}

extension RideStore {
    /// Announces a ride's step in the transaction that makes it, and schedules the next announcement.
    func announce(_ ride: RideRecord, _ step: RideStep, at now: Date) throws {
        try transaction.publish(
            RideChanged(
                ride: ride.id, trip: ride.trip, step: step, status: ride.status,
                driver: ride.driver, departsAt: ride.departsAt, version: ride.version.number),
            at: now)
        let seats = try transaction.seats.all(of: ride.id)
        if let engagement = ride.engagement(of: seats, at: now) {
            try transaction.publish(EngagementChanged(engagement), at: now)
        }
        let next = seats.filter { $0.status == .accepted }.map(\.sharedFrom).filter { $0 > now }
            .min()
        if ride.isOpen, let next {
            try transaction.schedule(CarpoolWork.sharing, ride.id, at: next)
        } else {
            try transaction.unschedule(CarpoolWork.sharing, ride.id)
        }
    }

    /// Stores and publishes a ride.
    func save(_ ride: inout RideRecord, _ step: RideStep, at now: Date) throws {
        if ride.isShared(with: try transaction.seats.all(of: ride.id), at: now) {
            ride.wasShared = true
        }
        try rideTable.update(&ride, in: transaction)
        try announce(ride, step, at: now)
    }

    /// Stores and publishes that a ride's passengers have changed.
    func passengersChanged(of id: RideID, at now: Date) throws {
        guard var ride = try find(id) else { return }
        ride.touch()
        try save(&ride, .passengers, at: now)
    }
}

extension RideStore {
    /// Engagements of open rides by id, as other services may hear of them at any age.
    func told(after id: String, limit: Int, at now: Date) throws -> [StateSource.Entry] {
        try transaction.rows(
            "SELECT body FROM rides WHERE is_open = 1 AND id > ? ORDER BY id LIMIT ?", id, limit
        ).map { row in
            let ride: RideRecord = try row.json()
            let engagement = ride.engagement(of: try transaction.seats.all(of: ride.id), at: now)
            return .init(ride.id, engagement.map(EngagementChanged.init))
        }
    }
}

extension RideUseCases {
    func engagement(_ id: EngagementID) async throws -> Engagement {
        let now = clock.now
        let found = try await database.read { transaction in
            try transaction.rides.find(id.as(RideID.self)).flatMap {
                $0.engagement(of: try transaction.seats.all(of: $0.id), at: now)
            }
        }
        guard let found else { throw Refusal.notFound }
        return found
    }

    /// A ride that is under way, or that the person has not paid.
    func binding(_ person: PersonID) async throws -> EngagementID? {
        try await database.read { transaction in
            let owed = try transaction.seats.owed(by: person)?.ride
            return try (owed ?? transaction.rides.underWay(of: person))?.as(EngagementID.self)
        }
    }
}

extension RideStore {
    fileprivate func underWay(of person: PersonID) throws -> RideID? {
        try transaction.row(
            """
            SELECT id FROM rides WHERE status = 'underWay' AND (driver = ? OR id IN (
                SELECT ride FROM seat_requests WHERE passenger = ? AND status = 'accepted'))
            ORDER BY id LIMIT 1
            """, person, person)?.get("id")
    }
}
