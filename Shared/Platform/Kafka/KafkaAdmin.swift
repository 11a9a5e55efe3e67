import CRdKafka
import Threads

/// A topic, as it is to be made.
public struct KafkaTopic: Sendable, Hashable {
    public var name: String
    public var partitions: Int
    /// Number of brokers that store each record.
    public var replication: Int
    /// The topic's own settings by Kafka's names, such as `retention.ms`; the broker's defaults for all others.
    public var settings: [String: String]

    public init(_ name: String, partitions: Int, replication: Int, settings: [String: String] = [:])
    {
        self.name = name
        self.partitions = partitions
        self.replication = replication
        self.settings = settings
    }
}

/// What a cluster has.
public struct KafkaCluster: Sendable, Hashable {
    public let brokers: Int
    /// Number of partitions of each topic, by its name.
    public let partitions: [String: Int]

    public init(brokers: Int, partitions: [String: Int]) {
        self.brokers = brokers
        self.partitions = partitions
    }
}

/// Looks at a cluster's topics and makes new ones, by Kafka's admin API. `MockCluster` does not have that API.
///
/// An actor on its own thread, since librdkafka blocks.
public actor KafkaAdmin {
    private let client: SharedClient
    private let executor = BlockingExecutor(label: "kafka.admin")
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    public init(_ configuration: KafkaConfiguration) throws(KafkaError) {
        let options = try Options(configuration.adminSettings)
        let context = ClientContext(log: configuration.log)
        client = SharedClient(try Client(RD_KAFKA_PRODUCER, options, context: context))
    }

    /// The cluster as it is now. Throws if no broker answers within the time, with the client's reason if it has one.
    public func cluster(within time: Duration) throws(KafkaError) -> KafkaCluster {
        var answer: UnsafePointer<rd_kafka_metadata>?
        let code = rd_kafka_metadata(client.pointer, 1, nil, &answer, time.milliseconds)
        guard code == RD_KAFKA_RESP_ERR_NO_ERROR, let answer else {
            // Nothing else serves the callback by which the context learns the reason, such as a wrong password.
            rd_kafka_poll(client.pointer, 0)
            throw KafkaError(code, of: client.context)
        }
        defer { rd_kafka_metadata_destroy(answer) }
        var partitions: [String: Int] = [:]
        for index in 0..<Int(answer.pointee.topic_cnt) {
            let topic = answer.pointee.topics[index]
            partitions[String(cString: topic.topic)] = Int(topic.partition_cnt)
        }
        return KafkaCluster(brokers: Int(answer.pointee.broker_cnt), partitions: partitions)
    }

    /// Makes the topics, and returns the names of those that did not exist before.
    ///
    /// - Throws: The error of the first topic that the cluster refused. Others may have been made.
    public func create(
        _ topics: [KafkaTopic], within time: Duration
    ) throws(KafkaError) -> Set<String> {
        var requests: [OpaquePointer?] = []
        defer { for request in requests { rd_kafka_NewTopic_destroy(request) } }
        for topic in topics { requests.append(try Self.request(topic)) }
        guard !requests.isEmpty else { return [] }
        let call = AdminCall(client, RD_KAFKA_ADMIN_OP_CREATETOPICS)
        let event = try call.answer(to: requests, within: time, rd_kafka_CreateTopics)
        var count = 0
        let results = rd_kafka_CreateTopics_result_topics(event.pointer, &count)
        var made: Set<String> = []
        for index in 0..<count {
            guard let result = results?[index], let name = rd_kafka_topic_result_name(result) else {
                continue
            }
            switch rd_kafka_topic_result_error(result) {
            case RD_KAFKA_RESP_ERR_NO_ERROR: made.insert(String(cString: name))
            // Another process was faster.
            case RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS: continue
            case let code:
                let reason = rd_kafka_topic_result_error_string(result).map { String(cString: $0) }
                throw KafkaError(code, detail: "\(String(cString: name)): \(reason ?? "-")")
            }
        }
        return made
    }

    /// The settings of topics, by topic and name; those that the broker does not tell are missing.
    public func settings(
        of topics: [String], within time: Duration
    ) throws(KafkaError) -> [String: [String: String]] {
        let requests = topics.map { rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, $0) }
        defer { for request in requests { rd_kafka_ConfigResource_destroy(request) } }
        guard !requests.isEmpty else { return [:] }
        let call = AdminCall(client, RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS)
        let event = try call.answer(to: requests, within: time, rd_kafka_DescribeConfigs)
        var count = 0
        let results = rd_kafka_DescribeConfigs_result_resources(event.pointer, &count)
        var settings: [String: [String: String]] = [:]
        for index in 0..<count {
            guard let result = results?[index], let name = rd_kafka_ConfigResource_name(result),
                rd_kafka_ConfigResource_error(result) == RD_KAFKA_RESP_ERR_NO_ERROR
            else { continue }
            settings[String(cString: name)] = Self.entries(of: result)
        }
        return settings
    }

    private static func entries(of resource: OpaquePointer) -> [String: String] {
        var count = 0
        let entries = rd_kafka_ConfigResource_configs(resource, &count)
        var values: [String: String] = [:]
        for index in 0..<count {
            guard let entry = entries?[index], let name = rd_kafka_ConfigEntry_name(entry),
                let value = rd_kafka_ConfigEntry_value(entry)
            else { continue }
            values[String(cString: name)] = String(cString: value)
        }
        return values
    }

    private static func request(_ topic: KafkaTopic) throws(KafkaError) -> OpaquePointer {
        var reason = [CChar](repeating: 0, count: reasonBytes)
        let request = rd_kafka_NewTopic_new(
            topic.name, Int32(topic.partitions), Int32(topic.replication), &reason, reason.count)
        guard let request else { throw KafkaError(.configuration, text(reason)) }
        for (name, value) in topic.settings.sorted(by: { $0.key < $1.key }) {
            rd_kafka_NewTopic_set_config(request, name, value)
        }
        return request
    }
}

/// Sole owner of the options of one request, and of the queue for its answer.
private struct AdminCall: ~Copyable {
    /// A function of librdkafka that gets the client, what is asked for and its number, the options, and the queue.
    typealias Send = (
        OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?, Int, OpaquePointer?, OpaquePointer?
    ) -> Void

    private let client: SharedClient
    private let options, queue: OpaquePointer?

    init(_ client: SharedClient, _ operation: rd_kafka_admin_op_t) {
        self.client = client
        options = rd_kafka_AdminOptions_new(client.pointer, operation)
        queue = rd_kafka_queue_new(client.pointer)
    }

    deinit {
        rd_kafka_queue_destroy(queue)
        rd_kafka_AdminOptions_destroy(options)
    }

    /// Sends the request, and waits for the answer. Throws the error of the request as a whole.
    func answer(
        to asked: [OpaquePointer?], within time: Duration, _ send: Send
    ) throws(KafkaError) -> Event {
        var reason = [CChar](repeating: 0, count: reasonBytes)
        try check(
            rd_kafka_AdminOptions_set_request_timeout(
                options, time.milliseconds, &reason, reason.count))
        var asked = asked
        send(client.pointer, &asked, asked.count, options, queue)
        // The request ends by itself a little before.
        let event = rd_kafka_queue_poll(queue, (time + .seconds(1)).milliseconds)
        guard let event else { throw KafkaError(RD_KAFKA_RESP_ERR__TIMED_OUT) }
        let answer = Event(pointer: event)
        let code = rd_kafka_event_error(event)
        guard code == RD_KAFKA_RESP_ERR_NO_ERROR else {
            throw KafkaError(code, detail: String(cString: rd_kafka_event_error_string(event)))
        }
        return answer
    }
}

/// Sole owner of one `rd_kafka_event_t`.
private struct Event: ~Copyable {
    let pointer: OpaquePointer

    deinit { rd_kafka_event_destroy(pointer) }
}
