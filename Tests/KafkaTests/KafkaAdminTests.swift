import Foundation
import Kafka
import Support
import Testing

/// A broker that takes requests to make topics, and tells what it was asked for.
private final class TestController: Sendable {
    struct Request: Decodable, Equatable {
        struct Topic: Decodable, Equatable {
            var name: String
            var partitions, replication: Int
            var settings: [String: String]
        }

        var topics: [Topic]
        var milliseconds: Int
    }

    let configuration: KafkaConfiguration
    private let folder: TestFolder
    private let process: ChildProcess

    /// `error`: Kafka's number, with which it refuses every topic.
    init(error: Int = 0) throws {
        let port = try FreePort.find()
        configuration = KafkaConfiguration(
            bootstrapServers: "127.0.0.1:\(port)", clientID: "test")
        folder = try TestFolder("controller", ["requests": ""])
        process = try ChildProcess(
            #"python3 "$1" "$2" "$3" >"$4""#,
            [
                ChildProcess.script("kafka_controller.py"), String(port), String(error),
                "\(folder.path)/requests",
            ])
    }

    func requests() throws -> [Request] {
        try String(contentsOf: folder.url.appending(path: "requests"), encoding: .utf8)
            .split(separator: "\n")
            .map { try JSONDecoder().decode(Request.self, from: Data($0.utf8)) }
    }
}

struct KafkaAdminTests {
    private let topics = [
        KafkaTopic(
            "orders", partitions: 12, replication: 3,
            settings: ["cleanup.policy": "compact,delete", "retention.ms": "604800000"]),
        KafkaTopic("orders.dead", partitions: 1, replication: 1),
    ]

    @Test func topicsAreAskedForAsTheyAreMeant() async throws {
        let controller = try TestController()
        let admin = try KafkaAdmin(controller.configuration)
        // Waits until it listens.
        let cluster = try await admin.cluster(within: patience)
        #expect(cluster == KafkaCluster(brokers: 1, partitions: [:]))
        let made = try await admin.create(topics, within: patience)
        #expect(made == ["orders", "orders.dead"])
        let requests = try controller.requests()
        #expect(requests.count == 1)
        #expect(
            requests.first?.topics == [
                .init(
                    name: "orders", partitions: 12, replication: 3,
                    settings: ["cleanup.policy": "compact,delete", "retention.ms": "604800000"]),
                .init(name: "orders.dead", partitions: 1, replication: 1, settings: [:]),
            ])
        #expect((requests.first?.milliseconds ?? 0) > 0)
    }

    @Test func whatAnotherHasMadeMeanwhileIsNoError() async throws {
        let topicAlreadyExists = 36
        let controller = try TestController(error: topicAlreadyExists)
        let admin = try KafkaAdmin(controller.configuration)
        _ = try await admin.cluster(within: patience)
        #expect(try await admin.create(topics, within: patience) == [])
        #expect(try controller.requests().count == 1)
    }

    @Test func aRefusalHasTheTopicAndTheBrokersReason() async throws {
        let policyViolation = 44
        let controller = try TestController(error: policyViolation)
        let admin = try KafkaAdmin(controller.configuration)
        _ = try await admin.cluster(within: patience)
        let error = await #expect(throws: KafkaError.self) {
            try await admin.create(topics, within: patience)
        }
        #expect(error?.kind == .permanent)
        #expect(error?.code == Int32(policyViolation))
        #expect(error?.message.hasSuffix("orders: as you wished") == true)
    }

    @Test func topicsAreCounted() async throws {
        let cluster = try MockCluster(topics: ["orders", "areas"], partitions: 4, brokers: 2)
        try cluster.createTopic("bills", partitions: 7)
        let admin = try KafkaAdmin(
            KafkaConfiguration(bootstrapServers: cluster.bootstrapServers, clientID: "test"))
        let found = try await admin.cluster(within: patience)
        #expect(
            found
                == KafkaCluster(brokers: 2, partitions: ["orders": 4, "areas": 4, "bills": 7]))
        #expect(try await admin.create([], within: patience) == [])
        #expect(try await admin.settings(of: [], within: patience) == [:])
    }

    /// librdkafka waits for a broker that has the API.
    @Test func aClusterWithoutTheAPIDoesNotAnswerInTime() async throws {
        let cluster = try MockCluster(topics: ["orders"], partitions: 1)
        let admin = try KafkaAdmin(
            KafkaConfiguration(bootstrapServers: cluster.bootstrapServers, clientID: "test"))
        let error = await #expect(throws: KafkaError.self) {
            try await admin.create(topics, within: .milliseconds(500))
        }
        #expect(error?.kind == .retriable)
    }

    @Test func aClusterThatIsAwayIsAnError() async throws {
        let admin = try KafkaAdmin(
            KafkaConfiguration(bootstrapServers: "127.0.0.1:1", clientID: "test"))
        let error = await #expect(throws: KafkaError.self) {
            try await admin.cluster(within: .milliseconds(100))
        }
        #expect(error?.kind == .retriable)
    }
}
