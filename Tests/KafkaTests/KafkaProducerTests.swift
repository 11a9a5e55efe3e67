import Foundation
import Support
import Synchronization
import Testing

@testable import Kafka

struct KafkaProducerTests {
    @Test func aRecordArrivesAsItWasSent() async throws {
        let bench = try KafkaBench()
        let sent = KafkaRecord(
            topic: bench.topic, key: "schlüssel", value: Data([0, 1, 255]),
            headers: [("ce_type", "a.b.v1"), ("empty", ""), ("name", "車"), ("name", "last")])
        let offset = try await bench.producing { try await $0.send(sent) }
        let consumer = try bench.consumer("g")
        let record = try #require(try await consumer.take(1).first)
        #expect(record.topic == bench.topic)
        #expect(record.offset == offset)
        #expect(record.key == "schlüssel")
        #expect(record.value == Data([0, 1, 255]))
        #expect(record.headers == ["ce_type": "a.b.v1", "empty": "", "name": "last"])
        try await consumer.close()
    }

    @Test func emptyKeysAndValuesAreAllowed() async throws {
        let bench = try KafkaBench()
        try await bench.producing { _ = try await $0.send(bench.record("", "")) }
        let consumer = try bench.consumer("g")
        let record = try #require(try await consumer.take(1).first)
        #expect((record.key ?? "").isEmpty)
        #expect(record.value.isEmpty)
        try await consumer.close()
    }

    @Test func recordsOfOneKeyKeepTheirOrder() async throws {
        let bench = try KafkaBench()
        let records = (0..<1_000).map { bench.record("key\($0 % 7)", String($0)) }
        try await bench.producing { try await $0.sendInOrder(records) }
        let consumer = try bench.consumer("g")
        let received = try await consumer.take(records.count)
        #expect(received.count == records.count)
        for (_, ofKey) in Dictionary(grouping: received, by: \.key) {
            let numbers = ofKey.compactMap { Int($0.text) }
            #expect(numbers == numbers.sorted())
            #expect(Set(ofKey.map(\.partition)).count == 1)
        }
        try await consumer.close()
    }

    @Test func sendingNothingReturnsAtOnce() async throws {
        let bench = try KafkaBench()
        let producer = try KafkaProducer(bench.configuration)
        try await producer.sendInOrder([])
    }

    @Test func aBrokerThatIsAwayIsARetriableErrorAndThenRecovers() async throws {
        let bench = try KafkaBench()
        var configuration = bench.configuration
        configuration.messageTimeout = .seconds(1)
        try await bench.producing(configuration) { producer in
            let isThere = try await eventually {
                (try? await producer.send(bench.record("k", "before"))) != nil
            }
            #expect(isThere)
            try bench.cluster.setDown()
            let single = await #expect(throws: KafkaError.self) {
                try await producer.send(bench.record("k", "lost"))
            }
            #expect(single?.kind == .retriable)
            let several = await #expect(throws: KafkaError.self) {
                try await producer.sendInOrder([bench.record("k", "a"), bench.record("k", "b")])
            }
            #expect(several?.kind == .retriable)
            try bench.cluster.setUp()
            let isBack = try await eventually {
                (try? await producer.send(bench.record("k", "after"))) != nil
            }
            #expect(isBack)
        }
    }

    @Test func aRecordWaitsOutAShortAbsenceOfItsBroker() async throws {
        let bench = try KafkaBench()
        try await bench.producing { producer in
            try await producer.send(bench.record("k", "before"))
            try bench.cluster.setDown()
            async let offset = producer.send(bench.record("k", "meanwhile"))
            #expect(try await eventually { producer.queued > 0 })
            try bench.cluster.setUp()
            #expect(try await offset == 1)
        }
    }

    @Test func aPassingFaultIsRetriedWithoutTheCallerSeeingIt() async throws {
        let bench = try KafkaBench()
        try bench.cluster.failProducing(.notEnoughReplicas, .notLeaderForPartition)
        let offset = try await bench.producing { try await $0.send(bench.record("k", "v")) }
        #expect(offset == 0)
    }

    @Test func aRefusedRecordIsNotRetriable() async throws {
        let bench = try KafkaBench()
        try await bench.producing { producer in
            try bench.cluster.failProducing(.topicAuthorizationFailed)
            let error = await #expect(throws: KafkaError.self) {
                try await producer.send(bench.record("k", "v"))
            }
            #expect(error?.kind == .configuration)
        }
    }

    @Test func aRecordThatIsTooLargeIsRefusedAndThoseAfterItAreNotSent() async throws {
        let bench = try KafkaBench()
        let large = KafkaRecord(
            topic: bench.topic, key: "k", value: Data(repeating: 0, count: 2_000_000))
        try await bench.producing { producer in
            let error = await #expect(throws: KafkaError.self) {
                try await producer.sendInOrder([
                    bench.record("k", "first"), large, bench.record("k", "overtaking"),
                ])
            }
            #expect(error?.kind == .permanent)
            try await producer.send(bench.record("k", "last"))
        }
        let consumer = try bench.consumer("g")
        #expect(try await consumer.take(2).map(\.text) == ["first", "last"])
        try await consumer.close()
    }

    @Test func aFullQueueIsARetriableError() async throws {
        let bench = try KafkaBench()
        var configuration = bench.configuration
        configuration.queueCapacity = 10
        configuration.messageTimeout = .milliseconds(500)
        try bench.cluster.setDown()
        try await bench.producing(configuration) { producer in
            let error = await #expect(throws: KafkaError.self) {
                try await producer.sendInOrder((0..<11).map { bench.record("k", String($0)) })
            }
            #expect(error?.kind == .retriable)
        }
    }

    @Test func noSenderHangsWhenTheProducerStops() async throws {
        let bench = try KafkaBench()
        let producer = try KafkaProducer(bench.configuration)
        let delivered = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await producer.run() }
            for sender in 0..<64 {
                group.addTask {
                    for round in 0... {
                        let record = bench.record("k\(sender)", String(round))
                        guard (try? await producer.send(record)) != nil else { return }
                        delivered.increment()
                    }
                }
            }
            _ = try await eventually { delivered.count > 500 }
            group.cancelAll()
        }
        let error = await #expect(throws: KafkaError.self) {
            try await producer.send(bench.record("k", "late"))
        }
        #expect(error?.kind == .fatal)
        let consumer = try bench.consumer("g")
        #expect(try await consumer.take(delivered.count).count == delivered.count)
        try await consumer.close()
    }

    @Test func stoppingWithoutABrokerFailsWhatIsQueued() async throws {
        let bench = try KafkaBench()
        try bench.cluster.setDown()
        let producer = try KafkaProducer(bench.configuration)
        let error = await #expect(throws: KafkaError.self) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await producer.sendInOrder((0..<100).map { bench.record("k", "\($0)") })
                }
                group.addTask { await producer.run(grace: .milliseconds(10)) }
                _ = try await eventually { producer.queued >= 100 }
                group.cancelAll()
                try await group.waitForAll()
            }
        }
        // Purged from the queue, or refused since the producer had closed: both say that it was not sent.
        #expect(error?.kind == .retriable || error?.kind == .fatal)
    }

    @Test func aWrongSettingIsRefusedAtTheStart() throws {
        var configuration = KafkaConfiguration(bootstrapServers: "127.0.0.1:1", clientID: "test")
        configuration.settings = ["no.such.setting": "1"]
        let unknown = #expect(throws: KafkaError.self) { try KafkaProducer(configuration) }
        #expect(unknown?.kind == .configuration)
        #expect(unknown?.message.contains("no.such.setting") == true)
        configuration.settings = ["acks": "1"]
        let inconsistent = #expect(throws: KafkaError.self) { try KafkaProducer(configuration) }
        #expect(inconsistent?.kind == .configuration)
    }

    @Test func aSettingWithoutAValueTakesTheLibrarysDefault() {
        var configuration = KafkaConfiguration(bootstrapServers: "127.0.0.1:1", clientID: "test")
        configuration.instance = "host-1"
        configuration.settings = ["group.instance.id": "", "acks": ""]
        let consumer = configuration.consumerSettings(group: "g", start: .earliest)
        #expect(consumer["group.instance.id"] == nil)
        #expect(consumer["group.id"] == "g")
        #expect(configuration.producerSettings["acks"] == nil)
    }

    @Test func whatTheLibrarySaysReachesTheLogHandler() async throws {
        let said = Lines()
        let bench = try KafkaBench()
        var configuration = bench.configuration
        configuration.settings = ["debug": "broker"]
        configuration.log = said.append
        let isHeard = try await bench.producing(configuration) { _ in
            try await eventually {
                said.all.contains { $0.severity == 7 && $0.facility != "ERROR" }
            }
        }
        #expect(isHeard)
        #expect(said.all.allSatisfy { $0.client.hasPrefix("test#producer-") })
    }

    @Test func aBrokerThatNobodyRunsIsNamedInTheLogAndInTheError() async throws {
        let said = Lines()
        var configuration = KafkaConfiguration(bootstrapServers: "127.0.0.1:1", clientID: "test")
        configuration.messageTimeout = .seconds(1)
        configuration.log = said.append
        let error = try await failure(of: configuration)
        #expect(error?.kind == .retriable)
        #expect(error?.message.contains("Kafka can't be reached: 127.0.0.1:1") == true)
        #expect(error?.message.contains("Message timed out") == true)
        let line = said.all.first { $0.facility == "ERROR" }
        #expect(line?.severity == 4)
        #expect(line?.message.contains("Connection refused") == true)
        #expect(line?.message.contains("in state") == false)
    }

    /// The mock cluster knows no credentials, so it refuses any.
    @Test func refusedCredentialsAreNamedInTheLogAndInTheError() async throws {
        let said = Lines()
        let bench = try KafkaBench()
        var configuration = bench.configuration
        configuration.messageTimeout = .seconds(1)
        configuration.settings = [
            "security.protocol": "sasl_plaintext", "sasl.mechanism": "PLAIN",
            "sasl.username": "orders", "sasl.password": "a secret",
        ]
        configuration.log = said.append
        let error = try await failure(of: configuration)
        #expect(error?.message.contains("Kafka does not accept the credentials") == true)
        #expect(said.all.contains { $0.severity == 3 && $0.message.contains("credentials") })
        #expect(said.all.allSatisfy { !$0.message.contains("a secret") })
    }

    @Test func troubleIsNamedUntilSomethingSucceeds() {
        let context = ClientContext(log: nil)
        context.fail(.init(rawValue: -195), "broker: Connection refused", nil)
        let unreachable = KafkaError(.init(rawValue: -195), of: context)
        #expect(unreachable.message.contains("Connection refused"))
        let late = KafkaError(.init(rawValue: -192), of: context)
        #expect(late.message.contains("Connection refused"))
        #expect(
            !KafkaError(.init(rawValue: 87), of: context).message.contains("refused"))
        context.fail(.init(rawValue: -187), "1/1 brokers are down", nil)
        #expect(context.recentTrouble?.contains("Connection refused") == true)
        context.delivered("t/0", 0)
        #expect(context.recentTrouble == nil)
    }

    /// The error of a record that no broker takes.
    private func failure(of configuration: KafkaConfiguration) async throws -> KafkaError? {
        try await KafkaBench().producing(configuration) { producer in
            let error = await #expect(throws: KafkaError.self) {
                try await producer.send(KafkaRecord(topic: "t", key: "k", value: Data()))
            }
            return error
        }
    }
}

private final class Counter: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .relaxed) }
    func increment() { value.add(1, ordering: .relaxed) }
}

private final class Lines: Sendable {
    private let lines = Mutex<[KafkaLogLine]>([])

    var all: [KafkaLogLine] { lines.withLock { $0 } }
    @Sendable func append(_ line: KafkaLogLine) { lines.withLock { $0.append(line) } }
}
