import Foundation
import Geo

public enum ParkingAlertKind {}

/// An alert for free parking.
public typealias ParkingAlertID = Identifier<ParkingAlertKind>

/// An alert for free parking in a circle, or in an area given by its corners. Its owner is notified
/// of spots, and of spaces in car parks that were full.
public struct ParkingAlertBody: Codable, Sendable, Hashable {
    /// Day of the week, as in ISO 8601.
    public enum Weekday: String, Codable, Sendable, CaseIterable {
        case monday, tuesday, wednesday, thursday, friday, saturday, sunday
    }

    public var name: String?
    /// Centre of the circle. Give either `center` and `radiusMeters`, or `polygon`.
    public var center: Coordinate?
    /// Radius of the circle, in metres.
    public var radiusMeters: Double?
    /// Corners of the area, in order: 3 to 100. The area may be at most 10 kilometres across.
    public var polygon: [Coordinate]?
    /// Each at most once. Defaults to every day.
    public var days: [Weekday]?
    /// Hours of the alert from `fromMinute` until `untilMinute`, in minutes since midnight in
    /// `timeZone`. If `untilMinute` is before `fromMinute`, it is on the next day. Give both or
    /// neither; they default to the whole day.
    public var fromMinute, untilMinute: Int?
    /// IANA name, for example `Europe/Helsinki`. Defaults to UTC.
    public var timeZone: String?
    /// The highest price of a spot, or of an hour in a car park, in minor units. Defaults to no
    /// limit.
    public var maxPrice: Int?

    public init(name: String? = nil, center: Coordinate?, radiusMeters: Double?) {
        (self.name, self.center, self.radiusMeters) = (name, center, radiusMeters)
    }
}

/// An alert for free parking. It notifies its owner at most once in five minutes.
public struct ParkingAlert: Codable, Sendable, Hashable {
    public var id: ParkingAlertID
    @Nullable public var name: String?
    /// Centre of the circle; null if the area is a polygon.
    @Nullable public var center: Coordinate?
    /// Radius of the circle, in metres; null if the area is a polygon.
    @Nullable public var radiusMeters: Double?
    /// Corners of the area, in order; null if it is a circle.
    @Nullable public var polygon: [Coordinate]?
    /// Null for every day.
    @Nullable public var days: [ParkingAlertBody.Weekday]?
    /// In minutes since midnight in `timeZone`; null for the whole day.
    @Nullable public var fromMinute: Int?
    /// In minutes since midnight in `timeZone`, on the next day if it is before `fromMinute`; null
    /// for the whole day.
    @Nullable public var untilMinute: Int?
    /// IANA name, for example `Europe/Helsinki`.
    public var timeZone: String
    /// The highest price of a spot, or of an hour in a car park, in minor units; null for no limit.
    @Nullable public var maxPrice: Int?
    public var createdAt: Date

    public init(id: ParkingAlertID, _ body: ParkingAlertBody, createdAt: Date) {
        (self.id, self.createdAt) = (id, createdAt)
        (name, center, radiusMeters) = (body.name, body.center, body.radiusMeters)
        (polygon, days, maxPrice) = (body.polygon, body.days, body.maxPrice)
        (fromMinute, untilMinute) = (body.fromMinute, body.untilMinute)
        timeZone = body.timeZone ?? "UTC"
    }
}

extension ParkingAlertBody.Weekday: SchemaNamed {
    public static var schemaName: String { "Weekday" }
}
