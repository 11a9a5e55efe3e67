import Foundation
import Geo
import Testing
import TripMaker

@testable import TripSearch

@Suite struct FitTests {
    private let day = Day(number: 20_788)

    private func trip(
        _ points: [(Double, Double, Double)], seats: Int = 3, detour: Int = 0,
        taken: [Trip.Taken] = []
    ) throws -> Trip {
        var random = SeededNumbers(seed: 9)
        return Trip(
            id: random.uuid(), version: 1, driver: random.uuid(),
            way: try #require(
                Way(
                    points.map { Coordinate(latitude: $0.0, longitude: $0.1) },
                    seconds: points.map(\.2))),
            schedule: try #require(Schedule(firstDay: day, secondOfDay: 28_800, timeZone: "UTC")),
            seats: seats, maxDetourSeconds: detour, taken: taken)
    }

    private func query(
        _ from: (Double, Double), _ to: (Double, Double), after: Double = 28_800,
        hours: Double = 1, seats: Int = 1, walk: Double = 1_000, detour: Int? = nil,
        without: Set<UUID> = []
    ) throws -> TripQuery {
        let start = Date(timeIntervalSince1970: Double(day.number) * 86_400 + after)
        return try #require(
            TripQuery(
                from: Coordinate(latitude: from.0, longitude: from.1),
                to: Coordinate(latitude: to.0, longitude: to.1), departAfter: start,
                departBefore: start.addingTimeInterval(hours * 3_600), seats: seats,
                maxWalkMeters: walk, maxDetourSeconds: detour, excludedDrivers: without))
    }

    /// Twenty kilometres eastward on the equator in a thousand seconds.
    private var east: [(Double, Double, Double)] { [(0, 0, 0), (0, 0.2, 1_000)] }

    @Test func bothEndsMayBeOnOneSegmentButNotTheWrongWayRound() throws {
        let trip = try trip(east)
        let fit = try #require(trip.fit(query((0.003, 0.05), (-0.003, 0.15)), on: day))
        #expect(abs(fit.pickUp.at.timeIntervalSince1970 - 20_788 * 86_400 - 29_050) < 0.001)
        #expect(abs(fit.rideSeconds - 500) < 0.001)
        #expect(abs(fit.waitSeconds - 250) < 0.001)
        #expect(abs(fit.totalWalkMeters - 667.2) < 0.1)
        #expect(abs(fit.score - (667.17 / 1.4 + 125)) < 0.1)
        #expect((249...250).contains(fit.pickUp.secondsAlong))
        #expect((750...751).contains(fit.dropOff.secondsAlong))
        #expect(fit.seatsLeft == 3 && fit.detourSeconds == 0 && fit.day == day)
        #expect(try trip.fit(query((0, 0.15), (0, 0.05)), on: day) == nil)
    }

    @Test func whoIsFartherAwayIsFetchedAsFarAsDriverAndPassengerAllow() throws {
        let trip = try trip(east, detour: 300)
        let fit = try #require(trip.fit(query((0.018, 0.05), (0, 0.15)), on: day))
        #expect(abs(fit.detourSeconds - 2 * (2_001.5 - 1_000) / 8.3) < 0.1)
        #expect(abs(fit.pickUp.walkMeters - 1_000) < 0.001)
        let met = Geo.distanceMeters(
            fit.pickUp.point, Coordinate(latitude: 0.018, longitude: 0.05))
        #expect(abs(met - 1_000) < 1)
        #expect(try trip.fit(query((0.018, 0.05), (0, 0.15), detour: 200), on: day) == nil)
        #expect(try trip.fit(query((0.018, 0.05), (0.012, 0.15)), on: day) == nil)
        #expect(try self.trip(east).fit(query((0.018, 0.05), (0, 0.15)), on: day) == nil)
    }

    @Test func thePickUpIsInTheWindowItsEndsIncluded() throws {
        let trip = try trip([(0, 0, 0), (0, 0.05, 250), (0, 0.1, 500), (0, 0.2, 1_000)])
        let (from, to) = ((0.0, 0.05), (0.0, 0.15))
        #expect(try trip.fit(query(from, to, after: 29_050), on: day) != nil)
        #expect(try trip.fit(query(from, to, after: 29_051), on: day) == nil)
        #expect(try trip.fit(query(from, to, after: 29_050 - 3_600), on: day) != nil)
        #expect(try trip.fit(query(from, to, after: 29_049 - 3_600), on: day) == nil)
        #expect(try trip.fit(query(from, to), on: day + 1) == nil)
    }

    @Test func nobodyRidesWhereWalkingIsShorter() throws {
        #expect(try trip(east).fit(query((0.004, 0.05), (0.004, 0.056)), on: day) == nil)
    }

    @Test func seatsCountOverTheStretchAlone() throws {
        let taken = Trip.Taken(day: day, from: 400, to: 600, seats: 2)
        let trip = try trip(east, seats: 2, taken: [taken])
        #expect(try trip.fit(query((0, 0.05), (0, 0.15)), on: day) == nil)
        #expect(try trip.fit(query((0, 0.02), (0, 0.08)), on: day)?.seatsLeft == 2)
        #expect(try trip.fit(query((0, 0.12), (0, 0.18)), on: day)?.seatsLeft == 2)
        #expect(try trip.fit(query((0, 0.12), (0, 0.18), seats: 3), on: day) == nil)
    }

    @Test func aLaterPickUpIsTakenWhereSeatsAreFullAtTheNearest() throws {
        // There and back: at 250 and at 1,750 seconds it passes the same place.
        let loop = [(0.0, 0.0, 0.0), (0, 0.2, 1_000), (0.002, 0, 2_000), (0.1, 0, 3_000)]
        let taken = Trip.Taken(day: day, from: 300, to: 400, seats: 3)
        let (from, to) = ((0.0, 0.05), (0.05, 0.0))
        let free = try trip(loop).fit(query(from, to), on: day)
        #expect(free?.pickUp.secondsAlong == 250)
        let full = try trip(loop, taken: [taken]).fit(query(from, to), on: day)
        #expect(full?.pickUp.secondsAlong == 1_749)
    }

    @Test func excludedDriversAndCancelledDaysDoNotFit() throws {
        var trip = try trip(east)
        let (from, to) = ((0.0, 0.05), (0.0, 0.15))
        #expect(try trip.fit(query(from, to, without: [trip.driver]), on: day) == nil)
        trip.cancelled = [day]
        #expect(try trip.fit(query(from, to), on: day) == nil)
    }

    @Test func seatsLeftAreTheFewestOfAnyMoment() throws {
        var random = SeededNumbers(seed: 10)
        for _ in 0..<300 {
            let taken = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                let from = Int.random(in: 0...20, using: &random)
                return Trip.Taken(
                    firstDay: day + Int.random(in: -1...1, using: &random),
                    lastDay: random.chance(0.5) ? day : nil, from: from,
                    to: from + Int.random(in: 0...10, using: &random),
                    seats: Int.random(in: 0...2, using: &random))
            }
            let trip = try trip(east, seats: 4, taken: taken)
            let from = Int.random(in: 0...20, using: &random)
            let to = from + Int.random(in: 1...10, using: &random)
            let most =
                (from..<to).map { moment in
                    taken.filter { one in
                        one.firstDay <= day && one.lastDay.map { day <= $0 } ?? true
                            && (one.from..<max(one.from, one.to)).contains(moment)
                    }.reduce(0) { $0 + $1.seats }
                }.max() ?? 0
            #expect(trip.seatsLeft(on: day, from: from, to: to) == max(0, 4 - most))
        }
    }

    /// Ways that wind and stand and come back, at the equator, in the north and across the antimeridian.
    @Test(arguments: [(0.0, 0.0), (35.9, 14.5), (-43.0, 179.999), (69.0, -180.0)])
    func oneRunFindsWhatEveryPairOfSegmentsFinds(latitude: Double, longitude: Double) throws {
        var random = SeededNumbers(seed: 11)
        var found = 0
        for _ in 0..<1_500 {
            // On a coarse grid: corners, ends and passengers meet.
            func point() -> (Double, Double) {
                let grid = 0.002
                let north = Double(Int.random(in: -8...8, using: &random)) * grid
                let east = Double(Int.random(in: -8...8, using: &random)) * grid
                return (latitude + north, Geo.normalizedLongitude(longitude + east))
            }
            func end() -> (Double, Double) {
                let (north, east) = point()
                guard random.chance(0.7) else { return (north, east) }
                let moved = east + .random(in: -0.001...0.001, using: &random)
                return (
                    north + .random(in: -0.001...0.001, using: &random),
                    Geo.normalizedLongitude(moved)
                )
            }
            var now = 0.0
            var points: [(Double, Double, Double)] = []
            for _ in 0..<Int.random(in: 2...9, using: &random) {
                let stays = random.chance(0.15)
                let (north, east) = points.last.map { stays ? ($0.0, $0.1) : point() } ?? point()
                points.append((north, east, now))
                now += Double(Int.random(in: 0...400, using: &random))
            }
            let taken = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                let from = Int.random(in: 0...1_500, using: &random)
                return Trip.Taken(
                    day: day, from: from, to: from + Int.random(in: 0...700, using: &random),
                    seats: Int.random(in: 1...2, using: &random))
            }
            let trip = try trip(
                points, seats: 3, detour: random.chance(0.5) ? 250 : 0, taken: taken)
            let query = try query(
                end(), end(), after: 28_800 + Double(Int.random(in: -300...900, using: &random)),
                hours: 0.25, seats: Int.random(in: 1...3, using: &random),
                walk: .random(in: 0...900, using: &random))
            let naive = NaiveFit(trip: trip, query: query, day: day).best()
            let fit = trip.fit(query, on: day)
            #expect((naive == nil) == (fit == nil), "\(trip.way.vertices) \(query)")
            guard let naive, let fit else { continue }
            found += 1
            let cost = fit.totalWalkMeters / 1.4 + fit.detourSeconds
            #expect(abs(naive.cost - cost) < 0.001)
            #expect(abs(fit.score - cost - fit.waitSeconds / 2) < 0.001)
            #expect(fit.seatsLeft >= query.seats)
        }
        #expect(found > 80)
    }
}
