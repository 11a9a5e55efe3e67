import Contracts
import Foundation
import Geo
import ProductKit
import ServiceKit
import Store
import TripSearch

/// Trips, requests and rides as one person may see them, read in one transaction.
struct CarpoolViews: Sendable {
    let clock: ServiceClock
    let people: PeopleShown
    let favourites: Set<TripID>
    /// Nil for operators.
    let reader: PersonID?

    init(
        for reader: PersonID?, of others: some Sequence<PersonID>, at clock: ServiceClock,
        in transaction: Transaction
    ) throws {
        (self.clock, self.reader) = (clock, reader)
        people = try PeopleShown(others, in: transaction)
        favourites = try reader.map { try transaction.favourites.all(of: $0) } ?? []
    }

    /// - Parameter isAlong: Whether the reader is a passenger or the driver.
    func view(_ trip: TripRecord, isAlong: Bool = false) throws -> Trip {
        let plan = trip.plan
        let isMine = trip.driver == reader
        var view = Trip(
            id: trip.id, status: trip.status, driver: people.person(trip.driver),
            origin: plan.origin, destination: plan.destination,
            way: LineString(try trip.way.coordinates), isStraightLine: trip.course.isStraightLine,
            distanceMeters: trip.course.distanceMeters,
            durationSeconds: trip.course.durationSeconds,
            departsAt: LocalTime.text(plan.firstDay, second: plan.secondOfDay),
            timeZone: plan.timeZone, seats: plan.seats, createdAt: trip.createdAt,
            version: trip.version.number)
        (view.via, view.repeats, view.note) = (plan.via, plan.repeats, plan.note)
        let next = try trip.nextDay(at: clock.now)
        view.nextDate = next?.description
        view.nextDepartureAt = try next.map { try trip.departure(on: $0) }
        (view.maxDetourSeconds, view.payment) = (plan.maxDetourSeconds, plan.payment)
        (view.pricePerSeat, view.preferences) = (trip.money(1), plan.preferences)
        view.acceptsAutomatically = plan.acceptsAutomatically
        view.vehicle = plan.vehicle
        if !isMine, !isAlong { view.vehicle?.plate = "" }
        (view.isMine, view.isFavourite) = (isMine, favourites.contains(trip.id))
        return view
    }

    func view(_ seat: SeatRecord, of trip: TripRecord) -> SeatRequest {
        // Phone numbers are shown only while both share a ride.
        let isTogether = seat.status == .accepted
        func stop(_ stop: SeatRecord.Stop, at time: Date) -> TripStop {
            TripStop(point: stop.point, at: time, walkMeters: stop.walkMeters)
        }
        var view = SeatRequest(
            id: seat.id, status: seat.status, tripId: seat.trip, rideId: seat.ride,
            date: seat.day?.description, timeZone: trip.plan.timeZone, every: seat.every,
            standingId: seat.standing,
            driver: people.person(
                seat.driver, withPhone: isTogether && reader == seat.passenger),
            passenger: people.person(
                seat.passenger, withPhone: isTogether && reader == seat.driver),
            seats: seat.seats, origin: trip.plan.origin, destination: trip.plan.destination,
            pickUp: stop(seat.stops.pickUp, at: seat.pickUpAt),
            dropOff: stop(seat.stops.dropOff, at: seat.dropOffAt),
            detourSeconds: seat.stops.detourSeconds,
            price: seat.price > 0
                ? seat.currency.map { Money(amount: seat.price, currency: $0) } : nil,
            payment: seat.payment, isOwed: seat.isOwed, createdAt: seat.createdAt,
            version: seat.version.number)
        (view.message, view.asks, view.expiresAt) = (seat.message, seat.asks, seat.expiresAt)
        if seat.status != .pending { (view.asks, view.expiresAt) = (nil, nil) }
        view.confirmation = seat.confirmation
        return view
    }

    func view(_ ride: RideRecord, of trip: TripRecord, _ seats: [SeatRecord]) throws -> Ride {
        let isDriver = ride.driver == reader
        let shown = isDriver ? seats : seats.filter { $0.passenger == reader }
        let isAlong = shown.contains { $0.status == .accepted }
        var vehicle = trip.plan.vehicle
        if !isDriver, !isAlong { vehicle?.plate = "" }
        return Ride(
            id: ride.id, status: ride.status, tripId: ride.trip, date: ride.day.description,
            timeZone: trip.plan.timeZone, role: isDriver ? .driver : .passenger,
            driver: people.person(ride.driver, withPhone: isAlong && !isDriver),
            vehicle: vehicle, origin: trip.plan.origin, destination: trip.plan.destination,
            way: LineString(try trip.way.coordinates), isStraightLine: trip.course.isStraightLine,
            departsAt: ride.departsAt, arrivesAt: ride.arrivesAt, startedAt: ride.startedAt,
            endedAt: ride.endedAt, passengers: shown.map { view($0, of: trip) },
            sharedFrom: ride.sharedFrom(shown), version: ride.version.number)
    }
}

extension TripUseCases {
    func view(_ id: TripID, for reader: PersonID?) async throws -> Trip {
        try await database.read { transaction in
            let trip = try transaction.trips.require(id)
            let seats = try transaction.seats.open(of: id)
            let isAlong = seats.contains { $0.passenger == reader && $0.status == .accepted }
            if let reader, trip.driver != reader {
                let isKnown = try isAlong || transaction.favourites.contains(id, of: reader)
                guard trip.status == .open || isKnown,
                    try isAlong || !transaction.areBlocked(reader, trip.driver)
                else { throw Refusal.tripUnknown }
            }
            return try CarpoolViews(for: reader, of: [trip.driver], at: clock, in: transaction)
                .view(trip, isAlong: isAlong)
        }
    }

    func list(
        _ filter: TripFilter, _ page: PageRequest, for reader: PersonID?
    ) async throws -> Page<Trip> {
        try await database.read { transaction in
            let found = try transaction.trips.list(filter, page)
            return try CarpoolViews.trips(found, for: reader, at: clock, in: transaction)
        }
    }

    func favourites(of person: PersonID, _ page: PageRequest) async throws -> Page<Trip> {
        try await database.read { transaction in
            let found = try transaction.favourites.list(of: person, page)
            return try CarpoolViews.trips(found, for: person, at: clock, in: transaction)
        }
    }

    /// The walk from a point to the pick-up, or from the drop-off to it. If the other end of the ride is given and the
    /// route passes both, this is the stop of a seat between the two; otherwise it is the nearest point of the route.
    func walk(
        _ id: TripID, _ end: TripEnd, at point: Coordinate, other: Coordinate?,
        for person: PersonID
    ) async throws -> TripWalk {
        _ = try await view(id, for: person)
        let trip = try await database.read { try $0.trips.require(id) }
        var stops: SeatRecord.Stops?
        if let other, let day = try trip.schedule.next(from: trip.plan.firstDay) {
            let (from, to) = end == .pickUp ? (point, other) : (other, point)
            stops = try trip.stops(from: from, to: to, on: day)
        }
        let way = try trip.way
        var meeting: MeetingPlaces.Meeting
        if let stop = end == .pickUp ? stops?.pickUp : stops?.dropOff {
            meeting = .init(
                point: stop.point, seconds: Double(stop.along), walkMeters: stop.walkMeters)
        } else {
            let nearest = way.position(nearest: point)
            meeting = .init(
                point: nearest.point, seconds: nearest.seconds, walkMeters: nearest.metersAway)
        }
        meeting = await places.stop(
            for: meeting, of: point, within: CarpoolLimits.mostWalk, along: way)
        let (start, finish) =
            end == .pickUp ? (point, meeting.point) : (meeting.point, point)
        return TripWalk(
            meetingPoint: meeting.point, isStop: meeting.isStop, stop: meeting.stop,
            way: await ways.roads.way(from: start, to: finish, by: .foot))
    }
}

extension SeatUseCases {
    func view(_ id: SeatRequestID, for reader: PersonID?) async throws -> SeatRequest {
        try await database.read { transaction in
            let seat = try transaction.seats.require(id, of: reader)
            return try CarpoolViews(
                for: reader, of: [seat.driver, seat.passenger], at: clock, in: transaction
            ).view(seat, of: try transaction.trips.require(seat.trip))
        }
    }

    func list(
        _ filter: SeatFilter, _ page: PageRequest, for reader: PersonID?
    ) async throws -> Page<SeatRequest> {
        try await database.read { transaction in
            let found = try transaction.seats.list(filter, page)
            let trips = try transaction.trips.find(Set(found.items.map(\.trip)))
            let views = try CarpoolViews(
                for: reader, of: found.items.flatMap { [$0.driver, $0.passenger] }, at: clock,
                in: transaction)
            return Page(
                items: found.items.compactMap { seat in
                    trips[seat.trip].map { views.view(seat, of: $0) }
                }, next: found.next)
        }
    }
}

extension RideUseCases {
    func view(_ id: RideID, for reader: PersonID) async throws -> Ride {
        try await database.read { transaction in
            guard let ride = try transaction.rides.find(id) else { throw Refusal.rideUnknown }
            let seats = try transaction.seats.all(of: id)
            guard ride.driver == reader || seats.contains(where: { $0.passenger == reader }) else {
                throw Refusal.rideUnknown
            }
            return try CarpoolViews.ride(ride, seats, for: reader, at: clock, in: transaction)
        }
    }

    func list(_ filter: RideFilter, _ page: PageRequest) async throws -> Page<Ride> {
        try await database.read { transaction in
            let found = try transaction.rides.list(filter, page)
            return Page(
                items: try found.items.map { ride in
                    try CarpoolViews.ride(
                        ride, try transaction.seats.all(of: ride.id), for: filter.person, at: clock,
                        in: transaction)
                }, next: found.next)
        }
    }
}

extension CarpoolViews {
    fileprivate static func trips(
        _ found: Page<TripRecord>, for reader: PersonID?, at clock: ServiceClock,
        in transaction: Transaction
    ) throws -> Page<Trip> {
        let views = try CarpoolViews(
            for: reader, of: found.items.map(\.driver), at: clock, in: transaction)
        let seats = try reader.map { try transaction.seats.open(of: $0) } ?? []
        let along = Set(seats.filter { $0.status == .accepted }.map(\.trip))
        return Page(
            items: try found.items.map { try views.view($0, isAlong: along.contains($0.id)) },
            next: found.next)
    }

    fileprivate static func ride(
        _ ride: RideRecord, _ seats: [SeatRecord], for reader: PersonID, at clock: ServiceClock,
        in transaction: Transaction
    ) throws -> Ride {
        try CarpoolViews(
            for: reader, of: [ride.driver] + seats.map(\.passenger), at: clock, in: transaction
        ).view(ride, of: try transaction.trips.require(ride.trip), seats)
    }
}

extension PeopleShown {
    func person(_ id: PersonID, withPhone: Bool = false) -> TripPerson {
        TripPerson(
            id: id, firstName: firstName(id), rating: rating(id), phone: withPhone ? phone(id) : nil
        )
    }
}
