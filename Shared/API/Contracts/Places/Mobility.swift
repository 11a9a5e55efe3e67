import Foundation
import Geo

/// A mode of travel.
public enum MobilityMode: String, Codable, Sendable, CaseIterable {
    case car, bicycle, bus, train, walk, wheelchair

    /// Whether it runs to a timetable.
    public var isTransit: Bool { self == .bus || self == .train }
}

/// How a customer travels, and how far. Searches for vendors and routes use it by default.
public struct Mobility: Codable, Sendable, Hashable {
    /// The modes of travel that the customer can use. At least one is true.
    public struct Modes: Codable, Sendable, Hashable {
        public var car, bicycle, bus, train, walk, wheelchair: Bool

        public init(_ modes: Set<MobilityMode> = [.bus, .train, .walk]) {
            (car, bicycle, bus) = (
                modes.contains(.car), modes.contains(.bicycle), modes.contains(.bus)
            )
            (train, walk, wheelchair) = (
                modes.contains(.train), modes.contains(.walk), modes.contains(.wheelchair)
            )
        }

        public var set: Set<MobilityMode> {
            let all: [(MobilityMode, Bool)] = [
                (.car, car), (.bicycle, bicycle), (.bus, bus), (.train, train), (.walk, walk),
                (.wheelchair, wheelchair),
            ]
            return Set(all.filter(\.1).map(\.0))
        }
    }

    public var modes: Modes
    /// Passes for buses and trains, as the customer calls them.
    public var passes: [String]?
    /// Longest single stretch on foot or by wheelchair, in metres.
    public var maxWalkMeters: Int
    /// Names of the stops where the customer can start a ride; absent for all within walking
    /// distance.
    public var stops: [String]?
    /// Whether searches show only vendors that take food stamps.
    public var acceptsStampsOnly: Bool
    /// Longest travel time in seconds, door to door.
    public var maxSeconds: Int
    /// Longest distance in metres, door to door.
    public var maxMeters: Int
    /// Radius in metres in which vendors are searched.
    public var radiusMeters: Int
    /// Starting point of searches that name no other.
    public var home: Place?

    public init(
        modes: Modes = Modes(), maxWalkMeters: Int = 1_000, acceptsStampsOnly: Bool = false,
        maxSeconds: Int = 2_700, maxMeters: Int = 20_000, radiusMeters: Int = 5_000,
        home: Place? = nil
    ) {
        (self.modes, self.maxWalkMeters) = (modes, maxWalkMeters)
        (self.acceptsStampsOnly, self.maxSeconds) = (acceptsStampsOnly, maxSeconds)
        (self.maxMeters, self.radiusMeters, self.home) = (maxMeters, radiusMeters, home)
    }
}

/// Fields of the mobility to change. `null` removes an optional field.
public struct MobilityChange: Decodable, Sendable {
    /// They are read one by one, so that a wrong one doesn't affect the others.
    public let fields: [String: JSONValue]

    public init(from decoder: any Decoder) throws { fields = try .init(from: decoder) }
}

extension MobilityChange: Described {
    public static var parts: [any Decodable.Type] { [Mobility.self] }
    public static var schema: JSONValue { .schema("object", ["minProperties": 1]) }
    public static var sample: JSONValue { .object(["maxWalkMeters": 400]) }
}

/// Result of a change: the mobility as it is now, and the fields that were refused.
public struct MobilityChanged: Codable, Sendable, Hashable {
    public var mobility: Mobility
    /// Refused fields; they keep their old values.
    public var refused: [WrongField]

    public init(mobility: Mobility, refused: [WrongField]) {
        (self.mobility, self.refused) = (mobility, refused)
    }
}

extension Mobility.Modes: SchemaNamed {
    public static var schemaName: String { "MobilityModes" }
}
