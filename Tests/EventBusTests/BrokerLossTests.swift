import Foundation
import Kafka
import ServiceLifecycle
import Store
import Support
import Synchronization
import Testing

@testable import EventBus

@Suite struct BrokerLossTests {
    @Test func whatABrokerHasLostIsPublishedAndReadAgain() async throws {
        let (first, second) = (try Broker.start(), try Broker.start())
        try second.cluster.setDown()
        let configuration = first.followed(by: second)
        let (sender, receiver) = (try busDatabase(), try busDatabase())
        let losses = BrokerLosses()
        let producer = try KafkaProducer(
            configuration, prepare: signatures.sign, notice: losses.notice)
        losses.add(producer)
        let relay = OutboxRelay(sender, producer: producer, losses: losses, logger: silent)
        let consumer = EventConsumer(
            configuration, group: "receiver", signatures: signatures,
            reactions: applyingTicks(to: receiver), dead: producer, losses: losses, logger: silent)
        try await running([ProducerService(producer), relay, consumer]) {
            for number in 1...3 { try await sender.publish(Ticked(owner: "a", number: number)) }
            try await until { try await receiver.ticks() == [1, 2, 3] }
            // The new broker has nothing; this service will never publish these events by itself.
            first.cluster.stop()
            try second.cluster.setUp()
            let heard = Recorder<ReceivedRecord>()
            let reader = second.reader(of: ["orders"], heard)
            try await running([reader]) {
                try await until {
                    Set(heard.all.compactMap { $0.event(Ticked.self)?.number }) == [1, 2, 3]
                }
            }
            try await sender.publish(Ticked(owner: "a", number: 4))
            try await until { try await receiver.ticks().contains(4) }
        }
        #expect(try await receiver.ticks() == [1, 2, 3, 4])
    }

    @Test func anOutboxThatWasSentToAnotherClusterIsPublishedAgain() async throws {
        let sender = try busDatabase()
        // Both at once: a cluster is named by its address in memory, so a later one may be named like the first.
        for (round, broker) in [try Broker.start(), try Broker.start()].enumerated() {
            let producer = try KafkaProducer(broker.configuration, prepare: signatures.sign)
            var relay = OutboxRelay(sender, producer: producer, logger: silent)
            relay.passing = "none"
            let heard = Recorder<ReceivedRecord>()
            let reader = broker.reader(of: ["orders"], heard)
            try await running([ProducerService(producer), relay, reader]) {
                if round == 0 { try await sender.publish(Ticked(owner: "a", number: 1)) }
                try await until { heard.count >= 1 }
                try await until {
                    try await Outbox.cluster(in: sender) == producer.clusterID
                }
            }
        }
    }

    @Test func aBrokerInMemoryIsNotRemembered() async throws {
        let (broker, database) = (try Broker.start(), try busDatabase())
        let producer = try KafkaProducer(broker.configuration, prepare: signatures.sign)
        let relay = OutboxRelay(database, producer: producer, logger: silent)
        try await running([ProducerService(producer), relay]) {
            try await database.publish(Ticked(owner: "a", number: 1))
            try await until { try await database.pending() == 0 }
            try await relay.follow(producer.clusterID)
            #expect(producer.clusterID?.hasPrefix(MockCluster.idPrefix) == true)
            let cluster = try await Outbox.cluster(in: database)
            #expect(cluster == nil)
        }
    }

    @Test(.withoutDatabase) func aReactionThatWaitsHoldsUpNoRestart() async throws {
        let (first, second) = (try Broker.start(), try Broker.start())
        try second.cluster.setDown()
        let attempts = Recorder<Int>()
        let dead = try KafkaProducer(first.configuration)
        let consumer = EventConsumer(
            first.followed(by: second), group: "g", signatures: signatures,
            reactions: Reactions {
                when(Ticked.self) { _, delivery in
                    attempts.add(delivery.attempt)
                    throw Away()
                }
            }, dead: dead, logger: silent)
        let producers = try [first, second].map {
            try KafkaProducer($0.configuration, prepare: signatures.sign)
        }
        let services: [any Service] = producers.map { ProducerService($0) }
        try await running(services + [consumer]) {
            try await producers[0].send(Ticked(owner: "a", number: 1))
            try await until { attempts.count >= 2 }
            first.cluster.stop()
            try second.cluster.setUp()
            try await producers[1].send(Ticked(owner: "a", number: 1))
            // Its first attempt again: the same lane could not come to it before.
            try await until { attempts.all.filter { $0 == 1 }.count >= 2 }
        }
    }

    @Test(.withoutDatabase) func aLossOutlivesTheErrorOfAHandler() async throws {
        let (first, second) = (try Broker.start(), try Broker.start())
        try second.cluster.setDown()
        let heard = Recorder<String>()
        let topics = ["orders"]
        let pump = RecordPump(
            kafka: first.followed(by: second), group: "g", topics: topics, start: .earliest,
            share: .sole, status: ConsumerStatus(),
            metrics: ConsumerMetrics(group: "g", topics: topics), logger: silent,
            losses: BrokerLosses())
        let producers = try [first, second].map { try KafkaProducer($0.configuration) }
        let reader = Reading(pump: pump) { record in
            heard.add(String(decoding: record.value, as: UTF8.self))
            // Throws when the reader gives up its lanes.
            if heard.count == 1 { try await Task.sleep(for: .seconds(3_600)) }
            return .done
        }
        let records = ["lost", "kept"].map {
            KafkaRecord(topic: "orders", key: "k", value: Data($0.utf8))
        }
        let services: [any Service] = producers.map { ProducerService($0) }
        try await running(services + [reader]) {
            try await producers[0].send(records[0])
            try await until { heard.count >= 1 }
            first.cluster.stop()
            try second.cluster.setUp()
            try await producers[1].send(records[1])
            try await until { heard.count >= 2 }
        }
        #expect(heard.all == ["lost", "kept"])
    }

    @Test(.withoutDatabase) func producersAreMadeAnewAtALoss() async throws {
        let (broker, losses) = (try Broker.start(), BrokerLosses())
        let notices = (0..<2).map { _ in Recorder<KafkaProducer.Notice>() }
        let producers = try notices.map {
            try KafkaProducer(broker.configuration, notice: $0.add)
        }
        producers.forEach(losses.add)
        try await running(producers.map { ProducerService($0) }) {
            losses.report()
            try await until { notices.allSatisfy { $0.all == [.renewed] } }
        }
    }

    @Test(.withoutDatabase) func manyReportsOfOneLossPublishOnceAndUntilItSucceeds() async throws {
        let losses = BrokerLosses()
        let tries = Recorder<Int>()
        for _ in 0..<5 { losses.report() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await losses.whenReported(settling: .milliseconds(10), logger: silent) {
                    tries.add(tries.count + 1)
                    if tries.count == 1 { throw Away() }
                    return 7
                }
            }
            try await until { tries.count >= 2 }
            losses.report()
            try await until { tries.count >= 3 }
            group.cancelAll()
        }
        #expect(tries.all == [1, 2, 3])
    }
}

extension Broker {
    /// For clients that find the next broker once this one has stopped.
    fileprivate func followed(by next: Broker) -> KafkaConfiguration {
        var configuration = self.configuration
        configuration.bootstrapServers += "," + next.cluster.bootstrapServers
        return configuration
    }
}

private struct Reading: Service {
    let pump: RecordPump
    let handle: RecordPump.Handler

    func run() async throws { try await pump.run(handle) }
}
