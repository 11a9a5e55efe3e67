import Foundation

extension Topic {
    public static let carpool: Topic = "carpool"
}

/// A step of a trip.
public enum TripStep: String, Codable, Sendable, CaseIterable {
    case published, changed, ended, removed
}

/// Something has happened to a trip. Where it goes stays with carpool.
public struct TripChanged: Event {
    public static let type = "carpool.trip-changed.v1"
    public static let topic = Topic.carpool
    public var trip: TripID
    public var step: Open<TripStep>
    public var status: Open<TripStatus>
    public var driver: PersonID
    public var seats: Int
    public var isWeekly: Bool
    /// Grows with each change.
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

/// A step of a ride.
public enum RideStep: String, Codable, Sendable, CaseIterable {
    case planned, started, ended, cancelled
    /// Who rides along is another than before.
    case passengers
}

/// Something has happened to a ride.
public struct RideChanged: Event {
    public static let type = "carpool.ride-changed.v1"
    public static let topic = Topic.carpool
    public var ride: RideID
    public var trip: TripID
    public var step: Open<RideStep>
    public var status: Open<RideStatus>
    public var driver: PersonID
    public var departsAt: Date
    /// Grows with each change.
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

/// Somebody wants a seat, has it, or has it no more.
public struct SeatRequestChanged: Event {
    public static let type = "carpool.seat-request-changed.v1"
    public static let topic = Topic.carpool
    public var request: SeatRequestID
    public var trip: TripID
    /// Nil for one of every day.
    public var ride: RideID?
    public var status: Open<SeatRequestStatus>
    public var driver: PersonID
    public var passenger: PersonID
    public var seats: Int
    /// Grows with each change.
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
