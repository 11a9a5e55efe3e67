import Contracts
import Foundation
import Geo
import Redis
import Support
import Testing

@testable import Location

/// Other services are told where somebody was last, whoever they are.
@Suite struct LastPositionTests {
    private let place = Bench.inIsland
    private let alice = TestPerson.alice.id
    private let bob = TestPerson.bob.id

    private func ask(_ bench: Bench, _ people: PersonID...) async throws -> [LastPosition] {
        try await bench.useCases.lastPositions(of: people).items
    }

    @Test func theNewestThatCountsIsTold() async throws {
        let bench = try await Bench()
        try await bench.record(bench.entry(.alice, place.moved(20), accuracy: 4))
        bench.clock.advance(by: 10)
        try await bench.record(bench.entry(.alice, place, accuracy: 8))
        let now = bench.clock.now
        try await bench.record(
            bench.entry(.alice, place.moved(30), secondsAgo: 5),
            bench.entry(.alice, place.moved(40), secondsAgo: -1, accuracy: 300))
        #expect(
            try await ask(bench, alice) == [
                LastPosition(
                    person: alice, latitude: place.latitude, longitude: place.longitude,
                    accuracyMeters: 8, recordedAt: now)
            ])
        bench.clock.advance(by: 10)
        try await bench.record(.alice, at: place)
        #expect(try await ask(bench, alice).map(\.accuracyMeters) == [nil])
    }

    @Test func whoIsUnknownIsLeftOut() async throws {
        let bench = try await Bench()
        try await bench.record(.alice, at: place)
        try await bench.makeAvailable(.victor, at: place.moved(50))
        _ = try await bench.useCases.setShift(TestPerson.vera.valet, .on)
        let known = try await ask(bench, bob, TestPerson.victor.id, TestPerson.vera.id, alice)
        #expect(known.map(\.person) == [TestPerson.victor.id, alice])
    }

    /// As redis keeps it by its own clock: a day.
    @Test func aCustomersIsKnownWithoutAnyEngagement() async throws {
        let bench = try await Bench()
        try await bench.http { caller in
            let json = #"{"latitude":22.25,"longitude":114.15,"accuracyMeters":5}"#
            let put = try await caller.call(.put, "/v1/me/location", json, as: .alice)
            #expect(put.status == 204)
        }
        let sent = bench.clock.now
        bench.clock.advance(by: 3_600)
        #expect(try await ask(bench, alice).map(\.recordedAt) == [sent])
        let key = LocationKeys(region: Region(area: Bench.island)).person(alice)
        let left = try await bench.redis.pool.execute(RawCommand("TTL", key))
        #expect(try #require(left.int) > LocationRules.rememberedSeconds - 60)
    }

    @Test func itIsKnownAcrossAreas() async throws {
        let bench = try await Bench()
        try await bench.record(bench.entry(.alice, place, accuracy: 3))
        bench.clock.advance(by: 600)
        try await bench.record(bench.entry(.alice, Bench.inKowloon, accuracy: 7))
        let position = try #require(try await ask(bench, alice).first)
        #expect(position.coordinate == Bench.inKowloon)
        #expect(position.accuracyMeters == 7)
    }

    @Test func whoIsForgottenIsUnknown() async throws {
        let bench = try await Bench()
        try await bench.record(.alice, at: place)
        try await bench.receive(
            AccountDeleted(
                account: alice, role: .customer, version: 9, deletedAt: bench.clock.now))
        #expect(try await ask(bench, alice).isEmpty)
    }

    @Test func servicesAskAndNobodyElse() async throws {
        let bench = try await Bench()
        try await bench.record(bench.entry(.alice, place, accuracy: 5))
        let query = String(
            decoding: try Wire.encode(LastPositionsQuery(people: [bob, alice])), as: UTF8.self)
        try await bench.http { caller in
            let path = "/internal/last-positions"
            let answer = try await caller.internally(.post, path, query)
            #expect(answer.status == 200)
            let items = try answer.decoded(LastPositionsAnswer.self).items
            #expect(items.map(\.person) == [alice])
            #expect(items.first?.accuracyMeters == 5)
            #expect(try await caller.call(.post, path, query, as: .olivia).status == 401)
            let many = LastPositionsQuery(
                people: (0...LastPositionsQuery.most).map { _ in .new() })
            let text = String(decoding: try Wire.encode(many), as: UTF8.self)
            let refused = try await caller.internally(.post, path, text)
            #expect(refused.status == 422)
            #expect(refused.problem?.field == "people")
        }
    }
}
