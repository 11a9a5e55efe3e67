import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

/// The use cases of a ride's day: the driver's steps, and who was in the car. Each function is one transaction.
struct RideUseCases: Sendable {
    let database: Database
    let clock: ServiceClock
    let areas: KnownAreas
    let cashier: Cashier

    // MARK: The driver's steps

    func start(_ id: RideID, by person: PersonID) async throws {
        let now = clock.now
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            var ride = try transaction.rides.require(id, of: person)
            try ride.start(at: now)
            guard ride.version.isChanged else { return }
            try transaction.rides.closeDay(of: ride, at: now)
            try transaction.rides.save(&ride, .started, at: now)
            let trip = try transaction.trips.require(ride.trip)
            for var seat in try transaction.seats.all(of: id) where seat.isOpen {
                // A passenger whose request was not answered before the departure does not ride along.
                if seat.status == .pending {
                    try seat.expire()
                    try transaction.seats.close(&seat, .expired, at: now)
                } else {
                    try CarpoolNotices.announce(seat, of: trip, .started, at: now, in: transaction)
                }
            }
        }
    }

    func end(_ id: RideID, by person: PersonID) async throws {
        let now = clock.now
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            var ride = try transaction.rides.require(id, of: person)
            guard ride.status != .ended else { return }
            try ride.end(at: now)
            try transaction.rides.end(&ride, at: now)
        }
    }

    /// Cancels the ride of this day only.
    func cancel(_ id: RideID, by person: PersonID) async throws {
        let now = clock.now
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            var ride = try transaction.rides.require(id, of: person)
            guard ride.status != .cancelled else { return }
            try ride.cancel()
            let seats = try transaction.seats.all(of: id)
            if var trip = try transaction.trips.find(ride.trip), trip.status == .open {
                trip.cancel(on: ride.day)
                for seat in seats where seat.standing == nil { trip.free(seat.id) }
                try transaction.trips.update(&trip, at: now)
            }
            for var seat in seats where seat.isOpen {
                try seat.cancel()
                try transaction.seats.close(&seat, .rideCancelled, at: now)
            }
            try transaction.unschedule(CarpoolWork.overdue, id)
            try transaction.rides.save(&ride, .cancelled, at: now)
        }
    }

    // MARK: Confirming who was in the car

    func confirm(_ id: SeatRequestID, _ inTheCar: Bool, by person: PersonID) async throws {
        let now = clock.now
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            var seat = try transaction.seats.require(id, of: person)
            guard let side = seat.side(of: person) else { throw Refusal.seatRequestUnknown }
            // A repeat gets the same answer.
            if (side == .driver ? seat.driverSays : seat.passengerSays) == inTheCar { return }
            let was = seat.status
            try seat.say(inTheCar, as: side)
            let message: SeatMessage? =
                seat.isDisputed ? .disputed : side == .driver && !inTheCar ? .notInTheCar : nil
            try transaction.seats.saveOutcome(&seat, was, message, in: areas, at: now)
            if seat.status == .accepted, !seat.isDisputed {
                try transaction.schedule(
                    CarpoolWork.settlement, id,
                    at: now.addingTimeInterval(CarpoolLimits.disagreeing))
            }
        }
    }

    func decide(_ id: SeatRequestID, _ body: SeatDecisionBody, by person: PersonID) async throws {
        let reason = try Check.text(body.reason, "reason", 1...CarpoolLimits.longestNote)
        let now = clock.now
        try await database.write { transaction in
            var seat = try transaction.seats.require(id, of: nil)
            let was = seat.status
            try seat.decide(body.inTheCar)
            try transaction.record("carpool.decide-ride", id, by: person, reason: reason, at: now)
            try transaction.seats.saveOutcome(&seat, was, .decided, in: areas, at: now)
        }
    }

    // MARK: The clock

    /// Shows the driver's position to passengers from now on.
    func share(_ id: RideID) async throws {
        let now = clock.now
        try await database.write { transaction in
            guard let ride = try transaction.rides.find(id), ride.isOpen else { return }
            try transaction.rides.passengersChanged(of: id, at: now)
        }
    }

    /// Ends a ride that nobody has ended.
    func endByItself(_ id: RideID) async throws {
        let now = clock.now
        try await database.write { transaction in
            guard var ride = try transaction.rides.find(id), ride.isOpen else { return }
            let due = ride.arrivesAt.addingTimeInterval(CarpoolLimits.overdue)
            guard due <= now else {
                return try transaction.schedule(CarpoolWork.overdue, id, at: due)
            }
            try ride.end(at: now, byItself: true)
            try transaction.rides.end(&ride, at: now)
        }
    }

    /// Settles a seat without waiting for further answers.
    func settle(_ id: SeatRequestID) async throws {
        let now = clock.now
        try await database.write { transaction in
            guard var seat = try transaction.seats.find(id) else { return }
            let was = seat.status
            try seat.settle()
            guard seat.version.isChanged else { return }
            try transaction.seats.saveOutcome(&seat, was, nil, in: areas, at: now)
        }
    }
}

extension RideStore {
    /// Closes the day in the trip, so that nobody else gets a seat on it.
    fileprivate func closeDay(of ride: RideRecord, at now: Date) throws {
        guard var trip = try transaction.trips.find(ride.trip), trip.status == .open else { return }
        trip.cancel(on: ride.day)
        try transaction.trips.update(&trip, at: now)
    }

    /// Ends a ride, and asks the driver who was in the car.
    fileprivate func end(_ ride: inout RideRecord, at now: Date) throws {
        try transaction.unschedule(CarpoolWork.overdue, ride.id)
        try closeDay(of: ride, at: now)
        let trip = try transaction.trips.require(ride.trip)
        for var seat in try transaction.seats.all(of: ride.id) where seat.isOpen {
            guard seat.status == .accepted else {
                try seat.expire()
                try transaction.seats.close(&seat, .expired, at: now)
                continue
            }
            seat.ask()
            try transaction.seats.update(&seat)
            try transaction.schedule(
                CarpoolWork.settlement, seat.id,
                at: now.addingTimeInterval(CarpoolLimits.confirming))
            try CarpoolNotices.announce(seat, of: trip, .confirm, at: now, in: transaction)
        }
        try save(&ride, .ended, at: now)
    }
}

extension SeatStore {
    /// Stores what a side has said about a ride, and applies its effect on payment and ratings.
    fileprivate func saveOutcome(
        _ seat: inout SeatRecord, _ was: SeatRequestStatus, _ message: SeatMessage?,
        in areas: KnownAreas, at now: Date
    ) throws {
        let trip = try transaction.trips.require(seat.trip)
        if seat.status != was {
            try transaction.unschedule(CarpoolWork.settlement, seat.id)
            if seat.status == .rode { try charge(&seat, of: trip, in: areas, at: now) }
            if seat.status == .didNotRide { try giveBack(&seat, at: now) }
        }
        try update(&seat)
        if let ride = seat.ride { try transaction.rides.passengersChanged(of: ride, at: now) }
        try CarpoolNotices.announce(seat, of: trip, message, at: now, in: transaction)
    }
}
