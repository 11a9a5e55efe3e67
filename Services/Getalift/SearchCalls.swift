import Client
import Contracts
import Foundation
import Geo
import ServiceKit

/// Searches use the platform's search along the route, not the corners of the original's grid. Results are stored,
/// since the app's next requests name only the route.
extension GetaliftParts {
    /// The original searches all later trips, the platform one week, in seconds.
    private static let window: TimeInterval = 7 * 86_400 - 60
    private static let mostFound = GetaliftStore.most

    @Sendable func findTarget(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        let text = call.body["startDate"] ?? ""
        guard let date = clocks.moment(text, at: clock.now) else {
            throw GetaliftError.malformed("startDate: as in 2026-12-01 07:30")
        }
        let found = try await find(call.ends(), date, rider)
        let rows = try await rows(of: found.map { Course($0.trip) })
        var targets: [JSONValue] = []
        for (found, row) in zip(found, rows) {
            targets.append(try await target(found, row))
        }
        return .list(targets)
    }

    /// Results as lists of routes. The original returns all routes whatever their destination, or crashes.
    @Sendable func searchBetween(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        let (text, now) = (call.query.text("date"), clock.now)
        guard let date = text.isEmpty ? now : clocks.lowerBound(text, at: now) else {
            throw GetaliftError.malformed("date: as in 2026-12-01 07:30")
        }
        let trips = try await find(LegacyRequest.ends(of: call.query), date, rider).map(\.trip)
        let rows = try await rows(of: trips.map(Course.init))
        let dates = Dictionary(grouping: try await dateRows(of: trips), by: \.route)
        let dated = rows.flatMap { row in dates[row.id, default: []].map { (row, $0) } }
            .sorted { $0.1.day.date < $1.1.day.date }
        return .list(dated.map { $0.json(on: $1) })
    }

    private struct FoundTrip: Sendable {
        var match: TripMatch
        var trip: Trip
    }

    /// Best first, each trip once.
    private func find(
        _ ends: (Coordinate, Coordinate), _ date: Date, _ rider: Rider
    ) async throws -> [FoundTrip] {
        let from = max(date, clock.now)
        var seen: Set<TripID> = []
        let matches = try await rider.client(
            TripEndpoints.searchTrips(
                body: TripSearchBody(
                    from: ends.0, to: ends.1, departAfter: from,
                    departBefore: from.addingTimeInterval(Self.window), limit: Self.mostFound))
        ).items.filter { seen.insert($0.tripId).inserted }
        try await store.keep(
            matches.map {
                GetaliftStore.Found(
                    trip: $0.tripId, driver: $0.driver.id, date: $0.date, pickUpAt: $0.pickUp.at,
                    pickUp: $0.pickUp.point, dropOff: $0.dropOff.point)
            }, of: rider.person)
        let trips = try await trips(matches.map(\.tripId), rider)
            .reduce(into: [TripID: Trip]()) { $0[$1.id] = $1 }
        return matches.compactMap { match in
            trips[match.tripId].map { FoundTrip(match: match, trip: $0) }
        }
    }

    private func target(_ found: FoundTrip, _ row: RouteRow) async throws -> JSONValue {
        let (match, points) = (found.match, try await points(of: row))
        func closest(_ stop: TripStop) -> JSONValue {
            let nearest = points.min {
                Geo.distanceMeters($0.point, stop.point) < Geo.distanceMeters($1.point, stop.point)
            }
            return [
                "id": .integer(nearest?.id ?? 0), "lat": .number(stop.point.latitude),
                "lng": .number(stop.point.longitude), "route": .integer(row.id),
                "seconds_from_start": .integer(nearest?.seconds ?? 0),
            ]
        }
        return [
            "id": .integer(row.id), "routePoints": .list(points.map { $0.json(of: row.id) }),
            "closestPointStart": closest(match.pickUp), "closestPointEnd": closest(match.dropOff),
            "distancePointStart": .number(match.pickUp.walkMeters),
            "distancePointEnd": .number(match.dropOff.walkMeters),
            "totalDistance": .number(match.totalWalkMeters), "user_id": .integer(row.driver),
            "user_name": .text(match.driver.firstName),
            "route_date": .text(clocks.text(departure(of: found.trip, on: match))),
            "originAdress": .text(match.origin.address ?? ""),
            "destinationAdress": .text(match.destination.address ?? ""),
            "isStraightLine": .bool(row.course.isStraightLine),
        ]
    }

    /// The departure on the day that was found.
    private func departure(of trip: Trip, on match: TripMatch) -> Date {
        let zone = TimeZone(identifier: trip.timeZone).map(WallClock.init) ?? clocks
        let time = trip.departsAt.dropFirst(11)
        return zone.moment("\(match.date) \(time)", at: clock.now) ?? match.pickUp.at
    }

    // MARK: Points

    /// A row of `RoutePoints`.
    struct PointRow: Sendable, Hashable {
        var id: Int
        var point: Coordinate
        var seconds: Int

        fileprivate func json(of route: Int) -> JSONValue {
            [
                "id": .integer(id), "point": LegacyJSON.point(point), "route": .integer(route),
                "seconds_from_start": .integer(seconds),
            ]
        }
    }

    /// The most points of a route. A longer one is thinned out, but keeps both ends. The original has a point per turn.
    private static let mostPoints = 200

    func points(of row: RouteRow) async throws -> [PointRow] {
        let course = row.course
        let all =
            course.points.isEmpty
            ? [course.origin.coordinate, course.destination.coordinate] : course.points
        let step = max(1, (all.count + Self.mostPoints - 1) / Self.mostPoints)
        let kept = all.indices.filter { $0 % step == 0 || $0 == all.count - 1 }
        var meters = [0.0]
        for (one, next) in zip(all, all.dropFirst()) {
            meters.append((meters.last ?? 0) + Geo.distanceMeters(one, next))
        }
        let total = max(meters.last ?? 0, 1)
        let first = try await numbers.firstPoint(
            of: course.trip, way: Self.mark(kept.map { all[$0] }), size: kept.count)
        return kept.enumerated().map { number, index in
            PointRow(
                id: first + number, point: all[index],
                seconds: Int((Double(course.seconds) * meters[index] / total).rounded()))
        }
    }

    /// Distinguishes a route from other routes of the same trip.
    private static func mark(_ points: [Coordinate]) -> String {
        // FNV-1a, 64 bits.
        let hash = points.flatMap { [$0.latitude.bitPattern, $0.longitude.bitPattern] }
            .reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ $1) &* 0x100_0000_01B3 }
        return "\(points.count) \(String(hash, radix: 16))"
    }
}
