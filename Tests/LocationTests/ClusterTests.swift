import Contracts
import Foundation
import Redis
import Support
import Testing

@testable import Location

/// Regions, homes and engagements are at several nodes, so that every step here needs more than one of them.
@Suite struct ClusterTests {
    @Test func aValetIsFoundServesAndIsForgottenAcrossNodes() async throws {
        let bench = try await Bench(redis: .cluster())
        let keys = [Bench.island, Bench.kowloon].map {
            LocationKeys(region: Region(area: $0)).cells
        }
        let error = await #expect(throws: RedisError.self) {
            try await bench.redis.pool.execute(RawCommand(["SUNION"] + keys))
        }
        #expect(error?.code == "CROSSSLOT")

        // One batch, two regions, a customer and a valet.
        _ = try await bench.useCases.setShift(TestPerson.victor.valet, .on)
        let outcomes = try await bench.record(
            bench.entry(.victor, Bench.inIsland), bench.entry(.alice, Bench.inKowloon))
        #expect(outcomes == [.used, .used])
        #expect(try await bench.nearbyCount() == 1)

        bench.clock.advance(by: 300)
        try await bench.record(.victor, at: Bench.inKowloon)
        #expect(try await bench.nearbyCount() == 0)
        #expect(try await bench.nearbyCount(Bench.inKowloon) == 1)
        #expect(
            try await bench.store.lastSeen([TestPerson.victor.id, TestPerson.alice.id]).count == 2)

        try await bench.receive(ValetAssigned.test(.victor))
        #expect(try await bench.status(of: .victor) == .busy)
        #expect(try await bench.nearbyCount(Bench.inKowloon) == 0)
        #expect(try await bench.useCases.held(on: TestPerson.victor.id).track.count == 2)
        let homes = try await bench.store.knownHomes([TestPerson.victor.id])
        #expect(homes[TestPerson.victor.id]?.region == Region(area: Bench.kowloon))

        try await bench.receive(
            AccountDeleted(
                account: TestPerson.victor.id, role: .valet, version: 9,
                deletedAt: bench.clock.now))
        #expect(try await bench.status(of: .victor) == nil)
        #expect(try await bench.useCases.held(on: TestPerson.victor.id).track.isEmpty)
    }
}
