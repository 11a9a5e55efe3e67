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

    private func changed(_ person: TestPerson, version: Int, _ bench: Bench) -> AccountChanged {
        AccountChanged(
            account: person.account(createdAt: bench.clock.now), suspended: false,
            version: version)
    }

    private func count(_ set: StateSet, _ bench: Bench) async throws -> StateCount {
        try #require(try await bench.location.counts().first { $0.set == set })
    }

    @Test(arguments: RedisKind.allCases)
    func copiesAreCountedAsTheirOwnersCountThem(_ kind: RedisKind) async throws {
        let bench = try await Bench(redis: try await kind.start())
        let (victor, vera) = (TestPerson.victor, TestPerson.vera)
        // Alice is no valet, Vera is off shift, and Victor serves in another area than he began in.
        let told = [
            changed(victor, version: 3, bench), changed(vera, version: 5, bench),
            changed(.alice, version: 2, bench),
        ]
        for event in told { try await bench.receive(event) }
        try await bench.makeAvailable(victor, at: Bench.inIsland)
        bench.clock.advance(by: 600)
        try await bench.record(victor, at: Bench.inKowloon)
        try await bench.record(.alice, at: Bench.inIsland)
        let open = EngagementChanged(ValetAssigned.test(victor).order)
        let ended = EngagementChanged(.test(.cancelled, version: 2, id: .new()))
        for event in [open, ended] { try await bench.receive(event) }

        let shift = AvailabilityChanged(
            valet: victor.valet, status: .busy, serviceArea: Bench.kowloon,
            changedAt: bench.clock.now)
        let areas = [
            Bench.area(Bench.island, west: 114.1), Bench.area(Bench.kowloon, west: 114.2),
        ]
        let owned = [
            areas.flatMap(\.marks), told.flatMap(\.marks), shift.marks, (open.marks + ended.marks),
        ].flatMap(\.self)
        for set in [StateSet.areas, .valets, .shifts, .engagements] {
            let expected = StateDigest(owned.filter { $0.set == set }).count(of: set)
            #expect(try await count(set, bench) == expected)
        }
        #expect(try await count(.valets, bench).count == 2)
        #expect(try await count(.shifts, bench).count == 1)
        #expect(try await count(.engagements, bench).count == 1)
    }

    @Test func whatIsMissingOrOldChangesTheCount() async throws {
        let bench = try await Bench()
        for person in [TestPerson.victor, .vera] {
            try await bench.receive(changed(person, version: 3, bench))
            _ = try await bench.useCases.setShift(person.valet, .on)
        }
        try await bench.receive(ValetAssigned.test(.victor))
        let sets = [StateSet.valets, .shifts, .engagements]
        let whole = try await bench.location.counts().filter {
            $0.set.known.map(sets.contains) ?? false
        }
        #expect(whole.map(\.count) == [2, 2, 1])

        let keys = LocationKeys(region: .nowhere)
        for key in [
            keys.person(TestPerson.victor.id), LocationKeys.engagement(OrderSnapshot.engagementID),
        ] {
            _ = try await bench.redis.pool.execute(RawCommand("DEL", key))
        }
        for count in whole {
            let set = try #require(count.set.known)
            let now = try await self.count(set, bench)
            #expect(now.count == count.count - 1)
            #expect(!now.counts(theSameAs: count))
        }
        let old = try await count(.valets, bench)
        try await bench.receive(changed(.vera, version: 4, bench))
        let new = try await count(.valets, bench)
        #expect(new.count == old.count && !new.counts(theSameAs: old))
    }

    @Test(arguments: [true, false])
    func aMoveCountsOnceFinishedOrNot(_ isEastward: Bool) async throws {
        let bench = try await Bench()
        let victor = TestPerson.victor
        let places = [(Bench.island, Bench.inIsland), (Bench.kowloon, Bench.inKowloon)]
        let (from, to) = isEastward ? (places[0], places[1]) : (places[1], places[0])
        try await bench.receive(changed(victor, version: 3, bench))
        try await bench.makeAvailable(victor, at: from.1)
        let valets = try await count(.valets, bench)
        let shifts = try await count(.shifts, bench)
        bench.clock.advance(by: 600)
        try await bench.record(victor, at: to.1)
        #expect(try await count(.valets, bench) == valets)
        #expect(try await count(.shifts, bench) == shifts)

        // What is left in the old region tells nothing of what comes later.
        _ = try await bench.useCases.setShift(victor.valet, .off)
        #expect(try await count(.shifts, bench).count == 0)
        // As if the new region had not been reached.
        let new = LocationKeys(region: Region(area: to.0)).person(victor.id)
        _ = try await bench.redis.pool.execute(RawCommand("DEL", new))
        #expect(try await count(.valets, bench) == valets)
        #expect(try await count(.shifts, bench) == shifts)
    }

    @Test func aDeletedValetIsNoCopyAnyMore() async throws {
        let bench = try await Bench()
        let victor = TestPerson.victor
        try await bench.receive(changed(victor, version: 3, bench))
        try await bench.makeAvailable(victor, at: Bench.inIsland)
        try await bench.receive(
            AccountDeleted(
                account: victor.id, role: .valet, version: 9, deletedAt: bench.clock.now))
        #expect(try await count(.valets, bench).count == 0)
        #expect(try await count(.shifts, bench).count == 0)
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

    /// The job comes and goes before anybody has noticed that Redis is empty.
    @Test func theEndOfAJobEndsNoShiftThatIsLost() async throws {
        let bench = try await Bench(redis: try await TestRedis.start())
        let victor = TestPerson.victor
        try await bench.makeAvailable(victor, at: Bench.inIsland)
        let orders: [OrderSnapshot] = [
            ValetAssigned.test(victor).order, .test(.cancelled, version: 3, dropOffValet: victor),
        ]
        _ = try await bench.redis.pool.execute(RawCommand("FLUSHALL"))
        for order in orders { try await bench.receive(EngagementChanged(order)) }
        func told() async throws -> [ValetStatus] {
            try await bench.events().compactMap { ($0 as? AvailabilityChanged)?.status.known }
        }
        #expect(try await told() == [.busy])
        try await bench.useCases.restore(
            AvailabilityChanged(
                valet: victor.valet, status: .busy, serviceArea: Bench.island,
                changedAt: bench.clock.now))
        #expect(try await bench.status(of: victor) == .available)
        _ = try await bench.useCases.setShift(victor.valet, .off)
        #expect(try await told() == [.busy, .available, .offline])
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
