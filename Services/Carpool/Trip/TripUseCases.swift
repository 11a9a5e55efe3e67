import Contracts
import EventBus
import Foundation
import Geo
import ProductKit
import Routing
import ServiceKit
import Store
import TripSearch

/// The use cases of trips, for drivers and for scheduled work. Each function is one transaction.
struct TripUseCases: Sendable {
    let database: Database
    let clock: ServiceClock
    let ways: TripWays
    let places: MeetingPlaces
    let areas: KnownAreas
    /// Asked for vehicles and people that are unknown here.
    let accounts: Owners

    // MARK: Drivers

    func publish(
        _ body: TripBody, by person: PersonID, once key: IdempotencyKey?
    ) async throws -> TripID {
        // The departure may be in the past when the request is repeated.
        if let known = try await database.answer(once: key, as: TripID.self) { return known }
        let now = clock.now
        let draft = try body.plan()
        try draft.requireDeparture(after: now)
        try await accounts.learn(of: body.vehicleId, of: person, in: database)
        try await accounts.learn(of: person, in: database, at: now)
        let course = try await ways.course(through: draft.points)
        let mayHaveRouter = ways.roads.mayHaveRouter
        return try await database.write(once: key) { transaction in
            try transaction.requireStanding(of: person)
            let area = try areas.area(of: draft, in: transaction)
            let policy =
                try area.map { try carpoolPolicies.value(of: $0.id, in: transaction) }
                ?? CarpoolPolicy()
            try transaction.trips.requireRoom(of: person, policy, at: now)
            var plan = draft
            plan.vehicle = try transaction.vehicle(
                body.vehicleId, orOnlyOneOf: person)
            let trip = TripRecord(
                .new(at: now), plan, course, of: person,
                in: area.map { ($0.id, $0.feature.properties.currency) }, policy, at: now)
            try trip.requirePrice()
            try transaction.trips.requireFreeDriver(of: trip, at: now)
            try transaction.trips.insert(trip)
            try transaction.trips.scheduleAll(of: trip, mayHaveRouter: mayHaveRouter, at: now)
            try CarpoolNotices.announce(trip, .published, at: now, in: transaction)
            return trip.id
        }
    }

    /// Changes a trip and notifies its passengers. Passengers for whom it no longer works are asked again.
    func change(_ id: TripID, _ body: TripChange, by person: PersonID) async throws {
        let now = clock.now
        let old = try await database.read { try $0.trips.require(id, of: person) }
        guard old.status == .open else { throw old.notPossible }
        let draft = try body.plan(after: old.plan)
        if body.departsAt != nil || body.repeats != nil { try draft.requireDeparture(after: now) }
        try await accounts.learn(of: body.vehicleId, of: person, in: database)
        let course =
            draft.points == old.plan.points
            ? old.course : try await ways.course(through: draft.points)
        let mayHaveRouter = ways.roads.mayHaveRouter
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            var trip = try transaction.trips.require(id, of: person)
            var plan = try body.plan(after: trip.plan)
            // The route was changed in the meantime, so it is computed again.
            guard plan.points == draft.points else { throw LostRace() }
            if let vehicle = body.vehicleId {
                plan.vehicle = try transaction.vehicle(
                    vehicle, orOnlyOneOf: person)
            }
            guard plan != trip.plan || course != trip.course else { return }
            let before = trip
            try transaction.trips.change(&trip, to: plan, course, at: now)
            try trip.requirePrice()
            // Trips of earlier releases may overlap already.
            if !trip.hasTimes(of: before) {
                try transaction.trips.requireFreeDriver(of: trip, at: now)
            }
            try transaction.trips.update(&trip, at: now)
            try transaction.trips.scheduleAll(of: trip, mayHaveRouter: mayHaveRouter, at: now)
            try transaction.seats.plan(for: trip.id, at: now)
            try CarpoolNotices.announce(trip, .changed, at: now, in: transaction)
        }
    }

    /// Does nothing to a trip that is over or removed already.
    func remove(_ id: TripID, by person: PersonID) async throws {
        let now = clock.now
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            let trip = try transaction.trips.require(id, of: person)
            if trip.status == .open { try transaction.trips.remove(trip, at: now) }
        }
    }

    func withdraw(_ id: TripID, by operator: PersonID) async throws {
        let now = clock.now
        try await database.write { transaction in
            let trip = try transaction.trips.require(id)
            try transaction.record("carpool.remove-trip", id, by: `operator`, at: now)
            if trip.status == .open { try transaction.trips.remove(trip, at: now) }
        }
    }

    func addFavourite(_ id: TripID, of person: PersonID) async throws {
        let now = clock.now
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            let trip = try transaction.trips.require(id)
            guard try !transaction.areBlocked(person, trip.driver) else {
                throw Refusal.tripUnknown
            }
            let known = try transaction.favourites.all(of: person)
            guard known.count < CarpoolLimits.mostFavourites || known.contains(id) else {
                throw Refusal.tooManyFavouriteTrips.because(
                    "The limit is \(CarpoolLimits.mostFavourites).")
            }
            try transaction.favourites.add(id, of: person, at: now)
        }
    }

    func removeFavourite(_ id: TripID, of person: PersonID) async throws {
        try await database.write { try $0.favourites.remove(id, of: person) }
    }

    // MARK: The clock

    /// Ends a trip after its last arrival.
    func end(_ id: TripID) async throws {
        let now = clock.now
        try await database.write { transaction in
            guard var trip = try transaction.trips.find(id), trip.status == .open,
                let last = try trip.lastArrival()
            else { return }
            guard last <= now else {
                return try transaction.schedule(CarpoolWork.end, id, at: last)
            }
            try trip.end()
            for var seat in try transaction.seats.open(of: id) where seat.every {
                try seat.cancel()
                try transaction.seats.close(&seat, nil, at: now)
            }
            try transaction.trips.update(&trip, at: now)
            try CarpoolNotices.announce(trip, .ended, at: now, in: transaction)
        }
    }

    /// Asks the router again about a route that is a straight line, until it answers and has a map of the points.
    func straighten(_ id: TripID) async throws -> WorkQueue.Outcome {
        let now = clock.now
        guard ways.roads.mayHaveRouter,
            let old = try await database.read({ try $0.trips.find(id) }), old.status == .open,
            old.course.isStraightLine
        else { return .done }
        let course: TripRecord.Course
        do {
            course = try await ways.course(through: old.plan.points)
        } catch Refusal.noRoad {
            // The next map may have a road.
            return .again
        }
        guard !course.isStraightLine else { return .again }
        try await database.write { transaction in
            guard var trip = try transaction.trips.find(id), trip.status == .open,
                trip.course == old.course
            else { return }
            try transaction.trips.change(&trip, to: trip.plan, course, at: now)
            try transaction.trips.update(&trip, at: now)
            try transaction.schedule(CarpoolWork.searches, id, at: now)
            try CarpoolNotices.announce(trip, .changed, at: now, in: transaction)
        }
        return .done
    }
}

extension KnownAreas {
    /// The area of the origin, or else of the destination; nil if both are outside all areas.
    func area(of plan: TripRecord.Plan, in transaction: Transaction) throws -> KnownArea? {
        try area(at: plan.origin.coordinate, in: transaction)
            ?? area(at: plan.destination.coordinate, in: transaction)
    }
}

extension TripRecord.Plan {
    fileprivate func requireDeparture(after now: Date) throws {
        guard let schedule else { throw Refusal.invalid("departsAt", "Use a local time.") }
        let today = schedule.day(at: now)
        guard firstDay <= today + CarpoolLimits.daysAhead else {
            throw Refusal.invalid(
                "departsAt", "Use a time within the next \(CarpoolLimits.daysAhead) days.")
        }
        var next = schedule.next(from: today)
        if let day = next, schedule.departure(on: day) <= now {
            next = schedule.next(from: day + 1)
        }
        guard next != nil else { throw Refusal.departureInThePast }
    }
}

extension TripRecord {
    /// Throws if the price is above the share of the cost, since a driver may not make a profit.
    func requirePrice() throws {
        guard let price = plan.price else { return }
        guard let currency else { throw Refusal.seatPriceNotAllowed }
        if plan.payment == .app { _ = try Check.price(price, "pricePerSeat", in: currency) }
        let most = policy.mostPerSeat(meters: course.distanceMeters)
        guard price <= most else {
            let most = Money(amount: most, currency: currency)
            throw Refusal.seatPriceTooHigh.because("The maximum is \(most.text(in: .english)).")
        }
    }
}

extension CarpoolPolicy {
    /// The highest price of a seat, in minor units.
    func mostPerSeat(meters: Double) -> Int {
        Int((Double(mostPerKilometer) * meters / 1_000).rounded(.up))
    }
}

extension TripStore {
    fileprivate func requireRoom(
        of person: PersonID, _ policy: CarpoolPolicy, at now: Date
    ) throws {
        guard try open(of: person).count < CarpoolLimits.mostTrips else {
            throw Refusal.tooManyTrips.because("The limit is \(CarpoolLimits.mostTrips) trips.")
        }
        let today = now.addingTimeInterval(-86_400)
        guard try countPublished(by: person, since: today) < policy.tripsPerDay else {
            throw Refusal.tooManyTrips.because("The limit is \(policy.tripsPerDay) trips a day.")
        }
    }

    /// Throws if the driver is in another car at the same time, or still drives the trip at its next departure.
    fileprivate func requireFreeDriver(of trip: TripRecord, at now: Date) throws {
        let times = try CarTimes(driving: trip)
        guard !times.overlapsItself(after: now) else {
            throw Refusal.tripOverlaps.because("It isn't over before its next departure.")
        }
        let others = try transaction.seats.carTimes(of: trip.driver)
        guard let (other, time) = others.overlap(with: times, after: now) else { return }
        let day = try trip.schedule.day(at: time.lowerBound)
        throw Refusal.tripOverlaps.because("\(other.reference), on \(day).")
    }

    /// Whether a change of the trip brings a passenger into two cars at once.
    private func isElsewhere(
        _ seat: SeatRecord, of trip: TripRecord, instead old: TripRecord, at now: Date
    ) throws -> Bool {
        guard !trip.hasTimes(of: old) else { return false }
        return try transaction.seats.carTimes(of: seat.passenger)
            .overlap(with: CarTimes(seat, of: trip), after: now) != nil
    }

    /// Changes a trip. Its passengers keep their seats; they are asked again if the new route does not pass them much
    /// as the old one did, or if they are in another car at the new time.
    fileprivate func change(
        _ trip: inout TripRecord, to plan: TripRecord.Plan, _ course: TripRecord.Course,
        at now: Date
    ) throws {
        let (old, riders) = (trip, try transaction.seats.open(of: trip.id))
        try trip.change(to: plan, course, keeping: [])
        for var seat in riders {
            guard seat.status == .accepted || seat.asks == .passenger else {
                try changeUnanswered(&seat, of: trip, at: now)
                continue
            }
            // A ride that has started keeps its passengers and their stops.
            if let ride = try seat.ride.flatMap(transaction.rides.find), ride.status != .planned {
                continue
            }
            try move(&seat, to: &trip, from: old, at: now)
        }
        for var ride in try transaction.rides.open(of: trip.id) where ride.status == .planned {
            guard try trip.runs(on: ride.day) else {
                try ride.cancel()
                try transaction.rides.save(&ride, .cancelled, at: now)
                continue
            }
            ride.move(to: try trip.departure(on: ride.day), arrival: try trip.arrival(on: ride.day))
            try transaction.schedule(
                CarpoolWork.overdue, ride.id,
                at: ride.arrivesAt.addingTimeInterval(CarpoolLimits.overdue))
            try transaction.rides.save(&ride, .passengers, at: now)
        }
    }

    /// Gives a passenger their seat in the changed trip, or cancels it if the trip no longer passes them.
    private func move(
        _ seat: inout SeatRecord, to trip: inout TripRecord, from old: TripRecord, at now: Date
    ) throws {
        let day = try seat.day ?? trip.nextDay(at: now)
        guard let day, try trip.runs(on: day),
            let stops = try trip.stops(
                from: seat.stops.pickUp.point, to: seat.stops.dropOff.point, on: day)
        else {
            // If the day comes back, a recurring passenger has to request it again.
            if let standing = seat.standing, let day { trip.skip(day, of: standing) }
            try seat.cancel()
            return try transaction.seats.close(&seat, .rideCancelled, at: now)
        }
        let departure = try trip.departure(on: day)
        let hasMoved = seat.isBroken(
            by: stops, departure, instead: try old.departure(of: seat, on: day))
        var moved = seat
        try moved.change(to: stops, departure: departure, asking: nil)
        if seat.standing == nil {
            do {
                try trip.seat(old.place(of: moved), from: try trip.schedule.day(at: now))
            } catch Refusal.noSeatLeft {
                throw Refusal.seatsTaken
            }
        }
        let isBroken = try hasMoved || isElsewhere(moved, of: trip, instead: old, at: now)
        let until = min(departure, now.addingTimeInterval(CarpoolLimits.answer))
        try seat.change(to: stops, departure: departure, asking: isBroken ? until : nil)
        try transaction.seats.update(&seat)
        if isBroken { try transaction.schedule(CarpoolWork.expiry, seat.id, at: until) }
        try CarpoolNotices.announce(
            seat, of: trip, isBroken ? .asksAgain : .changed, at: now, in: transaction)
    }

    /// A request that the driver has not answered is over if the trip is no longer driven on its day. Otherwise it can
    /// be answered until the new departure.
    private func changeUnanswered(
        _ seat: inout SeatRecord, of trip: TripRecord, at now: Date
    ) throws {
        guard let day = seat.day else { return }
        guard try trip.runs(on: day) else {
            try seat.cancel()
            return try transaction.seats.close(&seat, .rideCancelled, at: now)
        }
        seat.move(to: try trip.departure(on: day))
        try transaction.seats.update(&seat)
        if let expiry = seat.expiresAt {
            try transaction.schedule(CarpoolWork.expiry, seat.id, at: expiry)
        }
    }

    /// Removes a trip, cancels its future rides, and notifies their passengers.
    func remove(_ known: TripRecord, at now: Date) throws {
        var trip = known
        try trip.remove()
        try update(&trip, at: now)
        for var ride in try transaction.rides.open(of: trip.id) where ride.status == .planned {
            try ride.cancel()
            try transaction.unschedule(CarpoolWork.overdue, ride.id)
            try transaction.rides.save(&ride, .cancelled, at: now)
        }
        for var seat in try transaction.seats.open(of: trip.id) {
            if let ride = try seat.ride.flatMap(transaction.rides.find), ride.status != .cancelled {
                continue
            }
            try seat.cancel()
            try transaction.seats.close(&seat, seat.standing == nil ? .tripRemoved : nil, at: now)
        }
        for kind in [CarpoolWork.end, CarpoolWork.plan, CarpoolWork.way, CarpoolWork.searches] {
            try transaction.unschedule(kind, trip.id)
        }
        try CarpoolNotices.announce(trip, .removed, at: now, in: transaction)
    }

    fileprivate func scheduleAll(of trip: TripRecord, mayHaveRouter: Bool, at now: Date) throws {
        if let last = try trip.lastArrival() {
            try transaction.schedule(CarpoolWork.end, trip.id, at: last)
        }
        if trip.course.isStraightLine, mayHaveRouter {
            try transaction.schedule(CarpoolWork.way, trip.id, at: now)
        }
        try transaction.schedule(CarpoolWork.searches, trip.id, at: now)
    }
}

extension SeatRecord {
    /// Whether the passenger has to be asked again, because the stops or the time have moved too far.
    fileprivate func isBroken(
        by stops: SeatRecord.Stops, _ departure: Date, instead old: Date?
    ) -> Bool {
        let moved = max(
            Geo.distanceMeters(stops.pickUp.point, self.stops.pickUp.point),
            Geo.distanceMeters(stops.dropOff.point, self.stops.dropOff.point))
        guard let old, moved <= CarpoolLimits.bearableMeters else { return true }
        let later = stops.pickUp.along - self.stops.pickUp.along
        return abs(departure.timeIntervalSince(old) + Double(later)) > CarpoolLimits.bearableSeconds
    }
}

extension TripRecord {
    fileprivate func hasTimes(of other: TripRecord) -> Bool {
        plan.schedule == other.plan.schedule && course == other.course
    }

    /// The departure to which the passenger of a seat agreed, or nil. A recurring passenger agreed to the days of the
    /// week, whichever of them the driver leaves out.
    fileprivate func departure(of seat: SeatRecord, on day: Day) throws -> Date? {
        let isAgreed =
            try seat.every && plan.repeats != nil ? schedule.isInSeries(day) : runs(on: day)
        return try isAgreed ? departure(on: day) : nil
    }
}
