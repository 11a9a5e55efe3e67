import Geo

/// GeoJSON's LineString (RFC 7946): longitude first, then latitude, WGS 84.
public struct LineString: Codable, Sendable, Hashable {
    public enum Kind: String, Codable, Sendable, CaseIterable { case lineString = "LineString" }

    public var type: Kind
    public var coordinates: [[Double]]

    public init(_ points: [Coordinate]) {
        type = .lineString
        coordinates = points.map { [$0.longitude, $0.latitude] }
    }
}

/// Answer of `GET /v1/orders/{id}/route`: the way of the valet, or of the vehicle, to where it goes next.
public struct RouteAnswer: Codable, Sendable, Hashable {
    public enum Source: String, Codable, Sendable, CaseIterable {
        /// Along roads, by the configured router.
        case router
        /// As the crow flies, at a usual speed: no router, or it is away.
        case straightLine
    }

    public var geometry: LineString
    public var distanceMeters: Double
    public var durationSeconds: Int
    public var source: Source
    /// Whom to name beside the line, as the router's data ask.
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

/// What a way is for.
public enum TravelMode: String, Codable, Sendable, CaseIterable {
    case car, foot, bicycle, wheelchair
}

/// A part of a way: what to do, and how far it goes on then.
public struct RouteStep: Codable, Sendable, Hashable {
    public enum Kind: String, Codable, Sendable, CaseIterable {
        case depart, straight, slightRight, right, sharpRight, uTurn, sharpLeft, left, slightLeft
        case merge, roundabout, ferry, lift, stairs, arrive
    }

    public var kind: Kind
    /// Along which street, as its signs have it; null where it has no name.
    @Nullable public var street: String?
    /// Where it is done.
    public var position: Coordinate
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

/// A way with its steps, to a place that people go to themselves.
public struct WayAnswer: Codable, Sendable, Hashable {
    public var geometry: LineString
    public var distanceMeters: Double
    public var durationSeconds: Int
    public var mode: TravelMode
    public var source: RouteAnswer.Source
    /// None along a straight line.
    public var steps: [RouteStep]
    /// Whom to name beside the line, as the router's data ask.
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
