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
    /// Notifies people whose saved searches a trip fits.
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
