import Contracts
import Foundation
import Geo
import Kafka
import Redis
import ServiceKit
import Support
import Testing

@testable import Location

/// What location says reaches the bus: events at least once, positions the newest.
@Suite struct OutboxTests {
    private func records(
        _ broker: TestBroker, _ topic: Topic, count: Int
    ) async throws -> [ReceivedRecord] {
        let consumer = try KafkaConsumer(
            broker.configuration, group: UUID().uuidString, topics: [topic.rawValue],
            start: .earliest)
        var records: [ReceivedRecord] = []
        _ = try await eventually {
            if let record = try await consumer.next(within: .milliseconds(100)) {
                records.append(record)
            }
            return records.count >= count
        }
        try await consumer.close()
        return records
    }

    /// With the producer and, if wanted, the outbox and the feed running.
    private func running(
        _ location: Location, relays: Bool, _ body: @escaping () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await location.producer.run() }
            if relays {
                group.addTask { try await location.outbox.run() }
                group.addTask { try await location.feed.run() }
            }
            try await body()
            group.cancelAll()
        }
    }

    private func makeEvents(_ bench: Bench) async throws {
        try await bench.makeAvailable(.victor, at: Bench.inIsland)
        try await bench.receive(ValetAssigned.test(.victor))
        for _ in 0..<2 {
            bench.clock.advance(by: 10)
            try await bench.record(.victor, at: Bench.inIsland)
        }
    }

    @Test func eventsAndPositionsReachTheBus() async throws {
        let broker = try TestBroker.start()
        let bench = try await Bench(kafka: broker.bootstrapServers)
        try await running(bench.location, relays: true) {
            try await makeEvents(bench)
            let events = try await records(broker, .location, count: 4)
            #expect(
                events.map { $0.headers["ce_type"] }.filter { $0 == PartyArrived.type }.count == 1)
            #expect(Set(events.compactMap { $0.headers["ce_id"] }).count == events.count)
            #expect(events.allSatisfy { $0.headers["ce_source"] == "/location" })
            let availability =
                try events
                .filter { $0.headers["ce_type"] == AvailabilityChanged.type }
                .map { try Wire.decode(AvailabilityChanged.self, from: $0.value) }
            // On shift nowhere yet, then in the area, then with a job.
            #expect(availability.map(\.status.known) == [.available, .available, .busy])
            #expect(availability.map(\.serviceArea) == [nil, Bench.island, Bench.island])
            let positions = try await records(broker, .positions, count: 1)
            #expect(positions.allSatisfy { $0.key == TestPerson.victor.id.description })
            #expect(positions.first?.headers["ce_type"] == PositionRecorded.type)
        }
    }

    @Test func whatTheBusDidNotTakeWaits() async throws {
        let broker = try TestBroker.start()
        let bench = try await Bench(kafka: broker.bootstrapServers)
        try await makeEvents(bench)
        #expect(try await bench.events().count == 4)
        // Another replica, started later, finds them.
        let environment = try ServiceEnvironment.test(
            "location", clock: bench.clock, kafka: broker.bootstrapServers,
            redis: bench.redis.address)
        let later = try Location(LocationConfig(rules: bench.store.rules), environment)
        try await later.areas.refresh()
        try await running(later, relays: true) {
            let found = try await records(broker, .location, count: 4)
            #expect(found.count == 4)
        }
    }

    @Test func aReplaySendsTheSameEventsAgain() async throws {
        let broker = try TestBroker.start()
        let bench = try await Bench(kafka: broker.bootstrapServers)
        try await makeEvents(bench)
        try await running(bench.location, relays: false) {
            try await bench.location.outbox.drain()
            try await bench.location.outbox.drain()
            let start = Date(timeIntervalSince1970: 0)
            #expect(try await bench.location.outbox.replay(since: start) == 4)
            try await bench.location.outbox.drain()
            #expect(try await bench.location.outbox.replay(since: .distantFuture) == 0)
            try await bench.location.outbox.drain()
            let ids = try await records(broker, .location, count: 8).map { $0.headers["ce_id"] }
            #expect(ids.count == 8)
            #expect(Set(ids).count == 4)
        }
    }

    @Test func replicasTakeTurns() async throws {
        let broker = try TestBroker.start()
        let bench = try await Bench(kafka: broker.bootstrapServers)
        try await makeEvents(bench)
        let keys = LocationKeys(region: Region(area: Bench.island))
        let redis = bench.redis.pool
        _ = try await redis.execute(RawCommand("SET", keys.outboxLock, "another"))
        try await running(bench.location, relays: false) {
            // What another replica is at is left to it, and its lock too.
            try await bench.location.outbox.drain()
            #expect(try await redis.execute(RawCommand("GET", keys.outboxSent)) == .null)
            let holder = try await redis.execute(RawCommand("GET", keys.outboxLock))
            #expect(holder == .bulk("another"))
            // It died: its lock ends by itself.
            _ = try await redis.execute(RawCommand("DEL", keys.outboxLock))
            try await bench.location.outbox.drain()
            #expect(try await records(broker, .location, count: 4).count == 4)
            #expect(try await redis.execute(RawCommand("GET", keys.outboxLock)) == .null)
        }
    }

    @Test func aFailureToSendIsToldAlthoughTheLockCannotBeReleased() async throws {
        // A server of its own, since its users are those of all its databases.
        let redis = try await TestRedis.start()
        let bench = try await Bench(redis: redis)
        try await makeEvents(bench)
        // Without scripts the lock can be taken, but not released.
        _ = try await redis.pool.execute(
            RawCommand("ACL", "SETUSER", "app", "on", ">word", "~*", "+@all", "-@scripting"))
        let replica = try await bench.replica(at: "redis://app:word@127.0.0.1:\(redis.port)")
        let producing = Task { await replica.producer.run() }
        producing.cancel()
        await producing.value
        await #expect(throws: KafkaError.self) { try await replica.outbox.drain() }
        let locks = try replica.areas.regions().map {
            RawCommand("GET", LocationKeys(region: $0).outboxLock)
        }
        #expect(try await redis.pool.executeAll(locks).contains { $0 != .null })
    }

    @Test func theNewestPositionTakesThePlaceOfTheOlder() async throws {
        let bench = try await Bench()
        for step in 0..<5 {
            bench.clock.advance(by: 10)
            try await bench.record(.victor, at: Bench.inIsland.moved(Double(step) * 10))
            try await bench.record(.alice, at: Bench.inKowloon)
        }
        let waiting = bench.location.feed.take()
        #expect(waiting.map(\.position.person) == [TestPerson.victor.id, TestPerson.alice.id])
        #expect(waiting.allSatisfy { $0.position.recordedAt == bench.clock.now })
        #expect(bench.location.feed.take().isEmpty)
    }

    @Test func anIgnoredPointIsNotSent() async throws {
        let bench = try await Bench()
        try await bench.record(bench.entry(.victor, Bench.inIsland, accuracy: 500))
        #expect(bench.location.feed.take().isEmpty)
    }

    @Test func thereIsALimitToWhatWaits() async throws {
        let bench = try await Bench()
        let position = LivePosition(
            engagement: nil, person: .new(), role: .valet, latitude: 1, longitude: 1,
            headingDegrees: nil, recordedAt: bench.clock.now)
        let events = (0..<PositionFeed.mostWaiting + 10).map { _ in
            var position = position
            position.person = .new()
            return PositionRecorded(position: position, viewers: [])
        }
        bench.location.feed.add(events)
        var taken = 0
        while true {
            let batch = bench.location.feed.take()
            if batch.isEmpty { break }
            #expect(batch.count <= PositionFeed.mostSent)
            taken += batch.count
        }
        #expect(taken == PositionFeed.mostWaiting)
    }
}
