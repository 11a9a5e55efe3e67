import Kafka
import Logging
import ServiceLifecycle
import Synchronization

/// The latest state of a reader of the bus.
public final class ConsumerStatus: Sendable {
    private let assigned = Mutex(false)
    private let assignment = Mutex(0)
    private let changes = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// Whether the group has assigned it partitions; from then on it misses no record.
    public var isAssigned: Bool { assigned.withLock { $0 } }

    /// An element each time that the group has assigned partitions; for one reader.
    public var assignments: AsyncStream<Void> { changes.stream }

    func set(assignment count: Int) {
        let isNew = assignment.withLock { known in
            defer { known = count }
            return known != count
        }
        if isNew { changes.continuation.yield() }
    }

    /// A new consumer counts its assignments anew.
    func restart() {
        set(isAssigned: false)
        assignment.withLock { $0 = -1 }
    }

    func set(isAssigned: Bool) { assigned.withLock { $0 = isAssigned } }
}

/// Reads records and passes them on: one after the other if they share a key, else concurrently.
///
/// Concurrently, so that reactions that write to a database share its commits.
struct RecordPump: Sendable {
    enum Outcome: Sendable {
        /// Handled, or sent as a dead letter.
        case done
        /// The service stops; the record will be read again.
        case left
    }

    typealias Handler = @Sendable (ReceivedRecord) async throws -> Outcome

    /// Number of keys that are handled concurrently.
    static let lanes = 16
    /// Maximum number of records that are read but not done.
    static let mostInFlight = 512
    static let batch = 64
    /// A new record, a finished one and the end of the service all end a wait. Everything else, such as whether the
    /// broker has lost records, is checked after this time, or twice this time if a record came meanwhile.
    static let lookInterval: Duration = .seconds(5)
    /// The interval until it has its partitions, since nothing announces them.
    static let assignmentPollTime: Duration = .milliseconds(100)
    /// What was read before a loss may be in no outbox any more: there is this time to handle it.
    static let lastTime: Duration = .seconds(5)
    /// How long a full reader may not poll. It is well below `max.poll.interval.ms`, after which it would lose its
    /// partitions.
    static let longestSilence: Duration = .seconds(60)

    let kafka: KafkaConfiguration
    let group: String
    let topics: [String]
    let start: KafkaConsumer.Start
    let share: KafkaConsumer.Share
    let status: ConsumerStatus
    let metrics: ConsumerMetrics
    let logger: Logger
    let losses: BrokerLosses
    var silence = RecordPump.longestSilence

    /// Runs until the service stops. If the broker has lost records, it reads from the beginning again.
    func run(_ handle: @escaping Handler) async throws {
        var watch = LossWatch()
        while true {
            try await runOnce(handle, watch)
            guard let loss = watch.loss, !isStopping else { return }
            logger.warning(
                "the broker has lost records; reading from the beginning",
                metadata: ["group": "\(group)", "reason": "\(loss)"])
            losses.report()
            status.restart()
            watch = LossWatch(restarted: .now)
        }
    }

    /// Runs until the service stops, lets each lane finish its record, and leaves the group. Ends earlier if the broker
    /// has lost records.
    private func runOnce(_ handle: @escaping Handler, _ watch: LossWatch) async throws {
        let consumer = try KafkaConsumer(
            kafka, group: group, topics: topics, start: start, share: share,
            rereads: watch.restarted != nil)
        let progress = RecordProgress(limit: Self.mostInFlight)
        var failure: (any Error)?
        do {
            try await withThrowingTaskGroup(of: Bool.self) { tasks in
                let lanes = (0..<Self.lanes).map { _ in
                    // `RecordProgress` limits the number of records in all lanes.
                    AsyncStream.makeStream(of: RecordProgress.Ticket.self)
                }
                for lane in lanes {
                    tasks.addTask {
                        try await work(lane.stream, progress, consumer, handle)
                        return false
                    }
                }
                tasks.addTask {
                    defer { for lane in lanes { lane.continuation.finish() } }
                    return try await withTaskCancellationOrGracefulShutdownHandler {
                        try await read(consumer, progress, lanes.map(\.continuation), watch)
                    } onCancelOrGracefulShutdown: {
                        consumer.wake()
                    }
                }
                // A lane that waits for something that is away does not hold up the restart.
                for try await isLost in tasks where isLost { tasks.cancelAll() }
            }
        } catch {
            failure = error
        }
        // After a loss the offsets of these records mean others, or none.
        if watch.loss == nil { await markDone(progress, consumer) }
        status.set(isAssigned: false)
        do {
            try await consumer.close()
        } catch {
            logger.warning(
                "could not leave the consumer group cleanly",
                metadata: ["error": "\(loggable(error))"])
        }
        guard let failure else { return }
        // The group's offsets can't be trusted: a restart of the process would read on from them.
        guard watch.loss != nil, !isStopping else { throw failure }
        logger.warning(
            "a record was not handled before reading from the beginning",
            metadata: ["group": "\(group)", "error": "\(loggable(failure))"])
    }

    private func work(
        _ lane: AsyncStream<RecordProgress.Ticket>, _ progress: RecordProgress,
        _ consumer: KafkaConsumer, _ handle: Handler
    ) async throws {
        for await ticket in lane where !isStopping {
            guard try await handle(ticket.record) == .done else { continue }
            progress.finish(ticket)
            if progress.isAllDone { consumer.wake() }
        }
    }

    /// True if the broker has lost records.
    private func read(
        _ consumer: KafkaConsumer, _ progress: RecordProgress,
        _ lanes: [AsyncStream<RecordProgress.Ticket>.Continuation],
        _ watch: LossWatch
    ) async throws -> Bool {
        var looked = ContinuousClock.now
        var backoff = Backoff(first: .milliseconds(100), most: .seconds(5))
        while !isStopping {
            await markDone(progress, consumer)
            let looks = ContinuousClock.now - looked >= Self.lookInterval
            if looks || !status.isAssigned { await report(consumer, progress) }
            if looks {
                looked = .now
                if let loss = await consumer.findLoss(), watch.note(loss), !watch.isDue(at: .now) {
                    // Nobody waits with publishing again. What is lost meanwhile is published after the restart.
                    losses.report()
                }
                if watch.isDue(at: .now) {
                    _ = await wait(Self.lastTime) { await progress.waitUntilAllFinished() }
                    return true
                }
            }
            if progress.isFull {
                let hasRoom = await wait(silence) { await progress.waitForFinished() }
                if !hasRoom { try await consumer.keepAlive() }
                continue
            }
            let pollTime = status.isAssigned ? Self.lookInterval : Self.assignmentPollTime
            do {
                let records = try await consumer.next(max: Self.batch, within: pollTime)
                for record in records {
                    lanes[lane(of: record)].yield(progress.begin(record))
                }
                backoff.reset()
            } catch {
                guard error.kind == .permanent else { throw error }
                logger.warning(
                    "the bus could not be read", metadata: ["error": "\(loggable(error))"])
                await backoff.wait()
            }
        }
        return false
    }

    /// False if the time was over first.
    private func wait(
        _ limit: Duration, for work: @escaping @Sendable () async -> Void
    ) async -> Bool {
        await withTaskGroup(of: Bool.self) { tasks in
            tasks.addTask {
                await cancelWhenGracefulShutdown(work)
                return true
            }
            tasks.addTask {
                try? await Task.sleep(for: limit)
                return false
            }
            defer { tasks.cancelAll() }
            return await tasks.next() ?? true
        }
    }

    private func lane(of record: ReceivedRecord) -> Int {
        var hasher = Hasher()
        hasher.combine(record.topic)
        if let key = record.key { hasher.combine(key) } else { hasher.combine(record.partition) }
        return Int(UInt(bitPattern: hasher.finalize()) % UInt(Self.lanes))
    }

    /// Only the reading task calls this: the consumer is busy while it waits for records.
    private func markDone(_ progress: RecordProgress, _ consumer: KafkaConsumer) async {
        for record in progress.takeDone() {
            do {
                try await consumer.markDone(record)
            } catch {
                logger.debug(
                    "a record could not be marked as done",
                    metadata: ["error": "\(loggable(error))"])
            }
        }
    }

    private func report(_ consumer: KafkaConsumer, _ progress: RecordProgress) async {
        let isAssigned = await consumer.isAssigned
        if isAssigned != status.isAssigned {
            status.set(isAssigned: isAssigned)
            logger.info(
                "partition assignment changed",
                metadata: ["group": "\(group)", "assigned": "\(isAssigned)"])
        }
        guard isAssigned else { return metrics.lag.record(Double.nan) }
        status.set(assignment: await consumer.assignments)
        // Records that are read but not done count as lag, too.
        let lag = await consumer.lag().map { Double($0 + Int64(progress.open)) }
        metrics.lag.record(lag ?? .nan)
    }
}
