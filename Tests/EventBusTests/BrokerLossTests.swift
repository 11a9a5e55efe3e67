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
        var configuration = first.configuration
        configuration.bootstrapServers += "," + second.cluster.bootstrapServers
        let (sender, receiver) = (try busDatabase(), try busDatabase())
        let losses = BrokerLosses()
        let producer = try KafkaProducer(
            configuration, prepare: signatures.sign, notice: losses.notice)
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
