import AsyncHTTPClient
import Contracts
import Geo
import Maps
import ServiceKit

/// Routes and travel times that are always available: along roads while a router answers, else straight lines.
public struct Roads: Sendable {
    /// Maximum size of an answer, in bytes.
    static let largestAnswer = 2 * 1_024 * 1_024
    /// A place farther than this from the router's roads is off its map.
    static let farthestRoadMeters = 2_000.0
    /// There are no roads nearer to a pole, and Valhalla would fail as if it were broken.
    static let lastRoadLatitude = 85.0
    /// The longest plausible route: a week, in seconds.
    static let longestSeconds = 604_800.0
    static let longestMeters = 40_000_000.0

    /// Maximum number of pairs per request; Valhalla's own limit.
    public static let mostPairs = 2_500
    /// Maximum number of starts and ends per request: OSRM has them in the address, about 20 bytes each, and reads 8
    /// KiB of it.
    public static let mostPlaces = 150

    /// Maximum number of ends per request for distances, and of requests for parts of a refused one.
    static let mostEnds = 500
    static let mostParts = 32
    /// Concurrent requests to a router: the platform's own answers two. Fewer ends are not worth splitting.
    static let atOnce = 2
    private static let fewEnds = 50
    /// A route between roads near its ends may be this much shorter than the straight line.
    static let mostGapMeters = 500.0

    private let router: (any RoadRouter)?
    /// The attribution to show with a route along roads.
    public let attribution: String?

    public init(_ router: (any RoadRouter)?, attribution: String?) {
        self.router = router
        self.attribution = attribution
    }

    public init(_ config: RouterConfig, client: HTTPClient) {
        let router: (any RoadRouter)? =
            switch config.router {
            case .none: nil
            case .valhalla(let url): Valhalla(url, client: client, limit: config.limit)
            case .osrm(let url): OSRM(url, client: client, limit: config.limit)
            case .maps(let url, let folder):
                MapRouter(
                    maps: MapFolder(folder),
                    valhalla: Valhalla(url, client: client, limit: config.limit))
            }
        self.init(router, attribution: config.attribution)
    }

    public var hasRouter: Bool { router?.isThere ?? false }

    /// Whether there is a router, even if it has no roads at present.
    public var mayHaveRouter: Bool { router != nil }

    public func route(
        from start: Coordinate, to end: Coordinate
    ) async -> (route: Route, source: RouteAnswer.Source) {
        if let router, let found = try? await router.route(from: start, to: end),
            let route = Self.checked(found, from: start, to: end)
        {
            return (route, .router)
        }
        return (StraightLine.route(from: start, to: end), .straightLine)
    }

    /// A car's route along roads, with its steps; nil while no router answers, or knows roads near both ends. Throws if
    /// the router knows them and finds no route, for example to an island.
    public func drive(
        from start: Coordinate, to end: Coordinate
    ) async throws(RoutingError) -> Route? {
        guard let router, router.isThere else { return nil }
        let found: [Route]
        do {
            found = try await router.ways(from: start, to: end, by: .car, most: 1)
        } catch RoutingError.refused {
            throw .refused
        } catch {
            return nil
        }
        return found.first.flatMap { Self.checked($0, from: start, to: end) }
    }

    /// The best route, with its steps if a router provides them.
    public func way(
        from start: Coordinate, to end: Coordinate, by mode: TravelMode
    ) async -> WayAnswer {
        await ways(from: start, to: end, by: mode, most: 1)[0]
    }

    /// At most `most` routes, in the router's order; one straight line if it gives none.
    public func ways(
        from start: Coordinate, to end: Coordinate, by mode: TravelMode, most: Int
    ) async -> [WayAnswer] {
        let found = try? await router?.ways(from: start, to: end, by: mode, most: most)
        let along = (found ?? []).compactMap { Self.checked($0, from: start, to: end) }
        let routes =
            along.isEmpty
            ? [StraightLine.route(from: start, to: end, by: mode)] : Array(along.prefix(most))
        return routes.map { route in
            WayAnswer(
                geometry: LineString(route.points), distanceMeters: route.distanceMeters,
                durationSeconds: Int(route.durationSeconds.rounded()), mode: mode,
                source: along.isEmpty ? .straightLine : .router, steps: route.steps,
                attribution: along.isEmpty ? nil : attribution)
        }
    }

    /// Seconds along roads from each start (rows) to each end (columns); nil for a pair without a route.
    ///
    /// Nil if there is no router, it does not answer, or the request exceeds its limits.
    public func travelSeconds(
        from starts: [Coordinate], to ends: [Coordinate]
    ) async -> [[Double?]]? {
        guard let router, !starts.isEmpty, !ends.isEmpty,
            Self.isWithinLimits(starts: starts.count, ends: ends.count),
            let rows = try? await router.travelSeconds(from: starts, to: ends),
            rows.count == starts.count, rows.allSatisfy({ $0.count == ends.count })
        else { return nil }
        let isPossible = rows.joined().allSatisfy { seconds in
            seconds.map((0...Self.longestSeconds).contains) ?? true
        }
        return isPossible ? rows : nil
    }

    /// The distances to the ends: along roads, nil if there is no route, and straight lines for ends that the router
    /// does not know, or for all while it does not answer.
    public func distances(
        from start: Coordinate, to ends: [Coordinate], by mode: TravelMode
    ) async -> (distances: [Distance?], source: RouteAnswer.Source) {
        let straight = ends.map { end -> Distance? in
            let route = StraightLine.route(from: start, to: end, by: mode)
            return Distance(
                seconds: route.durationSeconds, meters: route.distanceMeters, isStraightLine: true)
        }
        guard let router else { return (straight, .straightLine) }
        var found = straight
        let size = min(max((ends.count + 1) / Self.atOnce, Self.fewEnds), Self.mostEnds)
        var parts = stride(from: 0, to: ends.count, by: size).map {
            $0..<min($0 + size, ends.count)
        }
        var questions = parts.count + Self.mostParts
        while !parts.isEmpty, questions > 0 {
            let asked = parts.prefix(min(Self.atOnce, questions))
            parts.removeFirst(asked.count)
            questions -= asked.count
            let answers = await asked.concurrentMap { part in
                await Result {
                    try await router.distances(from: start, to: Array(ends[part]), by: mode)
                }
            }
            for (part, answer) in zip(asked, answers) {
                switch answer {
                case .success(let distances) where distances.count == part.count:
                    for (index, distance) in zip(part, distances) {
                        found[index] = Self.checked(
                            distance, from: start, to: ends[index], straight[index])
                    }
                case .failure(RoutingError.refused), .failure(RoutingError.offMap):
                    // The cause may be one of the ends, for example one off its map.
                    guard part.count > 1 else { continue }
                    let middle = part.lowerBound + part.count / 2
                    parts += [part.lowerBound..<middle, middle..<part.upperBound]
                default: return (straight, .straightLine)
                }
            }
        }
        let isKnown = found.contains { $0?.isStraightLine != true }
        return (found, isKnown ? .router : .straightLine)
    }

    /// Replaces a distance that is too short by the straight line: the route leads to a road far from the end.
    private static func checked(
        _ distance: Distance?, from start: Coordinate, to end: Coordinate, _ straight: Distance?
    ) -> Distance? {
        guard let distance, (0...longestSeconds).contains(distance.seconds),
            (0...longestMeters).contains(distance.meters)
        else { return nil }
        let isThere = distance.meters + mostGapMeters >= Geo.distanceMeters(start, end)
        return isThere ? distance : straight
    }

    /// The area that can be reached within that many seconds; nil while no router answers.
    public func isochrone(
        around start: Coordinate, by mode: TravelMode, seconds: Int
    ) async -> AreaGeometry? {
        guard abs(start.latitude) <= Self.lastRoadLatitude,
            let area = try? await router?.isochrone(around: start, by: mode, seconds: seconds),
            let shape = try? Area(area), shape.distanceMeters(to: start) <= Self.farthestRoadMeters
        else { return nil }
        return area
    }

    public static func isWithinLimits(starts: Int, ends: Int) -> Bool {
        starts * ends <= mostPairs && starts + ends <= mostPlaces
    }

    /// Nil if the route is implausible; otherwise extended to the requested ends, which lie beside the road.
    private static func checked(
        _ route: Route, from start: Coordinate, to end: Coordinate
    ) -> Route? {
        guard let first = route.points.first, let last = route.points.last,
            Geo.distanceMeters(start, first) <= farthestRoadMeters,
            Geo.distanceMeters(end, last) <= farthestRoadMeters,
            (0...longestSeconds).contains(route.durationSeconds),
            (0...longestMeters).contains(route.distanceMeters)
        else { return nil }
        var route = route
        if first != start { route.points.insert(start, at: 0) }
        if last != end || route.points.count == 1 { route.points.append(end) }
        return route
    }
}
