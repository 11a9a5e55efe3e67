import CRdKafka
import Synchronization

/// An in-memory Kafka cluster in this process that clients reach by TCP on 127.0.0.1.
///
/// It loses everything when it stops. A partition keeps 5 MiB or 100,000 records.
public final class MockCluster: Sendable {
    /// Errors that a broker can answer, by Kafka's number.
    public enum Fault: Int32, Sendable {
        case notLeaderForPartition = 6
        case notEnoughReplicas = 19
        /// Ends the producer's handle.
        case outOfOrderSequenceNumber = 45
        case topicAuthorizationFailed = 29
        case invalidRecord = 87
    }

    /// How the id of each such cluster begins.
    public static let idPrefix = "mockCluster"

    public let bootstrapServers: String
    private let brokers: Int32
    private let cluster: Mutex<Cluster?>

    public init(topics: [String], partitions: Int, brokers: Int = 1) throws(KafkaError) {
        let cluster = try Cluster.open(brokers: brokers)
        for topic in topics { try cluster.create(topic, partitions: partitions) }
        bootstrapServers = String(cString: rd_kafka_mock_cluster_bootstraps(cluster.pointer))
        self.brokers = Int32(brokers)
        self.cluster = Mutex(cluster)
    }

    public func createTopic(_ name: String, partitions: Int) throws(KafkaError) {
        try withCluster { cluster throws(KafkaError) in
            try cluster.create(name, partitions: partitions)
        }
    }

    /// Closes all connections, and refuses new ones.
    public func setDown() throws(KafkaError) {
        try onEachBroker(rd_kafka_mock_broker_set_down)
    }

    public func setUp() throws(KafkaError) {
        try onEachBroker(rd_kafka_mock_broker_set_up)
    }

    /// Delays every answer, even for so long that the brokers seem frozen.
    public func setRoundTripTime(_ time: Duration) throws(KafkaError) {
        try onEachBroker { rd_kafka_mock_broker_set_rtt($0, $1, time.milliseconds) }
    }

    /// Kafka's API key of produce requests.
    private static let produceRequest: Int16 = 0

    /// Answers the next produce requests with these errors, one each.
    public func failProducing(_ faults: Fault...) throws(KafkaError) {
        let codes = faults.map { rd_kafka_resp_err_t($0.rawValue) }
        try withCluster { cluster in
            rd_kafka_mock_push_request_errors_array(
                cluster.pointer, Self.produceRequest, codes.count, codes)
        }
    }

    /// Idempotent.
    public func stop() {
        cluster.withLock { $0 = nil }
    }

    private func onEachBroker(
        _ change: (OpaquePointer, Int32) -> rd_kafka_resp_err_t
    ) throws(KafkaError) {
        try withCluster { cluster throws(KafkaError) in
            for broker in 1...brokers { try check(change(cluster.pointer, broker)) }
        }
    }

    private func withCluster(
        _ body: (borrowing Cluster) throws(KafkaError) -> Void
    ) throws(KafkaError) {
        try cluster.withLock { cluster throws(KafkaError) in
            switch cluster {
            case .some(let cluster): try body(cluster)
            case .none: throw .closed
            }
        }
    }
}

/// Sole owner of one `rd_kafka_mock_cluster_t`, and of the client in whose threads it lives.
private struct Cluster: ~Copyable {
    let pointer: OpaquePointer
    private let client: Client

    private init(owning pointer: OpaquePointer, _ client: consuming Client) {
        self.pointer = pointer
        self.client = client
    }

    static func open(brokers: Int) throws(KafkaError) -> Cluster {
        // Otherwise an answer waits up to 40 ms for the client's delayed acknowledgement of the previous one.
        let options = try Options(["client.id": "mock-cluster", "socket.nagle.disable": "true"])
        let context = ClientContext(log: nil)
        let client = try Client(RD_KAFKA_PRODUCER, options, context: context)
        guard let pointer = rd_kafka_mock_cluster_new(client.pointer, Int32(brokers)) else {
            throw KafkaError(.configuration, "No mock cluster of \(brokers) brokers")
        }
        return Cluster(owning: pointer, client)
    }

    deinit { rd_kafka_mock_cluster_destroy(pointer) }

    private static let pause: Duration = .milliseconds(1)

    func create(_ topic: String, partitions: Int) throws(KafkaError) {
        let code = rd_kafka_mock_topic_create(pointer, topic, Int32(partitions), 1)
        // The cluster's thread answers first and empties its alarm pipe afterwards: a request between the two would
        // wait for the next check of the queue, which takes a second.
        rd_kafka_poll(client.pointer, Self.pause.milliseconds)
        guard code == RD_KAFKA_RESP_ERR_NO_ERROR else { throw KafkaError(code, detail: topic) }
    }
}
