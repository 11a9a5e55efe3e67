import Contracts
import Foundation
import Geo
import Support
import Testing

@testable import Location

/// The events as location really says them, held against the files that readers decode.
@Suite struct FixtureTests {
    private func expect(_ event: some Event) throws {
        #expect(try EventFixtures.read(type(of: event)) == event)
        try EventFixtures.expect(event)
    }

    /// An arrival of Victor's at Alice's.
    private func bench() async throws -> Bench {
        let bench = try await Bench()
        try await bench.makeAvailable(.victor, at: Bench.inIsland)
        try await bench.receive(ValetAssigned.test(.victor))
        for _ in 0..<2 {
            bench.clock.advance(by: 10)
            var entry = bench.entry(.victor, Bench.inIsland)
            entry.point.headingDegrees = 270
            try await bench.record(entry)
        }
        return bench
    }

    @Test func anArrivalIsAsItsFixture() async throws {
        let bench = try await bench()
        try expect(try #require(try await bench.arrivals().first))
    }

    @Test func aDepartureIsAsItsFixture() async throws {
        let bench = try await Bench()
        var engagement = Engagement(
            id: EngagementID("01900000-0000-7000-8000-000000000901")!, product: "spots",
            version: 1, state: .open)
        let (alice, bob) = (TestPerson.alice.id, TestPerson.bob.id)
        engagement.participants = [.init(alice), .init(bob, sees: [alice])]
        engagement.leaving = .init(
            id: "handOver", person: alice, from: Bench.inIsland, beyondMeters: 30)
        try await bench.receive(EngagementChanged(engagement))
        bench.clock.advance(by: 10)
        try await bench.record(.alice, at: Bench.inIsland.moved(40))
        try expect(try #require(try await bench.departures().first))
    }

    @Test func aChangeOfAvailabilityIsAsItsFixture() async throws {
        let bench = try await bench()
        let events = try await bench.events().compactMap { $0 as? AvailabilityChanged }
        try expect(try #require(events.first { $0.status == .busy }))
    }

    @Test func aPositionIsAsItsFixture() async throws {
        let bench = try await bench()
        try expect(try #require(bench.location.feed.take().last))
    }
}
