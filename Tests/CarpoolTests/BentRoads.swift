import Contracts
import Geo
import Routing
import Synchronization

/// A router whose routes have one bend and take a quarter of an hour, unless a test says otherwise. It may also know no
/// route, have no map of the points or none at all, or not answer.
final class BentRoads: RoadRouter {
    enum State: Sendable { case there, refusing, offMap, withoutMap, away }

    let state = Mutex(State.there)
    private let seconds: Double

    init(seconds: Double = 900) { self.seconds = seconds }

    var isThere: Bool { state.withLock { $0 != .withoutMap } }

    func route(from start: Coordinate, to end: Coordinate) async throws -> Route {
        switch state.withLock({ $0 }) {
        case .there: break
        case .refusing: throw RoutingError.refused
        case .offMap: throw RoutingError.offMap
        case .withoutMap, .away: throw RoutingError.away
        }
        let middle = Coordinate(
            latitude: (start.latitude + end.latitude) / 2, longitude: start.longitude + 0.002)
        return Route(
            points: [start, middle, end], distanceMeters: 12_000, durationSeconds: seconds)
    }

    /// A minute each.
    func travelSeconds(
        from starts: [Coordinate], to ends: [Coordinate]
    ) async throws -> [[Double?]] {
        starts.map { _ in ends.map { _ in 60 } }
    }
}
