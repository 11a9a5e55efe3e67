import Contracts
import Geo

/// A way from one point to another.
public struct Route: Sendable, Hashable {
    /// From start to end, both included: never fewer than two.
    public var points: [Coordinate]
    public var distanceMeters: Double
    public var durationSeconds: Double
    /// None where nobody told them.
    public var steps: [RouteStep]

    public init(
        points: [Coordinate], distanceMeters: Double, durationSeconds: Double,
        steps: [RouteStep] = []
    ) {
        self.steps = steps
        self.points = points
        self.distanceMeters = distanceMeters
        self.durationSeconds = durationSeconds
    }
}

/// Why a router or a geocoder gives nothing.
public enum RoutingError: Error, Sendable, Hashable {
    /// No connection, no answer in time, a 5xx, too much of it, or nothing that can be read.
    case away
    /// It is there, and says that it can't: no road near, no way between.
    case refused
}

/// Somebody's router: ways along roads.
public protocol RoadRouter: Sendable {
    /// False for one that has nothing to read at present: nobody need ask it.
    var isThere: Bool { get }

    /// The way of a car, without its steps.
    func route(from start: Coordinate, to end: Coordinate) async throws -> Route

    /// The way with its steps.
    func way(
        from start: Coordinate, to end: Coordinate, by mode: TravelMode
    ) async throws -> Route

    /// Seconds from each start, a row, to each end, a column; nil where it finds no way.
    func travelSeconds(
        from starts: [Coordinate], to ends: [Coordinate]
    ) async throws -> [[Double?]]
}

extension RoadRouter {
    public var isThere: Bool { true }

    /// Of one that knows the ways of cars alone.
    public func way(
        from start: Coordinate, to end: Coordinate, by mode: TravelMode
    ) async throws -> Route {
        guard mode == .car else { throw RoutingError.refused }
        return try await route(from: start, to: end)
    }
}
