import Client
import Contracts
import Foundation
import Geo
import ServiceKit

/// In the original, a route has one ride, created by the first passenger, and rows of passengers in it. Here a ride is
/// the integer of a trip with passengers, and a passenger's row is a seat request. Its day, points and route come from
/// the passenger's last search, or else it is for the whole route on the next day.
///
/// The original's driver says once whether a passenger is in the car. Here that means one of three things, depending on
/// what is open. It accepts a request; or it is only stored, if the passenger was accepted automatically; or, after the
/// departure, it confirms that the passenger was in the car.
extension GetaliftParts {
    // MARK: Rides

    @Sendable func rides(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        let trips = try await seats(rider).map(\.tripId.description)
        let rides = try await numbers.numbers(of: trips, as: .ride)
        let routes = try await numbers.numbers(of: trips, as: .route)
        return .list(
            rides.sorted { $0.value < $1.value }.map {
                ["id": .integer($0.value), "route": .integer(routes[$0.key] ?? 0)]
            })
    }

    @Sendable func ride(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        guard let trip = try await numbers.trip(call.id, as: .ride) else { return [] }
        let route = try await numbers.number(of: trip, as: .route)
        return [["id": .integer(call.id), "route": .integer(route)]]
    }

    /// Changes nothing here: the passenger's row requests the seat.
    @Sendable func addRide(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        guard
            let id = try await call.body.int("route").flatMapAsync({ try await numbers.trip($0) }),
            try await trip(id, rider) != nil
        else { throw GetaliftError.refused("There is no such route") }
        guard try await numbers.known(id, as: .ride) == nil else {
            throw GetaliftError.refused("This route is already attributed to a ride")
        }
        return LegacyJSON.done(
            inserted: try await numbers.number(of: id, as: .ride), success: true)
    }

    @Sendable func rideOfRoute(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        guard let trip = try await numbers.trip(call.id),
            let ride = try await numbers.known(trip, as: .ride)
        else { return [] }
        return [["id": .integer(ride)]]
    }

    /// The caller's own confirmed rides.
    @Sendable func riddenRoutes(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        guard call.id == rider.number else { return [] }
        var seen: Set<TripID> = []
        let courses = try await rider.client(
            RideEndpoints.myRides(
                asks: RidesQuery().with(\.role, .passenger).page(limit: PageLimit.most))
        ).items
            .filter { $0.passengers.contains { $0.status == .rode } }
            .filter { seen.insert($0.tripId).inserted }
        return .list(try await rows(of: courses.map(Course.init)).map(\.json))
    }

    /// Cancels all seats of the ride that the caller may cancel: a passenger's own, or for the driver everybody's.
    @Sendable func removeRide(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        guard let trip = try await numbers.trip(call.id, as: .ride) else {
            return LegacyJSON.done(0)
        }
        let seats = try await rider.client(
            RideEndpoints.mySeatRequests(
                asks: SeatRequestsQuery().with(\.open, true).page(limit: PageLimit.most))
        ).items
            .filter { $0.tripId == trip }
        guard !seats.isEmpty else { throw GetaliftError.notYours }
        var refusal: ClientError?
        var given = 0
        for seat in seats {
            do {
                try await rider.client(RideEndpoints.cancelSeat(seat.id))
                given += 1
            } catch let error as ClientError where error.code == "seat_request.not_possible" {
                // The ride of that day is under way; seats of other days are still cancelled.
                refusal = error
            }
        }
        if given == 0, let refusal { throw refusal }
        return LegacyJSON.done(1)
    }

    // MARK: Passengers

    private func seats(
        _ rider: Rider, as side: RideSide? = nil, open: Bool = false
    ) async throws -> [SeatRequest] {
        try await rider.client(
            RideEndpoints.mySeatRequests(
                asks: SeatRequestsQuery().with(\.role, side).with(\.open, open).page(
                    limit: PageLimit.most))
        ).items
    }

    private func rows(of seats: [SeatRequest]) async throws -> [PassengerRow] {
        try await names.see(seats.flatMap { [$0.driver, $0.passenger] })
        let ids = try await numbers.numbers(of: seats.map(\.id.description), as: .passenger)
        let rides = try await numbers.numbers(of: seats.map(\.tripId.description), as: .ride)
        let people = try await numbers.numbers(
            of: seats.map(\.passenger.id.description), as: .user)
        return seats.map {
            PassengerRow(
                id: ids[$0.id.description] ?? 0, ride: rides[$0.tripId.description] ?? 0,
                passenger: people[$0.passenger.id.description] ?? 0,
                inTheCar: $0.status == .rode)
        }
    }

    /// The caller's own requests, as driver and as passenger.
    @Sendable func passengers(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        .list(try await rows(of: seats(rider).reversed()).map(\.json))
    }

    @Sendable func passenger(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        .list(try await rows(of: [seat(call.id, rider)].compactMap(\.self)).map(\.json))
    }

    private func seat(_ number: Int, _ rider: Rider) async throws -> SeatRequest? {
        guard let id = try await numbers.id(of: number, as: .passenger) else { return nil }
        return try await seats(rider).first { $0.id.description == id }
    }

    @Sendable func addPassenger(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        try rider.require(call.body.int("passenger"))
        guard
            let trip = try await call.body.int("ride")
                .flatMapAsync({ try await numbers.trip($0, as: .ride) })
        else { throw GetaliftError.refused("There is no such ride") }
        return try await self.ask(for: trip, rider)
    }

    /// With `success`, which the original's own answer lacks but its app requires.
    @Sendable func addPassengerOfRoute(_ call: LegacyRequest, _ rider: Rider) async throws
        -> JSONValue
    {
        try rider.require(call.body.int("passId"))
        guard
            let trip = try await call.body.int("routeId")
                .flatMapAsync({ try await numbers.trip($0) })
        else { throw GetaliftError.refused("There is no such route") }
        return try await self.ask(for: trip, rider)
    }

    private func ask(for id: TripID, _ rider: Rider) async throws -> JSONValue {
        let open = try await seats(rider, as: .passenger, open: true)
        guard !open.contains(where: { $0.tripId == id }) else {
            throw GetaliftError.refused("The same passenger already exists for this route")
        }
        guard let trip = try await trip(id, rider) else {
            throw GetaliftError.refused("There is no such route")
        }
        let body: SeatRequestBody
        if let found = try await store.found(id, by: rider.person), found.pickUpAt > clock.now {
            body = SeatRequestBody(
                date: found.date, pickUp: found.pickUp, dropOff: found.dropOff)
        } else if let date = trip.nextDate {
            body = SeatRequestBody(
                date: date, pickUp: trip.origin.coordinate, dropOff: trip.destination.coordinate)
        } else {
            throw GetaliftError.refused("This route is not driven any more")
        }
        let seat = try await rider.client(TripEndpoints.requestSeat(id, body: body))
        let row = try await rows(of: [seat])[0]
        return LegacyJSON.done(inserted: row.id, success: true)
    }

    /// Declines a request for its driver, cancels a seat before the departure, or afterwards says that the passenger
    /// was not in the car.
    @Sendable func removePassenger(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue
    {
        guard let seat = try await seat(call.id, rider) else { return LegacyJSON.done(0) }
        let isDriver = seat.driver.id == rider.person
        switch seat.status {
        case .pending where isDriver && seat.asks == .driver:
            try await rider.client(RideEndpoints.declineSeat(seat.id))
        case .pending: try await rider.client(RideEndpoints.cancelSeat(seat.id))
        case .accepted:
            guard let ride = try await departedRide(of: seat, rider),
                isDriver || ride.status != .planned
            else {
                try await rider.client(RideEndpoints.cancelSeat(seat.id))
                break
            }
            try await confirm(seat, false, rider)
        case .rode, .didNotRide, .declined, .cancelled, .expired: return LegacyJSON.done(0)
        }
        return LegacyJSON.done(1)
    }

    // MARK: Attendance

    /// Passengers of departed rides without an answer, and open requests.
    @Sendable func alerts(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        try await alerts(call, rider, also: { _ in false })
    }

    /// Also passengers of future rides whom the driver has not answered.
    @Sendable func allAlerts(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        let answered = try await store.answered(by: rider.person)
        return try await alerts(call, rider, also: { !answered.contains($0.id) })
    }

    private func alerts(
        _ call: LegacyRequest, _ rider: Rider, also: (SeatRequest) -> Bool
    ) async throws -> JSONValue {
        guard call.id == rider.number else { return [] }
        let departed = try await departedRides(rider)
        let open = try await seats(rider, as: .driver, open: true).filter { seat in
            switch seat.status {
            // A recurring request is asked for each of its days.
            case .accepted where seat.every: false
            case .accepted:
                seat.rideId.map(departed.contains) == true
                    ? seat.confirmation?.driver == nil : also(seat)
            case .pending: seat.asks == .driver
            case .rode, .didNotRide, .declined, .cancelled, .expired: false
            }
        }.reversed()
        let shown = try await names.shown(open.map(\.passenger.id))
        return .list(
            zip(try await rows(of: Array(open)), open).map { row, seat in
                let name = shown[seat.passenger.id]?.username ?? seat.passenger.firstName
                return .object(row.object.merging(["username": .text(name)]) { $1 })
            })
    }

    private func departedRides(_ rider: Rider) async throws -> Set<RideID> {
        let now = clock.now
        return Set(
            try await rider.client(
                RideEndpoints.myRides(
                    asks: RidesQuery().with(\.role, .driver).with(\.until, now).page(
                        limit: PageLimit.most))
            ).items
                .filter { $0.departsAt <= now && $0.status != .cancelled }.map(\.id))
    }

    /// Nil before the departure.
    private func departedRide(of seat: SeatRequest, _ rider: Rider) async throws -> Ride? {
        guard let id = seat.rideId else { return nil }
        let ride = try await rider.client(RideEndpoints.ride(id))
        return ride.departsAt <= clock.now ? ride : nil
    }

    /// `inTheCar` 1 is a yes. 0 is the value of an unanswered row, and changes nothing.
    @Sendable func answerAlert(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        guard let answer = call.body.int("inTheCar") else {
            throw GetaliftError.malformed("inTheCar: 0 or 1")
        }
        guard let seat = try await seat(call.id, rider) else { return LegacyJSON.done(0) }
        guard seat.driver.id == rider.person else { throw GetaliftError.notYours }
        guard answer != 0 else { return LegacyJSON.done(0) }
        switch seat.status {
        case .pending where seat.asks == .driver:
            try await rider.client(RideEndpoints.acceptSeat(seat.id))
            try await store.answer(seat.id, by: rider.person)
        case .pending: return LegacyJSON.done(0)
        case .accepted where try await departedRide(of: seat, rider) != nil:
            try await confirm(seat, true, rider)
        case .accepted: try await store.answer(seat.id, by: rider.person)
        case .rode: return LegacyJSON.done(0)
        case .didNotRide, .declined, .cancelled, .expired:
            throw GetaliftError.refused("That passenger does not ride along.")
        }
        return LegacyJSON.done(1)
    }

    /// The old apps neither start nor end a ride. If the driver says who was in the car, the ride is over.
    private func confirm(_ seat: SeatRequest, _ inTheCar: Bool, _ rider: Rider) async throws {
        if seat.driver.id == rider.person, let id = seat.rideId {
            try await rider.client(RideEndpoints.endRide(id))
        }
        try await rider.client(
            RideEndpoints.confirmSeat(seat.id, body: SeatConfirmBody(inTheCar: inTheCar)))
    }

    // MARK: Details of a passenger and a route

    @Sendable func passengerRoutes(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue
    {
        guard call.id == rider.number else { return [] }
        let departures = try await rider.client(
            RideEndpoints.myRides(
                asks: RidesQuery().with(\.role, .passenger).page(limit: PageLimit.most))
        ).items
            .reduce(into: [RideID: Date]()) { $0[$1.id] = $1.departsAt }
        let seats = try await seats(rider, as: .passenger)
            .filter { [.pending, .accepted, .rode].contains($0.status) && !$0.every }
            .map { seat in
                (seat, seat.rideId.flatMap { departures[$0] } ?? seat.pickUp.at)
            }.sorted { $0.1 < $1.1 }
        return .list(
            zip(try await rows(of: seats.map(\.0)), seats).map { row, seat in
                [
                    "id": .integer(row.id),
                    "originAdress": .text(seat.0.origin.address ?? ""),
                    "destinationAdress": .text(seat.0.destination.address ?? ""),
                    "route_date": .text(clocks.text(seat.1)),
                ]
            })
    }

    /// All passengers for the driver, and only themselves for a passenger. The platform shows no last names.
    @Sendable func passengersOfRoute(_ call: LegacyRequest, _ rider: Rider) async throws
        -> JSONValue
    {
        guard let trip = try await numbers.trip(call.id) else { return [] }
        var seen: Set<PersonID> = []
        let seats = try await seats(rider)
            .filter { $0.tripId == trip && [.accepted, .rode].contains($0.status) }
            .filter { seen.insert($0.passenger.id).inserted }
        return .list(
            zip(try await rows(of: seats), seats).map { row, seat in
                ["id": .integer(row.passenger), "surname": .text(seat.passenger.firstName)]
            })
    }
}

extension Optional where Wrapped: Sendable {
    fileprivate func flatMapAsync<Value>(
        _ body: (Wrapped) async throws -> Value?
    ) async rethrows -> Value? {
        switch self {
        case nil: nil
        case let value?: try await body(value)
        }
    }
}
