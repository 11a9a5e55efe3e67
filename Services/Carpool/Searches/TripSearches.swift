import Contracts
import Foundation
import Geo
import ProductKit
import Routing
import ServiceKit
import Store
import TripSearch

/// Searches for trips, answered by the index and checked against the store.
struct TripSearches: Sendable {
    static let limits = 1...100
    static let usualLimit = 20
    /// The most similar trips in a preview.
    static let alike = 5

    let database: Database
    let clock: ServiceClock
    let finder: TripFinder
    let ways: TripWays
    let places: MeetingPlaces
    let areas: KnownAreas

    func search(_ body: TripSearchBody, by person: PersonID) async throws -> TripSearchAnswer {
        let query = try body.query(at: clock.now)
        let blocked = try await database.read { try $0.blocked(around: person) }
        let excluded = Set((blocked.union([person])).map(\.uuid))
        guard let query = query(excluded) else {
            throw Refusal.invalid("from", "Use a point on the globe.")
        }
        return TripSearchAnswer(
            items: try await matches(of: query, for: person),
            connections: body.openEnds == true
                ? try await connections(of: query, for: person) : nil)
    }

    /// A preview of a trip before it is published, with similar trips of the next week.
    func preview(_ body: TripPreviewBody, by person: PersonID) async throws -> TripPreview {
        let points = try body.points()
        let course = try await ways.course(through: points)
        let now = clock.now
        let (blocked, area, policy) = try await database.read { transaction in
            let area = try points.compactMap { try areas.area(at: $0, in: transaction) }.first
            return (
                try transaction.blocked(around: person), area,
                try area.map { try carpoolPolicies.value(of: $0.id, in: transaction) }
            )
        }
        let most = area.flatMap { area in
            policy.map {
                Money(
                    amount: $0.mostPerSeat(meters: course.distanceMeters),
                    currency: area.feature.properties.currency)
            }
        }
        let query = TripQuery(
            from: points[0], to: points[points.count - 1], departAfter: now,
            departBefore: now.addingTimeInterval(CarpoolLimits.longestWindow), seats: 1,
            maxWalkMeters: CarpoolLimits.usualWalk, limit: Self.alike,
            excludedDrivers: Set(blocked.union([person]).map(\.uuid)))
        guard let query, let way = Way(encoded: [UInt8](course.line)) else {
            throw Refusal.noRoad
        }
        return TripPreview(
            way: LineString(way.coordinates), isStraightLine: course.isStraightLine,
            distanceMeters: course.distanceMeters, durationSeconds: course.durationSeconds,
            mostPerSeat: most, attribution: course.isStraightLine ? nil : ways.roads.attribution,
            alike: try await matches(of: query, for: person))
    }

    /// The trips as they are stored now. One that has changed since the index read it is matched again.
    private func matches(of query: TripQuery, for person: PersonID) async throws -> [TripMatch] {
        let fits = try await finder.search(query)
        guard !fits.isEmpty else { return [] }
        let now = clock.now
        let (current, people, favourites) = try await database.read { transaction in
            let trips = try transaction.trips.find(Set(fits.map { TripID(uuid: $0.trip) }))
            let current = try fits.compactMap { fit -> (Fit, TripRecord)? in
                guard let trip = trips[TripID(uuid: fit.trip)], trip.status == .open else {
                    return nil
                }
                if trip.version.number == fit.version { return (fit, trip) }
                return try trip.indexed().fit(query, on: fit.day).map { ($0, trip) }
            }
            return (
                current, try PeopleShown(trips.values.map(\.driver), in: transaction),
                try transaction.favourites.all(of: person)
            )
        }
        let offered = try await atStops(withRealDetours(current), query)
        return try offered.filter { $0.pickUpAt > now }
            .map { found in
                try TripMatch(
                    found, people.person(found.trip.driver),
                    isFavourite: favourites.contains(found.trip.id))
            }
            .sorted {
                ($0.score, -($0.driver.rating ?? 0), $0.pickUp.at)
                    < ($1.score, -($1.driver.rating ?? 0), $1.pickUp.at)
            }
    }

    /// Moves pick-ups and drop-offs to places where a car can stop, if they are still within the time window.
    private func atStops(
        _ found: [FoundTrip], _ query: TripQuery
    ) async throws -> [FoundTrip] {
        var placed: [FoundTrip] = []
        for known in found {
            let (way, walk) = (try known.trip.way, query.maxWalkMeters)
            var found = known
            found.pickUp = await places.stop(
                for: known.pickUp, of: query.from, within: walk, along: way)
            if found.pickUpAt < query.departAfter || found.pickUpAt > query.departBefore {
                found.pickUp = known.pickUp
            }
            found.dropOff = await places.stop(
                for: known.dropOff, of: query.to, within: walk, along: way)
            placed.append(found.rideSeconds > 0 ? found : known)
        }
        return placed
    }

    /// With a router, a detour is measured, and offered only within the driver's limit.
    private func withRealDetours(_ found: [(Fit, TripRecord)]) async throws -> [FoundTrip] {
        var checked: [FoundTrip] = []
        for (fit, trip) in found {
            var found = FoundTrip(fit, of: trip)
            if ways.roads.hasRouter, fit.detourSeconds > 0,
                let seconds = await ways.detourSeconds(of: fit, from: try trip.way)
            {
                guard seconds <= trip.plan.maxDetourSeconds else { continue }
                found.detourSeconds = seconds
            }
            checked.append(found)
        }
        return checked
    }
}

struct FoundTrip: Sendable {
    let fit: Fit
    let trip: TripRecord
    var detourSeconds: Int
    var pickUp, dropOff: MeetingPlaces.Meeting

    init(_ fit: Fit, of trip: TripRecord) {
        (self.fit, self.trip) = (fit, trip)
        detourSeconds = Int(fit.detourSeconds.rounded())
        let end = fit.pickUp.at.addingTimeInterval(fit.rideSeconds)
        let departure = fit.pickUp.at.addingTimeInterval(-Double(fit.pickUp.secondsAlong))
        func meeting(_ known: Fit.Meeting, at: Date) -> MeetingPlaces.Meeting {
            MeetingPlaces.Meeting(
                point: known.point, seconds: at.timeIntervalSince(departure),
                walkMeters: known.walkMeters)
        }
        (pickUp, dropOff) = (meeting(fit.pickUp, at: fit.pickUp.at), meeting(fit.dropOff, at: end))
    }

    var totalWalkMeters: Double { pickUp.walkMeters + dropOff.walkMeters }
    var rideSeconds: Double { dropOff.seconds - pickUp.seconds }
    var pickUpAt: Date {
        fit.pickUp.at.addingTimeInterval(pickUp.seconds - Double(fit.pickUp.secondsAlong))
    }
    var dropOffAt: Date { pickUpAt.addingTimeInterval(rideSeconds) }

    var score: Double {
        fit.score - fit.detourSeconds + Double(detourSeconds)
            + (totalWalkMeters - fit.totalWalkMeters) / TripRules.walkingMetersPerSecond
            + TripRules.waitingWeight * pickUpAt.timeIntervalSince(fit.pickUp.at)
    }
}

extension TripMatch {
    init(_ found: FoundTrip, _ driver: TripPerson, isFavourite: Bool) throws {
        let (fit, trip) = (found.fit, found.trip)
        func stop(_ meeting: MeetingPlaces.Meeting, at time: Date) -> TripStop {
            TripStop(
                point: meeting.point, at: time, walkMeters: meeting.walkMeters.rounded(),
                stop: meeting.stop)
        }
        self.init(
            tripId: trip.id, date: fit.day.description, timeZone: trip.plan.timeZone,
            driver: driver, origin: trip.plan.origin, destination: trip.plan.destination,
            repeats: trip.plan.repeats, pickUp: stop(found.pickUp, at: found.pickUpAt),
            dropOff: stop(found.dropOff, at: found.dropOffAt),
            totalWalkMeters: found.totalWalkMeters.rounded(),
            detourSeconds: found.detourSeconds,
            rideSeconds: Int(found.rideSeconds.rounded()), seatsLeft: fit.seatsLeft,
            pricePerSeat: trip.money(1), payment: trip.plan.payment,
            score: found.score.rounded(), isFavourite: isFavourite)
    }
}

extension TripSearchBody {
    /// Throws if the two points are too close for a trip.
    static func require(from: Coordinate, to: Coordinate) throws {
        guard Geo.distanceMeters(from, to) >= CarpoolLimits.shortestTrip else {
            throw Refusal.invalid("to", "Choose a point at least 200 metres from `from`.")
        }
    }

    fileprivate func query(at now: Date) throws -> (Set<UUID>) -> TripQuery? {
        let from = try Check.coordinate(
            latitude: from.latitude, longitude: from.longitude, "from")
        let to = try Check.coordinate(latitude: to.latitude, longitude: to.longitude, "to")
        try Self.require(from: from, to: to)
        guard departAfter >= now.addingTimeInterval(-CarpoolLimits.early),
            departAfter <= now.addingTimeInterval(Double(CarpoolLimits.daysAhead) * 86_400)
        else {
            throw Refusal.invalid("departAfter", "Use a time from now on, within a year.")
        }
        let end = departBefore ?? departAfter.addingTimeInterval(CarpoolLimits.usualWindow)
        guard end > departAfter,
            end.timeIntervalSince(departAfter) <= CarpoolLimits.longestWindow
        else {
            throw Refusal.invalid("departBefore", "Use a time at most a week after `departAfter`.")
        }
        let walk = maxWalkMeters ?? CarpoolLimits.usualWalk
        guard (0...CarpoolLimits.mostWalk).contains(walk) else {
            throw Refusal.invalid("maxWalkMeters", "Use 0 to 5000 metres.")
        }
        let seats = try Check.int(seats ?? 1, "seats", in: CarpoolLimits.seats)
        if let maxDetourSeconds {
            _ = try Check.int(
                maxDetourSeconds, "maxDetourSeconds", in: 0...CarpoolLimits.mostDetourSeconds)
        }
        let limit = try Check.int(
            limit ?? TripSearches.usualLimit, "limit", in: TripSearches.limits)
        let detour = maxDetourSeconds
        return { excluded in
            TripQuery(
                from: from, to: to, departAfter: max(departAfter, now), departBefore: end,
                seats: seats, maxWalkMeters: walk, maxDetourSeconds: detour, limit: limit,
                excludedDrivers: excluded)
        }
    }
}
