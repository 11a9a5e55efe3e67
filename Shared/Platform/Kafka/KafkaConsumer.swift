import CRdKafka
import Synchronization
import Threads

/// Reads the records of some topics: as a member of a group, or alone.
///
/// An actor on a thread of its own: the handle never leaves the actor.
public actor KafkaConsumer {
    /// Where a group starts that has not committed anything.
    public enum Start: String, Sendable {
        case earliest, latest
    }

    /// How processes share the records of the topics.
    public enum Share: String, Sendable {
        /// Members of the group share the partitions, which takes seconds to agree upon.
        case group
        /// This process alone reads for the group: it takes every partition at once, where the group
        /// has got to. Two such processes would read everything twice.
        case sole
        /// Every process reads every partition from now on; nothing is remembered.
        case broadcast
    }

    /// Leaving a group whose broker does not answer ends after this.
    private static let closeTime: Duration = .seconds(5)
    private static let committedTime: Duration = .seconds(1)

    private let client: SharedClient
    private let share: Share
    /// Topics whose partitions have still to be taken.
    private var untaken: [String]
    private var isClosed = false
    /// What went wrong after the first record of a batch: told by the next call.
    private var deferred: KafkaError?
    /// Read while there was no room for it.
    private var held: ReceivedRecord?
    private let executor = BlockingExecutor(label: "kafka.consumer")
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    public init(
        _ configuration: KafkaConfiguration, group: String, topics: [String], start: Start,
        share: Share = .group
    ) throws(KafkaError) {
        let settings = configuration.consumerSettings(group: group, start: start, share: share)
        let options = try Options(settings)
        rd_kafka_conf_set_rebalance_cb(options.pointer, rebalance)
        let context = ClientContext(log: configuration.log)
        let client = try Client(RD_KAFKA_CONSUMER, options, context: context)
        // One poll serves everything.
        rd_kafka_poll_set_consumer(client.pointer)
        self.share = share
        untaken = share == .group ? [] : topics
        if share == .group {
            let list = Partitions()
            for topic in topics { list.add(topic, Partitions.any) }
            try check(rd_kafka_subscribe(client.pointer, list.pointer))
        } else if topics.isEmpty {
            throw KafkaError(.configuration, "A consumer needs a topic")
        }
        self.client = SharedClient(client)
    }

    /// Takes every partition of the topics, once all of them are there; a partition that is added
    /// later is read after the next start.
    private func takeAll(within timeout: Duration) throws(KafkaError) {
        var metadata: UnsafePointer<rd_kafka_metadata>?
        let code = rd_kafka_metadata(client.pointer, 1, nil, &metadata, timeout.milliseconds)
        guard code == RD_KAFKA_RESP_ERR_NO_ERROR, let metadata else { return }
        defer { rd_kafka_metadata_destroy(metadata) }
        let list = Partitions()
        let known = UnsafeBufferPointer(
            start: metadata.pointee.topics, count: Int(metadata.pointee.topic_cnt))
        // Values of `rd_kafka_topic_partition_t.offset`, which are macros in C.
        let (end, stored) = (Int64(-1), Int64(-1_000))
        for topic in untaken {
            let found = known.first { String(cString: $0.topic) == topic }
            guard let found, found.partition_cnt > 0 else { return }
            for partition in 0..<found.partition_cnt {
                list.add(topic, partition, offset: share == .broadcast ? end : stored)
            }
        }
        try check(rd_kafka_assign(client.pointer, list.pointer))
        untaken = []
        client.context.isAssigned.store(true, ordering: .releasing)
    }

    /// Lets the group know that this consumer lives while there is no room for more records.
    public func keepAlive() throws(KafkaError) {
        guard !isClosed, held == nil, let list = Partitions(assignedTo: client.pointer) else {
            return
        }
        rd_kafka_pause_partitions(client.pointer, list.pointer)
        defer { rd_kafka_resume_partitions(client.pointer, list.pointer) }
        // Of a partition that was assigned just now.
        held = try next(within: .zero)
    }

    /// Waits up to `timeout` for the next record, or until it is woken.
    ///
    /// A broker that is away is waited for, not thrown.
    public func next(
        within timeout: Duration = .milliseconds(100)
    ) throws(KafkaError) -> ReceivedRecord? {
        guard !isClosed else { throw .closed }
        if let deferred {
            self.deferred = nil
            throw deferred
        }
        if let held {
            self.held = nil
            return held
        }
        if !untaken.isEmpty { try takeAll(within: timeout) }
        guard let message = rd_kafka_consumer_poll(client.pointer, timeout.milliseconds) else {
            return nil
        }
        defer { rd_kafka_message_destroy(message) }
        let code = message.pointee.err
        if code == RD_KAFKA_RESP_ERR_NO_ERROR { return ReceivedRecord(message) }
        if code == RD_KAFKA_RESP_ERR__FATAL, let reason = client.fatalReason() { throw reason }
        let error = KafkaError(code)
        guard error.kind == .retriable else { throw error }
        client.context.log?(Self.warning, error.message)
        return nil
    }

    /// Waits up to `timeout` for a record, and takes those along that are there already, at most
    /// `limit`.
    public func next(
        max limit: Int, within timeout: Duration = .milliseconds(100)
    ) throws(KafkaError) -> [ReceivedRecord] {
        guard let first = try next(within: timeout) else { return [] }
        var records = [first]
        do {
            while records.count < limit, let record = try next(within: .zero) {
                records.append(record)
            }
        } catch {
            deferred = error
        }
        return records
    }

    /// Ends the wait for a record, or else the next one, at once.
    public nonisolated func wake() { client.wake() }

    /// Marks a record, and all before it in its partition, as done.
    ///
    /// The next automatic commit makes it durable. Does nothing for a partition that has been
    /// taken away: whoever has it now does the record again.
    public func markDone(_ record: ReceivedRecord) throws(KafkaError) {
        guard !isClosed else { throw .closed }
        let list = Partitions()
        list.add(record.topic, record.partition, offset: record.offset + 1)
        let code = rd_kafka_offsets_store(client.pointer, list.pointer)
        if code == RD_KAFKA_RESP_ERR__STATE || code == RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION {
            return
        }
        try check(code)
    }

    /// Whether the group has given this consumer its share, and where to start in each partition
    /// of it is settled: from now on nothing that is sent is missed.
    public var isAssigned: Bool {
        guard !isClosed, client.context.isAssigned.load(ordering: .acquiring) else { return false }
        guard let list = Partitions(assignedTo: client.pointer) else { return false }
        return list.all.allSatisfy { highWatermark(of: $0) != nil }
    }

    /// How often the group has given this consumer its share: after each time but the first, records may have
    /// been passed over that nobody has committed.
    public var assignments: Int { client.context.assignments.load(ordering: .relaxed) }

    /// Records of the assigned partitions that have not been read yet; nil while that is unknown.
    public func lag() -> Int64? {
        guard !isClosed, client.context.isAssigned.load(ordering: .acquiring),
            let list = Partitions(assignedTo: client.pointer)
        else { return nil }
        rd_kafka_position(client.pointer, list.pointer)
        let unread = Partitions()
        var lag: Int64 = 0
        for partition in list.all {
            guard let high = highWatermark(of: partition) else { return nil }
            if partition.offset >= 0 {
                lag += max(0, high - partition.offset)
            } else if high > 0 {
                unread.add(String(cString: partition.topic), partition.partition)
            }
        }
        return lag + backlog(of: unread)
    }

    /// Commits what is marked as done, and leaves the group.
    public func close() throws(KafkaError) {
        guard !isClosed else { return }
        isClosed = true
        // A goodbye that has begun is waited for by librdkafka's destroy, however long it takes.
        guard client.hasBroker() else {
            throw KafkaError(.retriable, "There is no broker; the group will notice")
        }
        let queue = rd_kafka_queue_get_consumer(client.pointer)
        defer { rd_kafka_queue_destroy(queue) }
        if let error = rd_kafka_consumer_close_queue(client.pointer, queue) {
            defer { rd_kafka_error_destroy(error) }
            throw KafkaError(rd_kafka_error_code(error))
        }
        let deadline = ContinuousClock.now + Self.closeTime
        while rd_kafka_consumer_closed(client.pointer) == 0 {
            guard ContinuousClock.now < deadline else {
                throw KafkaError(.retriable, "The broker did not answer; the group will notice")
            }
            if let message = rd_kafka_consumer_poll(client.pointer, Self.closePoll.milliseconds) {
                rd_kafka_message_destroy(message)
            }
        }
    }

    /// How far the group has come in the assigned partitions, as the broker would tell a successor.
    func committed() -> Int64 {
        guard let list = Partitions(assignedTo: client.pointer) else { return 0 }
        rd_kafka_committed(client.pointer, list.pointer, Self.committedTime.milliseconds)
        return list.all.reduce(0) { $0 + max(0, $1.offset) }
    }

    private static let closePoll: Duration = .milliseconds(10)
    /// Syslog's.
    private static let warning = 4

    /// What waits in partitions of which nothing has been read since they were assigned.
    private func backlog(of partitions: borrowing Partitions) -> Int64 {
        guard !partitions.isEmpty else { return 0 }
        let time = Self.committedTime.milliseconds
        rd_kafka_committed(client.pointer, partitions.pointer, time)
        return partitions.all.reduce(0) { sum, partition in
            guard partition.offset >= 0, let high = highWatermark(of: partition) else { return sum }
            return sum + max(0, high - partition.offset)
        }
    }

    /// The offset of the partition's next record as of the last fetch, without asking the broker.
    private func highWatermark(of partition: rd_kafka_topic_partition_t) -> Int64? {
        var low: Int64 = 0
        var high: Int64 = 0
        let code = rd_kafka_get_watermark_offsets(
            client.pointer, partition.topic, partition.partition, &low, &high)
        return code == RD_KAFKA_RESP_ERR_NO_ERROR && high >= 0 ? high : nil
    }
}

/// Does what librdkafka would do by itself, and notes whether there is an assignment.
private func rebalance(
    client: OpaquePointer?, code: rd_kafka_resp_err_t,
    partitions: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>?,
    opaque: UnsafeMutableRawPointer?
) {
    let assigned = code == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS
    rd_kafka_assign(client, assigned ? partitions : nil)
    let context = ClientContext.of(client)
    if assigned { context?.assignments.add(1, ordering: .relaxed) }
    context?.isAssigned.store(assigned, ordering: .releasing)
}
