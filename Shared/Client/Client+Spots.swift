import Contracts
import Foundation
import Geo

extension OpenValetClient {
    // MARK: Spots

    /// Offers the spot on which one stands; the position has to be known to the server.
    public func offerSpot(_ body: SpotBody, key: RequestKey = .new()) async throws -> Spot {
        try await value(SpotEndpoints.offerSpot(body: body, key: key))
    }

    /// Open spots, nearest first.
    public func spots(
        near point: Coordinate, radiusMeters: Double? = nil, maxPrice: Int? = nil,
        sale: SpotSale? = nil, limit: Int? = nil
    ) async throws -> [Spot] {
        try await value(
            SpotEndpoints.findSpots(
                asks: FindSpotsQuery(near: point).with(\.radiusMeters, radiusMeters)
                    .with(\.maxPrice, maxPrice).with(\.sale, sale).with(\.limit, limit))
        ).items
    }

    public func spot(_ id: SpotID) async throws -> Spot {
        try await value(SpotEndpoints.spot(id))
    }

    public func spotTerms(at point: Coordinate) async throws -> SpotTerms {
        try await value(
            SpotEndpoints.spotTerms(asks: PointQuery(point)))
    }

    public func mySpots(after: String? = nil, limit: Int? = nil) async throws -> Page<Spot> {
        try await value(SpotEndpoints.mySpots(asks: PageQuery(after: after, limit: limit)))
    }

    @discardableResult
    public func cancel(spot id: SpotID) async throws -> Spot {
        try await value(SpotEndpoints.cancelSpot(id))
    }

    @discardableResult
    public func leave(spot id: SpotID) async throws -> Spot {
        try await value(SpotEndpoints.leaveSpot(id))
    }

    @discardableResult
    public func buyerIsAbsent(from id: SpotID) async throws -> Spot {
        try await value(SpotEndpoints.buyerAbsent(id))
    }

    @discardableResult
    public func handedOver(spot id: SpotID) async throws -> Spot {
        try await value(SpotEndpoints.spotHandedOver(id))
    }

    @discardableResult
    public func answerDispute(of id: SpotID, _ text: String) async throws -> Spot {
        try await value(SpotEndpoints.answerDispute(id, body: SpotAnswerBody(text: text)))
    }

    /// JPEG, PNG or WebP, up to 8 MB; to be named within the hour.
    public func addSpotPhoto(_ picture: Data) async throws -> SpotPhoto {
        try await value(SpotEndpoints.addSpotPhoto(bytes: picture))
    }

    public func track(spot id: SpotID) async throws -> EngagementTrack {
        try await value(SpotEndpoints.spotTrack(id))
    }

    public func route(to id: SpotID) async throws -> RouteAnswer {
        try await value(SpotEndpoints.spotRoute(id))
    }

    @discardableResult
    public func rate(spot id: SpotID, _ body: RatingBody) async throws -> Rating {
        try await value(SpotEndpoints.rateSpot(id, body: body))
    }

    // MARK: Requests

    /// Throws `payment.declined` with the provider's reason.
    public func request(
        spot id: SpotID, _ body: SpotRequestBody, key: RequestKey = .new()
    ) async throws -> SpotRequest {
        try await value(SpotRequestEndpoints.requestSpot(id, body: body, key: key))
    }

    public func bid(
        for id: SpotID, _ body: SpotBidBody, key: RequestKey = .new()
    ) async throws -> SpotBidAnswer {
        try await value(SpotRequestEndpoints.bid(id, body: body, key: key))
    }

    public func mySpotRequests(
        after: String? = nil, limit: Int? = nil
    ) async throws -> Page<SpotRequest> {
        try await value(
            SpotRequestEndpoints.mySpotRequests(asks: PageQuery(after: after, limit: limit)))
    }

    @discardableResult
    public func approve(_ request: SpotRequestID) async throws -> Spot {
        try await value(SpotRequestEndpoints.approveRequest(request))
    }

    @discardableResult
    public func deny(_ request: SpotRequestID) async throws -> Spot {
        try await value(SpotRequestEndpoints.denyRequest(request))
    }

    @discardableResult
    public func cancel(spotRequest id: SpotRequestID) async throws -> SpotRequest {
        try await value(SpotRequestEndpoints.cancelRequest(id))
    }

    @discardableResult
    public func isHere(for request: SpotRequestID) async throws -> Spot {
        try await value(SpotRequestEndpoints.here(request))
    }

    @discardableResult
    public func hasParked(for request: SpotRequestID) async throws -> Spot {
        try await value(SpotRequestEndpoints.parked(request))
    }

    @discardableResult
    public func spotIsGone(_ request: SpotRequestID, _ body: SpotGoneBody) async throws -> Spot {
        try await value(SpotRequestEndpoints.spotGone(request, body: body))
    }

    // MARK: Alerts

    public func parkingAlerts(
        after: String? = nil, limit: Int? = nil
    ) async throws -> Page<ParkingAlert> {
        try await value(
            ParkingAlertEndpoints.parkingAlerts(asks: PageQuery(after: after, limit: limit)))
    }

    public func addParkingAlert(
        _ body: ParkingAlertBody, key: RequestKey = .new()
    ) async throws -> ParkingAlert {
        try await value(ParkingAlertEndpoints.addParkingAlert(body: body, key: key))
    }

    public func removeParkingAlert(_ id: ParkingAlertID) async throws {
        try await done(ParkingAlertEndpoints.removeParkingAlert(id))
    }

    // MARK: Operators

    public func allSpots(
        status: SpotStatus? = nil, area: ServiceAreaID? = nil, isDisputed: Bool? = nil,
        after: String? = nil, limit: Int? = nil
    ) async throws -> Page<Spot> {
        try await value(
            SpotOperatorEndpoints.allSpots(
                asks: AllSpotsQuery().with(\.status, status).with(\.area, area)
                    .with(\.disputed, isDisputed).page(after: after, limit: limit)))
    }

    @discardableResult
    public func decideDispute(of id: SpotID, _ body: SpotDecisionBody) async throws -> Spot {
        try await value(SpotOperatorEndpoints.decideDispute(id, body: body))
    }

    public func spotPolicy(of area: ServiceAreaID) async throws -> SpotPolicy {
        try await value(SpotOperatorEndpoints.spotPolicy(area))
    }

    @discardableResult
    public func putSpotPolicy(
        _ area: ServiceAreaID, _ policy: SpotPolicy
    ) async throws -> SpotPolicy {
        try await value(SpotOperatorEndpoints.putSpotPolicy(area, body: policy))
    }

    public func spotStatistics(from: Date? = nil, to: Date? = nil) async throws -> [SpotStatistics]
    {
        try await value(
            SpotOperatorEndpoints.spotStatistics(asks: SpanQuery(from: from, to: to))
        ).items
    }
}
