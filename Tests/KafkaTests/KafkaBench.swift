import Foundation
import Kafka
import Support
import Synchronization

/// A cluster of one topic, and clients of it with short limits.
struct KafkaBench: Sendable {
    static let partitions = 4

    let topic = "things"
    let cluster: MockCluster

    init() throws {
        cluster = try MockCluster(topics: [topic, topic + ".dead"], partitions: Self.partitions)
    }

    var configuration: KafkaConfiguration {
        var configuration = KafkaConfiguration(
            bootstrapServers: cluster.bootstrapServers, clientID: "test")
        configuration.commitInterval = .milliseconds(100)
        // No record is lost because the machine is busy. The mock cluster lets a group that anybody
        // leaves or joins wait for nearly a session, so that a short one makes the tests quick.
        configuration.messageTimeout = patience
        configuration.sessionTimeout = .seconds(3)
        return configuration
    }

    func record(_ key: String, _ value: String) -> KafkaRecord {
        KafkaRecord(topic: topic, key: key, value: Data(value.utf8))
    }

    /// Runs a producer for as long as the body runs.
    func producing<T: Sendable>(
        _ configuration: KafkaConfiguration? = nil,
        _ body: @Sendable (KafkaProducer) async throws -> T
    ) async throws -> T {
        let producer = try KafkaProducer(configuration ?? self.configuration)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await producer.run() }
            defer { group.cancelAll() }
            return try await body(producer)
        }
    }

    /// Alone unless asked otherwise: a group takes the mock cluster three seconds to come together.
    func consumer(
        _ group: String, start: KafkaConsumer.Start = .earliest, topics: [String]? = nil,
        share: KafkaConsumer.Share = .sole, instance: String? = nil
    ) throws -> KafkaConsumer {
        var configuration = self.configuration
        configuration.instance = instance
        return try KafkaConsumer(
            configuration, group: group, topics: topics ?? [topic], start: start, share: share)
    }
}

/// Two clusters under one address, of which only the first answers, until `swap` replaces it by the second: like a
/// broker that comes back empty.
struct SwappedClusters: Sendable {
    let first: MockCluster
    let second: MockCluster
    let topic = "things"

    init() throws {
        first = try MockCluster(topics: [topic], partitions: 1)
        second = try MockCluster(topics: [topic], partitions: 1)
        try second.setDown()
    }

    var configuration: KafkaConfiguration {
        var configuration = KafkaConfiguration(
            bootstrapServers: "\(first.bootstrapServers),\(second.bootstrapServers)",
            clientID: "test")
        configuration.messageTimeout = patience
        configuration.commitInterval = .milliseconds(100)
        return configuration
    }

    func swap() throws {
        first.stop()
        try second.setUp()
    }

    func consumer(rereads: Bool = false) throws -> KafkaConsumer {
        try KafkaConsumer(
            configuration, group: "g", topics: [topic], start: .earliest, share: .sole,
            rereads: rereads)
    }

    func record(_ value: String) -> KafkaRecord {
        KafkaRecord(topic: topic, key: "k", value: Data(value.utf8))
    }
}

extension KafkaConsumer {
    /// Reads until there are so many, and marks them as done; gives up after a while.
    func take(_ count: Int) throws -> [ReceivedRecord] {
        let deadline = ContinuousClock.now + patience
        var records: [ReceivedRecord] = []
        while records.count < count, ContinuousClock.now < deadline {
            guard let record = try next() else { continue }
            try markDone(record)
            records.append(record)
        }
        return records
    }

    /// Takes part in the group until it has its share.
    func join() throws {
        let deadline = ContinuousClock.now + patience
        while !isAssigned, ContinuousClock.now < deadline { _ = try next() }
    }
}

extension ReceivedRecord {
    var text: String { String(decoding: value, as: UTF8.self) }
}
