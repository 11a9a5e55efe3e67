import Foundation
import Geo

/// Where a person parks their vehicle.
public struct ParkedVehicleBody: Codable, Sendable {
    public var position: Coordinate
    /// Level as on the signs there, for example `-2` or `Blue`.
    public var level: String?
    public var bay: String?
    public var note: String?

    public init(
        position: Coordinate, level: String? = nil, bay: String? = nil, note: String? = nil
    ) {
        self.position = position
        (self.level, self.bay, self.note) = (level, bay, note)
    }
}

/// Where a person parked their vehicle.
public struct ParkedVehicle: Codable, Sendable, Hashable {
    public var position: Coordinate
    /// Level as on the signs there, for example `-2` or `Blue`; null if none was given.
    @Nullable public var level: String?
    @Nullable public var bay: String?
    @Nullable public var note: String?
    /// Address of a picture, which works for about ten minutes; null if there is none.
    @Nullable public var photo: String?
    /// Time at which the person reported the place.
    public var at: Date

    public init(_ body: ParkedVehicleBody, at: Date) {
        (position, self.at) = (body.position, at)
        (level, bay, note) = (body.level, body.bay, body.note)
        photo = nil
    }
}
