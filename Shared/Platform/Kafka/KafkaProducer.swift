import CRdKafka
import Foundation
import Synchronization
import Threads

/// Sends records, and returns when the broker has stored them.
///
/// Delivery reports only arrive while `run` runs.
public final class KafkaProducer: Sendable {
    /// Maximum time of a poll. Reports, `renew` and `leave` end it earlier; a stall is noticed at its end.
    private static let pollTime: Duration = .seconds(5)
    private static let leavingPollTime: Duration = .milliseconds(100)
    /// How long records may wait, once the process stops, for a broker that answers but doesn't store them.
    private static let leaveTime: Duration = .seconds(3)

    /// What a producer notices about its broker.
    public enum Notice: Sendable {
        /// A record was stored at or before the offset of an earlier one, so the partition was emptied.
        case recordsLost
        /// The handle was replaced. Records that were waiting have failed with a retriable error.
        case renewed
    }

    private struct State {
        var client: SharedClient
        /// False once no more reports are served: a later record would leave its sender waiting for ever.
        var isOpen = true
        var leavesAt: ContinuousClock.Instant?
    }

    private let configuration: KafkaConfiguration
    private let prepare: @Sendable (KafkaRecord) -> KafkaRecord
    private let notice: @Sendable (Notice) -> Void
    /// Locked while a record is passed to librdkafka.
    private let state: Mutex<State>
    private let deliveries = DeliveryProgress()
    private let poller = Poller()
    private let scout = Scout()
    private let known = Mutex<Set<String>>([])

    /// - Parameters:
    ///   - prepare: Called last for every record, for example to sign it.
    ///   - notice: Called for what the producer notices about its broker; it must not block.
    public init(
        _ configuration: KafkaConfiguration,
        prepare: @escaping @Sendable (KafkaRecord) -> KafkaRecord = { $0 },
        notice: @escaping @Sendable (Notice) -> Void = { _ in }
    ) throws(KafkaError) {
        self.configuration = configuration
        self.notice = notice
        self.prepare = prepare
        state = Mutex(State(client: try Self.open(configuration, deliveries, notice)))
    }

    private static func open(
        _ configuration: KafkaConfiguration, _ deliveries: DeliveryProgress,
        _ notice: @escaping @Sendable (Notice) -> Void
    ) throws(KafkaError) -> SharedClient {
        let options = try Options(configuration.producerSettings)
        rd_kafka_conf_set_dr_msg_cb(options.pointer) { client, message, _ in
            guard let message = message?.pointee, let opaque = message._private,
                let context = ClientContext.of(client)
            else { return }
            if message.err == RD_KAFKA_RESP_ERR_NO_ERROR {
                let topic = String(cString: rd_kafka_topic_name(message.rkt))
                context.delivered("\(topic)/\(message.partition)", message.offset)
                Delivery.take(opaque, .success(message.offset))
            } else {
                let error = KafkaError(message.err, of: context)
                Delivery.take(opaque, .failure(error.ofReplacedClient))
            }
        }
        let context = ClientContext(log: configuration.log) { partition, offset in
            if deliveries.delivered(to: partition, at: offset) { notice(.recordsLost) }
        }
        return SharedClient(try Client(RD_KAFKA_PRODUCER, options, context: context))
    }

    private var client: SharedClient { state.withLock { $0.client } }

    /// The id of the cluster that answered last; nil if none has answered yet.
    public var clusterID: String? { client.clusterID() }

    /// Serves delivery reports until the task is cancelled. Then queued records have `grace` to be sent; the rest
    /// fails.
    public func run(grace: Duration = .seconds(3)) async {
        await withTaskCancellationHandler {
            while !Task.isCancelled {
                let (client, leavesAt) = state.withLock { ($0.client, $0.leavesAt) }
                if let leavesAt {
                    let isLate = ContinuousClock.now - leavesAt > Self.leaveTime
                    await poller.purge(client, evenWithBroker: isLate)
                }
                await poller.serve(
                    client, for: leavesAt == nil ? Self.pollTime : Self.leavingPollTime)
                if let reason = reasonToRenew(client) { await renew(client, reason) }
            }
        } onCancel: {
            wake()
        }
        let last = state.withLock { state in
            state.isOpen = false
            return state.client
        }
        await poller.drain(last, within: grace)
    }

    /// Replaces the handle soon, since the broker has lost records: it may know its producers no more, or have given
    /// their ids to others, whose records it would take for repeats. Records that are waiting fail with a retriable
    /// error.
    public func renew() {
        let client = client
        client.context.isOutdated.store(true, ordering: .releasing)
        client.wake()
    }

    private func reasonToRenew(_ client: SharedClient) -> String? {
        if let fatal = client.fatalReason() { return fatal.message }
        if client.context.isOutdated.load(ordering: .acquiring) {
            return "the broker has lost records"
        }
        let isStalled = deliveries.isStalled(for: configuration.stallTime)
        guard isStalled, rd_kafka_outq_len(client.pointer) > 0 else { return nil }
        return "nothing was delivered for \(configuration.stallTime)"
    }

    /// Replaces the handle, and fails what waits in the old one: a handle may be of no more use for ever, for example
    /// after a broker that forgot its producers.
    private func renew(_ old: SharedClient, _ reason: String) async {
        do {
            let new = try Self.open(configuration, deliveries, notice)
            old.context.warn("RENEW", old.pointer, "The producer is made anew: \(reason)")
            state.withLock { $0.client = new }
            known.withLock { $0 = [] }
            deliveries.restart()
            await poller.purge(old, evenWithBroker: true)
            // Nothing of it is waited for.
            old.context.isAlone.store(true, ordering: .releasing)
            notice(.renewed)
        } catch {
            old.context.warn(
                "RENEW", old.pointer, "No new producer could be made: \(error.message)")
        }
    }

    /// The process stops soon, so nothing waits for an unavailable broker from now on.
    public func leave() {
        state.withLock { $0.leavesAt = $0.leavesAt ?? .now }
        wake()
    }

    private func wake() { client.wake() }

    /// Returns the offset at which the broker stored the record.
    @discardableResult
    public func send(_ record: KafkaRecord) async throws(KafkaError) -> Int64 {
        let record = prepare(record)
        await explore([record.topic])
        let result = await withCheckedContinuation { continuation in
            let delivery = Delivery { continuation.resume(returning: $0) }
            state.withLock { state in
                if let error = enqueue(record, delivery, state) {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    /// Sends the records in order, and returns when the broker has stored all of them.
    ///
    /// After an error some may have been stored. For one key, a later record is never stored without the earlier one,
    /// unless the broker refused the earlier one or it timed out.
    public func sendInOrder(_ records: [KafkaRecord]) async throws(KafkaError) {
        if records.isEmpty { return }
        let records = records.map(prepare)
        await explore(Set(records.map(\.topic)))
        let result = await withCheckedContinuation { continuation in
            let batch = DeliveryBatch(records.count, continuation)
            state.withLock { enqueue(records, batch, $0) }
        }
        try result.get()
    }

    /// Number of records that wait for a broker or their report, and of notices that were not served yet.
    public var queued: Int { Int(rd_kafka_outq_len(client.pointer)) }

    /// Requests the partitions of new topics: by itself librdkafka does so at the next tick of a timer, up to a
    /// second later.
    private func explore(_ topics: Set<String>) async {
        let new = known.withLock { known in
            defer { known.formUnion(topics) }
            return topics.subtracting(known)
        }
        let client = client
        for topic in new { await scout.explore(topic, client) }
    }

    /// Stops at the first refused record, so that no later one overtakes it.
    private func enqueue(_ records: [KafkaRecord], _ batch: DeliveryBatch, _ state: State) {
        for (index, record) in records.enumerated() {
            let delivery = Delivery { batch.complete(index, $0) }
            guard let error = enqueue(record, delivery, state) else { continue }
            for index in index..<records.count { batch.complete(index, .failure(error)) }
            return
        }
    }

    /// After an error, the delivery has not been and will not be completed.
    private func enqueue(
        _ record: KafkaRecord, _ delivery: Delivery, _ state: State
    ) -> KafkaError? {
        guard state.isOpen else { return .closed }
        let client = state.client
        let headers = rd_kafka_headers_new(record.headers.count)
        for (name, value) in record.headers {
            rd_kafka_header_add(headers, name, name.utf8.count, value, value.utf8.count)
        }
        let opaque = delivery.retained()
        var key = record.key
        let code = key.withUTF8 { key in
            record.value.withUnsafeBytes { value in
                crdkafka_produce(
                    client.pointer, record.topic, key.baseAddress, key.count, value.baseAddress,
                    value.count, headers, opaque)
            }
        }
        guard code != RD_KAFKA_RESP_ERR_NO_ERROR else {
            deliveries.accepted()
            return nil
        }
        rd_kafka_headers_destroy(headers)
        Unmanaged<Delivery>.fromOpaque(opaque).release()
        if code == RD_KAFKA_RESP_ERR__FATAL, let reason = client.fatalReason() {
            client.wake()
            return reason.ofReplacedClient
        }
        return KafkaError(code)
    }
}

/// Waits for librdkafka on a thread of its own.
private actor Poller {
    /// A purge reports at once; this is only a safety limit.
    private static let purgeTime: Duration = .seconds(1)

    private let executor = BlockingExecutor(label: "kafka.producer")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func serve(_ client: SharedClient, for time: Duration) {
        rd_kafka_poll(client.pointer, time.milliseconds)
    }

    /// Fails queued records, usually only if there is no broker.
    func purge(_ client: SharedClient, evenWithBroker: Bool) {
        guard rd_kafka_outq_len(client.pointer) > 0 else { return }
        guard evenWithBroker || !client.hasBroker() else { return }
        rd_kafka_purge(client.pointer, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT)
        rd_kafka_flush(client.pointer, Self.purgeTime.milliseconds)
    }

    func drain(_ client: SharedClient, within grace: Duration) {
        purge(client, evenWithBroker: false)
        if rd_kafka_flush(client.pointer, grace.milliseconds) != RD_KAFKA_RESP_ERR_NO_ERROR {
            purge(client, evenWithBroker: true)
        }
    }
}

/// Asks brokers about topics, on its own thread.
private actor Scout {
    private static let answerTime: Duration = .seconds(1)

    private let executor = BlockingExecutor(label: "kafka.scout")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Without an answer the record is sent anyway, and waits like any record.
    func explore(_ topic: String, _ client: SharedClient) {
        guard let handle = rd_kafka_topic_new(client.pointer, topic, nil) else { return }
        defer { rd_kafka_topic_destroy(handle) }
        var answer: UnsafePointer<rd_kafka_metadata>?
        let time = Self.answerTime.milliseconds
        let code = rd_kafka_metadata(client.pointer, 0, handle, &answer, time)
        if code == RD_KAFKA_RESP_ERR_NO_ERROR { rd_kafka_metadata_destroy(answer) }
    }
}
