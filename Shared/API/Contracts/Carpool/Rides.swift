import Foundation
import Geo

public enum RideKind {}

/// One trip on one day, with its passengers.
public typealias RideID = Identifier<RideKind>

public enum SeatRequestKind {}

/// A passenger's request to ride along, on one day or on every day of a trip. Its bill has the same
/// id.
public typealias SeatRequestID = Identifier<SeatRequestKind>

/// Status of a ride. A cancelled ride doesn't affect the trip's other days.
public enum RideStatus: String, Codable, Sendable, CaseIterable {
    case planned, underWay, ended
    /// On that day only.
    case cancelled
}

/// Status of a seat request. `pending`: the driver has to answer, or the passenger after a change
/// of the trip. `rode`: it is confirmed that the passenger was in the car. `didNotRide`: they were
/// not, or neither side confirmed that they were. `cancelled`: either side cancelled it, or its
/// ride was cancelled. `expired`: nobody answered in time.
public enum SeatRequestStatus: String, Codable, Sendable, CaseIterable {
    /// The driver has to answer, or the passenger after a change of the trip.
    case pending
    case accepted
    /// It is confirmed that the passenger was in the car.
    case rode
    /// The passenger was not in the car, or neither side confirmed that they were.
    case didNotRide
    /// By the driver.
    case declined
    /// By either side, or with its ride.
    case cancelled
    /// Nobody answered in time.
    case expired
}

/// One of the two sides of a seat request.
public enum RideSide: String, Codable, Sendable, CaseIterable {
    case driver, passenger
}

/// A request for seats in a trip, on one day or on every day.
public struct SeatRequestBody: Codable, Sendable {
    /// A day of the trip, for example `2026-12-24`. Give either this or `every`.
    public var date: String?
    /// True for every day on which the trip is driven from now on.
    public var every: Bool?
    /// Where the passenger wants to get in: at most 5,000 metres from the route, or as far from it
    /// as the driver's detour allows.
    public var pickUp: Coordinate
    /// Where the passenger wants to get out: at most 5,000 metres from the route, or as far from it
    /// as the driver's detour allows.
    public var dropOff: Coordinate
    /// Defaults to 1.
    public var seats: Int?
    /// Message to the driver.
    public var message: String?
    /// Required if the trip's `payment` is `app`. The payment method is charged once the ride is
    /// confirmed.
    public var paymentMethodId: PaymentMethodID?
    /// Price of a seat that the passenger was shown, in minor units. The request is refused if the
    /// price is a different one.
    public var pricePerSeat: Int?

    public init(
        date: String? = nil, every: Bool? = nil, pickUp: Coordinate, dropOff: Coordinate,
        seats: Int? = nil, message: String? = nil, paymentMethodId: PaymentMethodID? = nil
    ) {
        (self.date, self.every) = (date, every)
        (self.pickUp, self.dropOff, self.seats) = (pickUp, dropOff, seats)
        (self.message, self.paymentMethodId) = (message, paymentMethodId)
    }
}

/// The answers of both sides to whether the passenger was in the car.
public struct SeatConfirmation: Codable, Sendable, Hashable {
    /// The driver's answer; null until they give one.
    @Nullable public var driver: Bool?
    /// The passenger's answer; null until they give one.
    @Nullable public var passenger: Bool?
    /// True if the two answers differ and no operator has decided yet.
    public var isDisputed: Bool
    /// An operator's decision on whether the passenger was in the car; null without one.
    @Nullable public var decided: Bool?

    public init(driver: Bool?, passenger: Bool?, isDisputed: Bool, decided: Bool?) {
        (self.driver, self.passenger) = (driver, passenger)
        (self.isDisputed, self.decided) = (isDisputed, decided)
    }
}

/// A request for seats in a trip, as both sides and operators see it.
public struct SeatRequest: Codable, Sendable, Hashable {
    public var id: SeatRequestID
    public var status: SeatRequestStatus
    public var tripId: TripID
    /// Null for a request for every day.
    @Nullable public var rideId: RideID?
    /// Day of the ride; null for a request for every day.
    @Nullable public var date: String?
    /// Time zone of the trip: an IANA name, for example `Europe/Malta`.
    public var timeZone: String
    /// True for a request for every day.
    public var every: Bool
    /// The request for every day that this one is a day of; otherwise null.
    @Nullable public var standingId: SeatRequestID?
    public var driver: TripPerson
    public var passenger: TripPerson
    public var seats: Int
    public var origin: Place
    public var destination: Place
    /// For a request for every day, the pick-up on the next day of the trip.
    public var pickUp: TripStop
    /// For a request for every day, the drop-off on the next day of the trip.
    public var dropOff: TripStop
    /// Detour of the driver, in seconds.
    public var detourSeconds: Int
    /// Price of all seats of the request; null if they are free.
    @Nullable public var price: Money?
    public var payment: TripPayment
    @Nullable public var message: String?
    /// The side that has to answer while the request is pending; otherwise null.
    @Nullable public var asks: RideSide?
    /// Latest time for the answer while the request is pending; otherwise null.
    @Nullable public var expiresAt: Date?
    /// Null until one side has said whether the passenger was in the car.
    @Nullable public var confirmation: SeatConfirmation?
    /// True while the bill is due and not paid. If the payment method was declined, the passenger
    /// has to pay the bill by hand.
    public var isOwed: Bool
    public var createdAt: Date
    public var version: Int

    public init(
        id: SeatRequestID, status: SeatRequestStatus, tripId: TripID, rideId: RideID?,
        date: String?, timeZone: String, every: Bool, standingId: SeatRequestID?,
        driver: TripPerson, passenger: TripPerson, seats: Int, origin: Place, destination: Place,
        pickUp: TripStop,
        dropOff: TripStop, detourSeconds: Int, price: Money?, payment: TripPayment,
        isOwed: Bool, createdAt: Date, version: Int
    ) {
        (self.id, self.status, self.tripId, self.rideId) = (id, status, tripId, rideId)
        (self.date, self.timeZone) = (date, timeZone)
        (self.every, self.standingId) = (every, standingId)
        (self.driver, self.passenger, self.seats) = (driver, passenger, seats)
        (self.origin, self.destination) = (origin, destination)
        (self.pickUp, self.dropOff, self.detourSeconds) = (pickUp, dropOff, detourSeconds)
        (self.price, self.payment, self.isOwed) = (price, payment, isOwed)
        (self.createdAt, self.version) = (createdAt, version)
        (message, asks, expiresAt, confirmation) = (nil, nil, nil, nil)
    }
}

/// A trip on one day, as its driver or one of its passengers sees it.
public struct Ride: Codable, Sendable, Hashable {
    public var id: RideID
    public var status: RideStatus
    public var tripId: TripID
    /// Day of the departure, in the trip's time zone.
    public var date: String
    /// Time zone of the trip: an IANA name, for example `Europe/Malta`.
    public var timeZone: String
    /// The caller's side.
    public var role: RideSide
    public var driver: TripPerson
    /// The plate is shown only to the driver and to accepted passengers; for others it is empty.
    /// Null if the driver named no vehicle.
    @Nullable public var vehicle: OrderVehicle?
    public var origin: Place
    public var destination: Place
    /// The route.
    public var way: LineString
    /// True while no router has computed the route yet. Until then it is a straight line from point
    /// to point.
    public var isStraightLine: Bool
    /// Planned departure.
    public var departsAt: Date
    /// Planned arrival.
    public var arrivesAt: Date
    @Nullable public var startedAt: Date?
    @Nullable public var endedAt: Date?
    /// The seat requests of the ride. Passengers see only their own.
    public var passengers: [SeatRequest]
    /// From this time passengers see where the driver is: 15 minutes before the pick-up. Null while
    /// nobody rides along.
    @Nullable public var sharedFrom: Date?
    public var version: Int

    public init(
        id: RideID, status: RideStatus, tripId: TripID, date: String, timeZone: String,
        role: RideSide, driver: TripPerson, vehicle: OrderVehicle?, origin: Place,
        destination: Place, way: LineString, isStraightLine: Bool, departsAt: Date,
        arrivesAt: Date, startedAt: Date?, endedAt: Date?, passengers: [SeatRequest],
        sharedFrom: Date?, version: Int
    ) {
        (self.id, self.status, self.tripId, self.date) = (id, status, tripId, date)
        (self.timeZone, self.role, self.driver) = (timeZone, role, driver)
        (self.vehicle, self.origin, self.destination) = (vehicle, origin, destination)
        (self.way, self.isStraightLine) = (way, isStraightLine)
        (self.departsAt, self.arrivesAt) = (departsAt, arrivesAt)
        (self.startedAt, self.endedAt) = (startedAt, endedAt)
        (self.passengers, self.sharedFrom, self.version) = (passengers, sharedFrom, version)
    }
}

/// The caller's answer to whether the passenger was in the car.
public struct SeatConfirmBody: Codable, Sendable {
    public var inTheCar: Bool

    public init(inTheCar: Bool) { self.inTheCar = inTheCar }
}

/// An operator's decision on whether the passenger was in the car.
public struct SeatDecisionBody: Codable, Sendable {
    public var inTheCar: Bool
    public var reason: String

    public init(inTheCar: Bool, reason: String) {
        (self.inTheCar, self.reason) = (inTheCar, reason)
    }
}
