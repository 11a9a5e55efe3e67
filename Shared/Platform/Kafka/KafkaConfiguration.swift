import CRdKafka

/// The address of a Kafka cluster, and the limits of its clients.
public struct KafkaConfiguration: Sendable {
    public typealias LogHandler = @Sendable (KafkaLogLine) -> Void

    /// The version of librdkafka that runs, for example `2.0.2`.
    public static var libraryVersion: String { String(cString: rd_kafka_version_str()) }

    /// Comma-separated list of `host:port` of the first brokers.
    public var bootstrapServers: String
    public var clientID: String

    /// How long a record waits for others to be sent with it.
    public var linger: Duration = .milliseconds(1)
    /// After this time an undelivered record fails, so that callers don't wait for a broker that is down.
    public var messageTimeout: Duration = .seconds(10)
    /// A producer that has delivered nothing for this time, though it has records, is made anew.
    public var stallTime: Duration = .seconds(60)
    /// Maximum number of records in the producer; further ones are refused with a retriable error.
    public var queueCapacity = 100_000
    /// How long an empty fetch waits at the broker. Kafka answers as soon as a record arrives. The mock cluster
    /// always waits this long, so it is the latency there; each fetch costs both sides a little CPU.
    public var fetchWait: Duration = .milliseconds(300)
    /// A consumer loses its partitions if the group has not heard of it for this long.
    public var sessionTimeout: Duration = .seconds(6)
    /// How often offsets that are marked as done become durable.
    public var commitInterval: Duration = .seconds(1)
    /// The name by which a group knows this process, even after it was killed and started again: it gets its
    /// partitions back at once, without waiting for the session's end. It must be unique in the group. Nil for a new
    /// name at each start.
    public var instance: String?
    /// Whether this process is the only one of its group, and reads without joining it.
    public var isSoleReader = false
    /// Further librdkafka settings by name, such as `security.protocol`; they override ours. An empty value stands for
    /// librdkafka's default.
    public var settings: [String: String] = [:]
    /// Called on librdkafka's own threads, so it must not block. No logging if nil.
    public var log: LogHandler?

    public init(bootstrapServers: String, clientID: String) {
        self.bootstrapServers = bootstrapServers
        self.clientID = clientID
    }
}

extension KafkaConfiguration {
    /// Maximum size of waiting records in a producer or for a consumer's partition.
    private static let queueKibibytes = 65_536
    private static let fetchedKibibytes = 16_384
    /// Short, so that clients reconnect within a second of the broker's return.
    private static let reconnectBackoff: Duration = .milliseconds(50)
    private static let reconnectBackoffMaximum: Duration = .seconds(1)
    private static let requestTimeout: Duration = .seconds(10)
    /// How soon a topic that is created later is noticed.
    private static let metadataRefresh: Duration = .seconds(10)
    private static let fetchErrorBackoff: Duration = .milliseconds(100)
    /// Minimum number of heartbeats per session.
    private static let heartbeatsPerSession = 3
    private static let longestHeartbeat: Duration = .seconds(1)

    private var common: [String: String] {
        [
            "bootstrap.servers": bootstrapServers,
            "client.id": clientID,
            "reconnect.backoff.ms": Self.reconnectBackoff.millisecondsText,
            "reconnect.backoff.max.ms": Self.reconnectBackoffMaximum.millisecondsText,
            "socket.timeout.ms": Self.requestTimeout.millisecondsText,
            "socket.keepalive.enable": "true",
            "socket.nagle.disable": "true",
            "topic.metadata.refresh.interval.ms": Self.metadataRefresh.millisecondsText,
            "log.connection.close": "false",
        ]
    }

    /// With the common and the given settings.
    private func complete(_ own: [String: String]) -> [String: String] {
        common.merging(own) { _, own in own }.merging(settings) { _, given in given }
            .filter { !$0.value.isEmpty }
    }

    var adminSettings: [String: String] { complete([:]) }

    var producerSettings: [String: String] {
        let own = [
            "enable.idempotence": "true",
            "acks": "all",
            "linger.ms": linger.millisecondsText,
            "message.timeout.ms": messageTimeout.millisecondsText,
            "queue.buffering.max.messages": String(queueCapacity),
            "queue.buffering.max.kbytes": String(Self.queueKibibytes),
            // The default of the Java clients, so that all writers put a key into the same partition.
            "partitioner": "murmur2_random",
        ]
        return complete(own)
    }

    func consumerSettings(
        group: String, start: KafkaConsumer.Start, share: KafkaConsumer.Share = .group
    ) -> [String: String] {
        let heartbeat = min(sessionTimeout / Self.heartbeatsPerSession, Self.longestHeartbeat)
        var own = [
            "group.id": group,
            "auto.offset.reset": start.rawValue,
            // We mark records as done; librdkafka decides when to commit that.
            "enable.auto.offset.store": "false",
            "enable.auto.commit": share == .broadcast ? "false" : "true",
            "auto.commit.interval.ms": commitInterval.millisecondsText,
            "session.timeout.ms": sessionTimeout.millisecondsText,
            "heartbeat.interval.ms": heartbeat.millisecondsText,
            "fetch.wait.max.ms": fetchWait.millisecondsText,
            "fetch.error.backoff.ms": Self.fetchErrorBackoff.millisecondsText,
            "queued.max.messages.kbytes": String(Self.fetchedKibibytes),
            "allow.auto.create.topics": "false",
        ]
        if share == .group { own["group.instance.id"] = instance }
        return complete(own)
    }
}

extension Duration {
    /// Whole milliseconds, limited to librdkafka's range.
    var milliseconds: Int32 {
        let (seconds, attoseconds) = components
        guard seconds < Int64(Int32.max) / 1_000 else { return .max }
        return max(0, Int32(seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
    }

    fileprivate var millisecondsText: String { String(milliseconds) }
}
