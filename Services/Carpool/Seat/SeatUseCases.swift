import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store
import TripSearch

/// The use cases of seat requests, from asking to cancelling and expiry. Each function is one transaction.
struct SeatUseCases: Sendable {
    let database: Database
    let clock: ServiceClock
    /// Asked for vehicles and people that are unknown here.
    let accounts: Owners
    let cashier: Cashier

    // MARK: Passengers ask

    /// Asks for a seat, on one day or on every day. If the driver accepts automatically, the request is accepted at
    /// once.
    func request(
        _ id: TripID, _ body: SeatRequestBody, by person: PersonID, once key: IdempotencyKey?
    ) async throws -> SeatRequestID {
        if let known = try await database.answer(once: key, as: SeatRequestID.self) { return known }
        let body = try body.checked()
        if let method = body.paymentMethodId { try await cashier.require(method, of: person) }
        let now = clock.now
        try await accounts.learn(of: person, in: database, at: now)
        return try await database.write(once: key) { transaction in
            try transaction.requireStanding(of: person)
            let trip = try transaction.trips.require(id)
            guard try !transaction.areBlocked(person, trip.driver) else {
                throw Refusal.tripUnknown
            }
            guard trip.driver != person else { throw Refusal.ownTrip }
            guard trip.status == .open else { throw trip.notPossible }
            if try transaction.seats.owed(by: person) != nil { throw Refusal.rideUnpaid }
            let draft = try trip.draft(body, by: person, at: now)
            return try transaction.seats.ask(draft, every: body.every == true, of: trip, at: now)
        }
    }

    // MARK: The other side answers

    func accept(_ id: SeatRequestID, by person: PersonID) async throws {
        let now = clock.now
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            var seat = try transaction.seats.require(id, of: person)
            // A repeat gets the same answer.
            if seat.status == .accepted { return }
            guard seat.status == .pending, seat.side(of: person) == seat.asks else {
                throw seat.notPossible
            }
            let trip = try transaction.trips.require(seat.trip)
            guard trip.status == .open else {
                throw Refusal.seatRequestNotPossible.because("The trip is \(trip.status.rawValue).")
            }
            let message: SeatMessage = seat.asks == .driver ? .accepted : .passengerAgrees
            try transaction.seats.accept(&seat, of: trip, message, at: now)
        }
    }

    func decline(_ id: SeatRequestID, by person: PersonID) async throws {
        let now = clock.now
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            var seat = try transaction.seats.require(id, of: person)
            // A repeat gets the same answer.
            if [.declined, .cancelled].contains(seat.status) { return }
            guard seat.status == .pending, seat.side(of: person) == seat.asks else {
                throw seat.notPossible
            }
            // After a change of the trip, the passenger already had the seat and gives it up.
            guard seat.asks == .driver else {
                return try transaction.seats.cancel(&seat, .passengerCancelled, at: now)
            }
            try seat.decline()
            try transaction.seats.close(&seat, .declined, at: now)
        }
    }

    /// Cancels a request, pending or accepted, by either side.
    func cancel(_ id: SeatRequestID, by person: PersonID) async throws {
        let now = clock.now
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            var seat = try transaction.seats.require(id, of: person)
            guard seat.status != .cancelled else { return }
            // Once the ride is under way or has ended, both sides say who was in the car instead of cancelling.
            if let ride = try seat.ride.flatMap(transaction.rides.find),
                [.underWay, .ended].contains(ride.status)
            {
                throw seat.notPossible
            }
            let isDriver = seat.driver == person
            try transaction.seats.cancel(
                &seat, isDriver ? .driverCancelled : .passengerCancelled, at: now)
        }
    }

    // MARK: The clock

    /// Expires a request that nobody has answered in time.
    func expire(_ id: SeatRequestID) async throws {
        let now = clock.now
        try await database.write { transaction in
            guard var seat = try transaction.seats.find(id), seat.status == .pending,
                let end = seat.expiresAt, end <= now
            else { return }
            // A passenger who has not agreed to a change loses the seat.
            guard seat.asks == .driver else {
                return try transaction.seats.cancel(&seat, .passengerCancelled, at: now)
            }
            try seat.expire()
            try transaction.seats.close(&seat, .expired, at: now)
        }
    }

    /// Creates the rides of recurring passengers, some days ahead.
    func plan(_ id: TripID) async throws {
        let now = clock.now
        try await database.write { try $0.seats.plan(for: id, at: now) }
    }
}

extension SeatRequestBody {
    fileprivate func checked() throws -> Self {
        var body = self
        guard (date == nil) == (every == true) else {
            throw Refusal.invalid("date", "Send a `date` such as 2026-12-24, or `every`: true.")
        }
        if let date, Day(date) == nil {
            throw Refusal.invalid("date", "Use a day such as 2026-12-24.")
        }
        body.pickUp = try Check.coordinate(
            latitude: pickUp.latitude, longitude: pickUp.longitude, "pickUp")
        body.dropOff = try Check.coordinate(
            latitude: dropOff.latitude, longitude: dropOff.longitude, "dropOff")
        _ = try Check.int(seats ?? 1, "seats", in: CarpoolLimits.seats)
        body.message = try Check.optionalText(message, "message", most: CarpoolLimits.longestNote)
        return body
    }
}

extension TripRecord {
    fileprivate func draft(
        _ body: SeatRequestBody, by person: PersonID, at now: Date
    ) throws -> SeatDraft {
        let seats = body.seats ?? 1
        if let expected = body.pricePerSeat, expected != plan.price ?? 0 {
            throw Refusal.seatPriceChanged.because(
                money(1).map { "A seat costs \($0.text(in: .english))." } ?? "The seat is free.")
        }
        guard plan.payment != .app || body.paymentMethodId != nil else {
            throw Refusal.seatPaymentRequired
        }
        let day = try body.date.flatMap { Day($0) } ?? nextDay(at: now)
        guard let day, try runs(on: day), try departure(on: day) > now else {
            throw Refusal.noRideThatDay
        }
        guard body.every != true || plan.repeats != nil else { throw Refusal.noRideThatDay }
        guard let stops = try stops(from: body.pickUp, to: body.dropOff, on: day) else {
            throw Refusal.notOnTheWay
        }
        return SeatDraft(
            passenger: person, day: day, seats: seats, stops: stops,
            price: (plan.price ?? 0) * seats, payment: plan.payment, message: body.message,
            method: plan.payment == .app ? body.paymentMethodId : nil)
    }
}

extension SeatStore {
    fileprivate func ask(
        _ draft: SeatDraft, every: Bool, of trip: TripRecord, at now: Date
    ) throws -> SeatRequestID {
        let open = try open(of: trip.id)
        let same = open.first { seat in
            guard seat.passenger == draft.passenger, !seat.isOver else { return false }
            if every { return true }
            // A recurring passenger may have given up this day.
            return seat.every
                ? !trip.skipped(by: seat.id).contains(draft.day) : seat.day == draft.day
        }
        guard same == nil else { throw Refusal.seatRequestExists }
        guard open.count(where: { $0.status == .pending }) < CarpoolLimits.mostRequests else {
            throw Refusal.noSeatLeft
        }
        let ride = every ? nil : try transaction.rides.findOrPlan(of: trip, on: draft.day, at: now)
        var seat = try SeatRecord(.new(at: now), draft, of: trip, ride: ride, at: now)
        // A seat that is already taken can't be requested.
        var promised = trip
        try promised.seat(trip.place(of: seat), from: draft.day)
        try requireFree(seat, of: trip, telling: .passenger, at: now)
        try seatTable.insert(seat, in: transaction)
        guard !trip.plan.acceptsAutomatically else {
            try accept(&seat, of: trip, .rodeAlongAutomatically, at: now)
            return seat.id
        }
        if let expiry = seat.expiresAt {
            try transaction.schedule(CarpoolWork.expiry, seat.id, at: expiry)
        }
        try CarpoolNotices.announce(seat, of: trip, .requested, at: now, in: transaction)
        return seat.id
    }

    /// Assigns the seats. They are stored in the trip's row, so that no seat is assigned twice.
    func accept(
        _ seat: inout SeatRecord, of known: TripRecord, _ message: SeatMessage, at now: Date
    ) throws {
        var trip = known
        if let ride = try seat.ride.flatMap(transaction.rides.find), ride.status != .planned {
            throw Refusal.seatRequestNotPossible.because("The ride is \(ride.status.rawValue).")
        }
        try requireFree(seat, of: trip, telling: seat.asks ?? .driver, at: now)
        try trip.seat(trip.place(of: seat), from: try trip.schedule.day(at: now))
        try seat.accept()
        try transaction.trips.update(&trip, at: now)
        try update(&seat)
        try transaction.unschedule(CarpoolWork.expiry, seat.id)
        if let ride = seat.ride { try transaction.rides.passengersChanged(of: ride, at: now) }
        try CarpoolNotices.announce(seat, of: trip, message, at: now, in: transaction)
        if seat.every { try plan(for: trip.id, at: now) }
    }

    /// Throws if the passenger rides in, or drives, another car at that time, on any day of a recurring request.
    /// The driver isn't told which one.
    private func requireFree(
        _ seat: SeatRecord, of trip: TripRecord, telling side: RideSide, at now: Date
    ) throws {
        let others = try carTimes(of: seat.passenger)
        let times = try CarTimes(seat, of: trip)
        guard let (other, time) = others.overlap(with: times, after: now) else { return }
        let day = try trip.schedule.day(at: time.lowerBound)
        throw Refusal.rideOverlaps.because(
            side == .passenger ? "\(other.reference), on \(day)." : "On \(day).")
    }

    /// Cancels a request and frees its seat.
    func cancel(_ seat: inout SeatRecord, _ message: SeatMessage, at now: Date) throws {
        try seat.cancel()
        if var trip = try transaction.trips.find(seat.trip), trip.status == .open {
            if let standing = seat.standing, let day = seat.day {
                trip.skip(day, of: standing)
            } else {
                trip.free(seat.id)
            }
            try transaction.trips.update(&trip, at: now)
        }
        if seat.every {
            for var child in try openDays(of: seat.id) where child.pickUpAt > now {
                try child.cancel()
                try close(&child, nil, at: now)
                if let ride = child.ride {
                    try transaction.rides.passengersChanged(of: ride, at: now)
                }
            }
        }
        try close(&seat, message, at: now)
        if let ride = seat.ride { try transaction.rides.passengersChanged(of: ride, at: now) }
    }

    /// Stores a request that is over.
    func close(_ seat: inout SeatRecord, _ message: SeatMessage?, at now: Date) throws {
        try update(&seat)
        try transaction.unschedule(CarpoolWork.expiry, seat.id)
        try transaction.unschedule(CarpoolWork.settlement, seat.id)
        try CarpoolNotices.announce(
            seat, of: try transaction.trips.require(seat.trip), message, at: now, in: transaction)
    }

    /// Creates the rides of recurring passengers some days ahead, and schedules the next time.
    func plan(for id: TripID, at now: Date) throws {
        guard var trip = try transaction.trips.find(id), trip.status == .open else { return }
        let today = try trip.schedule.day(at: now)
        var standing = try open(of: id).filter { $0.every && $0.status == .accepted }
        guard !standing.isEmpty else { return }
        for day in try trip.schedule.days(
            from: today, through: today + CarpoolLimits.planned)
        {
            guard try trip.runs(on: day), try trip.departure(on: day) > now else { continue }
            for seat in trip.seats where seat.lastDay == nil && seat.covers(day) {
                guard let whole = standing.first(where: { $0.id == seat.request }),
                    try self.day(day, of: whole.id) == nil
                else { continue }
                try ride(along: whole, on: day, of: &trip, at: now)
            }
        }
        for index in standing.indices {
            guard let next = try trip.nextDay(at: now) else { break }
            standing[index].move(to: try trip.departure(on: next))
            try update(&standing[index])
        }
        trip.tidyUp(today: today)
        try transaction.trips.update(&trip, at: now)
        try transaction.schedule(CarpoolWork.plan, id, at: now.addingTimeInterval(86_400))
    }

    /// Creates one day of a recurring passenger. The day is left out if they are in another car then.
    private func ride(
        along whole: SeatRecord, on day: Day, of trip: inout TripRecord, at now: Date
    ) throws {
        let ride = try transaction.rides.findOrPlan(of: trip, on: day, at: now)
        let draft = SeatDraft(
            passenger: whole.passenger, day: day, seats: whole.seats, stops: whole.stops,
            price: whole.price, payment: whole.payment, message: nil, method: whole.method)
        var seat = try SeatRecord(
            .new(at: now), draft, of: trip, ride: ride, standing: whole.id, at: now)
        let isElsewhere =
            try carTimes(of: seat.passenger)
            .overlap(with: CarTimes(once: seat), after: now) != nil
        if isElsewhere {
            trip.skip(day, of: whole.id)
            try seat.cancel()
        } else {
            try seat.accept()
        }
        try seatTable.insert(seat, in: transaction)
        try transaction.rides.passengersChanged(of: ride.id, at: now)
        try CarpoolNotices.announce(
            seat, of: trip, isElsewhere ? .leftOut : nil, at: now, in: transaction)
    }
}

extension RideStore {
    /// The ride of a day, created if there is none.
    func findOrPlan(of trip: TripRecord, on day: Day, at now: Date) throws -> RideRecord {
        var ride: RideRecord
        if let known = try find(of: trip.id, on: day) {
            guard known.status != .planned else { return known }
            ride = known
            try ride.plan(from: try trip.departure(on: day), to: try trip.arrival(on: day))
            try rideTable.update(&ride, in: transaction)
        } else {
            ride = try RideRecord(.new(at: now), trip, on: day)
            try rideTable.insert(ride, in: transaction)
        }
        try transaction.schedule(
            CarpoolWork.overdue, ride.id,
            at: ride.arrivesAt.addingTimeInterval(CarpoolLimits.overdue))
        try announce(ride, .planned, at: now)
        return ride
    }
}
