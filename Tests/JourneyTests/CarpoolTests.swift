import Client
import Contracts
import Foundation
import Geo
import Support
import Testing

/// Carpool through the gateway: published, found, asked for, ridden, confirmed, rated and paid, with the services dying
/// in between.
@Suite(.serialized) struct CarpoolTests {
    /// Where no hour comes twice: a local time of such an hour means the first.
    private static let zone = "Asia/Hong_Kong"

    /// Local time there, in so many seconds.
    private static func local(in seconds: Double) -> String {
        let style = Date.ISO8601FormatStyle(timeZone: TimeZone(identifier: zone) ?? .gmt)
            .year().month().day().time(includingFractionalSeconds: false)
        return String(Date(timeIntervalSinceNow: seconds).formatted(style).prefix(19))
    }

    /// A driver who goes east from a town of their own, and a person who wants to ride along.
    private struct Road: Sendable {
        let town: Town
        let driver: Someone
        let passenger: Someone

        static func built(in city: City = .shared) async throws -> Road {
            let town = try await Town.found(in: try await city.world())
            return Road(
                town: town, driver: try await town.customer("Dora"),
                passenger: try await town.customer("Paul"))
        }

        func point(_ meters: Double) -> Coordinate { town.east(meters).coordinate }

        func publish(
            in seconds: Double = 1_800, _ change: (inout TripBody) -> Void = { _ in }
        ) async throws -> Trip {
            var body = TripBody(
                origin: Place(point(0)), destination: Place(point(2_500)),
                departsAt: CarpoolTests.local(in: seconds), timeZone: CarpoolTests.zone, seats: 2)
            change(&body)
            let trip = body
            return try await insisting(past: ["trip.price_not_allowed"]) {
                try await driver.client(TripEndpoints.publishTrip(body: trip))
            }
        }

        var search: TripSearchBody {
            TripSearchBody(
                from: point(400), to: point(2_200), departAfter: Date(timeIntervalSinceNow: 5))
        }

        /// Until the index of whoever answers has heard of it, and of its driver.
        func find(_ trip: Trip, by other: Someone? = nil) async throws -> TripMatch {
            var found: TripMatch?
            _ = try await eventually {
                found = try await (other ?? passenger).client(
                    TripEndpoints.searchTrips(body: search)
                ).items
                    .first { $0.tripId == trip.id }
                return found?.driver.firstName == driver.account.firstName
            }
            return try #require(found)
        }

        func request(
            _ match: TripMatch, by other: Someone? = nil, method: PaymentMethodID? = nil
        ) async throws -> SeatRequest {
            try await (other ?? passenger).client(
                TripEndpoints.requestSeat(
                    match.tripId,
                    body: SeatRequestBody(
                        date: match.date, pickUp: match.pickUp.point, dropOff: match.dropOff.point,
                        paymentMethodId: method)))
        }
    }

    @Test func aRideIsFoundAskedForRiddenConfirmedRatedAndPaid() async throws {
        let road = try await Road.built()
        let (driver, passenger) = (road.driver, road.passenger)
        try await insisting(past: ["service_area.unknown"]) {
            try await road.town.world.boss(
                CarpoolOperatorEndpoints.putCarpoolPolicy(
                    road.town.id, body: CarpoolPolicy(mostPerKilometer: 400)))
        }
        // What a card can be charged at least.
        let trip = try await road.publish { $0.pricePerSeat = 400 }
        #expect(trip.pricePerSeat?.amount == 400)
        let match = try await road.find(trip)
        #expect(match.driver.firstName == "Dora")
        #expect(match.totalWalkMeters < 100)
        let method = try await passenger.client(
            PaymentEndpoints.savePaymentMethod(body: PaymentTokenBody(token: "pm_card_visa")))
        let seat = try await road.request(match, method: method.id)
        _ = try await driver.feed(has: SeatRequestChanged.type)
        let accepted = try await driver.client(RideEndpoints.acceptSeat(seat.id))
        let ride = try #require(accepted.rideId)
        let canBeCalled = try await eventually {
            let shown = try await driver.client(RideEndpoints.ride(ride)).passengers
            return shown.map(\.passenger.phone) == [passenger.account.phone]
        }
        #expect(canBeCalled)
        #expect(
            try await passenger.client(RideEndpoints.ride(ride)).driver.phone
                == driver.account.phone)

        // A stranger sees neither.
        let stranger = try await road.town.customer("Stan")
        try await refused("ride.unknown") {
            _ = try await stranger.client(RideEndpoints.ride(ride))
        }
        try await refused("engagement.unknown") {
            _ = try await stranger.client(RideEndpoints.rideTrack(ride))
        }

        try await insisting { try await driver.client(RideEndpoints.startRide(ride)) }
        try await insisting { try await driver.client(RideEndpoints.endRide(ride)) }
        let asked = try await driver.client(RideEndpoints.confirmations()).items
        #expect(asked.map(\.id) == [seat.id])
        try await refused("rating.not_finished", asWell: "rating.nobody_served") {
            _ = try await passenger.client(RideEndpoints.rateRide(ride, body: RatingBody(stars: 5)))
        }
        let confirmed = try await driver.client(
            RideEndpoints.confirmSeat(seat.id, body: SeatConfirmBody(inTheCar: true)))
        #expect(confirmed.status == .rode)
        try await insisting(past: ["rating.not_finished", "rating.nobody_served"]) {
            try await passenger.client(
                RideEndpoints.rateRide(ride, body: RatingBody(stars: 5, comment: "On time")))
        }
        try await insisting(past: ["rating.nobody_served"]) {
            try await driver.client(
                RideEndpoints.rateRide(ride, body: RatingBody(stars: 4, to: passenger.account.id)))
        }
        let isRated = try await eventually {
            try await driver.client(TripEndpoints.trip(trip.id)).driver.rating == 5
        }
        #expect(isRated)
        let isPaid = try await eventually {
            try await driver.client(PaymentEndpoints.balance(asks: BalanceQuery(in: "HKD")))
                .available.amount == 400
        }
        #expect(isPaid)
        #expect(
            try await passenger.client(
                RideEndpoints.myRides(asks: RidesQuery().with(\.role, .passenger))
            ).items.map(\.id) == [ride])
        #expect(
            try await driver.client(RideEndpoints.myRides(asks: RidesQuery().with(\.role, .driver)))
                .items.map(\.id) == [ride])
    }

    @Test func everyWeekOneDateIsCancelledAndAnExceptionIsNotDriven() async throws {
        let road = try await Road.built()
        let trip = try await road.publish(in: 86_400) {
            $0.repeats = TripRepeats(weekdays: TripWeekday.allCases)
            $0.acceptsAutomatically = true
        }
        let standing = try await road.passenger.client(
            TripEndpoints.requestSeat(
                trip.id,
                body: SeatRequestBody(
                    every: true, pickUp: road.point(400), dropOff: road.point(2_200))))
        #expect(standing.status == .accepted && standing.every)
        func days() async throws -> [String] {
            try await road.passenger.client(
                RideEndpoints.mySeatRequests(
                    asks: SeatRequestsQuery().with(\.role, .passenger).with(\.open, true))
            ).items
                .compactMap(\.date).sorted()
        }
        let before = try await days()
        #expect(before.count >= 7)
        let rides = try await road.driver.client(
            RideEndpoints.myRides(asks: RidesQuery().with(\.role, .driver))
        ).items
        let first = try #require(rides.first { $0.date == before[0] })
        _ = try await road.driver.client(RideEndpoints.cancelRide(first.id))
        #expect(try await days() == Array(before.dropFirst()))
        var change = TripChange()
        change.repeats = TripRepeats(weekdays: TripWeekday.allCases, exceptions: [before[1]])
        _ = try await road.driver.client(TripEndpoints.changeTrip(trip.id, body: change))
        #expect(try await days() == Array(before.dropFirst(2)))
        _ = try await road.passenger.feed(has: SeatRequestChanged.type)
    }

    @Test func whoLooksForATripIsToldAndKeepsItAsAFavourite() async throws {
        let road = try await Road.built()
        _ = try await road.passenger.client(
            SavedSearchEndpoints.addSavedSearch(
                body: SavedSearchBody(
                    from: road.point(400), to: road.point(2_200), timeZone: Self.zone)))
        let trip = try await road.publish()
        let told = try await road.passenger.feed(has: TripChanged.type)
        #expect(told.contains { $0.title == "Someone is driving there" })
        try await road.passenger.client(TripEndpoints.addFavouriteTrip(trip.id))
        #expect(
            try await road.passenger.client(TripEndpoints.favouriteTrips()).items.map(\.id) == [
                trip.id
            ])
        #expect(try await road.find(trip).isFavourite)
        let walk = try await road.passenger.client(
            TripEndpoints.tripWalk(trip.id, asks: TripWalkQuery(to: .pickUp, at: road.point(400))))
        #expect(walk.way.mode == .foot)
    }

    /// Ten people at once, and carpool killed in the middle: seats are promised once, and what was said stays said.
    @Test func seatsArePromisedOnceThoughCarpoolDies() async throws {
        let road = try await Road.built(in: .ofProcesses)
        let trip = try await road.publish { $0.acceptsAutomatically = true }
        let match = try await road.find(trip)
        let people = try await withThrowingTaskGroup(of: Someone.self) { group in
            for number in 1...6 {
                group.addTask { try await road.town.customer("P\(number)") }
            }
            return try await group.reduce(into: [Someone]()) { $0.append($1) }
        }
        let answers = try await withThrowingTaskGroup(of: SeatRequestID?.self) { group in
            for (number, person) in people.enumerated() {
                group.addTask {
                    if number == 3 { try road.town.world.processes.kill("carpool") }
                    let key = RequestKey.new()
                    do {
                        return try await insisting {
                            try await person.client(
                                TripEndpoints.requestSeat(
                                    trip.id,
                                    body: SeatRequestBody(
                                        date: match.date, pickUp: match.pickUp.point,
                                        dropOff: match.dropOff.point), key: key)
                            ).id
                        }
                    } catch let error as ClientError where error.code == "seat_request.no_seat" {
                        return nil
                    }
                }
            }
            return try await group.reduce(into: [SeatRequestID?]()) { $0.append($1) }
        }
        #expect(answers.compactMap(\.self).count == 2)
        let ride = try #require(
            try await road.driver.client(
                RideEndpoints.myRides(asks: RidesQuery().with(\.role, .driver))
            ).items.first)
        #expect(ride.passengers.filter { $0.status == .accepted }.count == 2)
        // The index after the restart is that of the store.
        let isFull = try await eventually {
            try await road.passenger.client(TripEndpoints.searchTrips(body: road.search)).items
                .allSatisfy { $0.tripId != trip.id }
        }
        #expect(isFull)
    }
}
