import Contracts
import Foundation
import Kafka
import ServiceLifecycle
import Store
import Support
import Testing

@testable import EventBus

@Suite struct RelayTests {
    @Test func whatIsCommittedLeavesWithItsAttributes() async throws {
        let broker = try Broker.start()
        let database = try busDatabase()
        let producer = try KafkaProducer(broker.configuration, prepare: signatures.sign)
        let relay = OutboxRelay(database, producer: producer, logger: silent)
        let heard = Recorder<ReceivedRecord>()
        let reader = broker.reader(of: ["orders"], heard)
        try await database.publish(Ticked(owner: "a", number: 1))
        try await running([ProducerService(producer), relay, reader]) {
            try await until { heard.count >= 1 }
            try await database.publish(Ticked(owner: "a", number: 2))
            try await until { heard.count >= 2 }
            try await until { try await database.pending() == 0 }
        }
        let record = try #require(heard.all.first)
        #expect(record.key == "a")
        #expect(record.headers["ce_type"] == Ticked.type)
        #expect(record.headers["content-type"] == "application/json")
        #expect(record.event(Ticked.self) == Ticked(owner: "a", number: 1))
        #expect(record.event(Tocked.self) == nil)
        #expect(!relay.status.isFailing)
    }

    @Test func aBrokerThatIsAwayGetsEverythingOnceItIsBack() async throws {
        let broker = try Broker.start()
        let database = try busDatabase()
        var configuration = broker.configuration
        configuration.messageTimeout = .milliseconds(500)
        let producer = try KafkaProducer(configuration, prepare: signatures.sign)
        let relay = OutboxRelay(database, producer: producer, logger: silent)
        let heard = Recorder<ReceivedRecord>()
        let reader = broker.reader(of: ["orders"], heard)
        try await running([ProducerService(producer), relay, reader]) {
            try await database.publish(Ticked(owner: "a", number: 0))
            try await until { heard.count >= 1 }
            // The relay notes a moment later that it has left.
            try await until { try await database.pending() == 0 }
            try broker.cluster.setDown()
            for number in 1...20 {
                try await database.publish(Ticked(owner: "a", number: number))
            }
            try await until { relay.status.isFailing }
            #expect(try await database.pending() == 20)
            try broker.cluster.setUp()
            try await until { try await database.pending() == 0 }
            try await until { heard.count >= 21 }
        }
        // Whatever was sent twice: no event is first heard after a later one.
        var seen: [Int] = []
        for event in heard.all.compactMap({ $0.event(Ticked.self) })
        where !seen.contains(event.number) {
            seen.append(event.number)
        }
        #expect(seen == Array(0...20))
        #expect(!relay.status.isFailing)
    }

    @Test func aStoppingServiceSendsWhatIsCommittedLast() async throws {
        let broker = try Broker.start()
        let database = try busDatabase()
        let producer = try KafkaProducer(broker.configuration, prepare: signatures.sign)
        let relay = OutboxRelay(database, producer: producer, logger: silent)
        try await running([ProducerService(producer), relay]) {
            try await database.publish(Ticked(owner: "a", number: 1))
            try await until { try await database.pending() == 0 }
            try await database.publish(Ticked(owner: "a", number: 2))
        }
        #expect(try await database.pending() == 0)
    }

    @Test func aDatabaseIsClosedAfterThoseWhoUseIt() async throws {
        let broker = try Broker.start()
        let database = try busDatabase()
        let producer = try KafkaProducer(broker.configuration, prepare: signatures.sign)
        let relay = OutboxRelay(database, producer: producer, logger: silent)
        let heard = Recorder<ReceivedRecord>()
        let services: [any Service] = [
            DatabaseService(database), ProducerService(producer), relay,
            broker.reader(of: ["orders"], heard),
        ]
        try await running(services) {
            try await database.publish(Ticked(owner: "a", number: 1))
            try await until { heard.count >= 1 }
        }
        await #expect(throws: StoreError.self) { try await database.pending() }
    }

    @Test func whatIsReplayedIsPublishedAgainAndIgnoredByThoseWhoKnowIt() async throws {
        let broker = try Broker.start()
        let (sender, receiver) = (try busDatabase(), try busDatabase())
        let producer = try KafkaProducer(broker.configuration, prepare: signatures.sign)
        let relay = OutboxRelay(sender, producer: producer, logger: silent)
        let consumer = EventConsumer(
            broker.configuration, group: "receiver", signatures: signatures,
            reactions: applyingTicks(to: receiver),
            dead: producer, logger: silent)
        let heard = Recorder<ReceivedRecord>()
        let reader = broker.reader(of: ["orders"], heard)
        try await running([ProducerService(producer), relay, consumer, reader]) {
            for number in 1...5 { try await sender.publish(Ticked(owner: "a", number: number)) }
            try await until { try await receiver.ticks().count == 5 }
            try await until { try await sender.pending() == 0 }
            #expect(try await Outbox.replay(since: noon, in: sender) == 5)
            try await until { heard.count >= 10 }
            try await sender.publish(Ticked(owner: "a", number: 6))
            try await until { try await receiver.ticks().contains(6) }
        }
        #expect(try await receiver.ticks() == [1, 2, 3, 4, 5, 6])
    }

    @Test func aCrashBetweenSendingAndMarkingIsNotNoticed() async throws {
        let broker = try Broker.start()
        let (sender, receiver) = (try busDatabase(), try busDatabase())
        let producer = try KafkaProducer(broker.configuration, prepare: signatures.sign)
        let relay = OutboxRelay(sender, producer: producer, logger: silent)
        let consumer = EventConsumer(
            broker.configuration, group: "receiver", signatures: signatures,
            reactions: applyingTicks(to: receiver),
            dead: producer, logger: silent)
        for number in 1...3 { try await sender.publish(Ticked(owner: "a", number: number)) }
        let heard = Recorder<ReceivedRecord>()
        let reader = broker.reader(of: ["orders"], heard)
        try await running([ProducerService(producer), reader]) {
            // Sent, but the process died before it could say so in its database.
            let entries = try await Outbox.unsent(10, in: sender)
            try await producer.sendInOrder(entries.map(\.record))
            try await until { heard.count >= 3 }
        }
        #expect(try await sender.pending() == 3)
        let next = try KafkaProducer(broker.configuration, prepare: signatures.sign)
        let again = OutboxRelay(sender, producer: next, logger: silent)
        _ = relay
        try await running([ProducerService(next), again, consumer]) {
            try await until { try await sender.pending() == 0 }
            try await sender.publish(Ticked(owner: "a", number: 4))
            try await until { try await receiver.ticks().contains(4) }
        }
        #expect(try await receiver.ticks() == [1, 2, 3, 4])
    }

    @Test func theOrderOfAKeyHoldsUnderConcurrentWriters() async throws {
        let broker = try Broker.start()
        let (sender, receiver) = (try busDatabase(), try busDatabase())
        let producer = try KafkaProducer(broker.configuration, prepare: signatures.sign)
        let relay = OutboxRelay(sender, producer: producer, logger: silent)
        let consumer = EventConsumer(
            broker.configuration, group: "receiver", signatures: signatures,
            reactions: applyingTicks(to: receiver),
            dead: producer, logger: silent)
        let (owners, each) = (20, 50)
        try await running([ProducerService(producer), relay, consumer]) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for owner in 0..<owners {
                    group.addTask {
                        for number in 0..<each {
                            try await sender.publish(Ticked(owner: "\(owner)", number: number))
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await until {
                try await receiver.read { transaction in
                    try transaction.row("SELECT COUNT(*) AS n FROM ticks")?.get("n")
                } == owners * each
            }
        }
        for owner in 0..<owners {
            #expect(try await receiver.ticks(of: "\(owner)") == Array(0..<each))
        }
    }
}
