import Contracts
import Geo
import Maps

/// The platform's own router, which runs while there are maps.
struct MapRouter: RoadRouter {
    let maps: MapFolder
    let valhalla: Valhalla

    var isThere: Bool { maps.roads != nil }

    func route(from start: Coordinate, to end: Coordinate) async throws -> Route {
        try await router.route(from: start, to: end)
    }

    func ways(
        from start: Coordinate, to end: Coordinate, by mode: TravelMode, most: Int
    ) async throws -> [Route] {
        do {
            return try await router.ways(from: start, to: end, by: mode, most: most)
        } catch RoutingError.refused where !maps.hasMap(of: [start, end]) {
            // The roads from one map to another are on neither.
            throw RoutingError.offMap
        }
    }

    func travelSeconds(
        from starts: [Coordinate], to ends: [Coordinate]
    ) async throws -> [[Double?]] {
        try await router.travelSeconds(from: starts, to: ends)
    }

    func distances(
        from start: Coordinate, to ends: [Coordinate], by mode: TravelMode
    ) async throws -> [Distance?] {
        try await router.distances(from: start, to: ends, by: mode)
    }

    func isochrone(
        around start: Coordinate, by mode: TravelMode, seconds: Int
    ) async throws -> AreaGeometry {
        try await router.isochrone(around: start, by: mode, seconds: seconds)
    }

    /// A call without maps would count as a failure of the router.
    private var router: Valhalla {
        get throws {
            guard isThere else { throw RoutingError.away }
            return valhalla
        }
    }
}
