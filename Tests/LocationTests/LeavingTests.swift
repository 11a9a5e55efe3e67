import Contracts
import Foundation
import Geo
import Redis
import Support
import Testing

@testable import Location

/// Somebody whose departure is waited for has gone when a position that counts says so beyond doubt; said once.
@Suite struct LeavingTests {
    private static let id = EngagementID("01900000-0000-7000-8000-000000000901")!
    private let spot = Bench.inIsland
    private let alice = TestPerson.alice.id
    private let bob = TestPerson.bob.id

    /// Alice is to make room for Bob.
    private func exchange(
        version: Int = 1, _ leaving: String? = "handOver", state: Engagement.State = .open
    ) -> EngagementChanged {
        var engagement = Engagement(id: Self.id, product: "spots", version: version, state: state)
        engagement.participants = [.init(alice, sees: [bob]), .init(bob, sees: [alice])]
        engagement.leaving = leaving.map {
            .init(id: $0, person: alice, from: spot, beyondMeters: 30)
        }
        return EngagementChanged(engagement)
    }

    private func bench(_ event: EngagementChanged? = nil) async throws -> Bench {
        let bench = try await Bench()
        try await bench.record(.alice, at: spot)
        try await bench.receive(event ?? exchange())
        return bench
    }

    /// Points of Alice's at these distances from the spot, ten seconds apart.
    private func walk(_ bench: Bench, accuracy: Double? = nil, _ meters: Double...) async throws {
        for distance in meters {
            bench.clock.advance(by: 10)
            try await bench.record(
                bench.entry(.alice, spot.moved(distance), accuracy: accuracy))
        }
    }

    @Test func itIsToldAsTheProductNamesIt() async throws {
        let bench = try await bench()
        try await walk(bench, 10, 25, 29)
        #expect(try await bench.departures().isEmpty)
        try await walk(bench, 31)
        #expect(
            try await bench.departures() == [
                PartyLeft(
                    engagement: Self.id, product: "spots", leaving: "handOver", mover: alice,
                    peers: [bob], leftAt: bench.clock.now)
            ])
    }

    @Test func itIsToldOnceHoweverTheyWander() async throws {
        let bench = try await bench()
        try await walk(bench, 50, 100, 0, 50, 10, 200, 200)
        #expect(try await bench.departures().count == 1)
        #expect(try await bench.arrivals().isEmpty)
    }

    @Test func whoMayBeNearerHasNotGone() async throws {
        let bench = try await bench()
        try await walk(bench, accuracy: 20, 31, 45, 49)
        try await walk(bench, accuracy: 100, 100, 129)
        #expect(try await bench.departures().isEmpty)
        try await walk(bench, accuracy: 20, 51)
        #expect(try await bench.departures().count == 1)
    }

    @Test func evenTheWorstReadingThatCountsTellsOfWhoIsFarAway() async throws {
        let bench = try await bench()
        try await walk(bench, accuracy: 100, 131)
        #expect(try await bench.departures().count == 1)
    }

    @Test func aPointThatDoesNotCountIsNoDeparture() async throws {
        let bench = try await bench()
        bench.clock.advance(by: 10)
        let here = bench.entry(.alice, spot)
        try await bench.record(here)
        let far = spot.moved(60)
        let outcomes = try await bench.record(
            bench.entry(.alice, far, secondsAgo: 86_401),
            bench.entry(.alice, far, secondsAgo: -31),
            bench.entry(.alice, far, secondsAgo: 5),
            bench.entry(.alice, far, secondsAgo: 0),
            bench.entry(.alice, far, secondsAgo: -1, accuracy: 101),
            bench.entry(.alice, spot.moved(900), secondsAgo: -10), clockLead: 0)
        #expect(
            outcomes == [
                .ignored(.old), .ignored(.future), .ignored(.late), .ignored(.repeat),
                .ignored(.inaccurate), .ignored(.jump),
            ])
        #expect(try await bench.departures().isEmpty)
    }

    @Test func pointsOfOneBatchCountInTheOrderOfTheirTime() async throws {
        let bench = try await bench()
        bench.clock.advance(by: 60)
        try await bench.record(
            bench.entry(.alice, spot.moved(90), secondsAgo: 10),
            bench.entry(.alice, spot.moved(40), secondsAgo: 20),
            bench.entry(.alice, spot, secondsAgo: 30))
        let left = try await bench.departures()
        #expect(left.map(\.leftAt) == [bench.clock.now.addingTimeInterval(-20)])
    }

    @Test func onlyTheirOwnPositionsCount() async throws {
        let bench = try await bench()
        bench.clock.advance(by: 10)
        try await bench.record(.bob, at: spot.moved(500))
        #expect(try await bench.departures().isEmpty)
    }

    @Test func whoIsSeenByNobodyLeavesToo() async throws {
        var event = exchange()
        event.engagement.participants = [.init(alice), .init(bob)]
        let bench = try await bench(event)
        try await walk(bench, 40)
        #expect(try await bench.departures().map(\.peers) == [[]])
        #expect(bench.location.feed.take().allSatisfy { $0.viewers.isEmpty })
    }

    @Test func ofWhatIsCancelledOrOverNobodyLeaves() async throws {
        for state in [Engagement.State.cancelled, .ended] {
            let bench = try await bench()
            try await bench.receive(exchange(version: 2, state: state))
            try await bench.receive(exchange())
            try await walk(bench, 40, 50)
            #expect(try await bench.departures().isEmpty)
        }
    }

    @Test func whatIsNotWaitedForAnyMoreIsNotTold() async throws {
        let bench = try await bench()
        try await bench.receive(exchange(version: 2, nil))
        try await walk(bench, 40, 50)
        #expect(try await bench.departures().isEmpty)
    }

    @Test func eachIDIsToldOnceWhateverComesBetween() async throws {
        let bench = try await bench()
        try await walk(bench, 40)
        try await bench.receive(exchange())
        try await bench.receive(exchange(version: 2))
        try await walk(bench, 40, 45)
        #expect(try await bench.departures().count == 1)
        try await bench.receive(exchange(version: 3, "again"))
        try await walk(bench, 10, 40)
        #expect(try await bench.departures().map(\.leaving) == ["handOver", "again"])
        let between: [(Int, String?)] = [(4, nil), (5, "handOver"), (7, "again")]
        for (version, leaving) in between {
            try await bench.receive(exchange(version: version, leaving))
            try await walk(bench, 0, 40)
        }
        var nothing = exchange(version: 8)
        nothing.engagement.participants = []
        nothing.engagement.leaving = nil
        try await bench.receive(nothing)
        try await bench.receive(exchange(version: 9))
        try await walk(bench, 0, 40)
        #expect(try await bench.departures().count == 2)
    }

    @Test func whoLeavesTheAreaWithTheSamePointHasGone() async throws {
        let bench = try await bench()
        bench.clock.advance(by: 600)
        try await bench.record(.alice, at: Bench.inKowloon)
        bench.clock.advance(by: 10)
        try await bench.record(.alice, at: Bench.inKowloon.moved(20))
        #expect(try await bench.departures().count == 1)
    }

    @Test func oneMayArriveAndLeaveInTheSameEngagement() async throws {
        var event = exchange()
        event.engagement.way = .init(
            mover: alice, to: spot.moved(100), meeting: .init(id: "there", withinMeters: 3))
        let bench = try await bench(event)
        try await walk(bench, 20, 60, 99, 99, 99)
        #expect(try await bench.departures().map(\.leaving) == ["handOver"])
        #expect(try await bench.arrivals().map(\.meeting) == ["there"])
    }

    @Test func aJobOrAPersonFromBeforeIsReadAsItWas() async throws {
        let event = exchange(nil)
        let text = String(decoding: try Wire.encode(event), as: UTF8.self)
        #expect(!text.contains("leaving"))
        let bench = try await bench(event)
        let key = LocationKeys(region: Region(area: Bench.island)).person(alice)
        _ = try await bench.redis.pool.execute(RawCommand("HDEL", key, "accuracy"))
        #expect(try await bench.useCases.lastPositions(of: [alice]).items.count == 1)
        try await bench.receive(exchange(version: 2))
        try await walk(bench, 40)
        #expect(try await bench.departures().count == 1)
    }
}
