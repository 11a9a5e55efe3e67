import Contracts
import Foundation
import Geo

extension OpenValetClient {
    // MARK: Trips

    public func publishTrip(_ body: TripBody, key: RequestKey = .new()) async throws -> Trip {
        try await value(TripEndpoints.publishTrip(body: body, key: key))
    }

    public func previewTrip(_ body: TripPreviewBody) async throws -> TripPreview {
        try await value(TripEndpoints.previewTrip(body: body))
    }

    /// Best first.
    public func searchTrips(_ body: TripSearchBody) async throws -> [TripMatch] {
        try await value(TripEndpoints.searchTrips(body: body)).items
    }

    public func myTrips(after: String? = nil, limit: Int? = nil) async throws -> Page<Trip> {
        try await value(TripEndpoints.myTrips(asks: PageQuery(after: after, limit: limit)))
    }

    public func trip(_ id: TripID) async throws -> Trip {
        try await value(TripEndpoints.trip(id))
    }

    @discardableResult
    public func change(trip id: TripID, _ body: TripChange) async throws -> Trip {
        try await value(TripEndpoints.changeTrip(id, body: body))
    }

    public func remove(trip id: TripID) async throws {
        try await done(TripEndpoints.removeTrip(id))
    }

    public func walk(
        to end: TripEnd, of id: TripID, at point: Coordinate, other: Coordinate? = nil
    ) async throws -> TripWalk {
        try await value(
            TripEndpoints.tripWalk(id, asks: TripWalkQuery(to: end, at: point, other: other)))
    }

    public func favouriteTrips(after: String? = nil, limit: Int? = nil) async throws -> Page<Trip> {
        try await value(TripEndpoints.favouriteTrips(asks: PageQuery(after: after, limit: limit)))
    }

    public func addFavourite(trip id: TripID) async throws {
        try await done(TripEndpoints.addFavouriteTrip(id))
    }

    public func removeFavourite(trip id: TripID) async throws {
        try await done(TripEndpoints.removeFavouriteTrip(id))
    }

    // MARK: Seats

    public func requestSeat(
        in id: TripID, _ body: SeatRequestBody, key: RequestKey = .new()
    ) async throws -> SeatRequest {
        try await value(TripEndpoints.requestSeat(id, body: body, key: key))
    }

    public func seatRequests(
        as role: RideSide? = nil, open: Bool = false, after: String? = nil, limit: Int? = nil
    ) async throws -> Page<SeatRequest> {
        try await value(
            RideEndpoints.mySeatRequests(
                asks: SeatRequestsQuery().with(\.role, role).with(\.open, open)
                    .page(after: after, limit: limit)))
    }

    @discardableResult
    public func accept(seat id: SeatRequestID) async throws -> SeatRequest {
        try await value(RideEndpoints.acceptSeat(id))
    }

    @discardableResult
    public func decline(seat id: SeatRequestID) async throws -> SeatRequest {
        try await value(RideEndpoints.declineSeat(id))
    }

    @discardableResult
    public func cancel(seat id: SeatRequestID) async throws -> SeatRequest {
        try await value(RideEndpoints.cancelSeat(id))
    }

    public func confirmations() async throws -> [SeatRequest] {
        try await value(RideEndpoints.confirmations(asks: PageQuery())).items
    }

    @discardableResult
    public func confirm(seat id: SeatRequestID, inTheCar: Bool) async throws -> SeatRequest {
        try await value(RideEndpoints.confirmSeat(id, body: SeatConfirmBody(inTheCar: inTheCar)))
    }

    // MARK: Rides

    public func rides(
        as role: RideSide? = nil, from: Date? = nil, until: Date? = nil, after: String? = nil,
        limit: Int? = nil
    ) async throws -> Page<Ride> {
        try await value(
            RideEndpoints.myRides(
                asks: RidesQuery().with(\.role, role).with(\.from, from).with(\.until, until)
                    .page(after: after, limit: limit)))
    }

    public func ride(_ id: RideID) async throws -> Ride {
        try await value(RideEndpoints.ride(id))
    }

    @discardableResult
    public func start(ride id: RideID) async throws -> Ride {
        try await value(RideEndpoints.startRide(id))
    }

    @discardableResult
    public func end(ride id: RideID) async throws -> Ride {
        try await value(RideEndpoints.endRide(id))
    }

    @discardableResult
    public func cancel(ride id: RideID) async throws -> Ride {
        try await value(RideEndpoints.cancelRide(id))
    }

    /// Where the driver is.
    public func track(ride id: RideID) async throws -> EngagementTrack {
        try await value(RideEndpoints.rideTrack(id))
    }

    @discardableResult
    public func rate(ride id: RideID, _ body: RatingBody) async throws -> Rating {
        try await value(RideEndpoints.rateRide(id, body: body))
    }

    /// What I said of the other side.
    public func givenRatings(ride id: RideID) async throws -> [Rating] {
        try await value(RideEndpoints.givenRideRatings(id)).items
    }

    // MARK: Saved searches

    public func savedSearches() async throws -> [SavedSearch] {
        try await value(SavedSearchEndpoints.savedSearches(asks: PageQuery())).items
    }

    public func save(
        search body: SavedSearchBody, key: RequestKey = .new()
    ) async throws -> SavedSearch {
        try await value(SavedSearchEndpoints.addSavedSearch(body: body, key: key))
    }

    public func remove(savedSearch id: SavedSearchID) async throws {
        try await done(SavedSearchEndpoints.removeSavedSearch(id))
    }

    // MARK: Operators

    public func allTrips(
        status: TripStatus? = nil, area: ServiceAreaID? = nil, after: String? = nil
    ) async throws -> Page<Trip> {
        try await value(
            CarpoolOperatorEndpoints.allTrips(
                asks: AllTripsQuery().with(\.status, status).with(\.area, area).page(after: after)))
    }

    @discardableResult
    public func withdraw(trip id: TripID) async throws -> Trip {
        try await value(CarpoolOperatorEndpoints.withdrawTrip(id))
    }

    public func seatDisputes() async throws -> [SeatRequest] {
        try await value(CarpoolOperatorEndpoints.seatDisputes(asks: PageQuery())).items
    }

    @discardableResult
    public func decide(seat id: SeatRequestID, _ body: SeatDecisionBody) async throws -> SeatRequest
    {
        try await value(CarpoolOperatorEndpoints.decideSeat(id, body: body))
    }

    public func carpoolPolicy(of area: ServiceAreaID) async throws -> CarpoolPolicy {
        try await value(CarpoolOperatorEndpoints.carpoolPolicy(area))
    }

    @discardableResult
    public func put(
        carpoolPolicy: CarpoolPolicy, for area: ServiceAreaID
    ) async throws -> CarpoolPolicy {
        try await value(CarpoolOperatorEndpoints.putCarpoolPolicy(area, body: carpoolPolicy))
    }
}
