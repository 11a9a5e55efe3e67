import Contracts
import Foundation
import Redis
import ServiceKit
import Support
import Testing

@testable import Location

/// Redis comes back empty.
@Suite struct LostStateTests {
    @Test func marksAreMissingUntilEverythingIsFilledAndAgainWhenRedisIsEmptied() async throws {
        let redis = try await TestRedis.start()
        let marks = LocationMarks(redis: redis.pool)
        let kinds: [StateKind] = [.areas, .people]
        let gaps = kinds.map { CopyGap($0, isUrgent: true) }
        #expect(try await marks.gaps(in: kinds) == gaps)
        try await marks.begin(gaps)
        #expect(try await marks.gaps(in: kinds) == gaps)
        try await marks.finish(kinds)
        #expect(try await marks.gaps(in: kinds) == [])

        _ = try await redis.pool.execute(RawCommand("DEL", LocationKeys.mark(3, .people)))
        #expect(try await marks.gaps(in: kinds) == [gaps[1]], "a part of Redis is empty")
        try await marks.begin(gaps)
        _ = try await redis.pool.execute(RawCommand("FLUSHALL"))
        try await marks.finish(kinds)
        #expect(try await marks.gaps(in: kinds) == gaps, "emptied while it was filled")
    }

    @Test func whatAnOwnerOfAnEarlierReleaseCannotTellStaysAGapForWhichNobodyWaits() async throws {
        let redis = try await TestRedis.start()
        let marks = LocationMarks(redis: redis.pool)
        let kinds: [StateKind] = [.areas, .engagements]
        try await marks.begin(try await marks.gaps(in: kinds))
        try await marks.finish([.areas])
        try await marks.skip([.engagements])
        #expect(try await marks.gaps(in: kinds) == [CopyGap(.engagements, isUrgent: false)])
        try await marks.finish([.engagements])
        #expect(try await marks.gaps(in: kinds) == [])
    }

    @Test func areasAreCountedAsTheirOwnerCountsThem() async throws {
        let bench = try await Bench(redis: try await TestRedis.start())
        var digest = StateDigest()
        for event in [
            Bench.area(Bench.island, west: 114.1), Bench.area(Bench.kowloon, west: 114.2),
        ] {
            for mark in event.marks { digest.add(mark) }
        }
        #expect(try await bench.location.areaStore.count() == digest.count(of: .areas))
    }

    @Test(arguments: [ValetStatus.available, .busy, .onBreak])
    func aShiftThatIsLostGoesOn(_ status: ValetStatus) async throws {
        let bench = try await Bench(redis: try await TestRedis.start())
        let lost = AvailabilityChanged(
            valet: TestPerson.victor.valet, status: status, serviceArea: Bench.island,
            changedAt: bench.clock.now)
        try await bench.useCases.restore(lost)
        let found = try await bench.useCases.whereabouts(of: [TestPerson.victor.valet])
        let now: ValetStatus = status == .onBreak ? .onBreak : .available
        #expect(found.items.map(\.status.known) == [now])
    }

    @Test func whatTheValetHasDoneSinceCountsMore() async throws {
        let bench = try await Bench(redis: try await TestRedis.start())
        let victor = TestPerson.victor
        _ = try await bench.useCases.setShift(victor.valet, .on)
        try await bench.useCases.restore(
            AvailabilityChanged(
                valet: victor.valet, status: .onBreak, serviceArea: nil,
                changedAt: bench.clock.now))
        let found = try await bench.useCases.whereabouts(of: [victor.valet])
        #expect(found.items.map(\.status.known) == [.available])
    }
}
