import Contracts
import Geo

/// A route from one point to another.
public struct Route: Sendable, Hashable {
    /// From start to end, both included: at least two.
    public var points: [Coordinate]
    public var distanceMeters: Double
    public var durationSeconds: Double
    /// Empty if the router gave none.
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

    /// Seconds from the start at each point: by the steps if there are any, evenly along each.
    public var secondsAlong: [Double] {
        var meters = [0.0]
        for (point, next) in zip(points, points.dropFirst()) {
            meters.append(meters[meters.count - 1] + Geo.distanceMeters(point, next))
        }
        var marks = [(meters: 0.0, seconds: 0.0)]
        for step in steps {
            let last = marks[marks.count - 1]
            marks.append(
                (last.meters + step.distanceMeters, last.seconds + Double(step.durationSeconds)))
        }
        if marks[marks.count - 1].meters <= 0 { marks.append((1, 1)) }
        // Steps and geometry differ a little, so both are stretched to the same ends.
        let total = marks[marks.count - 1]
        let (scale, pace) = (
            total.meters / max(meters[meters.count - 1], .leastNonzeroMagnitude),
            total.seconds > 0 ? durationSeconds / total.seconds : 0
        )
        var index = 1
        return meters.map { along in
            let place = min(along * scale, total.meters)
            while index < marks.count - 1, marks[index].meters < place { index += 1 }
            let (before, after) = (marks[index - 1], marks[index])
            let share =
                (place - before.meters) / max(after.meters - before.meters, .leastNonzeroMagnitude)
            let seconds = before.seconds + min(1, max(0, share)) * (after.seconds - before.seconds)
            return seconds * pace
        }
    }
}

/// Why a router or a geocoder gives no result.
public enum RoutingError: Error, Sendable, Hashable {
    /// No connection, no answer in time, a 5xx, an answer that is too large or unreadable.
    case away
    /// It answers that there is none: it knows roads near the points, and no route between them.
    case refused
    /// It knows no road near one of the points, for example off its map or in the open sea, or the points are on
    /// different maps.
    case offMap
}

/// A router: finds routes along roads.
public protocol RoadRouter: Sendable {
    /// False if the router has no data at present, so it need not be called.
    var isThere: Bool { get }

    /// A car's route, without steps.
    func route(from start: Coordinate, to end: Coordinate) async throws -> Route

    /// At most `most` routes with their steps, best first.
    func ways(
        from start: Coordinate, to end: Coordinate, by mode: TravelMode, most: Int
    ) async throws -> [Route]

    /// Seconds from each start (rows) to each end (columns); nil for a pair without a route.
    func travelSeconds(
        from starts: [Coordinate], to ends: [Coordinate]
    ) async throws -> [[Double?]]

    /// The distance to each end; nil without a route.
    func distances(
        from start: Coordinate, to ends: [Coordinate], by mode: TravelMode
    ) async throws -> [Distance?]

    /// The area that can be reached within that many seconds.
    func isochrone(
        around start: Coordinate, by mode: TravelMode, seconds: Int
    ) async throws -> AreaGeometry
}

/// The length and duration of a route between two points.
public struct Distance: Sendable, Hashable {
    public var seconds: Double
    public var meters: Double
    /// Estimated as a straight line, since no router knows it.
    public var isStraightLine: Bool

    public init(seconds: Double, meters: Double, isStraightLine: Bool = false) {
        (self.seconds, self.meters, self.isStraightLine) = (seconds, meters, isStraightLine)
    }
}

extension RoadRouter {
    public var isThere: Bool { true }

    public func distances(
        from start: Coordinate, to ends: [Coordinate], by mode: TravelMode
    ) async throws -> [Distance?] { throw RoutingError.refused }

    public func isochrone(
        around start: Coordinate, by mode: TravelMode, seconds: Int
    ) async throws -> AreaGeometry { throw RoutingError.refused }

    /// For routers that only know routes by car.
    public func ways(
        from start: Coordinate, to end: Coordinate, by mode: TravelMode, most: Int
    ) async throws -> [Route] {
        guard mode == .car else { throw RoutingError.refused }
        return [try await route(from: start, to: end)]
    }
}
