import Foundation
import Support
import Synchronization
import Testing

@testable import Kafka

/// What clients notice of a broker that has lost its records.
struct KafkaLossTests {
    private let a = ReadPositions.Partition(topic: "a", number: 0)
    private let b = ReadPositions.Partition(topic: "b", number: 1)

    private func record(_ offset: Int64) -> ReceivedRecord {
        ReceivedRecord(topic: "a", partition: 0, offset: offset, key: nil, value: Data())
    }

    @Test func aPartitionThatEndsTooEarlyAtTwoLooksIsALoss() {
        var positions = ReadPositions()
        positions.read(record(9))
        positions.start(at: [a: 3, b: 5])
        #expect(positions[a] == 10)
        #expect(positions[b] == 5)
        #expect(positions.look(ends: [a: 10, b: 5]) == nil)
        // A new leader may not know the end for a moment.
        #expect(positions.look(ends: [a: 9, b: 5]) == nil)
        #expect(positions.look(ends: [a: 10, b: 5]) == nil)
        #expect(positions.look(ends: [b: 4]) == nil)
        #expect(positions.look(ends: [a: 10, b: 4]) == .partition(topic: "b", number: 1))
    }

    @Test func aPartitionThatBeginsAnewIsALoss() {
        var positions = ReadPositions()
        for offset in [3, 4, 7] { positions.read(record(Int64(offset))) }
        #expect(positions.look(ends: [a: 8]) == nil)
        positions.read(record(0))
        #expect(positions.look(ends: [a: 8]) == .partition(topic: "a", number: 0))
    }

    @Test(arguments: [true, false]) func aGroupWithoutItsOffsetsIsALoss(mayExpire: Bool) {
        var positions = ReadPositions()
        func look(
            _ committed: [ReadPositions.Partition: Int64], rereads: Bool = false,
            of assigned: [ReadPositions.Partition]? = nil
        ) -> KafkaLoss? {
            positions.look(
                committed: committed, of: assigned ?? [a, b], isRereading: rereads,
                mayExpire: mayExpire)
        }
        #expect(look([:]) == nil, "it may never have had any")
        #expect(look([a: 1, b: 2]) == nil)
        #expect(look([a: 2]) == (mayExpire ? nil : .offsets), "only that of the idle partition")
        positions.reassign()
        #expect(look([:]) == .offsets)
        #expect(look([a: 1, b: 3]) == .offsets, "one is lower than before")
        #expect(look([a: 0, b: 0], rereads: true) == nil)
        let other = ReadPositions.Partition(topic: "c", number: 0)
        #expect(look([:], of: [other]) == nil, "another member had it, and may have done nothing")
    }

    @Test func anEarlierOffsetThanBeforeIsALossOnce() {
        let progress = DeliveryProgress()
        #expect(!progress.delivered(to: "a/0", at: 5))
        #expect(!progress.delivered(to: "a/1", at: 5))
        #expect(!progress.delivered(to: "a/0", at: -1), "a repeat has no offset")
        #expect(!progress.delivered(to: "a/0", at: 6))
        #expect(progress.delivered(to: "a/0", at: 0))
        #expect(!progress.delivered(to: "a/1", at: 0), "the same loss")
        #expect(!progress.delivered(to: "a/0", at: 1))
    }

    @Test func aProducerIsStalledWhileItsRecordsWaitForTooLong() {
        let progress = DeliveryProgress()
        let start = ContinuousClock.now
        let limit: Duration = .seconds(60)
        #expect(!progress.isStalled(for: limit, at: start))
        for second in stride(from: 0, to: 60, by: 20) {
            progress.accepted(at: start + .seconds(second))
        }
        #expect(!progress.isStalled(for: limit, at: start + .seconds(59)))
        #expect(progress.isStalled(for: limit, at: start + .seconds(60)))
        _ = progress.delivered(to: "a/0", at: 0)
        #expect(!progress.isStalled(for: limit, at: start + .seconds(60)))
        // Nobody sends for an hour.
        progress.accepted(at: start + .seconds(61))
        progress.accepted(at: start + .seconds(3_661))
        #expect(!progress.isStalled(for: limit, at: start + .seconds(3_700)))
    }

    /// Also if it has not looked before.
    @Test(arguments: [true, false])
    func aConsumerNoticesAnotherClusterAndHasNoLagThen(hasLooked: Bool) async throws {
        let clusters = try SwappedClusters()
        let producer = try KafkaProducer(clusters.configuration)
        try await running(producer) {
            let consumer = try clusters.consumer()
            try await producer.sendInOrder(["1", "2"].map(clusters.record))
            #expect(try await consumer.take(2).map(\.text) == ["1", "2"])
            #expect(try await eventually { await consumer.lag() == 0 })
            if hasLooked { #expect(await consumer.findLoss() == nil) }
            try clusters.swap()
            let isNoticed = try await eventually {
                _ = try await consumer.next()
                return await consumer.findLoss() == .otherCluster
            }
            #expect(isNoticed)
            #expect(
                try await eventually {
                    _ = try await consumer.next()
                    return await consumer.lag() == nil
                })
            try? await consumer.close()
            try await producer.send(clusters.record("3"))
            let next = try clusters.consumer(rereads: true)
            #expect(try await next.take(1).map(\.text) == ["3"])
            #expect(await next.findLoss() == nil)
            try await next.close()
        }
    }

    @Test(arguments: [KafkaConsumer.Share.sole, .group])
    func aRereadingConsumerBeginsAtTheStartAndCommitsFromThere(
        _ share: KafkaConsumer.Share
    ) async throws {
        let bench = try KafkaBench()
        try await bench.producing { producer in
            try await producer.sendInOrder((0..<4).map { bench.record("k", String($0)) })
        }
        let first = try bench.consumer("g")
        #expect(try await first.take(4).count == 4)
        #expect(try await eventually { await first.committed() == 4 })
        try await first.close()
        let second = try KafkaConsumer(
            bench.configuration, group: "g", topics: [bench.topic], start: .earliest, share: share,
            rereads: true)
        #expect(try await second.take(2).map(\.text) == ["0", "1"])
        #expect(try await eventually { await second.committed() == 2 })
        #expect(await second.findLoss() == nil)
        try await second.close()
    }

    @Test func aProducerNoticesThatItsRecordsAreLost() async throws {
        let clusters = try SwappedClusters()
        let notices = Recorder<KafkaProducer.Notice>()
        let producer = try KafkaProducer(clusters.configuration, notice: notices.add)
        try await running(producer) {
            try await producer.sendInOrder(["1", "2", "3"].map(clusters.record))
            let first = producer.clusterID
            #expect(first?.hasPrefix(MockCluster.idPrefix) == true)
            try clusters.swap()
            try await producer.send(clusters.record("4"))
            #expect(notices.all == [.recordsLost])
            #expect(try await eventually { producer.clusterID != first })
            try await producer.send(clusters.record("5"))
            #expect(notices.count == 1)
        }
    }

    @Test func aProducerThatDeliversNothingIsMadeAnew() async throws {
        let bench = try KafkaBench()
        let notices = Recorder<KafkaProducer.Notice>()
        var configuration = bench.configuration
        configuration.stallTime = .milliseconds(500)
        let producer = try KafkaProducer(configuration, notice: notices.add)
        try await running(producer) {
            try bench.cluster.setDown()
            let error = await #expect(throws: KafkaError.self) {
                try await producer.send(bench.record("k", "lost"))
            }
            #expect(error?.kind == .retriable)
            #expect(try await eventually { notices.all.contains(.renewed) })
            try bench.cluster.setUp()
            let isBack = try await eventually {
                (try? await producer.send(bench.record("k", "after"))) != nil
            }
            #expect(isBack)
        }
    }

    @Test func aProducerOfABrokerThatHasLostRecordsIsMadeAnew() async throws {
        let bench = try KafkaBench()
        let notices = Recorder<KafkaProducer.Notice>()
        let producer = try KafkaProducer(bench.configuration, notice: notices.add)
        try await running(producer) {
            try await producer.send(bench.record("k", "before"))
            try bench.cluster.setRoundTripTime(.seconds(3_600))
            let stuck = Task { try await producer.send(bench.record("k", "stuck")) }
            #expect(try await eventually { producer.queued > 0 })
            producer.renew()
            let error = await #expect(throws: KafkaError.self) { try await stuck.value }
            #expect(error?.kind == .retriable)
            #expect(try await eventually { notices.all == [.renewed] })
            try bench.cluster.setRoundTripTime(.zero)
            try await producer.send(bench.record("k", "after"))
            #expect(notices.count == 1)
        }
    }

    @Test func aHandleThatIsOfNoMoreUseIsReplaced() async throws {
        let bench = try KafkaBench()
        let notices = Recorder<KafkaProducer.Notice>()
        let producer = try KafkaProducer(bench.configuration, notice: notices.add)
        try await running(producer) {
            try await producer.send(bench.record("k", "before"))
            try bench.cluster.failProducing(.outOfOrderSequenceNumber)
            let error = await #expect(throws: KafkaError.self) {
                try await producer.send(bench.record("k", "lost"))
            }
            #expect(error?.kind == .retriable)
            let isBack = try await eventually {
                (try? await producer.send(bench.record("k", "after"))) != nil
            }
            #expect(isBack)
            #expect(notices.all == [.renewed])
        }
    }

    @Test(.timeLimit(.minutes(1))) func aStopWaitsForNoBrokerThatIsFrozen() async throws {
        let bench = try KafkaBench()
        let producer = try KafkaProducer(bench.configuration)
        let consumer = try bench.consumer("g", share: .group)
        try await running(producer) {
            try await producer.send(bench.record("k", "before"))
            #expect(try await consumer.take(1).map(\.text) == ["before"])
            try bench.cluster.setRoundTripTime(.seconds(3_600))
            let stuck = Task { try await producer.send(bench.record("k", "stuck")) }
            #expect(try await eventually { producer.queued > 0 })
            producer.leave()
            let error = await #expect(throws: KafkaError.self) { try await stuck.value }
            #expect(error?.kind == .retriable)
            try? await consumer.close()
        }
    }

    @Test(.timeLimit(.minutes(1))) func aStopWaitsForNoBrokerThatStoresNothing() async throws {
        let bench = try KafkaBench()
        let producer = try KafkaProducer(bench.configuration)
        try await running(producer) {
            try await producer.send(bench.record("k", "before"))
            for _ in 0..<100 {
                try bench.cluster.failProducing(
                    .notEnoughReplicas, .notEnoughReplicas, .notEnoughReplicas, .notEnoughReplicas)
            }
            producer.leave()
            let error = await #expect(throws: KafkaError.self) {
                try await producer.send(bench.record("k", "stuck"))
            }
            #expect(error?.kind == .retriable)
        }
    }

    private func running(
        _ producer: KafkaProducer, _ body: @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await producer.run() }
            defer { group.cancelAll() }
            try await body()
        }
    }
}
