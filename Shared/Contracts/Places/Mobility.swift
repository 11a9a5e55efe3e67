import Foundation
import Geo

/// How somebody gets along.
public enum MobilityMode: String, Codable, Sendable, CaseIterable {
    case car, bicycle, bus, train, walk, wheelchair

    /// By a timetable.
    public var isTransit: Bool { self == .bus || self == .train }
}

/// What I get along with, and how far: `GET, PUT /v1/me/mobility`.
public struct Mobility: Codable, Sendable, Hashable {
    /// Of each way to get along, whether I have it.
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
    /// Names of passes for buses and trains, as somebody writes them.
    public var passes: [String]?
    /// On foot, or in a wheelchair, in one go.
    public var maxWalkMeters: Int
    /// Stops that I can get to, by their names; absent: all within my walk.
    public var stops: [String]?
    public var acceptsStampsOnly: Bool
    /// From door to door.
    public var maxSeconds: Int
    public var maxMeters: Int
    /// How far around me vendors are looked for.
    public var radiusMeters: Int
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

/// `PATCH /v1/me/mobility`: any of its fields; `null` takes away what may be absent.
public struct MobilityChange: Decodable, Sendable {
    /// Read one by one, so that one that is wrong keeps no other out.
    public let fields: [String: JSONValue]

    public init(from decoder: any Decoder) throws { fields = try .init(from: decoder) }
}

extension MobilityChange: Described {
    public static var parts: [any Decodable.Type] { [Mobility.self] }
    public static var schema: JSONValue { .schema("object", ["minProperties": 1]) }
    public static var sample: JSONValue { .object(["maxWalkMeters": 400]) }
}

/// What became of a change: what could be read is kept, what could not is named.
public struct MobilityChanged: Codable, Sendable, Hashable {
    public var mobility: Mobility
    public var refused: [WrongField]

    public init(mobility: Mobility, refused: [WrongField]) {
        (self.mobility, self.refused) = (mobility, refused)
    }
}

extension Mobility.Modes: SchemaNamed {
    public static var schemaName: String { "MobilityModes" }
}
