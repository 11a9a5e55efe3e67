/// How to reach a Kafka cluster, and the limits of a client of it.
public struct KafkaConfiguration: Sendable {
    /// Syslog severity (0 emergency … 7 debug) and what librdkafka says.
    public typealias LogHandler = @Sendable (_ level: Int, _ message: String) -> Void

    /// Comma-separated `host:port` list of brokers to start from.
    public var bootstrapServers: String
    public var clientID: String

    /// How long a record waits for company before it is sent.
    public var linger: Duration = .milliseconds(1)
    /// After this, an undelivered record is an error: a dead broker is told, not waited for.
    public var messageTimeout: Duration = .seconds(10)
    /// Records that may wait in the producer; one more is refused with a retriable error.
    public var queueCapacity = 100_000
    /// How long an empty fetch waits at the broker. Kafka answers as soon as a record arrives; the
    /// mock cluster waits it out, so that it is the latency there.
    public var fetchWait: Duration = .milliseconds(5)
    /// A consumer that the group has not heard of for this long loses its partitions.
    public var sessionTimeout: Duration = .seconds(6)
    /// How often offsets that are marked as done become durable.
    public var commitInterval: Duration = .seconds(1)
    /// Under which a group knows this process, also after it was killed and started again: it has its partitions
    /// back at once, without the session being waited for. Nobody else of the group may have it. Nil for a new
    /// name at each start.
    public var instance: String?
    /// This process is the only one of its group, and reads without the group's agreement.
    public var isSoleReader = false
    /// Further librdkafka settings by name, such as `security.protocol`; they win over ours.
    public var settings: [String: String] = [:]
    /// Called on librdkafka's own threads; must not block. Silent when nil.
    public var log: LogHandler?

    public init(bootstrapServers: String, clientID: String) {
        self.bootstrapServers = bootstrapServers
        self.clientID = clientID
    }
}

extension KafkaConfiguration {
    /// Waiting memory of a producer or a consumer's partition.
    private static let queueKibibytes = 65_536
    private static let fetchedKibibytes = 16_384
    /// Short, so that clients are back within a second of their broker.
    private static let reconnectBackoff: Duration = .milliseconds(50)
    private static let reconnectBackoffMaximum: Duration = .seconds(1)
    private static let requestTimeout: Duration = .seconds(10)
    /// A topic that is created later is noticed after this.
    private static let metadataRefresh: Duration = .seconds(10)
    private static let fetchErrorBackoff: Duration = .milliseconds(100)
    /// The group hears of a consumer this many times within its session, and no less often than that.
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

    var producerSettings: [String: String] {
        let own = [
            "enable.idempotence": "true",
            "acks": "all",
            "linger.ms": linger.millisecondsText,
            "message.timeout.ms": messageTimeout.millisecondsText,
            "queue.buffering.max.messages": String(queueCapacity),
            "queue.buffering.max.kbytes": String(Self.queueKibibytes),
            // The partitioner of the Java clients: whoever else writes, a key stays in place.
            "partitioner": "murmur2_random",
        ]
        return common.merging(own) { _, own in own }.merging(settings) { _, given in given }
    }

    func consumerSettings(
        group: String, start: KafkaConsumer.Start, share: KafkaConsumer.Share = .group
    ) -> [String: String] {
        let heartbeat = min(sessionTimeout / Self.heartbeatsPerSession, Self.longestHeartbeat)
        var own = [
            "group.id": group,
            "auto.offset.reset": start.rawValue,
            // We say when a record is done, librdkafka decides when to write that down.
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
        return common.merging(own) { _, own in own }.merging(settings) { _, given in given }
    }
}

extension Duration {
    /// Whole milliseconds, within what librdkafka takes.
    var milliseconds: Int32 {
        let (seconds, attoseconds) = components
        guard seconds < Int64(Int32.max) / 1_000 else { return .max }
        return max(0, Int32(seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
    }

    fileprivate var millisecondsText: String { String(milliseconds) }
}
