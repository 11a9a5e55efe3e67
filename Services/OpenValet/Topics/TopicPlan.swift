import Contracts
import EventBus
import Kafka
import ServiceKit

/// The topics of all services, as a Kafka cluster should have them.
struct TopicPlan: Sendable {
    /// The number of partitions limits how many replicas of a service share the work.
    static let standardPartitions = 12
    /// Unless told otherwise, or if there are fewer brokers.
    static let standardReplication = 3
    /// Like events in the outbox, from which they can be published again.
    private static let retentionMilliseconds = Outbox.retention.components.seconds * 1_000
    private static let policy = "cleanup.policy"
    private static let retention = "retention.ms"
    private static let answerTime: Duration = .seconds(10)
    /// A new cluster takes its time for many topics.
    private static let creationTime: Duration = .seconds(60)

    /// What was made, and what is not as it should be.
    struct Report: Equatable, Sendable {
        let made: Set<String>
        /// Sentences about topics that exist already; they are left as they are.
        let warnings: [String]
    }

    var partitions = standardPartitions
    /// Nil: the standard, or as many as there are brokers.
    var replication: Int?

    /// The cluster of a service's settings, for the tool itself.
    static func kafka(_ settings: [String: String]) throws -> KafkaConfiguration {
        let names = ["OPENVALET_KAFKA", "OPENVALET_KAFKA_SETTINGS"]
        return try CommonConfig.kafka(
            ConfigValues(common: names, in: settings), clientID: "openvalet")
    }

    /// Makes the missing topics.
    ///
    /// - Throws: `ToolError` if the cluster can't be reached, refuses, or has fewer brokers than copies of each record.
    func apply(to kafka: KafkaConfiguration) async throws -> Report {
        do {
            return try await apply(to: KafkaAdmin(kafka))
        } catch let error as KafkaError {
            throw ToolError("Kafka at \(kafka.bootstrapServers) can't be used: \(error.message).")
        }
    }

    private func apply(to admin: KafkaAdmin) async throws -> Report {
        let cluster = try await admin.cluster(within: Self.answerTime)
        let topics = try topics(brokers: cluster.brokers)
        let existing = topics.filter { cluster.partitions[$0.name] != nil }
        let missing = topics.filter { cluster.partitions[$0.name] == nil }
        let settings = try await admin.settings(of: existing.map(\.name), within: Self.answerTime)
        return Report(
            made: try await admin.create(missing, within: Self.creationTime),
            warnings: Self.warnings(existing, cluster, settings))
    }

    /// All topics, including those for dead letters.
    func topics(brokers: Int) throws -> [KafkaTopic] {
        let replication = replication ?? min(Self.standardReplication, brokers)
        guard replication <= brokers else {
            throw ToolError(
                "Kafka has \(brokers) brokers, too few for a replication factor of \(replication).")
        }
        func topic(_ name: String, isCompacted: Bool) -> KafkaTopic {
            KafkaTopic(
                name, partitions: partitions, replication: replication,
                settings: [
                    Self.policy: isCompacted ? "compact,delete" : "delete",
                    Self.retention: String(Self.retentionMilliseconds),
                ])
        }
        return Topic.all.flatMap {
            [
                topic($0.rawValue, isCompacted: $0.isCompacted),
                topic($0.dead, isCompacted: false),
            ]
        }
    }

    /// How existing topics differ from the plan, in a way that matters.
    static func warnings(
        _ topics: [KafkaTopic], _ cluster: KafkaCluster, _ settings: [String: [String: String]]
    ) -> [String] {
        var names: [String: [String]] = [:]
        func differs(_ topic: KafkaTopic, _ how: String) {
            names[how, default: []].append(topic.name)
        }
        for topic in topics {
            let found = settings[topic.name] ?? [:]
            if let count = cluster.partitions[topic.name], count < topic.partitions {
                differs(topic, "\(count) partitions, not \(topic.partitions)")
            }
            if let policy = found[Self.policy], let planned = topic.settings[Self.policy],
                Set(policy.split(separator: ",")) != Set(planned.split(separator: ","))
            {
                differs(topic, "\(Self.policy)=\(policy), not \(planned)")
            }
            // -1: for ever.
            if let time = found[Self.retention].flatMap(Int64.init), time >= 0,
                time < retentionMilliseconds
            {
                differs(topic, "\(Self.retention)=\(time), less than \(retentionMilliseconds)")
            }
        }
        return names.map { how, names in "\(names.sorted().joined(separator: ", ")): \(how)." }
            .sorted()
    }
}
