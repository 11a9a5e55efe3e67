import Geo

/// A GeoJSON LineString (RFC 7946): longitude first, then latitude, in WGS 84.
public struct LineString: Codable, Sendable, Hashable {
    /// GeoJSON's name of the type.
    public enum Kind: String, Codable, Sendable, CaseIterable { case lineString = "LineString" }

    public var type: Kind
    public var coordinates: [[Double]]

    public init(_ points: [Coordinate]) {
        type = .lineString
        coordinates = points.map { [$0.longitude, $0.latitude] }
    }
}

/// The route of the person who is on the way, for example of the valet with the vehicle, to their
/// next destination.
public struct RouteAnswer: Codable, Sendable, Hashable {
    /// Where a route comes from. `router`: along roads. `straightLine`: as the crow flies, at a
    /// usual speed, because there is no router or it gives no route.
    public enum Source: String, Codable, Sendable, CaseIterable {
        /// Along roads, from the configured router.
        case router
        /// As the crow flies, at a usual speed: there is no router, or it gives no route.
        case straightLine
    }

    public var geometry: LineString
    public var distanceMeters: Double
    public var durationSeconds: Int
    public var source: Source
    /// Credit to show beside the line, as the router's data require; null for none.
    @Nullable public var attribution: String?

    public init(
        geometry: LineString, distanceMeters: Double, durationSeconds: Int, source: Source,
        attribution: String?
    ) {
        self.geometry = geometry
        self.distanceMeters = distanceMeters
        self.durationSeconds = durationSeconds
        self.source = source
        self.attribution = attribution
    }
}

/// How a person travels.
public enum TravelMode: String, Codable, Sendable, CaseIterable {
    case car, foot, bicycle, wheelchair
}

/// A step of a route: what to do, and how far to continue then.
public struct RouteStep: Codable, Sendable, Hashable {
    /// The manoeuvre of a step.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        case depart, straight, slightRight, right, sharpRight, uTurn, sharpLeft, left, slightLeft
        case merge, roundabout, ferry, lift, stairs, arrive
    }

    public var kind: Kind
    /// The street to follow, as on its signs; null if it has no name.
    @Nullable public var street: String?
    /// Where to do it.
    public var position: Coordinate
    /// Distance to the next step.
    public var distanceMeters: Double
    public var durationSeconds: Int

    public init(
        _ kind: Kind, street: String?, at position: Coordinate, distanceMeters: Double,
        durationSeconds: Int
    ) {
        (self.kind, self.position, self.distanceMeters) = (kind, position, distanceMeters)
        self.durationSeconds = durationSeconds
        self.street = street
    }
}

/// A route with its steps, to a place that a person travels to on their own.
public struct WayAnswer: Codable, Sendable, Hashable {
    public var geometry: LineString
    public var distanceMeters: Double
    public var durationSeconds: Int
    public var mode: TravelMode
    public var source: RouteAnswer.Source
    /// Empty for a straight line.
    public var steps: [RouteStep]
    /// Credit to show beside the line, as the router's data require; null for none.
    @Nullable public var attribution: String?

    public init(
        geometry: LineString, distanceMeters: Double, durationSeconds: Int, mode: TravelMode,
        source: RouteAnswer.Source, steps: [RouteStep], attribution: String?
    ) {
        (self.geometry, self.distanceMeters) = (geometry, distanceMeters)
        (self.durationSeconds, self.mode, self.source) = (durationSeconds, mode, source)
        self.steps = steps
        self.attribution = attribution
    }
}

extension RouteAnswer: SchemaNamed {
    public static var schemaName: String { "Route" }
}

extension RouteAnswer.Source: SchemaNamed {
    public static var schemaName: String { "RouteSource" }
}

extension WayAnswer: SchemaNamed {
    public static var schemaName: String { "Way" }
}
