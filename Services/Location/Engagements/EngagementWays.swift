import Contracts
import Foundation
import Geo
import Routing
import ServiceKit

/// Recently computed routes, since clients ask again while a person has hardly moved.
struct KnownRoutes: Sendable {
    /// The most engagements whose route is remembered; the oldest is forgotten first.
    static let most = 5_000
    /// For this long a route is reused however far the person has moved, in seconds: 30 m at 10 m/s.
    static let youngSeconds = 3.0
    /// For this long it is reused if the person has hardly moved, in seconds.
    static let longestSeconds = 15.0
    static let nearMeters = 25.0

    struct Entry: Sendable {
        let mover: PersonID
        let start: Coordinate
        let end: Coordinate
        let answer: RouteAnswer
    }

    private let cache = BoundedCache<EngagementID, Entry>(most: most, seconds: longestSeconds)

    func answer(
        _ engagement: EngagementID, _ mover: PersonID, from start: Coordinate, to end: Coordinate,
        at now: Date
    ) -> RouteAnswer? {
        guard let (entry, at) = cache.value(of: engagement, at: now),
            entry.mover == mover,
            entry.end == end,
            now.timeIntervalSince(at) < Self.youngSeconds
                || Geo.distanceMeters(entry.start, start) <= Self.nearMeters
        else { return nil }
        return entry.answer
    }

    func keep(_ entry: Entry, of engagement: EngagementID, at now: Date) {
        cache.keep(entry, of: engagement, at: now)
    }
}

extension LocationUseCases {
    /// The route of the person on the way, to their next destination.
    ///
    /// It begins at their exact position, so only people who see that in `track` get it.
    func route(of id: EngagementID, for reader: Identity) async throws -> RouteAnswer {
        let engagement = try await engagement(id, for: reader)
        guard let way = engagement.way, engagement.shows(way.mover, to: reader) else {
            throw Refusal.noRouteNow.because("Nobody is on the way at the moment.")
        }
        guard let end = way.to else {
            throw Refusal.noRouteNow.because("They choose their own destination.")
        }
        let mover = way.mover
        guard let seen = try await store.lastSeen([mover])[mover] else {
            throw Refusal.noRouteNow.because("We don't know their position yet.")
        }
        let (now, start) = (store.clock.now, seen.coordinate)
        guard !seen.tracked(at: now.milliseconds, store.rules).isStale else {
            throw Refusal.noRouteNow.because("We haven't received their position for a while.")
        }
        if let known = routes.answer(id, mover, from: start, to: end, at: now) { return known }
        let answer = await answer(from: start, to: end)
        // A straight line costs nothing to compute, and the router may answer again next time.
        if answer.source == .router {
            let entry = KnownRoutes.Entry(mover: mover, start: start, end: end, answer: answer)
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
}
