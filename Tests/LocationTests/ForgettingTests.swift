import Contracts
import Foundation
import Geo
import Redis
import Support
import Testing

@testable import Location

@Suite struct ForgettingTests {
    private func deleted(_ person: TestPerson, _ bench: Bench) -> AccountDeleted {
        AccountDeleted(
            account: person.id, role: person.role, version: 9, deletedAt: bench.clock.now)
    }

    /// What Redis has under keys with the person's id, and how long that lives.
    private func kept(
        of person: TestPerson, _ bench: Bench
    ) async throws -> [String: (fields: [String: String], seconds: Int)] {
        let reply = try await bench.redis.pool.execute(RawCommand("KEYS", "*\(person.id)*"))
        var kept: [String: (fields: [String: String], seconds: Int)] = [:]
        for key in (reply.array ?? []).compactMap(\.string) {
            let seconds = try await bench.redis.pool.execute(RawCommand("TTL", key)).int ?? -1
            let type = try await bench.redis.pool.execute(RawCommand("TYPE", key)).string
            var fields: [String: String] = [:]
            if type == "hash" {
                fields = try await bench.redis.pool.execute(RawCommand("HGETALL", key)).pairs
            } else {
                fields["type"] = type
            }
            kept[key] = (fields, seconds)
        }
        return kept
    }

    /// Only the home, and a mark in each region; all of it ends by itself.
    private func expectNothing(
        of person: TestPerson, _ bench: Bench, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let kept = try await kept(of: person, bench)
        let marks = kept.values.filter { $0.fields["gone"] == "1" }
        #expect(marks.count == 3, "\(kept)", sourceLocation: sourceLocation)
        #expect(kept.count == 4, "\(kept)", sourceLocation: sourceLocation)
        #expect(
            kept.values.allSatisfy { $0.seconds > 0 }, "\(kept)", sourceLocation: sourceLocation)
        #expect(marks.allSatisfy { $0.fields["la"] == nil }, sourceLocation: sourceLocation)
        #expect(
            try await bench.freeSets()[person.valet] == nil, sourceLocation: sourceLocation)
        #expect(try await bench.status(of: person) == nil, sourceLocation: sourceLocation)
        #expect(
            try await bench.store.lastSeen([person.id]).isEmpty, sourceLocation: sourceLocation)
    }

    @Test func nothingIsLeftOfAValet() async throws {
        let bench = try await Bench()
        try await bench.makeAvailable(.victor, at: Bench.inIsland)
        bench.clock.advance(by: 600)
        try await bench.record(.victor, at: Bench.inKowloon)
        #expect(try await bench.nearbyCount(Bench.inKowloon) == 1)
        for _ in 0..<2 { try await bench.receive(deleted(.victor, bench)) }
        try await expectNothing(of: .victor, bench)
        #expect(try await bench.nearbyCount(Bench.inKowloon) == 0)
        #expect(try await bench.statuses(of: .victor).last == .offline)
    }

    @Test func nothingIsLeftOfACustomerAndTheirOrderHasNoPlace() async throws {
        let bench = try await Bench()
        try await bench.record(.alice, at: Bench.inIsland)
        try await bench.receive(ValetAssigned.test(.victor))
        try await bench.receive(
            OrderFinished(order: .test(.finished, version: 9, dropOffValet: .victor)))
        try await bench.receive(deleted(.alice, bench))
        try await expectNothing(of: .alice, bench)
        let engagement = try #require(
            try await bench.store.engagement(OrderSnapshot.engagementID))
        #expect(engagement.way == nil && engagement.markers.allSatisfy { $0.at == nil })
    }

    @Test func whatComesLateBringsNothingBack() async throws {
        let bench = try await Bench()
        try await bench.makeAvailable(.victor, at: Bench.inIsland)
        try await bench.record(.alice, at: Bench.inIsland)
        try await bench.receive(deleted(.victor, bench))
        try await bench.receive(deleted(.alice, bench))
        for person in [TestPerson.victor, .alice] {
            let account = person.account(createdAt: bench.clock.now)
            try await bench.receive(
                AccountChanged(account: account, suspended: false, version: 99))
        }
        try await bench.receive(ValetAssigned.test(.victor))
        bench.clock.advance(by: 60)
        for place in [Bench.inIsland, Bench.inKowloon, Bench.outside] {
            #expect(try await bench.record(.victor, at: place) == .ignored(.gone))
            #expect(try await bench.record(.alice, at: place) == .ignored(.gone))
        }
        #expect(try await bench.useCases.setShift(TestPerson.victor.valet, .on) == .offline)
        for person in [TestPerson.victor, .alice] { try await expectNothing(of: person, bench) }
    }

    @Test func anUnfinishedMoveDoesNotBringThemBack() async throws {
        let bench = try await Bench()
        try await bench.makeAvailable(.victor, at: Bench.inIsland)
        let island = LocationKeys(region: Region(area: Bench.island))
        var state = try await bench.redis.pool.execute(
            RawCommand("HGETALL", island.person(TestPerson.victor.id))
        ).pairs
        state["moved"] = Bench.kowloon.description
        state["epoch"] = "7"
        try await bench.receive(deleted(.victor, bench))
        // As by a replica that had read the state before.
        _ = try await bench.store.run(
            LocationScripts.settle, in: Region(area: Bench.kowloon),
            [TestPerson.victor.id.description] + state.flatMap { [$0.key, $0.value] })
        try await expectNothing(of: .victor, bench)
    }

    @Test func somebodyWhoWasNeverSeenIsForgottenToo() async throws {
        let bench = try await Bench()
        try await bench.receive(deleted(.bob, bench))
        #expect(try await bench.record(.bob, at: Bench.inIsland) == .ignored(.gone))
        try await expectNothing(of: .bob, bench)
    }

    @Test func theOthersStay() async throws {
        let bench = try await Bench()
        try await bench.makeAvailable(.victor, at: Bench.inIsland)
        try await bench.makeAvailable(.vera, at: Bench.inIsland)
        try await bench.receive(deleted(.victor, bench))
        #expect(try await bench.nearbyCount() == 1)
        #expect(try await bench.status(of: .vera) == .available)
    }

    @Test func beforeTheAreasAreReadADeletionWaits() async throws {
        let bench = try await Bench(withAreas: false)
        await #expect(throws: (any Error).self) { try await bench.receive(deleted(.bob, bench)) }
    }

    @Test func anExportHasTheTrackAndWhereTheyAre() async throws {
        let bench = try await Bench()
        try await bench.makeAvailable(.victor, at: Bench.inIsland)
        bench.clock.advance(by: 600)
        try await bench.record(.victor, at: Bench.inKowloon)
        try await bench.record(bench.entry(.victor, Bench.inKowloon, secondsAgo: 30))
        let path = "/internal/people/\(TestPerson.victor.id)"
        try await bench.http { caller in
            let answer = try await caller.internally(.get, path)
            #expect(answer.status == 200)
            let held = try #require(
                JSONSerialization.jsonObject(with: answer.data) as? [String: Any])
            let track = try #require(held["track"] as? [[String: Any]])
            #expect(track.count == 3)
            #expect(track.map { $0["ignored"] as? String } == [nil, "late", nil])
            #expect(held["status"] as? String == "available")
            let position = try #require(held["position"] as? [String: Any])
            #expect(position["longitude"] as? Double == Bench.inKowloon.longitude)
            let other = try await caller.internally(.get, "/internal/people/\(TestPerson.bob.id)")
            #expect(other.status == 200)
            #expect(try await caller.call(.get, path, as: .victor).status == 401)
            #expect(try await caller.call(.get, path, as: nil).status == 401)
            #expect(try await caller.internally(.get, "/internal/people/x").status == 404)
        }
    }
}
