import Client
import Contracts
import Foundation
import Geo
import ServiceKit

/// Routes are trips, and their dates are a trip's departures: the next one of each weekday for a weekly trip.
///
/// The platform has no list of everybody's trips. Where the original returns all, this returns trips that concern the
/// caller: their own, favourites, and those that their searches have found. Trips published here accept passengers
/// automatically, as the original did; its drivers were asked afterwards.
extension GetaliftParts {
    /// The number of seats, which the original did not limit.
    private static let seats = 3

    // MARK: Own routes

    @Sendable func publish(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        try rider.require(call.body.int("driverId"))
        let (start, end) = try call.ends()
        let now = clock.now
        guard let dates = clocks.departures(call.body.text("dates"), at: now) else {
            throw GetaliftError.malformed("dates: as in 2026-12-01;07:30")
        }
        var published: [Trip] = []
        do {
            let (origin, destination) = (
                call.place("origin", start), call.place("destination", end)
            )
            for body in bodies(dates, from: origin, to: destination) {
                published.append(try await rider.client(TripEndpoints.publishTrip(body: body)))
            }
        } catch {
            // If one trip fails, the others are removed as well.
            for trip in published { try? await rider.client(TripEndpoints.removeTrip(trip.id)) }
            throw error
        }
        var packets: [JSONValue] = []
        for trip in published {
            let row = try await rows(of: [Course(trip)])[0]
            _ = try await dateRows(of: [trip])
            packets += try await points(of: row).map { LegacyJSON.done(inserted: $0.id) }
        }
        return .list(packets)
    }

    /// Weekly dates with the same time of day become one trip, since our trips have one time. Each other date becomes
    /// its own trip.
    private func bodies(
        _ dates: [WallClock.Departure], from origin: Place, to destination: Place
    ) -> [TripBody] {
        func body(_ date: Date, _ weekdays: [TripWeekday]) -> TripBody {
            TripBody(
                origin: origin, destination: destination, departsAt: clocks.time(of: date).text,
                timeZone: clocks.zone.identifier,
                repeats: weekdays.isEmpty ? nil : TripRepeats(weekdays: weekdays),
                seats: Self.seats, acceptsAutomatically: true)
        }
        let weekly = Dictionary(grouping: dates.filter(\.isWeekly).map(\.date).sorted()) {
            String(clocks.time(of: $0).text.dropFirst(11))
        }
        let repeated = weekly.sorted { $0.key < $1.key }.map { _, dates in
            let weekdays = Set(dates.map(clocks.weekday))
            return body(dates[0], TripWeekday.allCases.filter(weekdays.contains))
        }
        return repeated + dates.filter { !$0.isWeekly }.map { body($0.date, []) }
    }

    @Sendable func removeRoute(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        guard let id = try await numbers.trip(call.id),
            let trip = try await trip(id, rider)
        else { return LegacyJSON.done(0) }
        guard trip.isMine else { throw GetaliftError.notYours }
        try await rider.client(TripEndpoints.removeTrip(id))
        return LegacyJSON.done(trip.status == .open ? 1 : 0)
    }

    // MARK: Lists

    @Sendable func routes(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        .list(try await rows(of: knownTrips(rider).map(Course.init)).map(\.json))
    }

    @Sendable func route(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        guard let id = try await numbers.trip(call.id), let course = try await course(id, rider)
        else { return [] }
        return .list(try await rows(of: [course]).map(\.json))
    }

    @Sendable func driverRoutes(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        .list(try await dated(of: call.id, rider).map { $0.json(on: $1) })
    }

    @Sendable func driverRoutesByDate(_ call: LegacyRequest, _ rider: Rider) async throws
        -> JSONValue
    {
        let dated = try await dated(of: call.id, rider).sorted { $0.1.day.date < $1.1.day.date }
        return .list(dated.map { $0.json(on: $1) })
    }

    private func dated(of driver: Int, _ rider: Rider) async throws -> [(RouteRow, DateRow)] {
        if driver == rider.number {
            let trips = try await rider.client(TripEndpoints.myTrips(limit: PageLimit.most)).items
            return try await dated(trips.filter { $0.status != .removed })
        }
        guard let other = try await numbers.person(driver) else { return [] }
        return try await dated(knownTrips(rider).filter { $0.driver.id == other })
    }

    private func dated(_ trips: [Trip]) async throws -> [(RouteRow, DateRow)] {
        let rows = try await rows(of: trips.map(Course.init))
        let dates = Dictionary(grouping: try await dateRows(of: trips), by: \.route)
        return rows.flatMap { row in dates[row.id, default: []].map { (row, $0) } }
    }

    @Sendable func routeDates(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        guard let id = try await numbers.trip(call.id), let trip = try await trip(id, rider) else {
            return []
        }
        return .list(try await dateRows(of: [trip]).map(\.json))
    }

    @Sendable func allRouteDates(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        .list(try await dateRows(of: knownTrips(rider)).map(\.json))
    }

    /// Trips after a date, or all without a date.
    @Sendable func search(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        let text = call.query.text("date")
        let bound = clocks.lowerBound(text, at: clock.now)
        guard text.isEmpty || bound != nil else {
            throw GetaliftError.malformed("date: as in 2026-12-01 07:30")
        }
        let dated = try await dated(knownTrips(rider)).filter { _, date in
            bound.map { date.day.date > $0 } ?? true
        }.sorted { $0.1.day.date < $1.1.day.date }
        return .list(dated.map { $0.json(on: $1) })
    }

    // MARK: Trips that concern the caller

    /// Nil if the platform does not show the trip.
    func trip(_ id: TripID, _ rider: Rider) async throws -> Trip? {
        do {
            return try await rider.client(TripEndpoints.trip(id))
        } catch let error as ClientError where error.status == 404 {
            return nil
        }
    }

    /// The route of a trip, or of a ride if the trip is no longer shown.
    func course(_ id: TripID, _ rider: Rider) async throws -> Course? {
        if let trip = try await trip(id, rider) { return Course(trip) }
        return try await rider.client(
            RideEndpoints.myRides(asks: RidesQuery().page(limit: PageLimit.most))
        ).items
            .first { $0.tripId == id }.map(Course.init)
    }

    func trips(_ ids: [TripID], _ rider: Rider) async throws -> [Trip] {
        let found = try await withThrowingTaskGroup(of: Trip?.self) { group in
            for id in ids { group.addTask { try await trip(id, rider) } }
            return try await group.reduce(into: [TripID: Trip]()) { trips, trip in
                if let trip { trips[trip.id] = trip }
            }
        }
        return ids.compactMap { found[$0] }
    }

    private func knownTrips(_ rider: Rider) async throws -> [Trip] {
        let mine = try await rider.client(TripEndpoints.myTrips(limit: PageLimit.most)).items
        let favourites = try await rider.client(TripEndpoints.favouriteTrips(limit: PageLimit.most))
            .items
        var known = (mine + favourites).filter { $0.status != .removed }
        let ids = Set(known.map(\.id))
        let found = try await store.found(by: rider.person).map(\.trip)
        known += try await trips(found.filter { !ids.contains($0) }, rider)
        var seen: Set<TripID> = []
        return known.filter { seen.insert($0.id).inserted }
    }

    // MARK: Rows

    func rows(of courses: [Course]) async throws -> [RouteRow] {
        try await names.see(courses.map(\.driver))
        let routes = try await numbers.numbers(
            of: courses.map(\.trip.description), as: .route)
        let drivers = try await numbers.numbers(
            of: courses.map(\.driver.id.description), as: .user)
        return courses.map {
            RouteRow(
                id: routes[$0.trip.description] ?? 0,
                driver: drivers[$0.driver.id.description] ?? 0, course: $0)
        }
    }

    func dateRows(of trips: [Trip]) async throws -> [DateRow] {
        let now = clock.now
        let days = trips.flatMap { trip in clocks.days(of: trip, at: now).map { (trip.id, $0) } }
        let routes = try await numbers.numbers(of: trips.map(\.id.description), as: .route)
        let dates = try await numbers.numbers(of: days.map { "\($0)/\($1.name)" }, as: .date)
        return days.map { trip, day in
            DateRow(
                id: dates["\(trip)/\(day.name)"] ?? 0, route: routes[trip.description] ?? 0,
                day: day)
        }
    }
}

extension LegacyRequest {
    /// The start and the destination in the body.
    func ends() throws -> (Coordinate, Coordinate) { try Self.ends(of: body) }

    static func ends(of fields: Fields) throws -> (Coordinate, Coordinate) {
        func point(_ name: String) throws -> Coordinate {
            let latitude = fields.number("\(name)Lat"), longitude = fields.number("\(name)Lng")
            let point = latitude.flatMap { latitude in
                longitude.map { Coordinate(latitude: latitude, longitude: $0) }
            }
            guard let point, point.isOnGlobe else {
                throw GetaliftError.malformed("\(name)Lat and \(name)Lng: degrees")
            }
            return point
        }
        return (try point("start"), try point("end"))
    }

    fileprivate func place(_ name: String, _ point: Coordinate) -> Place {
        let address = String(body.text(name).prefix(200))
        return Place(point, address: address.isEmpty ? nil : address)
    }
}
