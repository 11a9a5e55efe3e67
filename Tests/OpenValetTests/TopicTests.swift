import Contracts
import Kafka
import Support
import Testing

@testable import OpenValet

struct TopicTests {
    @Test func everyTopicIsPlannedWithItsDeadLetters() throws {
        let topics = try TopicPlan().topics(brokers: 5)
        #expect(Set(topics.map(\.name)) == Set(Topic.names))
        #expect(topics.count == Topic.names.count)
        for topic in topics {
            #expect(topic.partitions == 12)
            #expect(topic.replication == 3)
            let isCompacted = Topic(rawValue: topic.name).isCompacted
            #expect(
                topic.settings == [
                    "cleanup.policy": isCompacted ? "compact,delete" : "delete",
                    "retention.ms": "604800000",
                ])
        }
    }

    @Test(arguments: [(1, 1), (2, 2), (3, 3), (9, 3)])
    func recordsAreStoredByThreeBrokersIfThereAreSoMany(brokers: Int, copies: Int) throws {
        let topics = try TopicPlan().topics(brokers: brokers)
        #expect(topics.allSatisfy { $0.replication == copies })
    }

    @Test func whatIsAskedForIsTakenOrRefused() throws {
        let plan = TopicPlan(partitions: 24, replication: 2)
        let topics = try plan.topics(brokers: 2)
        #expect(topics.allSatisfy { $0.partitions == 24 && $0.replication == 2 })
        let error = #expect(throws: ToolError.self) { try plan.topics(brokers: 1) }
        #expect(error?.description.contains("1 brokers") == true)
        for wrong in [["--partitions", "0"], ["--replication", "0"], ["--partitions", "many"]] {
            #expect(throws: (any Error).self) { try TopicsCommand.parse(wrong) }
        }
    }

    @Test func existingTopicsThatDifferAreNamedWithHow() {
        let plan: [String: String] = [
            "cleanup.policy": "compact,delete", "retention.ms": "604800000",
        ]
        let topics = ["a", "b", "c", "d", "e"].map {
            KafkaTopic($0, partitions: 12, replication: 1, settings: plan)
        }
        let cluster = KafkaCluster(
            brokers: 1, partitions: ["a": 4, "b": 4, "c": 24, "d": 12, "e": 12])
        let warnings = TopicPlan.warnings(
            topics, cluster,
            [
                "a": plan,
                // In any order; unlimited retention keeps more than needed.
                "b": ["cleanup.policy": "delete,compact", "retention.ms": "-1"],
                "c": ["cleanup.policy": "compact,delete", "retention.ms": "604800001"],
                "d": ["cleanup.policy": "delete", "retention.ms": "3600000"],
            ])
        #expect(
            warnings == [
                "a, b: 4 partitions, not 12.",
                "d: cleanup.policy=delete, not compact,delete.",
                "d: retention.ms=3600000, less than 604800000.",
            ])
    }

    /// By the tool itself, at a broker of other people that has two topics with 4 partitions.
    @Test func missingTopicsAreMadeAndExistingOnesAreLeft() async throws {
        let names = Topic.names.sorted()
        let tansu = try await TestTansu.start(topics: Array(names.prefix(2)))
        let tool = RunningSystem.debugBinaries.appending(path: "openvalet").path
        let environment = tansu.clientEnvironment.merging(
            ["OPENVALET_KAFKA": tansu.bootstrapServers]
        ) { $1 }
        func topics(_ partitions: Int) throws -> [String] {
            try Command.output(tool, ["topics", "--partitions", "\(partitions)"], environment)
                .split(separator: "\n").map(String.init)
        }
        let old = "Differs: \(names[0]), \(names[1]): 4 partitions, not 6."
        let made = try topics(6)
        #expect(made.first == old)
        #expect(made.dropFirst() == names.dropFirst(2) + ["\(names.count - 2) topics made."])
        #expect(try topics(6) == [old, "0 topics made."])
        #expect(try topics(4) == ["0 topics made."])
    }

    @Test func aClusterThatIsAwayIsNamed() async throws {
        let kafka = try TopicPlan.kafka(["OPENVALET_KAFKA": "127.0.0.1:1"])
        let error = await #expect(throws: ToolError.self) { try await TopicPlan().apply(to: kafka) }
        #expect(error?.description.hasPrefix("Kafka at 127.0.0.1:1 can't be used") == true)
    }
}
