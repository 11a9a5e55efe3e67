import Client
import Contracts
import Foundation
import ServiceKit

/// Stars and comments are those of the platform, per ride. Apps name a route; the latest ride with the other person
/// counts.
///
/// The platform does not reveal the author of a comment, so their names are empty. People see only the ratings that
/// they have given.
extension GetaliftParts {
    @Sendable func averageRating(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        let average = try await numbers.person(call.id).flatMapRating(rider)
        return [["AVG(stars)": average.map(JSONValue.number) ?? .null]]
    }

    @Sendable func comments(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        guard let person = try await numbers.person(call.id) else { return [] }
        let comments = try await rider.client(
            RatingEndpoints.comments(person, limit: PageLimit.most)
        ).items
        return .list(
            comments.map {
                [
                    "username": "", "comment": .text($0.comment),
                    "postDate": .text(clocks.text($0.updatedAt)),
                ]
            })
    }

    @Sendable func ratings(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        let rows = try await store.given(by: rider.person)
        let people = try await numbers.numbers(of: rows.map(\.target.description), as: .user)
        let rides = try await numbers.numbers(of: rows.map(\.trip.description), as: .ride)
        return .list(
            rows.map { row in
                [
                    "id": .integer(row.number), "author": .integer(rider.number),
                    "target": .integer(people[row.target.description] ?? 0),
                    "ride": .integer(rides[row.trip.description] ?? 0),
                    "stars": .integer(row.given.stars), "comment": .text(row.given.comment),
                    "postDate": .text(clocks.text(row.given.at)),
                ]
            })
    }

    /// Rates a driver or a passenger, once per route.
    @Sendable func rate(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        try rider.require(call.body.int("author"))
        guard let target = try await person(call.body.int("target")),
            let trip = try await trip(of: call)
        else { throw GetaliftError.refused("There is no such ride of yours") }
        let given = try await store.given(by: rider.person)
        guard !given.contains(where: { $0.target == target && $0.trip == trip }) else {
            throw GetaliftError.refused("This passenger already rate this route")
        }
        try await rate(call, target, trip, rider)
        return ["success": true, "message": "Thank you"]
    }

    /// Changes a rating. Apps name no target, so it is the last one that the caller has given for this route.
    @Sendable func changeRating(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        try rider.require(call.body.int("author"))
        guard let trip = try await trip(of: call) else { return LegacyJSON.done(0) }
        let given = try await store.given(by: rider.person).filter { $0.trip == trip }
        guard let target = given.max(by: { $0.given.at < $1.given.at })?.target else {
            return LegacyJSON.done(0)
        }
        try await rate(call, target, trip, rider)
        return LegacyJSON.done()
    }

    private func person(_ number: Int?) async throws -> PersonID? {
        guard let number else { return nil }
        return try await numbers.person(number)
    }

    private func trip(of call: LegacyRequest) async throws -> TripID? {
        guard let number = call.body.int("routeId") else { return nil }
        return try await numbers.trip(number)
    }

    private func rate(
        _ call: LegacyRequest, _ target: PersonID, _ trip: TripID, _ rider: Rider
    ) async throws {
        guard let stars = call.body.number("stars"), (0...10).contains(stars) else {
            throw GetaliftError.malformed("stars: 1 to 5")
        }
        func isTheirs(_ seat: SeatRequest) -> Bool {
            [seat.driver.id, seat.passenger.id].contains(target) && target != rider.person
        }
        let rides = try await rider.client(
            RideEndpoints.myRides(asks: RidesQuery().page(limit: PageLimit.most))
        ).items
            .filter { $0.tripId == trip && $0.passengers.contains(where: isTheirs) }
        let ride = rides.first {
            $0.passengers.contains { isTheirs($0) && $0.status == .rode }
        }
        guard let ride = ride ?? rides.first else {
            throw GetaliftError.refused("There is no such ride of yours")
        }
        let comment = call.body.text("comment")
        try await rider.client(
            RideEndpoints.rateRide(
                ride.id,
                body: RatingBody(
                    stars: Int(stars.rounded()), comment: comment.isEmpty ? nil : comment,
                    to: ride.role == .driver ? target : nil)))
        try await store.keep(
            GetaliftStore.Given(
                ride: ride.id, stars: Int(stars.rounded()), comment: comment, at: clock.now),
            of: trip, by: rider.person, to: target)
    }
}

extension Optional<PersonID> {
    /// Nil without a person, or before the first rating.
    fileprivate func flatMapRating(_ rider: Rider) async throws -> Double? {
        guard let self else { return nil }
        return try await rider.client(RatingEndpoints.rating(self)).average
    }
}

/// Favourites are those of the platform, and each person's own. The original removed a route from everybody's
/// favourites.
extension GetaliftParts {
    private func favouriteTrips(_ rider: Rider) async throws -> [Trip] {
        try await rider.client(TripEndpoints.favouriteTrips(limit: PageLimit.most)).items.reversed()
    }

    @Sendable func favourites(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        guard call.id == rider.number else { return [] }
        let rows = try await rows(of: favouriteTrips(rider).map(Course.init))
        return .list(
            rows.map { row in
                .object(
                    row.object.merging([
                        "routeId": .integer(row.id), "userId": .integer(rider.number),
                    ]) { $1 })
            })
    }

    /// A list with one row, if it is a favourite.
    @Sendable func favourite(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        guard call.query.int("userId") == rider.number, let route = call.query.int("routeId"),
            let trip = try await numbers.trip(route),
            try await favouriteTrips(rider).contains(where: { $0.id == trip })
        else { return [] }
        return [
            [
                "id": .integer(try await number(of: trip, rider)), "routeId": .integer(route),
                "userId": .integer(rider.number),
            ]
        ]
    }

    private func number(of trip: TripID, _ rider: Rider) async throws -> Int {
        try await numbers.number(of: "\(rider.person)/\(trip)", as: .favourite)
    }

    @Sendable func addFavourite(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        try rider.require(call.body.int("userId"))
        guard let trip = try await trip(of: call) else {
            throw GetaliftError.refused("There is no such route")
        }
        try await rider.client(TripEndpoints.addFavouriteTrip(trip))
        return LegacyJSON.done(inserted: try await number(of: trip, rider))
    }

    @Sendable func removeFavourite(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue
    {
        guard let trip = try await numbers.trip(call.id),
            try await favouriteTrips(rider).contains(where: { $0.id == trip })
        else { return LegacyJSON.done(0) }
        try await rider.client(TripEndpoints.removeFavouriteTrip(trip))
        return LegacyJSON.done(1)
    }
}
