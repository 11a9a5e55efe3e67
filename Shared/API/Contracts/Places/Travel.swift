import Foundation
import Geo

/// Routes from door to door.
public struct TravelRoutes: Codable, Sendable, Hashable {
    /// At most three routes: earliest arrival first or, with `arriveBy`, latest departure first.
    public var items: [TravelRoute]
    /// Attribution to show with the routes, as the data require; null if there is none.
    @Nullable public var attribution: String?

    public init(items: [TravelRoute], attribution: String?) {
        self.items = items
        self.attribution = attribution
    }
}

/// A route from door to door.
public struct TravelRoute: Codable, Sendable, Hashable {
    /// Start or end of a leg.
    public struct End: Codable, Sendable, Hashable {
        /// Name of the stop; null at the start and at the destination.
        @Nullable public var name: String?
        public var position: Coordinate

        public init(name: String?, position: Coordinate) {
            self.position = position
            self.name = name
        }
    }

    /// A part of a route, travelled by one mode.
    public struct Leg: Codable, Sendable, Hashable {
        public var mode: MobilityMode
        /// Name of the bus or train line; null on legs by other modes.
        @Nullable public var line: String?
        /// Destination that the bus or train shows; null if none is known.
        @Nullable public var headsign: String?
        public var from, to: End
        public var departsAt, arrivesAt: Date
        public var distanceMeters: Double
        /// Number of stops between the two ends; null on legs without a bus or train.
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

    /// An instruction along a route.
    public struct Step: Codable, Sendable, Hashable {
        /// The instruction, in the language of the request.
        public var text: String
        /// Where the instruction applies: for buses and trains the stop, for the first step of a
        /// walk its start.
        public var position: Coordinate
        public var distanceMeters: Double
        public var kind: Kind

        /// Kind of instruction.
        public enum Kind: String, Codable, Sendable, CaseIterable {
            case depart, straight, slightRight, right, sharpRight, uTurn, sharpLeft, left
            case slightLeft, merge, roundabout, ferry, lift, stairs, arrive, board, alight
        }

        public init(text: String, at position: Coordinate, distanceMeters: Double, kind: Kind) {
            (self.text, self.position) = (text, position)
            (self.distanceMeters, self.kind) = (distanceMeters, kind)
        }
    }

    /// Mode that was searched for. Legs may have others, such as the walks at both ends of a bus
    /// route. A route on foot all the way has `walk` or `wheelchair`.
    public var mode: MobilityMode
    public var line: LineString
    public var distanceMeters: Double
    public var durationSeconds: Int
    public var departsAt, arrivesAt: Date
    public var transfers: Int
    public var legs: [Leg]
    public var steps: [Step]
    /// True if at least a part is a straight-line estimate because no router answered.
    public var isStraightLine: Bool
    /// Limits of the customer's mobility that the route exceeds: `maxWalkMeters`, `maxSeconds` or
    /// `maxMeters`.
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

/// Areas within reach (isochrones): a GeoJSON FeatureCollection (RFC 7946) with a feature for each
/// mode.
public struct ReachableAreas: Codable, Sendable, Hashable {
    /// GeoJSON type, always `FeatureCollection`.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        case featureCollection = "FeatureCollection"
    }

    /// Area within reach by one mode: a GeoJSON Feature.
    public struct Feature: Codable, Sendable, Hashable {
        /// GeoJSON type, always `Feature`.
        public enum Kind: String, Codable, Sendable, CaseIterable { case feature = "Feature" }

        /// Mode and travel time of a reachable area.
        public struct Properties: Codable, Sendable, Hashable {
            public var mode: MobilityMode
            /// Travel time in seconds, door to door; on foot, at most the time of the longest walk.
            public var seconds: Int
            /// True if distances are estimated in a straight line: always by bus or train, and
            /// otherwise while no router answers; the area is then a circle.
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
    /// One feature for each mode.
    public var features: [Feature]
    /// Attribution to show with the areas, as the data require; null if there is none.
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
