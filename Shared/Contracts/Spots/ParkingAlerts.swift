import Foundation
import Geo

public enum ParkingAlertKind {}

public typealias ParkingAlertID = Identifier<ParkingAlertKind>

/// `POST /v1/me/parking-alerts`: tell me when a spot, or a space in a car park that was full, is free
/// around here.
public struct ParkingAlertBody: Codable, Sendable, Hashable {
    /// As in ISO 8601.
    public enum Weekday: String, Codable, Sendable, CaseIterable {
        case monday, tuesday, wednesday, thursday, friday, saturday, sunday
    }

    public var name: String?
    /// A circle; with `radiusMeters`. Either this or `polygon`.
    public var center: Coordinate?
    /// 50 to 5,000.
    public var radiusMeters: Double?
    /// Corners of a drawn area, in order.
    public var polygon: [Coordinate]?
    /// Every day when absent.
    public var days: [Weekday]?
    /// Minutes since midnight of the alert's time zone, 0 to 1440; all day when absent. One that ends before it begins
    /// goes over midnight.
    public var fromMinute, untilMinute: Int?
    /// IANA name; UTC when absent.
    public var timeZone: String?
    /// In minor units.
    public var maxPrice: Int?

    public init(name: String? = nil, center: Coordinate?, radiusMeters: Double?) {
        (self.name, self.center, self.radiusMeters) = (name, center, radiusMeters)
    }
}

/// What somebody wants to be told of, at most once in five minutes.
public struct ParkingAlert: Codable, Sendable, Hashable {
    public var id: ParkingAlertID
    @Nullable public var name: String?
    @Nullable public var center: Coordinate?
    @Nullable public var radiusMeters: Double?
    @Nullable public var polygon: [Coordinate]?
    @Nullable public var days: [ParkingAlertBody.Weekday]?
    @Nullable public var fromMinute: Int?
    @Nullable public var untilMinute: Int?
    public var timeZone: String
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
