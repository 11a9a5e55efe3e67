import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

/// What happens on the day: the driver's steps, and who was in the car; each function is one transaction.
struct RideUseCases: Sendable {
    let database: Database
    let clock: ServiceClock
    let cashier: Cashier

    // MARK: The driver's steps

    func start(_ id: RideID, by person: PersonID) async throws {
        let now = clock.now
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            var ride = try transaction.requireRide(id, of: person)
            try ride.start(at: now)
            guard ride.version.isChanged else { return }
            try transaction.close(ride, at: now)
            try transaction.save(&ride, .started, at: now)
            let trip = try transaction.requireTrip(ride.trip)
            for var seat in try transaction.seats(of: id) where seat.isOpen {
                // A passenger whose request was not answered before the departure does not ride along.
                if seat.status == .pending {
                    try seat.expire()
                    try transaction.close(&seat, .expired, at: now)
                } else {
                    try transaction.announce(seat, of: trip, .started, at: now)
                }
            }
        }
    }

    func end(_ id: RideID, by person: PersonID) async throws {
        let now = clock.now
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            var ride = try transaction.requireRide(id, of: person)
            guard ride.status != .ended else { return }
            try ride.end(at: now)
            try transaction.end(&ride, at: now)
        }
    }

    /// On that day only.
    func cancel(_ id: RideID, by person: PersonID) async throws {
        let now = clock.now
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            var ride = try transaction.requireRide(id, of: person)
            guard ride.status != .cancelled else { return }
            try ride.cancel()
            let seats = try transaction.seats(of: id)
            if var trip = try transaction.trip(ride.trip), trip.status == .open {
                trip.cancel(on: ride.day)
                for seat in seats where seat.standing == nil { trip.free(seat.id) }
                try transaction.update(&trip, at: now)
            }
            for var seat in seats where seat.isOpen {
                try seat.cancel()
                try transaction.close(&seat, .rideCancelled, at: now)
            }
            try transaction.unschedule(CarpoolWork.overdue, id)
            try transaction.save(&ride, .cancelled, at: now)
        }
    }

    // MARK: Confirming who was in the car

    func confirm(_ id: SeatRequestID, _ inTheCar: Bool, by person: PersonID) async throws {
        let now = clock.now
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            var seat = try transaction.requireSeat(id, of: person)
            guard let side = seat.side(of: person) else { throw Refusal.seatRequestUnknown }
            // A repeat gets the same answer.
            if (side == .driver ? seat.driverSays : seat.passengerSays) == inTheCar { return }
            let was = seat.status
            try seat.say(inTheCar, as: side)
            let news: SeatNews? =
                seat.isDisputed ? .disputed : side == .driver && !inTheCar ? .notInTheCar : nil
            try transaction.settled(&seat, was, news, at: now)
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
            var seat = try transaction.requireSeat(id, of: nil)
            let was = seat.status
            try seat.decide(body.inTheCar)
            try transaction.record("carpool.decide-ride", id, by: person, reason: reason, at: now)
            try transaction.settled(&seat, was, .decided, at: now)
        }
    }

    // MARK: The clock

    /// Passengers see the driver from now on.
    func share(_ id: RideID) async throws {
        let now = clock.now
        try await database.write { transaction in
            guard let ride = try transaction.ride(id), ride.isOpen else { return }
            try transaction.passengersChanged(of: id, at: now)
        }
    }

    /// Nobody has said that it is over.
    func endByItself(_ id: RideID) async throws {
        let now = clock.now
        try await database.write { transaction in
            guard var ride = try transaction.ride(id), ride.isOpen else { return }
            let due = ride.arrivesAt.addingTimeInterval(CarpoolLimits.overdue)
            guard due <= now else {
                return try transaction.schedule(CarpoolWork.overdue, id, at: due)
            }
            try ride.end(at: now, byItself: true)
            try transaction.end(&ride, at: now)
        }
    }

    /// What nobody says more of is settled.
    func settle(_ id: SeatRequestID) async throws {
        let now = clock.now
        try await database.write { transaction in
            guard var seat = try transaction.seat(id) else { return }
            let was = seat.status
            try seat.settle()
            guard seat.version.isChanged else { return }
            try transaction.settled(&seat, was, nil, at: now)
        }
    }
}

extension Transaction {
    /// Nobody else rides along on that day.
    fileprivate func close(_ ride: RideRecord, at now: Date) throws {
        guard var trip = try trip(ride.trip), trip.status == .open else { return }
        trip.cancel(on: ride.day)
        try update(&trip, at: now)
    }

    /// The driver is asked who was in the car.
    fileprivate func end(_ ride: inout RideRecord, at now: Date) throws {
        try unschedule(CarpoolWork.overdue, ride.id)
        try close(ride, at: now)
        let trip = try requireTrip(ride.trip)
        for var seat in try seats(of: ride.id) where seat.isOpen {
            guard seat.status == .accepted else {
                try seat.expire()
                try close(&seat, .expired, at: now)
                continue
            }
            seat.ask()
            try update(&seat)
            try schedule(
                CarpoolWork.settlement, seat.id,
                at: now.addingTimeInterval(CarpoolLimits.confirming))
            try announce(seat, of: trip, .confirm, at: now)
        }
        try save(&ride, .ended, at: now)
    }

    /// Stores what somebody has said of a ride, with what follows from it for money and ratings.
    fileprivate func settled(
        _ seat: inout SeatRecord, _ was: SeatRequestStatus, _ news: SeatNews?,
        at now: Date
    ) throws {
        let trip = try requireTrip(seat.trip)
        if seat.status != was {
            try unschedule(CarpoolWork.settlement, seat.id)
            if seat.status == .rode { try charge(&seat, of: trip, at: now) }
            if seat.status == .didNotRide { try giveBack(&seat, at: now) }
        }
        try update(&seat)
        if let ride = seat.ride { try passengersChanged(of: ride, at: now) }
        try announce(seat, of: trip, news, at: now)
    }
}
