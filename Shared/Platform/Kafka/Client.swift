import CRdKafka
import Dispatch
import Synchronization

/// Sole owner of one `rd_kafka_conf_t`, until a client takes it over.
struct Options: ~Copyable {
    let pointer: OpaquePointer

    init(_ settings: [String: String]) throws(KafkaError) {
        pointer = rd_kafka_conf_new()
        for (name, value) in settings {
            var reason = [CChar](repeating: 0, count: reasonBytes)
            let outcome = rd_kafka_conf_set(pointer, name, value, &reason, reason.count)
            guard outcome == RD_KAFKA_CONF_OK else {
                throw KafkaError(.configuration, text(reason))
            }
        }
    }

    deinit { rd_kafka_conf_destroy(pointer) }

    consuming func release() { discard self }
}

/// Sole owner of one `rd_kafka_t`.
struct Client: ~Copyable {
    let pointer: OpaquePointer
    /// Lives as long as callbacks may come.
    let context: ClientContext

    /// `rd_kafka_new` takes the configuration over only when it succeeds, so `Options` keeps
    /// freeing it on every other path.
    init(
        _ type: rd_kafka_type_t, _ options: consuming Options, context: ClientContext
    ) throws(KafkaError) {
        rd_kafka_conf_set_opaque(options.pointer, Unmanaged.passUnretained(context).toOpaque())
        options.setCallbacks()
        crdkafka_let_main_thread_sleep(options.pointer)
        var reason = [CChar](repeating: 0, count: reasonBytes)
        guard let pointer = rd_kafka_new(type, options.pointer, &reason, reason.count) else {
            throw KafkaError(.configuration, text(reason))
        }
        options.release()
        self.pointer = pointer
        self.context = context
    }

    /// To its group, a consumer that was not closed looks like a crashed one: leaving the group may take seconds,
    /// which a `deinit` doesn't have. librdkafka may wait for answers that will not come; after a while it does so
    /// alone.
    deinit {
        // No other code has the pointer any more.
        nonisolated(unsafe) let pointer = pointer
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async { [context] in
            Self.destroy(pointer)
            withExtendedLifetime(context) {}
            done.signal()
        }
        let isAlone = context.isAlone.load(ordering: .acquiring)
        _ = done.wait(timeout: .now() + (isAlone ? .seconds(0) : Self.destroyTime))
    }

    private static let destroyTime: DispatchTimeInterval = .seconds(1)

    private static func destroy(_ pointer: OpaquePointer) {
        rd_kafka_destroy_flags(pointer, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE)
    }

    /// Whether a broker can be reached; without one there is no use in waiting for it.
    func hasBroker() -> Bool {
        var answer: UnsafePointer<rd_kafka_metadata>?
        let time = Self.answerTime.milliseconds
        let code = rd_kafka_metadata(pointer, 0, nil, &answer, time)
        context.isAlone.store(code != RD_KAFKA_RESP_ERR_NO_ERROR, ordering: .releasing)
        guard code == RD_KAFKA_RESP_ERR_NO_ERROR else { return false }
        rd_kafka_metadata_destroy(answer)
        return true
    }

    private static let answerTime: Duration = .milliseconds(500)

    /// The id of the cluster that answered last, without asking it; nil if none has answered yet.
    func clusterID() -> String? {
        guard let text = rd_kafka_clusterid(pointer, 0) else { return nil }
        defer { rd_kafka_mem_free(pointer, text) }
        return String(cString: text)
    }

    /// The reason of the fatal error, if there was one.
    func fatalReason() -> KafkaError? {
        var reason = [CChar](repeating: 0, count: reasonBytes)
        let code = rd_kafka_fatal_error(pointer, &reason, reason.count)
        guard code != RD_KAFKA_RESP_ERR_NO_ERROR else { return nil }
        return KafkaError(.fatal, text(reason))
    }
}

/// A client that several threads call concurrently. librdkafka guarantees that its handle is thread-safe, and it is
/// constant here.
final class SharedClient: @unchecked Sendable {
    private let client: Client

    init(_ client: consuming Client) {
        self.client = client
    }

    var pointer: OpaquePointer { client.pointer }
    var context: ClientContext { client.context }

    /// Ends the current poll, or else the next one, at once.
    func wake() {
        let queue = rd_kafka_queue_get_main(client.pointer)
        rd_kafka_queue_yield(queue)
        rd_kafka_queue_destroy(queue)
    }

    func fatalReason() -> KafkaError? { client.fatalReason() }
    func hasBroker() -> Bool { client.hasBroker() }
    func clusterID() -> String? { client.clusterID() }
}
