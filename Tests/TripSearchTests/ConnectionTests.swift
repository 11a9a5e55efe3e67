import Foundation
import Geo
import Testing
import TripMaker

@testable import TripSearch

@Suite struct ConnectionTests {
    @Test func everyConnectionIsFoundThatHoldingAllAgainstAllFinds() throws {
        var maker = TripMaker(seed: 31, firstDay: try #require(Day("2026-11-30")))
        var found = 0
        let morning = Date(timeIntervalSince1970: 1_796_190_000)
        for round in 0..<6 {
            let trips = try maker.trips(60).map { try Self.everyMorning($0, &maker.random) }
            let index = TripIndex(trips)
            for number in 0..<6 {
                // From near the beginning of one to near the end of another.
                let (first, last) = (trips[number].way, trips[number + 30].way)
                let wide = try #require(
                    TripQuery(
                        from: first.coordinates[first.coordinates.count / 4],
                        to: last.coordinates[last.coordinates.count * 3 / 4],
                        departAfter: morning, departBefore: morning.addingTimeInterval(7_200),
                        seats: number % 3 == 0 ? 2 : 1,
                        maxWalkMeters: Double(400 + 300 * round), limit: 20))
                let expected = NaiveConnections(trips: trips, query: wide).best()
                let connections = index.connections(wide)
                #expect(connections.map(\.first.trip) == expected.map(\.first))
                #expect(connections.map(\.second.trip) == expected.map(\.second))
                for (one, other) in zip(connections, expected) {
                    #expect(abs(one.score - other.score) < 0.01)
                }
                found += connections.count
            }
        }
        #expect(found > 12)
    }

    /// The same trip on each day, at some time of the hour and a half after seven.
    private static func everyMorning(_ trip: Trip, _ random: inout SeededNumbers) throws -> Trip {
        let schedule = Schedule(
            firstDay: trip.schedule.firstDay,
            secondOfDay: 25_200 + Int.random(in: 0..<5_400, using: &random),
            timeZone: trip.schedule.timeZone, weekdays: 0b111_1111)
        return Trip(
            id: trip.id, version: 1, driver: trip.driver, way: trip.way,
            schedule: try #require(schedule), seats: trip.seats,
            maxDetourSeconds: trip.maxDetourSeconds, taken: trip.taken)
    }

    /// Whatever is found keeps to all limits, among many trips, too.
    @Test func aConnectionWalksAndWaitsWithinItsLimits() throws {
        var maker = TripMaker(seed: 32, firstDay: try #require(Day("2026-11-30")))
        let index = TripIndex(maker.trips(3_000))
        var found = 0
        for query in maker.queries(8) {
            let connections = index.connections(query)
            #expect(connections.count <= query.limit)
            #expect(connections.map(\.score) == connections.map(\.score).sorted())
            #expect(
                Set(connections.map { "\($0.first.trip) \($0.first.day)" }).count
                    == connections.count)
            let straight = Geo.distanceMeters(query.from, query.to)
            for one in connections {
                let (first, second) = (one.first, one.second)
                #expect(first.pickUp.walkMeters <= query.maxWalkMeters)
                #expect(second.dropOff.walkMeters <= query.maxWalkMeters)
                #expect(second.pickUp.walkMeters <= TripRules.mostTransferMeters)
                #expect(one.totalWalkMeters <= straight)
                #expect(TripRules.transferWait.contains(second.waitSeconds))
                let there = first.dropOff.at.addingTimeInterval(
                    second.pickUp.walkMeters / TripRules.walkingMetersPerSecond)
                #expect(
                    abs(second.pickUp.at.timeIntervalSince(there) - second.waitSeconds) < 0.01)
                #expect(
                    first.pickUp.at >= query.departAfter && first.pickUp.at <= query.departBefore)
                #expect(first.rideSeconds > 0 && second.rideSeconds > 0)
                #expect(first.seatsLeft >= query.seats && second.seatsLeft >= query.seats)
            }
            found += connections.count
        }
        #expect(found > 8)
    }

    @Test func whoWalksNowhereHasNoConnection() throws {
        var maker = TripMaker(seed: 33, firstDay: try #require(Day("2026-11-30")))
        let index = TripIndex(maker.trips(200))
        let query = maker.query()
        let still = try #require(
            TripQuery(
                from: query.from, to: query.from, departAfter: query.departAfter,
                departBefore: query.departBefore))
        #expect(index.connections(still) == [])
        #expect(TripIndex().connections(query) == [])
    }
}

/// The rules of connections as they read: every place of every first trip with every segment of every second one.
private struct NaiveConnections {
    struct Found {
        let first: UUID
        let second: UUID
        let score: Double
    }

    private struct Ride {
        let trip: Trip
        let day: Day
        /// Since 1970.
        let departure: Double
        let ends: [NaiveFit.Stop]

        func has(_ seats: Int, from start: Double, to end: Double) -> Bool {
            trip.seatsLeft(
                on: day, from: Int(start.rounded(.down)), to: Int(end.rounded(.up))) >= seats
        }
    }

    let trips: [Trip]
    let query: TripQuery

    func best() -> [Found] {
        let walk = min(query.maxWalkMeters, Geo.distanceMeters(query.from, query.to) / 3)
        let after = query.departAfter.timeIntervalSince1970
        let before = query.departBefore.timeIntervalSince1970
        let firsts = rides(query.from, walk, after...before)
        let seconds = rides(query.to, walk, after...(before + 10_800))
        var found: [Found] = []
        for first in firsts {
            let others = seconds.filter { $0.trip.id != first.trip.id }
            let all = others.compactMap { second in
                score(first, second, after, min(500, walk)).map {
                    Found(first: first.trip.id, second: second.trip.id, score: $0)
                }
            }
            if let best = all.min(by: { $0.score < $1.score }) { found.append(best) }
        }
        return Array(found.sorted { $0.score < $1.score }.prefix(query.limit))
    }

    private func rides(_ end: Coordinate, _ walk: Double, _ times: ClosedRange<Double>) -> [Ride] {
        let first = Day(number: Int(times.lowerBound) / 86_400 - 2)
        return trips.flatMap { trip in
            (first...(first + 4)).compactMap { day -> Ride? in
                guard trip.runs(on: day), trip.fit(query, on: day) == nil,
                    !query.excludedDrivers.contains(trip.driver)
                else { return nil }
                let departure = trip.schedule.departure(on: day).timeIntervalSince1970
                let ends = NaiveFit(trip: trip, query: query, day: day).stops(end).filter {
                    $0.meters <= walk && times.contains(departure + $0.seconds)
                }
                guard !ends.isEmpty else { return nil }
                return Ride(trip: trip, day: day, departure: departure, ends: ends)
            }
        }
    }

    private func score(
        _ first: Ride, _ second: Ride, _ after: Double, _ transfer: Double
    ) -> Double? {
        var best: Double?
        for (place, seconds, point) in places(first.trip.way) {
            let out = first.departure + seconds
            for start in first.ends
            where start.place < place && first.has(query.seats, from: start.seconds, to: seconds) {
                let got = first.departure + start.seconds
                let until = start.meters / 1.4 + 0.5 * (got - after) + (out - got)
                for meeting in NaiveFit(trip: second.trip, query: query, day: second.day).stops(
                    point)
                where meeting.meters <= transfer {
                    let wait =
                        second.departure + meeting.seconds - out - meeting.meters / 1.4
                    guard wait >= 120, wait <= 1_800 else { continue }
                    for end in second.ends
                    where end.place > meeting.place
                        && second.has(query.seats, from: meeting.seconds, to: end.seconds)
                    {
                        let score =
                            until + meeting.meters / 1.4 + 0.5 * wait
                            + (end.seconds - meeting.seconds) + end.meters / 1.4
                        best = min(best ?? score, score)
                    }
                }
            }
        }
        return best
    }

    /// Each two hundred metres of the way, and its end; counted in segments.
    private func places(_ way: Way) -> [(place: Double, seconds: Double, point: Coordinate)] {
        let segments = zip(way.vertices, way.vertices.dropFirst()).filter {
            $0.coordinate != $1.coordinate
        }
        let lengths = segments.map { Geo.distanceMeters($0.coordinate, $1.coordinate) }
        let whole = lengths.reduce(0, +)
        let step = max(200, whole / 256)
        var found: [(place: Double, seconds: Double, point: Coordinate)] = []
        var begun = 0.0
        for (number, (a, b)) in segments.enumerated() {
            func add(_ part: Double) {
                let (from, to) = (a.coordinate, b.coordinate)
                found.append(
                    (
                        Double(number) + part,
                        Double(a.seconds) + part * Double(b.seconds - a.seconds),
                        Coordinate(
                            latitude: from.latitude + part * (to.latitude - from.latitude),
                            longitude: from.longitude + part * (to.longitude - from.longitude))
                    ))
            }
            var along = (begun / step).rounded(.up) * step
            while along < begun + lengths[number] {
                if along > 0 { add((along - begun) / lengths[number]) }
                along += step
            }
            begun += lengths[number]
            if number == segments.count - 1 { add(1) }
        }
        return found
    }
}
