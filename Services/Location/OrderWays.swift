import Contracts
import Foundation
import Geo
import Routing
import ServiceKit

/// The ways that were asked for last: clients ask again and again while a valet hardly moves.
struct KnownRoutes: Sendable {
    /// Orders with a way that is remembered; the oldest is forgotten first.
    static let most = 5_000
    /// So long a way stays, however far the valet has come meanwhile: 30 m at 10 m/s.
    static let youngSeconds = 3.0
    /// So long it stays while the valet has not come farther than this.
    static let longestSeconds = 15.0
    static let nearMeters = 25.0

    struct Entry: Sendable {
        let valet: ValetID
        let start: Coordinate
        let end: Coordinate
        let answer: RouteAnswer
    }

    private let cache = BoundedCache<OrderID, Entry>(most: most, seconds: longestSeconds)

    func answer(
        _ order: OrderID, _ valet: ValetID, from start: Coordinate, to end: Coordinate,
        at now: Date
    ) -> RouteAnswer? {
        guard let (entry, at) = cache.value(of: order, at: now), entry.valet == valet,
            entry.end == end,
            now.timeIntervalSince(at) < Self.youngSeconds
                || Geo.distanceMeters(entry.start, start) <= Self.nearMeters
        else { return nil }
        return entry.answer
    }

    func keep(_ entry: Entry, of order: OrderID, at now: Date) {
        cache.keep(entry, of: order, at: now)
    }
}

extension LocationUseCases {
    /// The way of the valet, or of the vehicle that they drive, to where the leg goes next.
    ///
    /// It begins at the valet's exact position, so it is shown to whom `track` shows that.
    func route(of id: OrderID, for reader: Identity) async throws -> RouteAnswer {
        let order = try await order(id, for: reader)
        guard let valet = order.valet else {
            throw LocationError.noRoute("Nobody is on the way at present.")
        }
        guard let end = order.destination else {
            throw LocationError.noRoute("The valet chooses where to park.")
        }
        let person = valet.as(PersonID.self)
        guard let seen = try await store.lastSeen([person])[person] else {
            throw LocationError.noRoute("The valet's position is not known yet.")
        }
        let (now, start) = (store.clock.now, seen.coordinate)
        guard !seen.tracked(at: now.milliseconds, store.rules).isStale else {
            throw LocationError.noRoute("The valet has not been heard of for a while.")
        }
        if let known = routes.answer(id, valet, from: start, to: end, at: now) { return known }
        let answer = await answer(from: start, to: end)
        // A straight line costs nothing, and the router may be back with the next question.
        if answer.source == .router {
            let entry = KnownRoutes.Entry(valet: valet, start: start, end: end, answer: answer)
            routes.keep(entry, of: id, at: now)
        }
        return answer
    }

    private func answer(from start: Coordinate, to end: Coordinate) async -> RouteAnswer {
        let (route, source) = await roads.route(from: start, to: end)
        return RouteAnswer(
            geometry: LineString(route.points), distanceMeters: route.distanceMeters,
            durationSeconds: Int(route.durationSeconds.rounded(.up)), source: source,
            attribution: source == .router ? roads.attribution : nil)
    }

    // MARK: Places

    /// What is called so in the service areas, or in the one nearest to a point.
    func places(
        _ text: String, near bias: Coordinate?, limit: Int, language: String
    ) async throws -> PlacesAnswer {
        let known = try areas.areas().map(\.area)
        let nearest = bias.flatMap { bias in
            known.min { $0.distanceMeters(to: bias) < $1.distanceMeters(to: bias) }
        }
        let boxes = (nearest.map { [$0] } ?? known).flatMap(\.polygons).map(\.boundingBox)
        return await places.search(
            PlaceSearch(
                text: text, limit: limit, language: language, within: BoundingBox(around: boxes)))
    }
}

extension BoundingBox {
    /// Nil around nothing. All longitudes when one of them crosses the antimeridian.
    init?(around boxes: [BoundingBox]) {
        guard let south = boxes.map(\.south).min(), let north = boxes.map(\.north).max(),
            let west = boxes.map(\.west).min(), let east = boxes.map(\.east).max()
        else { return nil }
        let crosses = boxes.contains(where: \.crossesAntimeridian)
        self.init(
            south: south, west: crosses ? -180 : west, north: north, east: crosses ? 180 : east)
    }
}
