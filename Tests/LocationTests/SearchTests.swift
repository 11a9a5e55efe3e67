import Contracts
import Foundation
import Geo
import Redis
import Support
import Testing

@testable import Location

/// Searches see those who can be given a job, as they are now, and nobody else.
@Suite struct SearchTests {
    private let center = Bench.inIsland

    private func bench(_ places: Coordinate...) async throws -> (Bench, [ValetID]) {
        let bench = try await Bench()
        return (bench, try await add(places, to: bench))
    }

    private func add(_ places: [Coordinate], to bench: Bench) async throws -> [ValetID] {
        var valets: [ValetID] = []
        for place in places {
            let valet = ValetID.new(at: bench.clock.now)
            valets.append(valet)
            _ = try await bench.useCases.setShift(valet, .on)
            let body = PositionBody(latitude: place.latitude, longitude: place.longitude)
            _ = try await bench.useCases.record([
                Point(
                    .init(
                        person: valet.as(PersonID.self), role: .valet, point: body,
                        receivedAt: bench.clock.now))
            ])
        }
        return valets
    }

    private func candidates(
        _ bench: Bench, _ radius: Double, limit: Int = 10, at places: Coordinate...
    ) async throws -> [[CandidateAnswer.Candidate]] {
        let points = (places.isEmpty ? [center] : places).map {
            CandidateQuery.Point(engagement: .new(), at: $0, radiusMeters: radius)
        }
        let query = CandidateQuery(area: Bench.island, points: points, limit: limit)
        let answer = try await bench.useCases.candidates(query)
        #expect(answer.found.map(\.engagement) == points.map(\.engagement))
        return answer.found.map(\.candidates)
    }

    @Test func theNearestComeFirstAndTheLimitHolds() async throws {
        let (bench, valets) = try await bench(
            center.moved(900), center.moved(100), center.moved(2_500), center.moved(3_500),
            center.moved(400, bearing: 200))
        let found = try await candidates(bench, 3_000)[0]
        #expect(found.map(\.valet) == [valets[1], valets[4], valets[0], valets[2]])
        let meters = zip(found.map(\.distanceMeters), [100.0, 400, 900, 2_500])
        #expect(meters.allSatisfy { abs($0 - $1) < 1 })
        let two = try await candidates(bench, 3_000, limit: 2)[0]
        #expect(two.map(\.valet) == [valets[1], valets[4]])
        #expect(try await candidates(bench, 99)[0].isEmpty)
    }

    @Test func aSearchAgreesWithLookingAtEverybody() async throws {
        var random = SeededRandom(seed: 21)
        let places = (0..<150).map { _ in
            Coordinate(
                latitude: .random(in: 22.2...22.3, using: &random),
                longitude: .random(in: 114.1...114.2, using: &random))
        }
        let bench = try await Bench()
        let valets = try await add(places, to: bench)
        for radius in [300.0, 1_000, 2_500, 6_000] {
            for limit in [3, 20] {
                let here = places.randomElement(using: &random) ?? center
                let found = try await candidates(bench, radius, limit: limit, at: here)[0]
                let expected = zip(valets, places)
                    .map { (valet: $0, meters: Geo.distanceMeters(here, $1)) }
                    .filter { $0.meters <= radius }.sorted { $0.meters < $1.meters }
                #expect(found.map(\.valet) == expected.prefix(limit).map(\.valet))
            }
        }
    }

    @Test func severalPointsAreAnsweredAtOnce() async throws {
        let west = center.moved(3_000, bearing: 270)
        let (bench, valets) = try await bench(center.moved(50), west.moved(50))
        let found = try await candidates(bench, 800, at: center, west, Bench.outside)
        #expect(found.map { $0.map(\.valet) } == [[valets[0]], [valets[1]], []])
    }

    @Test func anotherAreasValetsAreNoCandidates() async throws {
        let border = Coordinate(latitude: 22.25, longitude: 114.199)
        let (bench, _) = try await bench(border.moved(300))
        #expect(try await candidates(bench, 6_000, at: border)[0].isEmpty)
        #expect(try await bench.useCases.nearby(border, radiusMeters: 1_000).count == 1)
    }

    @Test func aSilentValetIsNotOfferedUntilTheyAreHeardOf() async throws {
        let bench = try await Bench()
        try await bench.makeAvailable(.victor, at: center)
        bench.clock.advance(by: 60)
        #expect(try await bench.nearbyCount() == 1)
        bench.clock.advance(by: 0.001)
        #expect(try await bench.nearbyCount() == 0)
        #expect(try await candidates(bench, 3_000)[0].isEmpty)
        #expect(try await bench.status(of: .victor) == .available)
        // The search itself has taken them out of the sets.
        #expect(try await bench.freeSets().isEmpty)
        try await bench.record(.victor, at: center)
        #expect(try await bench.nearbyCount() == 1)
    }

    @Test func anOldPointAfterAGapDoesNotMakeAValetFresh() async throws {
        let bench = try await Bench()
        _ = try await bench.useCases.setShift(TestPerson.victor.valet, .on)
        try await bench.record(bench.entry(.victor, center, secondsAgo: 61))
        #expect(try await bench.nearbyCount() == 0)
        try await bench.record(bench.entry(.victor, center, secondsAgo: 59))
        #expect(try await bench.nearbyCount() == 1)
    }

    @Test func aValetOnShiftWithoutAPositionIsNotOfferedYet() async throws {
        let bench = try await Bench()
        let valet = TestPerson.victor.valet
        #expect(try await bench.useCases.setShift(valet, .on) == .available)
        #expect(try await bench.nearbyCount() == 0)
        try await bench.record(.victor, at: center)
        #expect(try await bench.nearbyCount() == 1)
        #expect(try await bench.useCases.setShift(valet, .off) == .offline)
        #expect(try await bench.nearbyCount() == 0)
        // A valet who is off shift may go on sending positions.
        bench.clock.advance(by: 10)
        try await bench.record(.victor, at: center)
        #expect(try await bench.nearbyCount() == 0)
        #expect(try await bench.useCases.setShift(valet, .on) == .available)
        #expect(try await bench.nearbyCount() == 1)
    }

    @Test func customersAreNeverFound() async throws {
        let bench = try await Bench()
        try await bench.record(.alice, at: center)
        #expect(try await bench.nearbyCount() == 0)
    }

    @Test func nearbyIsRoundedNearestFirstAndAtMostTwenty() async throws {
        var random = SeededRandom(seed: 3)
        let bench = try await Bench()
        let places = (0..<40).map { _ in
            center.moved(
                .random(in: 0...2_900, using: &random),
                bearing: .random(in: 0..<360, using: &random))
        }
        _ = try await add(places, to: bench)
        let found = try await bench.useCases.nearby(center, radiusMeters: 3_000)
        #expect(found.count == 20)
        for one in found {
            #expect(one.latitude == (one.latitude * 1_000).rounded() / 1_000)
            #expect(one.longitude == (one.longitude * 1_000).rounded() / 1_000)
            let meters = Geo.distanceMeters(
                center, Coordinate(latitude: one.latitude, longitude: one.longitude))
            #expect(one.etaSeconds == Int((meters / 5).rounded(.up)))
        }
        #expect(found.map(\.etaSeconds) == found.map(\.etaSeconds).sorted())
    }

    /// Otherwise whoever varies the radius would learn the exact distance.
    @Test func theRadiusIsHeldAgainstTheRoundedPlace() async throws {
        let place = Coordinate(latitude: 22.250_4, longitude: 114.150_4)
        let rounded = Coordinate(latitude: 22.25, longitude: 114.15)
        let here = Coordinate(latitude: 22.27, longitude: 114.17)
        let (bench, _) = try await bench(place)
        let meters = Geo.distanceMeters(here, rounded)
        #expect(Geo.distanceMeters(here, place) < meters)
        #expect(try await bench.useCases.nearby(here, radiusMeters: meters - 1).isEmpty)
        #expect(try await bench.useCases.nearby(here, radiusMeters: meters + 1).count == 1)
    }

    @Test func nearThePolesNothingBreaks() async throws {
        let bench = try await Bench()
        let pole = Coordinate(latitude: 89.999, longitude: 0)
        #expect(try await bench.record(.victor, at: pole) == .used)
        #expect(try await bench.useCases.nearby(pole, radiusMeters: 6_000).isEmpty)
        #expect(try await candidates(bench, 6_000, at: pole)[0].isEmpty)
    }

    @Test func whereNamedValetsAreIsAnsweredInTheirOrder() async throws {
        let bench = try await Bench()
        var valets: [ValetID] = []
        for place in [center, Bench.inKowloon, Bench.outside] {
            bench.clock.advance(by: 1)
            valets += try await add([place], to: bench)
        }
        try await bench.record(.alice, at: center)
        let strangers = [ValetID.new(), TestPerson.alice.id.as(ValetID.self)]
        let found = try await bench.useCases.whereabouts(of: strangers + valets.reversed()).items
        #expect(found.map(\.valet) == valets.reversed())
        #expect(try await bench.useCases.whereabouts(of: []).items.isEmpty)
    }

    @Test func anAreaThatIsRedrawnHoldsFromTheNextPointOn() async throws {
        let bench = try await Bench()
        try await bench.makeAvailable(.victor, at: Bench.outside)
        #expect(try await bench.nearbyCount(Bench.outside) == 0)
        try await bench.receive(Bench.area(Bench.kowloon, west: 114.2, width: 0.2, version: 2))
        // An older version that comes late.
        try await bench.receive(Bench.area(Bench.kowloon, west: 114.2, version: 1))
        bench.clock.advance(by: 10)
        try await bench.record(.victor, at: Bench.outside)
        #expect(try await bench.nearbyCount(Bench.outside) == 1)
    }

    @Test func anotherReplicaReadsTheAreasFromRedis() async throws {
        let bench = try await Bench()
        let replica = try await bench.replica()
        #expect(try replica.areas.areas().map(\.id) == [Bench.island, Bench.kowloon])
    }

    @Test func stateOutlivesTheService() async throws {
        let bench = try await Bench()
        try await bench.makeAvailable(.victor, at: center)
        try await bench.receive(ValetAssigned.test(.vera))
        try await bench.record(.vera, at: center.moved(200))
        let restarted = try await bench.replica()
        let valets = try await restarted.useCases.whereabouts(
            of: [TestPerson.vera.valet, TestPerson.victor.valet]
        ).items
        #expect(valets.map(\.status.known) == [.busy, .available])
        #expect(try await restarted.useCases.nearby(center, radiusMeters: 3_000).count == 1)
        let repeated = try Point(bench.entry(.victor, center))
        #expect(try await restarted.useCases.record([repeated]) == [.ignored(.repeat)])
    }
}
