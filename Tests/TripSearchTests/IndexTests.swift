import Foundation
import Geo
import Testing
import TripMaker

@testable import TripSearch

@Suite struct IndexTests {
    private func maker(_ seed: UInt64) throws -> TripMaker {
        TripMaker(seed: seed, firstDay: try #require(Day("2026-11-30")))
    }

    @Test(arguments: [(1_000, 120), (10_000, 40)])
    func everythingIsFoundThatBruteForceFinds(count: Int, searches: Int) throws {
        var maker = try maker(UInt64(count))
        let trips = maker.trips(count)
        let index = TripIndex(trips)
        #expect(index.count == count)
        var found = 0
        for query in maker.queries(searches) {
            let expected = bruteForce(trips, query)
            #expect(index.search(query) == expected)
            found += expected.count
        }
        #expect(found > searches)
    }

    /// Each way is driven by thirty-three, at other times.
    @Test func everythingIsFoundAmongAHundredThousand() throws {
        var maker = try maker(100_000)
        let ways = maker.trips(3_000)
        let trips = (0..<100_000).map { number -> Trip in
            let one = ways[number % ways.count]
            let other = ways[(number * 7 + number / ways.count) % ways.count]
            return Trip(
                id: maker.random.uuid(), version: 1, driver: one.driver, way: one.way,
                schedule: other.schedule, seats: other.seats,
                maxDetourSeconds: one.maxDetourSeconds, taken: one.taken)
        }
        let index = TripIndex(trips)
        for query in maker.queries(4) {
            let expected = bruteForce(trips, query)
            #expect(expected.count == query.limit)
            #expect(index.search(query) == expected)
        }
    }

    @Test func aWindowMayBeAWeekLong() throws {
        var maker = try maker(12)
        let trips = maker.trips(400)
        let index = TripIndex(trips)
        for query in maker.queries(25) {
            let week = try #require(
                TripQuery(
                    from: query.from, to: query.to, departAfter: query.departAfter,
                    departBefore: query.departAfter.addingTimeInterval(20 * 86_400), limit: 100))
            #expect(week.departBefore.timeIntervalSince(week.departAfter) == 7 * 86_400)
            #expect(index.search(week) == bruteForce(trips, week))
        }
    }

    @Test func afterChangesInAnyOrderItIsAsIfBuiltAtOnce() throws {
        var maker = try maker(13)
        var random = SeededNumbers(seed: 14)
        let index = TripIndex()
        var held: [UUID: Trip] = [:]
        var pool = maker.trips(300)
        for step in 0..<3_000 {
            let place = Int.random(in: pool.indices, using: &random)
            let old = pool[place]
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                #expect(index.remove(old.id) == (held.removeValue(forKey: old.id) != nil))
            case 1 where held[old.id] != nil:
                // Another way and time by the same id.
                let other = maker.trip()
                let newer = Trip(
                    id: old.id, version: step + 2, driver: old.driver, way: other.way,
                    schedule: other.schedule, seats: 4, maxDetourSeconds: other.maxDetourSeconds)
                #expect(index.insert(newer))
                (held[old.id], pool[place]) = (newer, newer)
                var older = old
                older.version = min(old.version, step)
                #expect(!index.insert(older))
            default:
                index.insert(old)
                held[old.id] = old
            }
        }
        let fresh = TripIndex(held.values)
        #expect(index.count == held.count && index.digest == fresh.digest)
        #expect(index.digest == held.values.reduce(0) { $0 &+ $1.fingerprint })
        #expect(
            index.tables.reduce(0) { $0 + $1.count } == fresh.tables.reduce(0) { $0 + $1.count })
        for trip in held.values { #expect(index.trip(trip.id) == trip) }
        for query in maker.queries(60) { #expect(index.search(query) == fresh.search(query)) }
        for id in held.keys { index.remove(id) }
        #expect(index.count == 0 && index.digest == 0)
        #expect(index.tables.allSatisfy { $0.entries.isEmpty && $0.tenths.isEmpty })
    }

    @Test func driversAreLeftOutAndTheLimitIsKept() throws {
        var maker = try maker(15)
        let trips = maker.trips(2_000)
        let index = TripIndex(trips)
        for query in maker.queries(30) {
            let drivers = Set(index.search(query).prefix(3).map(\.driver))
            let other = try #require(
                TripQuery(
                    from: query.from, to: query.to, departAfter: query.departAfter,
                    departBefore: query.departBefore, maxDetourSeconds: 120, limit: 3,
                    excludedDrivers: drivers))
            #expect(index.search(other) == bruteForce(trips, other))
        }
    }

    @Test func anEmptyIndexFindsNothing() throws {
        var maker = try maker(16)
        #expect(TripIndex().search(maker.query()).isEmpty)
        #expect(TripIndex().estimatedBytes == 0)
    }
}

/// Trips and searches that are built to lie on every edge that a filter has.
@Suite struct EdgeTests {
    struct Place: Sendable {
        let zone: String
        let latitude: Double
        let longitude: Double
        /// A night in which the clock changes there.
        let nights: [String]
    }

    static let places = [
        Place(
            zone: "Europe/Malta", latitude: 35.9, longitude: 14.5,
            nights: ["2026-03-29", "2026-10-25"]),
        Place(
            zone: "America/New_York", latitude: 40.7, longitude: -74,
            nights: ["2026-03-08", "2026-11-01"]),
        Place(
            zone: "Australia/Lord_Howe", latitude: -31.5, longitude: 159,
            nights: ["2026-04-05", "2026-10-04"]),
        Place(
            zone: "America/Santiago", latitude: -33.4, longitude: -70.6,
            nights: ["2026-04-05", "2026-09-06"]),
        Place(
            zone: "Pacific/Auckland", latitude: -43.9, longitude: 180,
            nights: ["2026-04-05", "2026-09-27"]),
        Place(zone: "Asia/Kathmandu", latitude: 0, longitude: -180, nights: ["2026-12-31"]),
        Place(zone: "Europe/Oslo", latitude: 84.9, longitude: 0, nights: ["2026-03-29"]),
    ]

    private struct Edge {
        let place: Place
        var random: SeededNumbers

        /// On the border of a cell, or a hair's breadth beside it.
        mutating func point() -> Coordinate {
            let hair: Double = [0, 0, 1e-6, -1e-6, 3e-6, 0.004].randomElement(using: &random) ?? 0
            let steps = -6...6
            let north = Double(Int.random(in: steps, using: &random)) * 0.01
            let east = Double(Int.random(in: steps, using: &random)) * 0.01
            return Coordinate(
                latitude: min(85, place.latitude + north + hair),
                longitude: Geo.normalizedLongitude(place.longitude + east + hair))
        }

        mutating func night() -> Day {
            let text = place.nights.randomElement(using: &random) ?? ""
            return (Day(text) ?? .earliest) + Int.random(in: -1...1, using: &random)
        }

        /// On a tenth of an hour, or a second beside it; around midnight and the change of the clock.
        mutating func secondOfDay() -> Int {
            let tenth = [0, 1, 10, 18, 20, 22, 25, 30, 238, 239].randomElement(using: &random) ?? 0
            let beside = [0, 0, 1, -1, 450].randomElement(using: &random) ?? 0
            return min(max(0, tenth * 360 + beside), 86_399)
        }

        mutating func trip() -> Trip? {
            var now = 0.0
            var points: [Coordinate] = []
            var seconds: [Double] = []
            for _ in 0..<Int.random(in: 2...6, using: &random) {
                points.append(point())
                seconds.append(now)
                let long = random.chance(0.05) ? 30_000.0 : 0
                now += Double([180, 360, 359, 1_800].randomElement(using: &random) ?? 0) + long
            }
            let first = night()
            let schedule = Schedule(
                firstDay: random.chance(0.5) ? first - 14 : first, secondOfDay: secondOfDay(),
                timeZone: place.zone,
                weekdays: random.chance(0.6) ? UInt8.random(in: 1...127, using: &random) : 0)
            guard let way = Way(points, seconds: seconds), let schedule else { return nil }
            let detour = [0, 0, 1, 300, 301, 900, 901, 1_800].randomElement(using: &random) ?? 0
            return Trip(
                id: random.uuid(), version: 1, driver: random.uuid(), way: way, schedule: schedule,
                seats: 3, maxDetourSeconds: detour)
        }

        /// Most begin or end in the second in which some trip passes some vertex.
        mutating func query(_ trips: [Trip]) -> TripQuery? {
            guard let trip = trips.randomElement(using: &random) else { return nil }
            let days = trip.schedule.days(from: night() - 3, through: night() + 8)
            guard let day = days.randomElement(using: &random) else { return nil }
            let stops = trip.way.vertices.shuffled(using: &random).prefix(2).sorted {
                $0.seconds < $1.seconds
            }
            let at = trip.schedule.departure(on: day).addingTimeInterval(Double(stops[0].seconds))
            let before: Int =
                [0, 1, 900, 3_600, 10_800, 86_400, 604_800].randomElement(using: &random) ?? 0
            let after: Int = [0, 0, 1, 900, 10_800].randomElement(using: &random) ?? 0
            let exact = random.chance(0.3)
            func end(_ vertex: Way.Vertex) -> Coordinate {
                if exact { return vertex.coordinate }
                let walk = Double.random(in: 0...0.009, using: &random)
                return Coordinate(
                    latitude: min(85, vertex.coordinate.latitude + walk),
                    longitude: vertex.coordinate.longitude)
            }
            return TripQuery(
                from: end(stops[0]), to: end(stops[1]),
                departAfter: at.addingTimeInterval(-Double(before)),
                departBefore: at.addingTimeInterval(Double(after)),
                maxWalkMeters: exact ? 0 : [300, 1_000, 5_000].randomElement(using: &random) ?? 0,
                limit: random.chance(0.5) ? 100 : 3)
        }
    }

    @Test(arguments: places)
    func noFilterLosesWhatFits(at place: Place) {
        var edge = Edge(place: place, random: SeededNumbers(seed: 17))
        let trips = (0..<150).compactMap { _ in edge.trip() }
        let index = TripIndex(trips)
        var found = 0
        for _ in 0..<60 {
            guard let query = edge.query(trips) else { continue }
            let expected = bruteForce(trips, query)
            #expect(index.search(query) == expected, "\(query)")
            found += expected.count
        }
        #expect(found > 100)
    }

    @Test func zonesOfTheWholeWorldAreSearchedTogether() {
        var edges = Self.places.enumerated().map { number, place in
            // All of them drive in one place.
            Edge(
                place: Place(zone: place.zone, latitude: 46, longitude: 7, nights: place.nights),
                random: SeededNumbers(seed: 18 + UInt64(number)))
        }
        let trips = edges.indices.flatMap { number in
            (0..<40).compactMap { _ in edges[number].trip() }
        }
        let index = TripIndex(trips)
        #expect(index.zones.count == Self.places.count)
        for _ in 0..<60 {
            guard let query = edges[0].query(trips) else { continue }
            #expect(index.search(query) == bruteForce(trips, query))
        }
    }

    private func trip(
        _ points: [Coordinate], _ seconds: [Double], at secondOfDay: Int,
        _ random: inout SeededNumbers
    ) throws -> Trip {
        let way = try #require(Way(points, seconds: seconds))
        let schedule = try #require(
            Schedule(
                firstDay: Day(number: 20_788), secondOfDay: secondOfDay, timeZone: "UTC",
                weekdays: 127))
        return Trip(
            id: random.uuid(), version: 1, driver: random.uuid(), way: way, schedule: schedule,
            seats: 3)
    }

    /// In a jam one is in one cell for hours.
    @Test func aSlowLineIsFoundAtEveryMoment() throws {
        var random = SeededNumbers(seed: 31)
        for _ in 0..<150 {
            let points = (0..<2).map { number in
                Coordinate(latitude: 0.0011, longitude: 0.0012 + 0.008 * Double(number))
            }
            let length = Double(Int.random(in: 600...9_000, using: &random))
            let second = Int.random(in: 0..<86_400, using: &random)
            let trip = try trip(points, [0, length], at: second, &random)
            let part = Double.random(in: 0...0.9, using: &random)
            let from = Coordinate(latitude: 0.0011, longitude: 0.0012 + 0.008 * part)
            let at = trip.schedule.departure(on: trip.schedule.firstDay + 3)
                .addingTimeInterval(length * part)
            let query = try #require(
                TripQuery(
                    from: from, to: points[1], departAfter: at.addingTimeInterval(-1),
                    departBefore: at.addingTimeInterval(1), maxWalkMeters: 1))
            let found = TripIndex([trip]).search(query)
            #expect(found.count == 1 && found == bruteForce([trip], query))
        }
    }

    /// Walking to the pick-up and waiting there are all that they cost, as bounds have it.
    @Test func noBoundIsAboveWhatItBounds() throws {
        var random = SeededNumbers(seed: 32)
        let (from, to) = (
            Coordinate(latitude: 46.003, longitude: 7.001),
            Coordinate(latitude: 46.003, longitude: 7.101)
        )
        let trips = try (0..<600).map { _ -> Trip in
            func beside(_ value: Double) -> Double {
                // In steps of sixteenths: many stand at the near edge of one.
                value + 0.0025 * Double(Int.random(in: -3...3, using: &random))
            }
            let start = Coordinate(
                latitude: (beside(46.0025) * 1e4).rounded() / 1e4,
                longitude: (beside(7.0025) * 1e4).rounded() / 1e4)
            let minutes = [0, 0, 0, 6, 12, 18].randomElement(using: &random) ?? 0
            return try trip(
                [start, Coordinate(latitude: 46.1, longitude: 7.05), to], [0, 900, 1_800],
                at: 36_000 + 60 * minutes, &random)
        }
        let index = TripIndex(trips)
        let after = trips[0].schedule.zone.instant(on: Day(number: 20_790), secondOfDay: 36_000)
        for limit in 1...100 {
            let start = Date(timeIntervalSince1970: Double(after))
            let query = try #require(
                TripQuery(
                    from: from, to: to, departAfter: start,
                    departBefore: start.addingTimeInterval(3_600), limit: limit))
            #expect(index.search(query) == bruteForce(trips, query))
        }
    }

    /// Hundreds of kilometres have cells of their own.
    @Test func longWaysHaveFewEntriesAndAreFound() throws {
        var random = SeededNumbers(seed: 30)
        let day = try #require(Day("2026-12-01"))
        let trips = try (0..<60).map { _ -> Trip in
            var (north, east, now) = (-5.0, 176.0, 0.0)
            var points: [Coordinate] = []
            var seconds: [Double] = []
            for _ in 0..<400 {
                points.append(
                    Coordinate(latitude: north, longitude: Geo.normalizedLongitude(east)))
                seconds.append(now)
                north += .random(in: -0.01...0.03, using: &random)
                east += .random(in: -0.01...0.03, using: &random)
                now += .random(in: 60...150, using: &random)
            }
            return Trip(
                id: random.uuid(), version: 1, driver: random.uuid(),
                way: try #require(Way(points, seconds: seconds)),
                schedule: try #require(
                    Schedule(
                        firstDay: day, secondOfDay: 36_000, timeZone: "Pacific/Fiji", weekdays: 127)
                ),
                seats: 3, maxDetourSeconds: random.chance(0.5) ? 900 : 0)
        }
        let index = TripIndex(trips)
        #expect(index.tables.reduce(0) { $0 + $1.count } < trips.count * 160)
        for _ in 0..<40 {
            let trip = try #require(trips.randomElement(using: &random))
            let first = Int.random(in: 0..<300, using: &random)
            let stops = [first, first + Int.random(in: 5..<100, using: &random)]
            let at = trip.schedule.departure(on: day + 3).addingTimeInterval(
                Double(trip.way.vertices[first].seconds))
            let query = try #require(
                TripQuery(
                    from: trip.way.vertices[stops[0]].coordinate,
                    to: trip.way.vertices[stops[1]].coordinate, departAfter: at,
                    departBefore: at.addingTimeInterval(10_800), maxWalkMeters: 3_000))
            let expected = bruteForce(trips, query)
            #expect(!expected.isEmpty)
            #expect(index.search(query) == expected)
        }
    }
}
