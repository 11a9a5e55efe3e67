import CRdKafka
import Foundation
import Synchronization
import Threads

/// Sends records, and returns when the broker has stored them.
///
/// Delivery reports only arrive while `run` runs.
public final class KafkaProducer: Sendable {
    /// Maximum time of a poll. Reports and `leave` end it earlier.
    private static let pollTime: Duration = .seconds(1)
    private static let leavingPollTime: Duration = .milliseconds(100)

    private let client: SharedClient
    private let prepare: @Sendable (KafkaRecord) -> KafkaRecord
    /// Locked while a record is passed to librdkafka: a record after the last report was served would leave its
    /// sender waiting for ever.
    private let isOpen = Mutex(true)
    private let poller = Poller()
    private let scout = Scout()
    private let known = Mutex<Set<String>>([])
    private let isLeaving = Atomic(false)

    /// `prepare` is called last for every record, for example to sign it.
    public init(
        _ configuration: KafkaConfiguration,
        prepare: @escaping @Sendable (KafkaRecord) -> KafkaRecord = { $0 }
    ) throws(KafkaError) {
        self.prepare = prepare
        let options = try Options(configuration.producerSettings)
        rd_kafka_conf_set_dr_msg_cb(options.pointer) { client, message, _ in
            guard let message = message?.pointee, let opaque = message._private,
                let context = ClientContext.of(client)
            else { return }
            if message.err == RD_KAFKA_RESP_ERR_NO_ERROR {
                context.forgetTrouble()
                Delivery.take(opaque, .success(message.offset))
            } else {
                Delivery.take(opaque, .failure(KafkaError(message.err, of: context)))
            }
        }
        let context = ClientContext(log: configuration.log)
        client = SharedClient(try Client(RD_KAFKA_PRODUCER, options, context: context))
    }

    /// Serves delivery reports until the task is cancelled. Then queued records have `grace` to be sent; the rest
    /// fails.
    public func run(grace: Duration = .seconds(5)) async {
        await withTaskCancellationHandler {
            while !Task.isCancelled {
                let isLeaving = isLeaving.load(ordering: .relaxed)
                if isLeaving { await poller.purgeWithoutBroker(client) }
                await poller.serve(client, for: isLeaving ? Self.leavingPollTime : Self.pollTime)
            }
        } onCancel: {
            client.wake()
        }
        isOpen.withLock { $0 = false }
        await poller.drain(client, within: grace)
    }

    /// The process stops soon, so nothing waits for an unavailable broker from now on.
    public func leave() {
        isLeaving.store(true, ordering: .relaxed)
        client.wake()
    }

    /// Returns the offset at which the broker stored the record.
    @discardableResult
    public func send(_ record: KafkaRecord) async throws(KafkaError) -> Int64 {
        let record = prepare(record)
        await explore([record.topic])
        let result = await withCheckedContinuation { continuation in
            let delivery = Delivery { continuation.resume(returning: $0) }
            isOpen.withLock { isOpen in
                if let error = enqueue(record, delivery, isOpen: isOpen) {
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
            isOpen.withLock { enqueue(records, batch, isOpen: $0) }
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
        for topic in new { await scout.explore(topic, client) }
    }

    /// Stops at the first refused record, so that no later one overtakes it.
    private func enqueue(_ records: [KafkaRecord], _ batch: DeliveryBatch, isOpen: Bool) {
        for (index, record) in records.enumerated() {
            let delivery = Delivery { batch.complete(index, $0) }
            guard let error = enqueue(record, delivery, isOpen: isOpen) else { continue }
            for index in index..<records.count { batch.complete(index, .failure(error)) }
            return
        }
    }

    /// After an error, the delivery has not been and will not be completed.
    private func enqueue(
        _ record: KafkaRecord, _ delivery: Delivery, isOpen: Bool
    ) -> KafkaError? {
        guard isOpen else { return .closed }
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
        guard code != RD_KAFKA_RESP_ERR_NO_ERROR else { return nil }
        rd_kafka_headers_destroy(headers)
        Unmanaged<Delivery>.fromOpaque(opaque).release()
        if code == RD_KAFKA_RESP_ERR__FATAL, let reason = client.fatalReason() { return reason }
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

    /// Fails queued records if there is no broker.
    func purgeWithoutBroker(_ client: SharedClient) {
        if rd_kafka_outq_len(client.pointer) > 0, !client.hasBroker() { purge(client) }
    }

    func drain(_ client: SharedClient, within grace: Duration) {
        purgeWithoutBroker(client)
        if rd_kafka_flush(client.pointer, grace.milliseconds) != RD_KAFKA_RESP_ERR_NO_ERROR {
            purge(client)
        }
    }

    private func purge(_ client: SharedClient) {
        rd_kafka_purge(client.pointer, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT)
        rd_kafka_flush(client.pointer, Self.purgeTime.milliseconds)
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
