import Foundation
import Geo

/// A valet parks in a car park, where the vehicle takes a space of class `general`.
///
/// One order has one space: the same again changes nothing, another car park takes the place of the first. A space is
/// given back when no event of the order has confirmed it within five minutes, or when one says that the vehicle has
/// left.
public struct SpaceBody: Codable, Sendable {
    public var order: OrderID
    /// What has happened to the order until this version does not count for the space.
    public var orderVersion: Int
    public var carParkId: CarParkID
    public var plate: String
    /// Where the valet stands: the nearest entrance is told.
    public var position: Coordinate
    /// In which the order is paid.
    public var currency: String

    public init(
        order: OrderID, orderVersion: Int, carParkId: CarParkID, plate: String,
        position: Coordinate, currency: String
    ) {
        (self.order, self.orderVersion, self.carParkId) = (order, orderVersion, carParkId)
        (self.plate, self.position, self.currency) = (plate, position, currency)
    }
}

/// The space that was taken.
public struct TakenSpace: Codable, Sendable, Hashable {
    public var carParkId: CarParkID
    public var name: String
    /// Of the entrance.
    public var position: Coordinate
    /// As it is now: the stay keeps it.
    public var rate: ParkingRate

    public init(carParkId: CarParkID, name: String, position: Coordinate, rate: ParkingRate) {
        (self.carParkId, self.name) = (carParkId, name)
        (self.position, self.rate) = (position, rate)
    }
}

/// What a valet's order pays for standing somewhere.
public struct ParkingRate: Codable, Sendable, Hashable {
    /// Of each started hour.
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
