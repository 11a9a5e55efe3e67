import Answers
import Contracts
import EventBus
import Foundation
import Kafka
import ServiceKit
import ServiceLifecycle
import Support
import Testing

@testable import Notifications

@Suite struct DeadLetterTests {
    private let event = RatingGiven.of(.alice)

    private func dead(
        _ id: DeadLetterID = .new(), value: Data? = nil,
        change: (inout [String: String]) -> Void = { _ in }
    ) throws -> ReceivedRecord {
        let envelope = Delivery.of(event, at: TestClock().now).envelope
        var headers = Dictionary(envelope.headers.map { ($0.name, $0.value) }) { first, _ in first }
        headers[DeadHeader.id] = id.description
        headers[DeadHeader.reason] = "no such column"
        headers[DeadHeader.consumer] = "ratings"
        headers[DeadHeader.attempts] = "6"
        headers[DeadHeader.signature] = "ratings:c2lnbmVk"
        change(&headers)
        return ReceivedRecord(
            topic: "ratings.dead", partition: 0, offset: 7, key: event.key,
            value: try value ?? Wire.encode(event), headers: headers)
    }

    private func list(_ caller: Caller, _ query: String = "") async throws -> Page<DeadLetter> {
        try await caller.call(.get, "/v1/admin/dead-letters\(query)", as: .olivia)
            .expect(200, Page<DeadLetter>.self)
    }

    private func retry(
        _ caller: Caller, _ id: DeadLetterID, as person: TestPerson? = .olivia, key: String? = nil
    ) async throws -> Answer {
        try await caller.call(.post, "/v1/admin/dead-letters/\(id)/retry", as: person, key: key)
    }

    @Test func aRunOfDeadRecordsIsOnePush() async throws {
        let bench = try Bench()
        try await bench.subscribe(.browser(), .olivia)
        for _ in 0..<3 { try await bench.notifications.keep(try dead()) }
        #expect(try await bench.feed(.operators).count == 3)
        #expect(try await bench.pushJobs().map(\.body.message.number) == [3])
    }

    @Test func aDeadRecordIsKeptOnceAndOperatorsAreAlerted() async throws {
        let bench = try Bench()
        let id = DeadLetterID.new()
        for _ in 0..<2 { try await bench.notifications.keep(try dead(id)) }
        try await bench.run { caller in
            let letter = try #require(try await list(caller).items.first)
            #expect(letter.id == id)
            #expect(letter.topic == "ratings")
            #expect(letter.consumer == "ratings")
            #expect(letter.eventType == RatingGiven.type)
            #expect(EventID(letter.eventID) != nil)
            #expect(letter.reason == "no such column")
            #expect(letter.attempts == 6)
            #expect(letter.createdAt == bench.clock.now)
            #expect(letter.retriedAt == nil)
        }
        let alerts = try await bench.feed(.operators)
        #expect(
            alerts.map(\.text)
                == ["ratings couldn’t handle ratings.rating-given.v1: no such column"])
    }

    @Test func operatorsAreToldOfForgeriesOnceATopicAndHour() async throws {
        let bench = try Bench()
        func forge(_ topic: String) async throws {
            let letter = try dead { $0[DeadHeader.forged] = "1" }
            try await bench.notifications.keep(
                ReceivedRecord(
                    topic: topic, partition: 0, offset: 0, key: letter.key, value: letter.value,
                    headers: letter.headers))
        }
        for _ in 0..<3 { try await forge("ratings.dead") }
        try await forge("payments.dead")
        #expect(try await bench.feed(.operators).count == 2)
        try await bench.notifications.keep(try dead())
        #expect(try await bench.feed(.operators).count == 3)
        bench.clock.advance(by: 3_600)
        for _ in 0..<3 { try await forge("ratings.dead") }
        #expect(try await bench.feed(.operators).count == 4)
        #expect(try await bench.notifications.deadLetters(.init()).items.count == 8)
    }

    @Test func ofAFloodOfForgeriesTheFirstOfAnHourAreKept() async throws {
        let bench = try Bench()
        let most = NotificationUseCases.mostForgeries
        func kept() async throws -> Int {
            try await bench.database.read {
                try $0.letters.page(PageRequest(limit: 3 * most)).items.count
            }
        }
        for _ in 0..<most + 3 {
            try await bench.notifications.keep(try dead { $0[DeadHeader.forged] = "1" })
        }
        #expect(try await kept() == most)
        // What is ours finds its place all the same, and the next hour has its own.
        try await bench.notifications.keep(try dead())
        bench.clock.advance(by: 3_600)
        try await bench.notifications.keep(try dead { $0[DeadHeader.forged] = "1" })
        #expect(try await kept() == most + 2)
    }

    @Test func whatNobodyMaySayCantBeRetried() async throws {
        let bench = try Bench()
        try await bench.notifications.keep(try dead { $0[DeadHeader.forged] = "1" })
        try await bench.notifications.keep(try dead { $0[DeadHeader.signature] = "" })
        try await bench.run { caller in
            let ids = try await list(caller).items.map(\.id)
            #expect(ids.count == 2)
            for id in ids {
                try await retry(caller, id).refused(409, "notification.dead_letter_unusable")
            }
        }
        #expect(try await outboxEvents(of: RatingGiven.self, in: bench.database).isEmpty)
    }

    @Test func lettersAreListedNewestFirst() async throws {
        let bench = try Bench()
        var ids: [DeadLetterID] = []
        for _ in 0..<5 {
            bench.clock.advance(by: 1)
            ids.append(.new(at: bench.clock.now))
            try await bench.notifications.keep(try dead(ids[ids.count - 1]))
        }
        let expected = Array(ids.reversed())
        try await bench.run { caller in
            var (found, after): ([DeadLetterID], String?) = ([], nil)
            repeat {
                let page = try await list(caller, "?limit=2" + (after.map { "&after=\($0)" } ?? ""))
                found += page.items.map(\.id)
                after = page.next
            } while after != nil
            #expect(found == expected)
        }
    }

    @Test func aRetryPublishesTheSameEventOnceMore() async throws {
        let broker = try TestBroker.start()
        let bench = try Bench()
        let letter = try dead()
        try await bench.notifications.keep(letter)
        let id = try #require(letter.headers[DeadHeader.id].flatMap(DeadLetterID.init))
        #expect(try await bench.database.read { try $0.letters.waiting() } == 1)
        try await bench.run { caller in
            bench.clock.advance(by: 60)
            let retried = try await retry(caller, id).expect(200, DeadLetter.self)
            #expect(retried.retriedAt == bench.clock.now)
            #expect(try await list(caller).items.first?.retriedAt == bench.clock.now)
            // Once more: the same row of the outbox, not a second one.
            try await retry(caller, id).expect(200, DeadLetter.self)
        }
        #expect(try await bench.database.read { try $0.letters.waiting() } == 0)
        let acted = try await outboxEvents(of: OperatorActed.self, in: bench.database)
        #expect(
            acted.map(\.action) == Array(repeating: "notifications.retry-dead-letter", count: 2))
        #expect(acted.allSatisfy { $0.by == TestPerson.olivia.operatorID })
        #expect(acted.allSatisfy { $0.subject == id.description && $0.reason == nil })
        #expect(try await outboxEvents(of: RatingGiven.self, in: bench.database) == [event])
        let producer = try KafkaProducer(broker.configuration)
        let consumer = try KafkaConsumer(
            broker.configuration, group: "reader", topics: ["ratings"], start: .earliest)
        try await withThrowingTaskGroup(of: Void.self) { group in
            let relay = OutboxRelay(
                bench.database, producer: producer, logger: bench.environment.logger)
            group.addTask { await producer.run() }
            group.addTask { try await relay.run() }
            var record: ReceivedRecord?
            let isThere = try await eventually {
                while record?.headers["ce_type"] != RatingGiven.type {
                    guard let next = try await consumer.next(within: .milliseconds(200)) else {
                        return false
                    }
                    record = next
                }
                return true
            }
            #expect(isThere)
            var headers = letter.headers.filter { !$0.key.hasPrefix("dead_") }
            headers[EventSignatures.header] = letter.headers[DeadHeader.signature]
            #expect(record?.headers == headers)
            #expect(record?.value == letter.value)
            #expect(record?.key == letter.key)
            group.cancelAll()
        }
        try await consumer.close()
    }

    @Test func theSameKeyRetriesOnce() async throws {
        let bench = try Bench()
        let id = DeadLetterID.new()
        try await bench.notifications.keep(try dead(id))
        try await bench.run { caller in
            let first = try await retry(caller, id, key: "k")
            bench.clock.advance(by: 60)
            #expect(try await retry(caller, id, key: "k").data == first.data)
        }
    }

    @Test func whatIsNoEventCantBeRetried() async throws {
        let bench = try Bench()
        try await bench.notifications.keep(try dead { $0["ce_id"] = nil })
        try await bench.notifications.keep(try dead(value: Data([0xFF, 0xFE])))
        try await bench.notifications.keep(
            ReceivedRecord(topic: "ratings.dead", partition: 0, offset: 1, key: nil, value: Data()))
        try await bench.run { caller in
            let ids = try await list(caller).items.map(\.id)
            #expect(ids.count == 3)
            for id in ids {
                try await retry(caller, id).refused(409, "notification.dead_letter_unusable")
            }
        }
    }

    @Test func lettersAreForOperatorsOnly() async throws {
        let bench = try Bench()
        let id = DeadLetterID.new()
        try await bench.notifications.keep(try dead(id))
        try await bench.run { caller in
            for person in [TestPerson.alice, .victor] {
                try await caller.call(.get, "/v1/admin/dead-letters", as: person)
                    .refused(403, "auth.role")
                try await retry(caller, id, as: person).refused(403, "auth.role")
            }
            try await retry(caller, id, as: nil).refused(401, "auth.token_missing")
            try await caller.call(.get, "/v1/admin/dead-letters", as: nil)
                .refused(401, "auth.token_missing")
            try await retry(caller, .new()).refused(404, "notification.dead_letter_unknown")
            try await caller.call(.post, "/v1/admin/dead-letters/x/retry", as: .olivia)
                .refused(404, "request.not_found")
            try await caller.call(.get, "/v1/admin/dead-letters?after=x", as: .olivia)
                .refused(422, "request.invalid", field: "after")
        }
    }
}
