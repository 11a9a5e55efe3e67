import Contracts
import Foundation
import Geo

extension OpenValetClient {
    public func sendLocation(_ position: PositionBody) async throws {
        try await done(try .put("/v1/me/location", position))
    }

    /// Up to 200 points, in any order: what was gathered while there was no network.
    @discardableResult
    public func sendLocations(_ points: [PositionBody]) async throws -> PositionsAnswer {
        try await value(try .post("/v1/me/locations", PositionsBody(points: points)))
    }

    /// For valets: on shift or off.
    ///
    /// Answers what the valet is now, which is `busy` while there is a job.
    @discardableResult
    public func setAvailability(_ status: ValetStatus) async throws -> ValetStatus {
        let call = try Call.put("/v1/me/availability", AvailabilityBody(status: status))
        return try await value(call, as: AvailabilityBody.self).status
    }

    /// Available valets, nearest first, rounded and without identity.
    public func nearbyValets(
        around point: Coordinate, radiusMeters: Double? = nil
    ) async throws -> [NearbyValet] {
        let call = Call.get("/v1/valets/nearby").with("latitude", point.latitude)
            .with("longitude", point.longitude).with("radiusMeters", radiusMeters)
        return try await value(call, as: Page<NearbyValet>.self).items
    }

    /// Where the parties of an order and the vehicle are.
    public func track(_ order: OrderID) async throws -> Track {
        try await value(.get("/v1/orders/\(order)/track"))
    }

    /// The way of the valet, or of the vehicle that they drive, to where they go next.
    ///
    /// 409 `location.no_route` while nobody is on a way that can be known.
    public func route(_ order: OrderID) async throws -> RouteAnswer {
        try await value(.get("/v1/orders/\(order)/route"))
    }

    /// Places by their words, in the service areas; with a point, in the one nearest to it.
    ///
    /// For when somebody has finished typing: geocoders do not want a request for each letter.
    public func places(
        _ query: String, near point: Coordinate? = nil, limit: Int? = nil,
        in language: Language? = nil
    ) async throws -> PlacesAnswer {
        let call = Call.get("/v1/places").with("query", query).with("latitude", point?.latitude)
            .with("longitude", point?.longitude).with("limit", limit)
        return try await value(call.speaking(language))
    }

    /// What is at a point; the coordinates themselves where nobody knows better.
    public func place(
        at point: Coordinate, in language: Language? = nil
    ) async throws -> PlacesAnswer {
        let call = Call.get("/v1/places/reverse").with("latitude", point.latitude)
            .with("longitude", point.longitude)
        return try await value(call.speaking(language))
    }
}
