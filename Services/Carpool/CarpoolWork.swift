import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// What is done when its time has come.
enum CarpoolWork {
    /// Nothing of a trip is to come any more.
    static let end = "trip-end"
    /// Rides are made of those who ride along every day.
    static let plan = "trip-plan"
    /// A router is asked again for a way that is a straight line.
    static let way = "trip-way"
    /// Who looks for such a trip is told of it.
    static let searches = "trip-searches"
    /// Nobody has answered.
    static let expiry = "seat-expiry"
    /// What nobody says more of is settled.
    static let settlement = "seat-settlement"
    /// What is owed is charged.
    static let charge = "seat-charge"
    /// Passengers see the driver from now on.
    static let sharing = "ride-sharing"
    /// Nobody has ended a ride.
    static let overdue = "ride-overdue"

    static func handlers(
        _ trips: TripUseCases, _ seats: SeatUseCases, _ rides: RideUseCases,
        _ searches: SavedSearches
    ) -> [String: WorkQueue.Handler] {
        [
            end: on(TripID.init, trips.end),
            plan: on(TripID.init, seats.plan),
            way: settling(TripID.init, trips.straighten),
            Self.searches: on(TripID.init, searches.tell),
            expiry: on(SeatRequestID.init, seats.expire),
            settlement: on(SeatRequestID.init, rides.settle),
            charge: settling(SeatRequestID.init, rides.charge),
            sharing: on(RideID.init, rides.share),
            overdue: on(RideID.init, rides.endByItself),
        ]
    }

    private static func on<ID: Sendable>(
        _ read: @escaping @Sendable (String) -> ID?,
        _ body: @escaping @Sendable (ID) async throws -> Void
    ) -> WorkQueue.Handler {
        settling(read) {
            try await body($0)
            return .done
        }
    }

    /// What is looked at again where it is not settled.
    private static func settling<ID: Sendable>(
        _ read: @escaping @Sendable (String) -> ID?,
        _ body: @escaping @Sendable (ID) async throws -> WorkQueue.Outcome
    ) -> WorkQueue.Handler {
        { subject in
            guard let id = read(subject) else { return .done }
            return try await body(id)
        }
    }
}
