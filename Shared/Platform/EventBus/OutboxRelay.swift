import Foundation
import Kafka
import Logging
import ServiceLifecycle
import Store
import Synchronization

/// Whether the relay can send its events.
public final class RelayStatus: Sendable {
    private let failing = Mutex(false)

    /// The last try to send failed: the broker is probably unavailable, and events are waiting.
    public var isFailing: Bool { failing.withLock { $0 } }

    func set(isFailing: Bool) { failing.withLock { $0 = isFailing } }
}

/// Sends the events of the outbox, oldest first, as soon as they are committed.
///
/// The order per key holds across failures. After a crash between sending and marking, an event is sent twice; the
/// inbox handles that. If several processes share a database, only the leader relays.
public struct OutboxRelay: Service {
    static let batch = 256
    /// Also finds rows that another process has marked for replay.
    static let safetyTick: Duration = .seconds(5)
    static let sweepInterval: Duration = .seconds(3_600)
    static let firstRetry: Duration = .milliseconds(100)
    static let longestRetry: Duration = .seconds(5)

    public let status = RelayStatus()
    private let database: Database
    private let producer: KafkaProducer
    private let losses: BrokerLosses
    private let logger: Logger
    /// How ids of clusters begin that are new at each start.
    var passing = MockCluster.idPrefix

    public init(
        _ database: Database, producer: KafkaProducer, losses: BrokerLosses = BrokerLosses(),
        logger: Logger
    ) {
        self.database = database
        self.producer = producer
        self.losses = losses
        self.logger = logger
    }

    public func run() async throws {
        let committed = database.signals(Outbox.signal)
        let wake = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in committed { wake.continuation.yield() } }
            group.addTask { await tick(wake.continuation) }
            group.addTask { await sweep() }
            group.addTask { await publishAgainAfterLosses() }
            try await cancelWhenGracefulShutdown { try await relay(wake.stream) }
            group.cancelAll()
        }
        await sendTheRest()
    }

    private func relay(_ wakes: AsyncStream<Void>) async throws {
        var backoff = Backoff(first: Self.firstRetry, most: Self.longestRetry)
        for await _ in wakes {
            while !Task.isCancelled, database.leads {
                do {
                    let sent = try await sendBatch(oneOfEachKey: backoff.failures > 0)
                    status.set(isFailing: false)
                    backoff.reset()
                    // Later commits wake us again.
                    if sent < Self.batch { break }
                } catch {
                    if isStopping { return }
                    status.set(isFailing: true)
                    if let error = error as? KafkaError, error.kind == .fatal { throw error }
                    logger.warning(
                        "events could not be sent yet", metadata: ["error": "\(loggable(error))"])
                    await backoff.wait()
                }
            }
        }
    }

    /// Sends the rest of the outbox when the service stops. If the broker does not answer, the rows stay on disk.
    private func sendTheRest() async {
        guard !status.isFailing, database.leads else { return }
        do {
            while try await sendBatch() == Self.batch, !Task.isCancelled {}
        } catch {
            logger.warning(
                "events will be sent after the next start",
                metadata: ["error": "\(loggable(error))"])
        }
    }

    /// Returns the number of events that the broker has accepted.
    private func sendBatch(oneOfEachKey: Bool = false) async throws -> Int {
        let entries = try await Outbox.unsent(Self.batch, in: database)
        if entries.isEmpty { return 0 }
        let records = entries.map(\.record)
        for wave in oneOfEachKey ? Self.waves(records) : [records] {
            try await producer.sendInOrder(wave)
        }
        try await Outbox.markSent(entries, at: Date(), in: database)
        BusMetrics.sent.increment(by: entries.count)
        return entries.count
    }

    /// No record is sent before the previous one of its key is acknowledged: after a failure it is unknown which of
    /// them will fail again.
    static func waves(_ records: [KafkaRecord]) -> [[KafkaRecord]] {
        struct Key: Hashable { let topic, key: String }
        var waves: [[KafkaRecord]] = []
        var depth: [Key: Int] = [:]
        for record in records {
            let wave = depth[Key(topic: record.topic, key: record.key), default: 0]
            if wave == waves.count { waves.append([]) }
            waves[wave].append(record)
            depth[Key(topic: record.topic, key: record.key)] = wave + 1
        }
        return waves
    }

    private func publishAgainAfterLosses() async {
        await losses.whenReported(logger: logger) {
            try await Outbox.replay(since: .distantPast, in: database)
        }
    }

    /// Publishes everything again if the outbox was sent to another cluster before: also if that was replaced while
    /// this service was down. Not for a broker in memory, for which `openvalet up` does it.
    func follow(_ cluster: String?) async throws {
        guard let cluster, !cluster.hasPrefix(passing), database.leads else { return }
        let last = try await Outbox.cluster(in: database)
        if last == cluster { return }
        if last != nil {
            let events = try await Outbox.replay(since: .distantPast, in: database)
            BusMetrics.losses.increment()
            logger.warning(
                "the broker is another cluster; stored events are published again",
                metadata: ["events": "\(events)"])
        }
        try await Outbox.set(cluster: cluster, at: Date(), in: database)
    }

    private func tick(_ wake: AsyncStream<Void>.Continuation) async {
        while !Task.isCancelled {
            wake.yield()
            await report()
            try? await follow(producer.clusterID)
            try? await Task.sleep(for: Self.safetyTick)
        }
    }

    private func report() async {
        guard let pending = try? await Outbox.pending(in: database) else { return }
        BusMetrics.pending.record(pending.count)
        let age = pending.oldest.map { max(0, -$0.timeIntervalSinceNow) }
        BusMetrics.oldestSeconds.record(age ?? 0)
    }

    private func sweep() async {
        while !Task.isCancelled {
            do {
                if database.leads { try await Outbox.sweep(at: Date(), in: database) }
            } catch {
                logger.warning(
                    "old events could not be deleted", metadata: ["error": "\(loggable(error))"])
            }
            try? await Task.sleep(for: Self.sweepInterval)
        }
    }
}

/// Runs a producer, and stops after everything that uses it.
public struct ProducerService: Service {
    private let producer: KafkaProducer

    public init(_ producer: KafkaProducer) { self.producer = producer }

    public func run() async {
        await cancelWhenGracefulShutdown { await producer.run() }
    }
}
