import Foundation

extension Topic {
    public static let carpool: Topic = "carpool"
}

/// A step of a trip.
public enum TripStep: String, Codable, Sendable, CaseIterable {
    case published, changed, ended, removed
}

/// A trip was published, changed, ended or removed. The event doesn't say where the trip goes.
public struct TripChanged: Event {
    public static let type = "carpool.trip-changed.v1"
    public static let topic = Topic.carpool
    public var trip: TripID
    public var step: Open<TripStep>
    public var status: Open<TripStatus>
    public var driver: PersonID
    /// Number of seats for passengers.
    public var seats: Int
    public var isWeekly: Bool
    /// Increases with each change; gaps have no meaning.
    public var version: Int
    public var key: String { trip.description }

    public init(
        trip: TripID, step: TripStep, status: TripStatus, driver: PersonID, seats: Int,
        isWeekly: Bool, version: Int
    ) {
        (self.trip, self.step, self.status) = (trip, .known(step), .known(status))
        (self.driver, self.seats, self.isWeekly) = (driver, seats, isWeekly)
        self.version = version
    }
}

/// A step of a ride. `passengers`: its passengers or its times have changed.
public enum RideStep: String, Codable, Sendable, CaseIterable {
    case planned, started, ended, cancelled
    /// Its passengers or its times have changed.
    case passengers
}

/// A ride was planned, or has changed.
public struct RideChanged: Event {
    public static let type = "carpool.ride-changed.v1"
    public static let topic = Topic.carpool
    public var ride: RideID
    public var trip: TripID
    public var step: Open<RideStep>
    public var status: Open<RideStatus>
    public var driver: PersonID
    /// Planned departure.
    public var departsAt: Date
    /// Increases with each change; gaps have no meaning.
    public var version: Int
    public var key: String { ride.description }

    public init(
        ride: RideID, trip: TripID, step: RideStep, status: RideStatus, driver: PersonID,
        departsAt: Date, version: Int
    ) {
        (self.ride, self.trip, self.step) = (ride, trip, .known(step))
        (self.status, self.driver) = (.known(status), driver)
        (self.departsAt, self.version) = (departsAt, version)
    }
}

/// A passenger requested a seat, or a seat request has changed.
public struct SeatRequestChanged: Event {
    public static let type = "carpool.seat-request-changed.v1"
    public static let topic = Topic.carpool
    public var request: SeatRequestID
    public var trip: TripID
    /// Absent for a request for every day.
    public var ride: RideID?
    public var status: Open<SeatRequestStatus>
    public var driver: PersonID
    public var passenger: PersonID
    /// Number of seats requested.
    public var seats: Int
    /// Increases with each change; gaps have no meaning.
    public var version: Int
    public var key: String { request.description }

    public init(
        request: SeatRequestID, trip: TripID, ride: RideID?, status: SeatRequestStatus,
        driver: PersonID, passenger: PersonID, seats: Int, version: Int
    ) {
        (self.request, self.trip, self.ride) = (request, trip, ride)
        (self.status, self.driver, self.passenger) = (.known(status), driver, passenger)
        (self.seats, self.version) = (seats, version)
    }
}
