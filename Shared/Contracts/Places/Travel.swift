import Foundation
import Geo

/// Answer of `GET /v1/routes`.
public struct TravelRoutes: Codable, Sendable, Hashable {
    /// At most three; the earliest to arrive first.
    public var items: [TravelRoute]
    /// Whom to name beside the lines, as the data ask.
    @Nullable public var attribution: String?

    public init(items: [TravelRoute], attribution: String?) {
        self.items = items
        self.attribution = attribution
    }
}

/// A way from door to door.
public struct TravelRoute: Codable, Sendable, Hashable {
    /// A point of a leg, and when one is there.
    public struct End: Codable, Sendable, Hashable {
        /// A stop's name; null at the doors.
        @Nullable public var name: String?
        public var position: Coordinate

        public init(name: String?, position: Coordinate) {
            self.position = position
            self.name = name
        }
    }

    public struct Leg: Codable, Sendable, Hashable {
        public var mode: MobilityMode
        /// The bus's or train's name.
        @Nullable public var line: String?
        /// Where it says that it goes.
        @Nullable public var headsign: String?
        public var from, to: End
        public var departsAt, arrivesAt: Date
        public var distanceMeters: Double
        /// Between the ends, without stopping over.
        @Nullable public var stops: Int?

        public init(
            mode: MobilityMode, line: String?, headsign: String?, from: End, to: End,
            departsAt: Date, arrivesAt: Date, distanceMeters: Double, stops: Int?
        ) {
            (self.mode, self.from, self.to) = (mode, from, to)
            (self.departsAt, self.arrivesAt) = (departsAt, arrivesAt)
            self.distanceMeters = distanceMeters
            self.line = line
            self.headsign = headsign
            self.stops = stops
        }
    }

    public struct Step: Codable, Sendable, Hashable {
        /// In the person's language.
        public var text: String
        /// Where it is done: of a ride's the stop, of a walk's first its start.
        public var position: Coordinate
        public var distanceMeters: Double
        public var kind: Kind

        public enum Kind: String, Codable, Sendable, CaseIterable {
            case depart, straight, slightRight, right, sharpRight, uTurn, sharpLeft, left
            case slightLeft, merge, roundabout, ferry, lift, stairs, arrive, board, alight
        }

        public init(text: String, at position: Coordinate, distanceMeters: Double, kind: Kind) {
            (self.text, self.position) = (text, position)
            (self.distanceMeters, self.kind) = (distanceMeters, kind)
        }
    }

    /// That it is led by; `bus` or `train` of what has a walk at its ends, too.
    public var mode: MobilityMode
    public var line: LineString
    public var distanceMeters: Double
    public var durationSeconds: Int
    public var departsAt, arrivesAt: Date
    public var transfers: Int
    public var legs: [Leg]
    public var steps: [Step]
    /// While no router answers.
    public var isStraightLine: Bool
    /// Fields of my mobility that it does not keep to.
    public var breaks: [String]

    public init(
        mode: MobilityMode, line: LineString, distanceMeters: Double, departsAt: Date,
        arrivesAt: Date, transfers: Int, legs: [Leg], steps: [Step], isStraightLine: Bool
    ) {
        (self.mode, self.line, self.distanceMeters) = (mode, line, distanceMeters)
        (self.departsAt, self.arrivesAt) = (departsAt, arrivesAt)
        durationSeconds = Int(arrivesAt.timeIntervalSince(departsAt).rounded())
        (self.transfers, self.legs, self.steps) = (transfers, legs, steps)
        (self.isStraightLine, breaks) = (isStraightLine, [])
    }
}

/// Answer of `GET /v1/reachable`: isochrones as GeoJSON (RFC 7946).
public struct ReachableAreas: Codable, Sendable, Hashable {
    public enum Kind: String, Codable, Sendable, CaseIterable {
        case featureCollection = "FeatureCollection"
    }

    public struct Feature: Codable, Sendable, Hashable {
        public enum Kind: String, Codable, Sendable, CaseIterable { case feature = "Feature" }

        public struct Properties: Codable, Sendable, Hashable {
            public var mode: MobilityMode
            public var seconds: Int
            public var isStraightLine: Bool

            public init(mode: MobilityMode, seconds: Int, isStraightLine: Bool) {
                (self.mode, self.seconds) = (mode, seconds)
                self.isStraightLine = isStraightLine
            }
        }

        public var type: Kind
        public var geometry: AreaGeometry
        public var properties: Properties

        public init(geometry: AreaGeometry, properties: Properties) {
            (type, self.geometry, self.properties) = (.feature, geometry, properties)
        }
    }

    public var type: Kind
    /// One a mode.
    public var features: [Feature]
    @Nullable public var attribution: String?

    public init(_ features: [Feature], attribution: String?) {
        (type, self.features) = (.featureCollection, features)
        self.attribution = attribution
    }
}

extension TravelRoute.End: SchemaNamed {
    public static var schemaName: String { "TravelEnd" }
}
extension TravelRoute.Leg: SchemaNamed {
    public static var schemaName: String { "TravelLeg" }
}
extension TravelRoute.Step: SchemaNamed {
    public static var schemaName: String { "TravelStep" }
}
extension TravelRoute.Step.Kind: SchemaNamed {
    public static var schemaName: String { "TravelStepKind" }
}
extension ReachableAreas.Kind: SchemaNamed {
    public static var schemaName: String { "ReachableAreasKind" }
}
extension ReachableAreas.Feature: SchemaNamed {
    public static var schemaName: String { "ReachableArea" }
}
extension ReachableAreas.Feature.Kind: SchemaNamed {
    public static var schemaName: String { "ReachableAreaKind" }
}
extension ReachableAreas.Feature.Properties: SchemaNamed {
    public static var schemaName: String { "ReachableAreaProperties" }
}
