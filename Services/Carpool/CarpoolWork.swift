import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// The kinds of scheduled work.
enum CarpoolWork {
    /// Ends a trip after its last arrival.
    static let end = "trip-end"
    /// Creates rides of recurring passengers.
    static let plan = "trip-plan"
    /// Asks a router again about a route that is a straight line.
    static let way = "trip-way"
    /// Notifies people whose saved searches a trip fits.
    static let searches = "trip-searches"
    /// Expires an unanswered request.
    static let expiry = "seat-expiry"
    /// Settles a seat without waiting for further answers.
    static let settlement = "seat-settlement"
    /// Charges a ride.
    static let charge = "seat-charge"
    /// Shows the driver's position to passengers.
    static let sharing = "ride-sharing"
    /// Ends a ride that nobody has ended.
    static let overdue = "ride-overdue"

    static func handlers(
        _ trips: TripUseCases, _ seats: SeatUseCases, _ rides: RideUseCases,
        _ searches: SavedSearches
    ) -> [String: WorkQueue.Handler] {
        [
            end: WorkQueue.once(TripID.init, trips.end),
            plan: WorkQueue.once(TripID.init, seats.plan),
            way: WorkQueue.until(TripID.init, trips.straighten),
            Self.searches: WorkQueue.once(TripID.init, searches.tell),
            expiry: WorkQueue.once(SeatRequestID.init, seats.expire),
            settlement: WorkQueue.once(SeatRequestID.init, rides.settle),
            charge: WorkQueue.until(SeatRequestID.init, rides.charge),
            sharing: WorkQueue.once(RideID.init, rides.share),
            overdue: WorkQueue.once(RideID.init, rides.endByItself),
        ]
    }
}
