import CRdKafka
import Synchronization
import Threads

/// Reads the records of some topics, as a member of a group or alone.
///
/// An actor on its own thread: the handle never leaves the actor.
public actor KafkaConsumer {
    /// Where a group starts that has not committed any offset.
    public enum Start: String, Sendable {
        case earliest, latest
    }

    /// How processes share the records of the topics.
    public enum Share: String, Sendable {
        /// Members of the group share the partitions; agreeing on that takes seconds.
        case group
        /// Only this process reads for the group: it takes all partitions at once and continues at the group's
        /// offsets. Two such processes would both read everything.
        case sole
        /// Every process reads every partition from now on, without committing offsets.
        case broadcast
    }

    /// Maximum time for leaving a group whose broker does not answer.
    private static let closeTime: Duration = .seconds(3)
    private static let committedTime: Duration = .seconds(1)

    private let client: SharedClient
    private let share: Share
    private let start: Start
    /// Whether it was made after a loss.
    private let rereads: Bool
    /// Whether its present partitions are read from their beginning, whatever the group has committed.
    private var isRereading: Bool
    private var positions = ReadPositions()
    /// The assignment by the group to which the positions belong.
    private var assignment = 0
    /// Whether `positions` has the group's offsets.
    private var isStartKnown = false
    /// Whether the broker answered the last look.
    private var isReachable = true
    private var cluster: String?
    /// Topics whose partitions still have to be taken.
    private var untaken: [String]
    private var isClosed = false
    /// An error after the first record of a batch, which the next call throws.
    private var deferred: KafkaError?
    /// A record that was read when there was no space for it.
    private var held: ReceivedRecord?
    private let executor = BlockingExecutor(label: "kafka.consumer")
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// - Parameter rereads: Whether it reads the first partitions that it gets from their beginning, whatever the
    ///   group has committed, because the broker has lost records.
    public init(
        _ configuration: KafkaConfiguration, group: String, topics: [String], start: Start,
        share: Share = .group, rereads: Bool = false
    ) throws(KafkaError) {
        let settings = configuration.consumerSettings(group: group, start: start, share: share)
        let options = try Options(settings)
        rd_kafka_conf_set_rebalance_cb(options.pointer, rebalance)
        let context = ClientContext(log: configuration.log)
        self.rereads = rereads
        isRereading = rereads && share != .broadcast
        context.rereadsNext.store(isRereading, ordering: .relaxed)
        let client = try Client(RD_KAFKA_CONSUMER, options, context: context)
        // One poll then serves all queues.
        rd_kafka_poll_set_consumer(client.pointer)
        self.share = share
        self.start = start
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

    /// Takes all partitions of the topics once all topics exist. Partitions that are added later are read after the
    /// next start.
    private func takeAll(within timeout: Duration) throws(KafkaError) {
        var metadata: UnsafePointer<rd_kafka_metadata>?
        let code = rd_kafka_metadata(client.pointer, 1, nil, &metadata, timeout.milliseconds)
        guard code == RD_KAFKA_RESP_ERR_NO_ERROR, let metadata else { return }
        defer { rd_kafka_metadata_destroy(metadata) }
        let list = Partitions()
        let known = UnsafeBufferPointer(
            start: metadata.pointee.topics, count: Int(metadata.pointee.topic_cnt))
        let first = isRereading ? Offset.beginning : Offset.stored
        for topic in untaken {
            let found = known.first { String(cString: $0.topic) == topic }
            guard let found, found.partition_cnt > 0 else { return }
            for partition in 0..<found.partition_cnt {
                list.add(topic, partition, offset: share == .broadcast ? Offset.end : first)
            }
        }
        try check(rd_kafka_assign(client.pointer, list.pointer))
        untaken = []
        client.context.isAssigned.store(true, ordering: .releasing)
    }

    /// Keeps this consumer in its group while there is no space for more records.
    public func keepAlive() throws(KafkaError) {
        guard !isClosed, held == nil, let list = Partitions(assignedTo: client.pointer) else {
            return
        }
        rd_kafka_pause_partitions(client.pointer, list.pointer)
        defer { rd_kafka_resume_partitions(client.pointer, list.pointer) }
        // From a partition that was assigned just now.
        held = try next(within: .zero)
    }

    /// Waits up to `timeout` for the next record, or until `wake` is called.
    ///
    /// It waits for a broker that is unavailable instead of throwing.
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
        if code == RD_KAFKA_RESP_ERR_NO_ERROR {
            let record = ReceivedRecord(message)
            followAssignment()
            positions.read(record)
            // Known from the first record on, so that a loss before the first look is noticed, too.
            if cluster == nil { cluster = client.clusterID() }
            return record
        }
        if code == RD_KAFKA_RESP_ERR__FATAL, let reason = client.fatalReason() { throw reason }
        let error = KafkaError(code, message: String(cString: rd_kafka_message_errstr(message)))
        guard error.kind == .retriable else { throw error }
        client.context.warn("CONSUME", client.pointer, error.message)
        return nil
    }

    /// Waits up to `timeout` for a record, and adds records that are already there, `limit` at most.
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

    /// Ends the current wait for a record, or else the next one, at once.
    public nonisolated func wake() { client.wake() }

    /// Marks a record, and all before it in its partition, as done.
    ///
    /// The next automatic commit makes it durable. Does nothing for a partition that was revoked: its new owner reads
    /// the record again.
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

    /// Whether the group has assigned partitions and their start offsets are known; from now on no record is missed.
    public var isAssigned: Bool {
        guard !isClosed, client.context.isAssigned.load(ordering: .acquiring) else { return false }
        guard let list = Partitions(assignedTo: client.pointer) else { return false }
        return list.all.allSatisfy { watermarks(of: $0) != nil }
    }

    /// The number of assignments by the group. With each after the first, uncommitted records may have been skipped.
    public var assignments: Int { client.context.assignments.load(ordering: .relaxed) }

    /// Number of unread records in the assigned partitions. Nil while unknown: before all partitions have answered,
    /// without a broker, and after a loss of records.
    public func lag() -> Int64? {
        guard !isClosed, isReachable, client.context.isAssigned.load(ordering: .acquiring),
            let list = Partitions(assignedTo: client.pointer), learnStart(list)
        else { return nil }
        var lag: Int64 = 0
        for partition in list.all {
            guard let (low, high) = watermarks(of: partition) else { return nil }
            if let next = positions[.init(partition)] {
                guard next <= high else { return nil }
                lag += high - max(next, low)
            } else if share != .broadcast, start == .earliest {
                lag += high - low
            }
        }
        return lag
    }

    /// Looks for signs that the broker has lost what this consumer has read; call it every few seconds. After a loss
    /// a new consumer that `rereads` is needed: this one's offsets and its idea of the cluster are wrong.
    public func findLoss() -> KafkaLoss? {
        guard !isClosed else { return nil }
        if let now = client.clusterID() {
            cluster = cluster ?? now
            if cluster != now { return .otherCluster }
        }
        guard client.context.isAssigned.load(ordering: .acquiring) else { return nil }
        followAssignment()
        guard let list = Partitions(assignedTo: client.pointer), !list.isEmpty else { return nil }
        var ends: [ReadPositions.Partition: Int64] = [:]
        for partition in list.all { ends[.init(partition)] = watermarks(of: partition)?.high }
        if let loss = positions.look(ends: ends) { return loss }
        if share == .broadcast {
            isReachable = client.hasBroker()
            return nil
        }
        let committed = committed(list)
        isReachable = committed != nil
        let assigned = list.all.map { ReadPositions.Partition($0) }
        return committed.flatMap {
            positions.look(
                committed: $0, of: assigned, isRereading: rereads, mayExpire: share == .sole)
        }
    }

    /// Positions of partitions that were taken away say nothing: another member may have read on.
    private func followAssignment() {
        let current = assignments
        guard current != assignment else { return }
        assignment = current
        isRereading = client.context.isRereading.load(ordering: .relaxed)
        positions.reassign()
        isStartKnown = false
    }

    /// False if the broker does not answer.
    private func learnStart(_ list: borrowing Partitions) -> Bool {
        followAssignment()
        guard !isStartKnown, share != .broadcast else { return true }
        guard let committed = committed(list) else { return false }
        if isRereading {
            forget(committed)
        } else {
            positions.start(at: committed)
        }
        isStartKnown = true
        return true
    }

    /// Commits 0 where the group has offsets of records that were lost, until what is read again is done.
    private func forget(_ committed: [ReadPositions.Partition: Int64]) {
        let list = Partitions()
        for partition in committed.keys where positions[partition] == nil {
            list.add(partition.topic, partition.number, offset: 0)
        }
        if !list.isEmpty { rd_kafka_commit(client.pointer, list.pointer, 1) }
    }

    /// What the group has committed; nil if the broker does not answer.
    private func committed(
        _ assigned: borrowing Partitions
    ) -> [ReadPositions.Partition: Int64]? {
        let list = Partitions()
        for partition in assigned.all {
            list.add(String(cString: partition.topic), partition.partition)
        }
        if list.isEmpty { return [:] }
        let time = Self.committedTime.milliseconds
        let code = rd_kafka_committed(client.pointer, list.pointer, time)
        guard code == RD_KAFKA_RESP_ERR_NO_ERROR,
            list.all.allSatisfy({ $0.err == RD_KAFKA_RESP_ERR_NO_ERROR })
        else { return nil }
        var offsets: [ReadPositions.Partition: Int64] = [:]
        for partition in list.all where partition.offset >= 0 {
            offsets[.init(partition)] = partition.offset
        }
        return offsets
    }

    /// Commits records that are marked as done, and leaves the group.
    public func close() throws(KafkaError) {
        guard !isClosed else { return }
        isClosed = true
        // Once leaving has begun, librdkafka's destroy waits for it, however long that takes.
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

    /// The sum of the group's committed offsets in the assigned partitions, as a successor would get them.
    func committed() -> Int64 {
        guard let list = Partitions(assignedTo: client.pointer) else { return 0 }
        rd_kafka_committed(client.pointer, list.pointer, Self.committedTime.milliseconds)
        return list.all.reduce(0) { $0 + max(0, $1.offset) }
    }

    private static let closePoll: Duration = .milliseconds(10)

    /// The offsets of the first record and after the last one as of the latest fetch, without a request to the
    /// broker.
    private func watermarks(
        of partition: rd_kafka_topic_partition_t
    ) -> (low: Int64, high: Int64)? {
        var low: Int64 = 0
        var high: Int64 = 0
        let code = rd_kafka_get_watermark_offsets(
            client.pointer, partition.topic, partition.partition, &low, &high)
        guard code == RD_KAFKA_RESP_ERR_NO_ERROR, high >= 0 else { return nil }
        return (max(0, low), high)
    }
}

/// Values of `rd_kafka_topic_partition_t.offset`, which are macros in C.
private enum Offset {
    static let end: Int64 = -1
    static let beginning: Int64 = -2
    static let stored: Int64 = -1_000
}

extension ReadPositions.Partition {
    init(_ partition: rd_kafka_topic_partition_t) {
        self.init(topic: String(cString: partition.topic), number: partition.partition)
    }
}

/// Does what librdkafka does by default, and records the assignment.
private func rebalance(
    client: OpaquePointer?, code: rd_kafka_resp_err_t,
    partitions: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>?,
    opaque: UnsafeMutableRawPointer?
) {
    let assigned = code == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS
    let context = ClientContext.of(client)
    if assigned, let context, let list = partitions?.pointee, list.cnt > 0 {
        let rereads = context.rereadsNext.exchange(false, ordering: .relaxed)
        context.isRereading.store(rereads, ordering: .relaxed)
        if rereads {
            for index in 0..<Int(list.cnt) { list.elems[index].offset = Offset.beginning }
        }
    }
    rd_kafka_assign(client, assigned ? partitions : nil)
    if assigned { context?.assignments.add(1, ordering: .relaxed) }
    context?.isAssigned.store(assigned, ordering: .releasing)
}
