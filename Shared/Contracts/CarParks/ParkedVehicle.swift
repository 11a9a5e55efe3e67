import Foundation
import Geo

/// `PUT /v1/me/parked-vehicle`
public struct ParkedVehicleBody: Codable, Sendable {
    public var position: Coordinate
    /// As signs there say: `-2`, `Blue`.
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

/// Where somebody has left their vehicle.
public struct ParkedVehicle: Codable, Sendable, Hashable {
    public var position: Coordinate
    @Nullable public var level: String?
    @Nullable public var bay: String?
    @Nullable public var note: String?
    /// Address of a picture, good for about ten minutes.
    @Nullable public var photo: String?
    /// When it was said.
    public var at: Date

    public init(_ body: ParkedVehicleBody, at: Date) {
        (position, self.at) = (body.position, at)
        (level, bay, note) = (body.level, body.bay, body.note)
        photo = nil
    }
}
