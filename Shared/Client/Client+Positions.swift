import Contracts
import Foundation
import Geo

extension OpenValetClient {
    public func sendLocation(_ position: PositionBody) async throws {
        try await done(LocationEndpoints.recordPosition(body: position))
    }

    /// Up to 200 points, in any order: what was gathered while there was no network.
    @discardableResult
    public func sendLocations(_ points: [PositionBody]) async throws -> PositionsAnswer {
        try await value(
            LocationEndpoints.recordPositions(body: PositionsBody(points: points)).repeatable)
    }

    /// For valets: on shift or off.
    ///
    /// Answers what the valet is now, which is `busy` while there is a job.
    @discardableResult
    public func setAvailability(_ status: ValetStatus) async throws -> ValetStatus {
        let body = AvailabilityBody(status: status)
        return try await value(LocationEndpoints.setAvailability(body: body)).status
    }

    /// Available valets, nearest first, rounded and without identity.
    public func nearbyValets(
        around point: Coordinate, radiusMeters: Double? = nil
    ) async throws -> [NearbyValet] {
        try await value(
            LocationEndpoints.nearbyValets(
                asks: NearbyValetsQuery(around: point, radiusMeters: radiusMeters))
        ).items
    }

    /// Where the parties of an order and the vehicle are.
    public func track(_ order: OrderID) async throws -> Track {
        try await value(LocationEndpoints.track(order))
    }

    /// The way of the valet, or of the vehicle that they drive, to where they go next.
    ///
    /// 409 `location.no_route` while nobody is on a way that can be known.
    public func route(_ order: OrderID) async throws -> RouteAnswer {
        try await value(LocationEndpoints.route(order))
    }

    /// Where people and things are in what another product calls by this id.
    public func track(_ engagement: EngagementID) async throws -> EngagementTrack {
        try await value(LocationEndpoints.engagementTrack(engagement))
    }

    /// The way of who is on theirs to it.
    public func route(_ engagement: EngagementID) async throws -> RouteAnswer {
        try await value(LocationEndpoints.engagementRoute(engagement))
    }
}
