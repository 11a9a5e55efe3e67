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

    /// Seconds from the start at each point: by its steps where they are told, evenly along each.
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
        // What is told and what is drawn differ a little: both are stretched to the same ends.
        let told = marks[marks.count - 1]
        let (scale, pace) = (
            told.meters / max(meters[meters.count - 1], .leastNonzeroMagnitude),
            told.seconds > 0 ? durationSeconds / told.seconds : 0
        )
        var index = 1
        return meters.map { along in
            let place = min(along * scale, told.meters)
            while index < marks.count - 1, marks[index].meters < place { index += 1 }
            let (before, after) = (marks[index - 1], marks[index])
            let share =
                (place - before.meters) / max(after.meters - before.meters, .leastNonzeroMagnitude)
            let seconds = before.seconds + min(1, max(0, share)) * (after.seconds - before.seconds)
            return seconds * pace
        }
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

    /// At most so many ways with their steps, the best first.
    func ways(
        from start: Coordinate, to end: Coordinate, by mode: TravelMode, most: Int
    ) async throws -> [Route]

    /// Seconds from each start, a row, to each end, a column; nil where it finds no way.
    func travelSeconds(
        from starts: [Coordinate], to ends: [Coordinate]
    ) async throws -> [[Double?]]

    /// How far each end is; nil where it finds no way.
    func distances(
        from start: Coordinate, to ends: [Coordinate], by mode: TravelMode
    ) async throws -> [Distance?]

    /// All that is within so many seconds.
    func isochrone(
        around start: Coordinate, by mode: TravelMode, seconds: Int
    ) async throws -> AreaGeometry
}

/// How far it is from one point to another.
public struct Distance: Sendable, Hashable {
    public var seconds: Double
    public var meters: Double
    /// Supposed, since no router knows it.
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

    /// Of one that knows the ways of cars alone.
    public func ways(
        from start: Coordinate, to end: Coordinate, by mode: TravelMode, most: Int
    ) async throws -> [Route] {
        guard mode == .car else { throw RoutingError.refused }
        return [try await route(from: start, to: end)]
    }
}
