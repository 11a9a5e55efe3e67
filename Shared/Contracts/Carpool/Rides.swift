import Foundation
import Geo

public enum RideKind {}

/// One trip on one day, with its passengers.
public typealias RideID = Identifier<RideKind>

public enum SeatRequestKind {}

/// Somebody's wish to ride along, on one day or on every day of a trip. Its bill has the same id.
public typealias SeatRequestID = Identifier<SeatRequestKind>

public enum RideStatus: String, Codable, Sendable, CaseIterable {
    case planned, underWay, ended
    /// On that day only.
    case cancelled
}

public enum SeatRequestStatus: String, Codable, Sendable, CaseIterable {
    /// Somebody is asked: the driver, or the passenger after a change of the trip.
    case pending
    case accepted
    /// It is confirmed that they were in the car.
    case rode
    /// Or that they were not.
    case didNotRide
    /// By the driver.
    case declined
    /// By either, or with its ride.
    case cancelled
    /// Nobody answered in time.
    case expired
}

/// One of the two sides of a seat request.
public enum RideSide: String, Codable, Sendable, CaseIterable {
    case driver, passenger
}

/// `POST /v1/trips/{id}/requests`
public struct SeatRequestBody: Codable, Sendable {
    /// A day of the trip, as in `2026-12-24`; either this or `every`.
    public var date: String?
    /// Every day that the trip is driven, from now on.
    public var every: Bool?
    /// Where one wants to get in and out: at most as far from the way as somebody walks, or as the driver's detour
    /// goes.
    public var pickUp: Coordinate
    public var dropOff: Coordinate
    /// 1 when absent.
    public var seats: Int?
    public var message: String?
    /// Where the trip is paid through the house: charged once the ride is confirmed.
    public var paymentMethodId: PaymentMethodID?
    /// What a seat costs as one was told, in minor units: another is refused.
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

/// What both sides say of whether somebody was in the car.
public struct SeatConfirmation: Codable, Sendable, Hashable {
    @Nullable public var driver: Bool?
    @Nullable public var passenger: Bool?
    /// They say different things, and an operator has not decided yet.
    public var isDisputed: Bool
    /// By an operator.
    @Nullable public var decided: Bool?

    public init(driver: Bool?, passenger: Bool?, isDisputed: Bool, decided: Bool?) {
        (self.driver, self.passenger) = (driver, passenger)
        (self.isDisputed, self.decided) = (isDisputed, decided)
    }
}

/// A seat request, to both sides and operators.
public struct SeatRequest: Codable, Sendable, Hashable {
    public var id: SeatRequestID
    public var status: SeatRequestStatus
    public var tripId: TripID
    /// Null for one of every day.
    @Nullable public var rideId: RideID?
    @Nullable public var date: String?
    /// Of the trip: IANA name.
    public var timeZone: String
    public var every: Bool
    /// What is asked for every day, and this is a day of.
    @Nullable public var standingId: SeatRequestID?
    public var driver: TripPerson
    public var passenger: TripPerson
    public var seats: Int
    public var origin: Place
    public var destination: Place
    /// Of one of every day: on the next.
    public var pickUp: TripStop
    public var dropOff: TripStop
    public var detourSeconds: Int
    /// Of all its seats.
    @Nullable public var price: Money?
    public var payment: TripPayment
    @Nullable public var message: String?
    /// Who is asked, while it is pending.
    @Nullable public var asks: RideSide?
    @Nullable public var expiresAt: Date?
    @Nullable public var confirmation: SeatConfirmation?
    /// Whether its bill is to be paid by hand: the method was declined.
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

/// A ride as one of its sides sees it.
public struct Ride: Codable, Sendable, Hashable {
    public var id: RideID
    public var status: RideStatus
    public var tripId: TripID
    public var date: String
    /// Of the trip: IANA name.
    public var timeZone: String
    public var role: RideSide
    public var driver: TripPerson
    @Nullable public var vehicle: OrderVehicle?
    public var origin: Place
    public var destination: Place
    public var way: LineString
    /// No router has told the way yet.
    public var isStraightLine: Bool
    public var departsAt: Date
    public var arrivesAt: Date
    @Nullable public var startedAt: Date?
    @Nullable public var endedAt: Date?
    /// Of a passenger their own alone.
    public var passengers: [SeatRequest]
    /// From then on passengers see where the driver is.
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

/// `POST /v1/seat-requests/{id}/confirm`: whether the passenger was in the car.
public struct SeatConfirmBody: Codable, Sendable {
    public var inTheCar: Bool

    public init(inTheCar: Bool) { self.inTheCar = inTheCar }
}

/// `POST /v1/admin/seat-requests/{id}/decision`
public struct SeatDecisionBody: Codable, Sendable {
    public var inTheCar: Bool
    public var reason: String

    public init(inTheCar: Bool, reason: String) {
        (self.inTheCar, self.reason) = (inTheCar, reason)
    }
}
