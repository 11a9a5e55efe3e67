import Foundation
import Geo

/// A space of class `general` in a car park, for a vehicle that a valet parks.
///
/// An order has one space: repeating the request changes nothing, and another car park replaces the
/// first. The space is released if no event of the order has confirmed it within five minutes, or
/// when one reports that the vehicle has left.
public struct SpaceBody: Codable, Sendable {
    public var order: OrderID
    /// Events of the order up to this version don't affect the space.
    public var orderVersion: Int
    public var carParkId: CarParkID
    public var plate: String
    /// Position of the valet, by which the nearest entrance is chosen.
    public var position: Coordinate
    /// ISO 4217 code of the currency in which the order is paid.
    public var currency: String

    public init(
        order: OrderID, orderVersion: Int, carParkId: CarParkID, plate: String,
        position: Coordinate, currency: String
    ) {
        (self.order, self.orderVersion, self.carParkId) = (order, orderVersion, carParkId)
        (self.plate, self.position, self.currency) = (plate, position, currency)
    }
}

/// The space that was reserved for a valet's order.
public struct TakenSpace: Codable, Sendable, Hashable {
    public var carParkId: CarParkID
    public var name: String
    /// Position of the entrance.
    public var position: Coordinate
    /// Current rate, which applies to the whole stay.
    public var rate: ParkingRate

    public init(carParkId: CarParkID, name: String, position: Coordinate, rate: ParkingRate) {
        (self.carParkId, self.name) = (carParkId, name)
        (self.position, self.rate) = (position, rate)
    }
}

/// The price that a valet's order pays for parking.
public struct ParkingRate: Codable, Sendable, Hashable {
    /// Price of each started hour.
    public var hourly: Money

    public init(hourly: Money) { self.hourly = hourly }

    /// At least one hour; in minor units, never more than may be charged.
    public func amount(from: Date, until: Date) -> Int {
        let hours = (until.timeIntervalSince(from) / 3_600).rounded(.up)
        let (amount, isTooMuch) = hourly.amount.multipliedReportingOverflow(
            by: Int(min(max(1, hours), 1e6)))
        return isTooMuch ? Money.largestAmount : min(Money.largestAmount, amount)
    }
}
