import Contracts
import Foundation
import Kafka
import Store
import Support
import Testing

@testable import EventBus

/// What is on the bus counts only if it is signed by who may say it.
@Suite struct SignatureTests {
    private let tick = Ticked(owner: "a", number: 1)

    private func record(signed signatures: EventSignatures? = signatures) throws -> KafkaRecord {
        let record = KafkaRecord(
            topic: "orders", key: tick.key, value: try Wire.encode(tick),
            headers: Delivery.of(tick, at: noon).envelope.headers)
        return signatures?.sign(record) ?? record
    }

    private func received(_ record: KafkaRecord) -> ReceivedRecord {
        ReceivedRecord(
            topic: record.topic, partition: 0, offset: 0, key: record.key, value: record.value,
            headers: Dictionary(record.headers.map { ($0.name, $0.value) }) { $1 })
    }

    private func forgery(
        _ record: KafkaRecord, by reader: EventSignatures = signatures
    ) -> Forgery? {
        do {
            try reader.check(received(record), type: Ticked.type)
            return nil
        } catch {
            return error
        }
    }

    @Test(.withoutDatabase) func whatItsProducerSignedIsTaken() throws {
        #expect(forgery(try record()) == nil)
        #expect(forgery(try record(), by: .test("payments")) == nil)
    }

    @Test(.withoutDatabase) func anythingThatIsAlteredIsForged() throws {
        var records = Array(repeating: try record(), count: 4)
        records[0].value = try Wire.encode(Ticked(owner: "a", number: 2))
        records[1].key = "b"
        records[2].topic = "payments"
        records[3].headers.append((name: "traceparent", value: "00-0-0-00"))
        for name in try record(signed: nil).headers.map(\.name) {
            var changed = try record()
            for index in changed.headers.indices where changed.headers[index].name == name {
                changed.headers[index].value += "x"
            }
            records.append(changed)
        }
        for record in records { #expect(forgery(record) == .forged) }
    }

    @Test(.withoutDatabase) func partsThatChangePlacesAreForged() throws {
        var changed = try record()
        changed.topic = "order"
        changed.key = "s" + changed.key
        #expect(forgery(changed) == .forged)
    }

    @Test(
        .withoutDatabase,
        arguments: ["", "orders", "orders:", "orders:%", "nobody:AAAA", "orders:AAAA"])
    func aSignatureThatIsNoneIsRefused(_ text: String) throws {
        var record = try record(signed: nil)
        #expect(forgery(record) == .unsigned)
        record.headers.append((name: EventSignatures.header, value: text))
        #expect(forgery(record) == (text.isEmpty ? .unsigned : .forged))
        // Nobody else signs what has a place for a signature.
        #expect(forgery(signatures.sign(record)) == (text.isEmpty ? .unsigned : .forged))
    }

    @Test(.withoutDatabase) func anotherServiceMayNotSayIt() throws {
        let record = try record(signed: .test("payments"))
        #expect(forgery(record) == .mayNotSay(producer: "payments", type: Ticked.type))
        var renamed = record
        let signature = try #require(record.headers.last?.value)
        renamed.headers[renamed.headers.count - 1].value =
            "orders" + signature.dropFirst("payments".count)
        #expect(forgery(renamed) == .forged)
    }

    @Test(.withoutDatabase) func whoeverHasNotTheSecretForges() throws {
        #expect(forgery(try record(signed: .test("orders", secrets: ["another"]))) == .forged)
    }

    @Test(.withoutDatabase) func theSecretBeforeIsTakenAndNoLongerUsed() throws {
        let (old, new) = ("a secret of tests", "the next secret")
        let rotating = EventSignatures.test("orders", secrets: [new, old])
        #expect(forgery(try record(), by: rotating) == nil)
        #expect(forgery(try record(signed: rotating), by: rotating) == nil)
        #expect(forgery(try record(signed: rotating)) == .forged)
        #expect(forgery(try record(), by: .test("orders", secrets: [new])) == .forged)
    }

    @Test(.withoutDatabase) func eachEventIsSaidByItsOwnerAndSharedOnesByWhoHasAnOutbox() {
        #expect(eventSpeakers.count == allEvents.count)
        #expect(eventSpeakers[PaymentSucceeded.type] == ["payments"])
        #expect(eventSpeakers[BillChanged.type] == ["orders", "carparks", "spots", "carpool"])
        #expect(eventSpeakers[OperatorActed.type]?.contains("accounts") == true)
        #expect(eventSpeakers[OperatorActed.type]?.contains("gateway") == false)
    }

    @Test func forgedRecordsDieOnTheirOwnAndChangeNothing() async throws {
        let broker = try Broker.start()
        let database = try busDatabase()
        let producer = try KafkaProducer(broker.configuration, prepare: signatures.sign)
        let stranger = try KafkaProducer(broker.configuration)
        let letters = Recorder<ReceivedRecord>()
        let consumer = EventConsumer(
            broker.configuration, group: "orders", signatures: signatures,
            reactions: applyingTicks(to: database), dead: producer, logger: silent)
        let reader = broker.reader(of: ["orders.dead"], letters)
        let (unsigned, wrong) = (try record(signed: nil), try record(signed: .test("payments")))
        try await running([
            ProducerService(producer), ProducerService(stranger), consumer, reader,
        ]) { [tick] in
            try await stranger.send(unsigned)
            try await stranger.send(wrong)
            try await producer.send(Ticked(owner: tick.owner, number: 7))
            try await until { try await database.ticks() == [7] && letters.count == 2 }
        }
        #expect(
            letters.all.map { $0.headers[DeadHeader.reason] } == [
                "The record is not signed", "payments may not say orders.ticked.v1",
            ])
        for letter in letters.all {
            #expect(letter.headers[DeadHeader.forged] == "1")
            #expect(signatures.isSignedByConsumer(letter))
        }
        #expect(letters.all.first?.headers[DeadHeader.signature] == "")
    }

    @Test(.withoutDatabase) func nobodyIsShownWhatIsForged() async throws {
        let broker = try Broker.start()
        let producer = try KafkaProducer(broker.configuration, prepare: signatures.sign)
        let stranger = try KafkaProducer(broker.configuration)
        let shown = Recorder<Int>()
        let consumer = BroadcastConsumer(
            broker.configuration, topics: [.orders], signatures: signatures, logger: silent
        ) { record in
            if let event = record.event(Ticked.self) { shown.add(event.number) }
        }
        let unsigned = try record(signed: nil)
        try await running([ProducerService(producer), ProducerService(stranger), consumer]) {
            try await until { consumer.status.isAssigned }
            try await stranger.send(unsigned)
            try await producer.send(Ticked(owner: "a", number: 7))
            try await until { shown.count > 0 }
        }
        #expect(shown.all == [7])
    }

    @Test func aLetterIsTriedAgainAsWhatItWas() async throws {
        let broker = try Broker.start()
        let (database, others) = (try busDatabase(), try busDatabase())
        let producer = try KafkaProducer(broker.configuration, prepare: signatures.sign)
        // Notifications may say no tick.
        let notifications = try KafkaProducer(
            broker.configuration, prepare: EventSignatures.test("notifications").sign)
        let relay = OutboxRelay(others, producer: notifications, logger: silent)
        let consumer = EventConsumer(
            broker.configuration, group: "orders", signatures: signatures,
            reactions: applyingTicks(to: database), dead: producer, logger: silent)
        let original = received(try record())
        let letter = original.dead(
            "away", consumer: "orders", attempts: 6, isForged: false, id: .new())
        let signature = try #require(
            letter.headers.first { $0.name == DeadHeader.signature }?.value)
        let envelope = try #require(Envelope(headers: original.headers))
        try await running([
            ProducerService(producer), ProducerService(notifications), relay, consumer,
        ]) {
            try await others.write { transaction in
                try transaction.republish(
                    envelope, body: String(decoding: original.value, as: UTF8.self),
                    signature: signature, to: .orders)
            }
            try await until { try await database.ticks() == [1] }
        }
    }

    @Test func whatIsReplayedIsSignedAnew() async throws {
        let broker = try Broker.start()
        let (sender, receiver) = (try busDatabase(), try busDatabase())
        try await sender.publish(tick, Ticked(owner: "a", number: 2))
        let producer = try KafkaProducer(broker.configuration, prepare: signatures.sign)
        let relay = OutboxRelay(sender, producer: producer, logger: silent)
        let heard = Recorder<ReceivedRecord>()
        let reader = broker.reader(of: ["orders"], heard)
        let consumer = EventConsumer(
            broker.configuration, group: "orders", signatures: signatures,
            reactions: applyingTicks(to: receiver), dead: producer, logger: silent)
        try await running([ProducerService(producer), relay, consumer, reader]) {
            try await until { heard.count == 2 }
            try await Outbox.replay(since: noon, in: sender)
            try await until { heard.count == 4 }
            try await until { try await receiver.ticks() == [1, 2] }
        }
        for record in heard.all { try signatures.check(record, type: Ticked.type) }
    }

    /// Measures; asserts nothing about time. Runs only when asked for.
    @Test(.withoutDatabase, .enabled(if: ProcessInfo.processInfo.environment["BUS_BENCH"] != nil))
    func price() throws {
        let bare = try record(signed: nil)
        let signed = received(try record())
        let count = 20_000
        var begin = ContinuousClock.now
        for _ in 0..<count { _ = signatures.sign(bare) }
        let signing = ContinuousClock.now - begin
        begin = ContinuousClock.now
        for _ in 0..<count { try signatures.check(signed, type: Ticked.type) }
        let checking = ContinuousClock.now - begin
        FileHandle.standardError.write(
            Data("a record: signed in \(signing / count), checked in \(checking / count)\n".utf8))
    }
}
