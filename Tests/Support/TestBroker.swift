import Contracts
import Kafka

/// A broker of this process with every topic of the house, in memory.
///
/// Stops with its last reference, or when asked to.
public final class TestBroker: Sendable {
    public let cluster: MockCluster

    private init(_ cluster: MockCluster) {
        self.cluster = cluster
    }

    public static func start() throws -> TestBroker {
        TestBroker(try MockCluster(topics: Topic.names, partitions: Topic.partitions))
    }

    public var bootstrapServers: String { cluster.bootstrapServers }

    /// For clients of this broker.
    public var configuration: KafkaConfiguration {
        var configuration = KafkaConfiguration(
            bootstrapServers: bootstrapServers, clientID: "test")
        configuration.messageTimeout = patience
        configuration.isSoleReader = true
        return configuration
    }

    public func stop() {
        cluster.stop()
    }
}

extension Topic {
    /// Partitions of a topic at the brokers of tests.
    public static let partitions = 4
}
