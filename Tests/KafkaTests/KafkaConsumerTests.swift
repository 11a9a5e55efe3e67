import Foundation
import Support
import Testing

@testable import Kafka

struct KafkaConsumerTests {
    @Test func aSuccessorResumesAfterWhatIsDone() async throws {
        let bench = try KafkaBench()
        try await bench.producing { producer in
            try await producer.sendInOrder((0..<10).map { bench.record("k", String($0)) })
        }
        let first = try bench.consumer("g", share: .group)
        #expect(try await first.take(4).map(\.text) == ["0", "1", "2", "3"])
        // Read, but not done: the successor gets it again.
        #expect(try await first.next(within: patience)?.text == "4")
        try await first.close()
        let second = try bench.consumer("g", share: .group)
        #expect(try await second.take(6).map(\.text) == ["4", "5", "6", "7", "8", "9"])
        try await second.close()
    }

    @Test func whatIsDoneBecomesDurableWithoutClosing() async throws {
        let bench = try KafkaBench()
        try await bench.producing { producer in
            try await producer.sendInOrder((0..<2).map { bench.record("k", String($0)) })
            var first: KafkaConsumer? = try bench.consumer("g", share: .group)
            #expect(try await first?.take(2).count == 2)
            #expect(try await eventually { await first?.committed() == 2 })
            // Like a crash: without leaving the group.
            first = nil
            try await producer.sendInOrder((2..<4).map { bench.record("k", String($0)) })
        }
        let second = try bench.consumer("g", share: .group)
        #expect(try await second.take(2).map(\.text) == ["2", "3"])
        try await second.close()
    }

    @Test(.timeLimit(.minutes(2))) func aWaitEndsWhenItIsWoken() async throws {
        let bench = try KafkaBench()
        let consumer = try bench.consumer("g")
        async let waited = consumer.next(within: .seconds(3_600))
        consumer.wake()
        #expect(try await waited == nil)
        // Nobody waits: the next one ends at once.
        consumer.wake()
        #expect(try await consumer.next(max: 10, within: .seconds(3_600)).isEmpty)
        try await consumer.close()
    }

    @Test func aSoleReaderResumesAfterWhatIsDoneAlsoAfterACrash() async throws {
        let bench = try KafkaBench()
        try await bench.producing { producer in
            try await producer.sendInOrder((0..<4).map { bench.record("k", String($0)) })
            var first: KafkaConsumer? = try bench.consumer("g")
            #expect(try await first?.take(2).map(\.text) == ["0", "1"])
            #expect(try await eventually { await first?.isAssigned == true })
            #expect(try await eventually { await first?.committed() == 2 })
            // Like a crash: without leaving.
            first = nil
            let second = try bench.consumer("g")
            #expect(try await second.take(1).map(\.text) == ["2"])
            // Leaving commits what is done.
            try await second.close()
            let third = try bench.consumer("g")
            try await producer.send(bench.record("k", "4"))
            #expect(try await third.take(2).map(\.text) == ["3", "4"])
            #expect(try await eventually { await third.lag() == 0 })
            try await third.close()
        }
    }

    @Test func aSoleReaderWaitsForItsTopics() async throws {
        let bench = try KafkaBench()
        let consumer = try bench.consumer(
            "g", topics: [bench.topic, "made-later"])
        #expect(try await consumer.next(within: .milliseconds(50)) == nil)
        #expect(await !consumer.isAssigned)
        try await bench.producing { producer in
            try await producer.send(bench.record("k", "first"))
            try await producer.send(
                KafkaRecord(topic: "made-later", key: "k", value: Data("second".utf8)))
        }
        #expect(try await Set(consumer.take(2).map(\.text)) == ["first", "second"])
        try await consumer.close()
    }

    @Test func broadcastsReachEveryProcessAndLeaveNothingBehind() async throws {
        let bench = try KafkaBench()
        try await bench.producing { producer in
            try await producer.send(bench.record("k", "before"))
            let listeners = try (0..<2).map { _ in
                try bench.consumer("all", start: .latest, share: .broadcast)
            }
            for listener in listeners { try await listener.join() }
            try await producer.send(bench.record("k", "after"))
            for listener in listeners {
                #expect(try await listener.take(1).map(\.text) == ["after"])
                #expect(await listener.committed() == 0)
                try await listener.close()
            }
        }
    }

    @Test func whoHasNoRoomStaysAliveAndMissesNothing() async throws {
        let bench = try KafkaBench()
        try await bench.producing { producer in
            try await producer.sendInOrder((0..<3).map { bench.record("k", String($0)) })
            let consumer = try bench.consumer("g")
            #expect(try await consumer.take(1).map(\.text) == ["0"])
            for _ in 0..<3 { try await consumer.keepAlive() }
            try await producer.send(bench.record("k", "3"))
            #expect(try await consumer.take(3).map(\.text) == ["1", "2", "3"])
            try await consumer.close()
        }
    }

    @Test func eachGroupReadsEverything() async throws {
        let bench = try KafkaBench()
        try await bench.producing { _ = try await $0.send(bench.record("k", "v")) }
        for group in ["one", "two"] {
            let consumer = try bench.consumer(group)
            #expect(try await consumer.take(1).map(\.text) == ["v"])
            try await consumer.close()
        }
    }

    @Test func aLateListenerHearsWhatIsSentOnceItIsAssigned() async throws {
        let bench = try KafkaBench()
        try await bench.producing { producer in
            for number in 0..<8 {
                try await producer.send(bench.record("k\(number)", "before"))
            }
            let listener = try bench.consumer("broadcast", start: .latest, share: .group)
            #expect(await !listener.isAssigned)
            try await listener.join()
            #expect(await listener.isAssigned)
            #expect(try await listener.next(within: .zero) == nil)
            for number in 0..<8 {
                try await producer.send(bench.record("k\(number)", "after"))
            }
            #expect(try await listener.take(8).map(\.text) == Array(repeating: "after", count: 8))
            try await listener.close()
        }
    }

    @Test func aBatchTakesWhatIsThereAndNoMoreThanAsked() async throws {
        let bench = try KafkaBench()
        try await bench.producing { producer in
            try await producer.sendInOrder((0..<500).map { bench.record("k", String($0)) })
        }
        let consumer = try bench.consumer("g")
        var numbers: [Int] = []
        let isComplete = try await eventually {
            let batch = try await consumer.next(max: 64)
            #expect(batch.count <= 64)
            if let last = batch.last { try await consumer.markDone(last) }
            numbers += batch.compactMap { Int($0.text) }
            return numbers.count >= 500
        }
        #expect(isComplete)
        #expect(numbers == Array(0..<500))
        try await consumer.close()
    }

    @Test func rawTopicsAreReadTogether() async throws {
        let bench = try KafkaBench()
        try await bench.producing { producer in
            try await producer.send(bench.record("k", "alive"))
            let dead = KafkaRecord(topic: bench.topic + ".dead", key: "k", value: Data("dead".utf8))
            try await producer.send(dead)
        }
        let consumer = try bench.consumer("g", topics: [bench.topic, bench.topic + ".dead"])
        #expect(try await Set(consumer.take(2).map(\.text)) == ["alive", "dead"])
        try await consumer.close()
    }

    @Test func lagCountsWhatHasNotBeenRead() async throws {
        let bench = try KafkaBench()
        try await bench.producing { producer in
            try await producer.sendInOrder((0..<10).map { bench.record("k", String($0)) })
        }
        let consumer = try bench.consumer("g")
        #expect(await consumer.lag() == nil)
        #expect(try await consumer.take(3).count == 3)
        // Nil until each partition has been asked once.
        let isKnown = try await eventually { await consumer.lag() == 7 }
        #expect(isKnown)
        #expect(try await consumer.take(7).count == 7)
        #expect(await consumer.lag() == 0)
        try await consumer.close()
        #expect(await consumer.lag() == nil)

        let successor = try bench.consumer("g")
        try await successor.join()
        #expect(await successor.lag() == 0)
        try await successor.close()
    }

    @Test func aSecondConsumerOfAGroupTakesOverWhenTheFirstLeaves() async throws {
        let bench = try KafkaBench()
        let first = try bench.consumer("g", share: .group)
        try await first.join()
        try await first.close()
        #expect(await !first.isAssigned)
        let second = try bench.consumer("g", share: .group)
        try await second.join()
        #expect(await second.isAssigned)
        try await second.close()
    }

    @Test func onlyAMemberOfAGroupKeepsItsNameAndIsHeardOfEachSecond() {
        var configuration = KafkaConfiguration(bootstrapServers: "127.0.0.1:1", clientID: "test")
        configuration.instance = "host-orders-8080"
        func setting(_ name: String, _ share: KafkaConsumer.Share) -> String? {
            configuration.consumerSettings(group: "g", start: .earliest, share: share)[name]
        }
        #expect(setting("group.instance.id", .group) == "host-orders-8080")
        #expect(setting("group.instance.id", .sole) == nil)
        #expect(setting("group.instance.id", .broadcast) == nil)
        #expect(setting("heartbeat.interval.ms", .group) == "1000")
        configuration.sessionTimeout = .milliseconds(1_500)
        #expect(setting("heartbeat.interval.ms", .group) == "500")
    }

    /// The mock cluster takes names of members and makes nothing of them; what Kafka says to one whose name
    /// another has taken (82, FENCED_INSTANCE_ID) ends the consumer, and with it the service.
    @Test func whoseNameAnotherHasTakenIsOfNoMoreUse() {
        #expect(KafkaError(.init(rawValue: 82)).kind == .fatal)
    }

    @Test func aMemberWithANameReadsAndLeavesAsAnyOther() async throws {
        let bench = try KafkaBench()
        try await bench.producing { _ = try await $0.send(bench.record("k", "1")) }
        let consumer = try bench.consumer("g", share: .group, instance: "one")
        #expect(try await consumer.take(1).map(\.text) == ["1"])
        try await consumer.close()
    }

    @Test func aBrokerThatIsAwayIsWaitedFor() async throws {
        let bench = try KafkaBench()
        try await bench.producing { producer in
            try await producer.send(bench.record("k", "before"))
            let consumer = try bench.consumer("g", share: .group)
            #expect(try await consumer.take(1).map(\.text) == ["before"])
            try bench.cluster.setDown()
            for _ in 1...20 { #expect(try await consumer.next() == nil) }
            try bench.cluster.setUp()
            async let sent = producer.send(bench.record("k", "after"))
            // Perhaps not the first: what was done last may not have been committed in time.
            let isHeard = try await eventually {
                try await consumer.next()?.text == "after"
            }
            #expect(isHeard)
            _ = try await sent
            try await consumer.close()
        }
    }

    @Test func closingWithoutABrokerEnds() async throws {
        let bench = try KafkaBench()
        let consumer = try bench.consumer("g", share: .group)
        try await consumer.join()
        bench.cluster.stop()
        try? await consumer.close()
        let error = await #expect(throws: KafkaError.self) { try await consumer.next() }
        #expect(error?.kind == .fatal)
    }

    @Test func aClosedConsumerRefusesAndClosesOnlyOnce() async throws {
        let bench = try KafkaBench()
        let consumer = try bench.consumer("g")
        try await consumer.close()
        try await consumer.close()
        let record = ReceivedRecord(
            topic: bench.topic, partition: 0, offset: 0, key: nil, value: Data())
        await #expect(throws: KafkaError.self) { try await consumer.next() }
        await #expect(throws: KafkaError.self) { try await consumer.markDone(record) }
    }

    @Test func aRecordOfAPartitionThatIsGoneIsLeftToWhoeverHasIt() async throws {
        let bench = try KafkaBench()
        let consumer = try bench.consumer("g", share: .group)
        try await consumer.join()
        let stranger = ReceivedRecord(
            topic: "elsewhere", partition: 0, offset: 7, key: nil, value: Data())
        try await consumer.markDone(stranger)
        try await consumer.close()
    }

    @Test func aWrongSettingIsRefusedAtTheStart() throws {
        var configuration = KafkaConfiguration(bootstrapServers: "127.0.0.1:1", clientID: "test")
        configuration.sessionTimeout = .zero
        let error = #expect(throws: KafkaError.self) {
            try KafkaConsumer(configuration, group: "g", topics: ["t"], start: .earliest)
        }
        #expect(error?.kind == .configuration)
        configuration.sessionTimeout = .seconds(6)
        #expect(throws: KafkaError.self) {
            try KafkaConsumer(configuration, group: "g", topics: [], start: .earliest)
        }
    }
}

struct MockClusterTests {
    @Test func aTopicExistsOnce() throws {
        let cluster = try MockCluster(topics: ["a"], partitions: 2)
        try cluster.createTopic("b", partitions: 1)
        #expect(throws: KafkaError.self) { try cluster.createTopic("a", partitions: 2) }
        cluster.stop()
        cluster.stop()
        #expect(throws: KafkaError.self) { try cluster.createTopic("c", partitions: 1) }
        #expect(throws: KafkaError.self) { try cluster.setDown() }
    }

    @Test func aTestBrokerHasEveryTopic() async throws {
        let broker = try TestBroker.start()
        #expect(broker.bootstrapServers.contains(":"))
        #expect(throws: KafkaError.self) {
            try broker.cluster.createTopic("orders.dead", partitions: 1)
        }
        broker.stop()
    }
}
