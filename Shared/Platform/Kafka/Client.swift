import CRdKafka
import Dispatch
import Synchronization

/// What librdkafka's callbacks reach through a configuration's one opaque pointer.
final class ClientContext: Sendable {
    let log: KafkaConfiguration.LogHandler?
    /// Whether the group has given a consumer its share, which may be none.
    let isAssigned = Atomic(false)
    /// Counts what the group has given.
    let assignments = Atomic(0)
    /// Whether the last look for a broker found none.
    let isAlone = Atomic(false)

    init(log: KafkaConfiguration.LogHandler?) {
        self.log = log
    }

    static func of(_ client: OpaquePointer?) -> ClientContext? {
        guard let client, let opaque = rd_kafka_opaque(client) else { return nil }
        return Unmanaged<ClientContext>.fromOpaque(opaque).takeUnretainedValue()
    }
}

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
    /// Lives as long as the callbacks may come.
    let context: ClientContext

    /// `rd_kafka_new` takes the configuration over only when it succeeds, so `Options` keeps
    /// freeing it on every other path.
    init(
        _ type: rd_kafka_type_t, _ options: consuming Options, context: ClientContext
    ) throws(KafkaError) {
        rd_kafka_conf_set_opaque(options.pointer, Unmanaged.passUnretained(context).toOpaque())
        // Without a callback of ours librdkafka writes to standard error.
        rd_kafka_conf_set_log_cb(options.pointer) { client, level, _, message in
            guard let message, let log = ClientContext.of(client)?.log else { return }
            log(Int(level), String(cString: message))
        }
        var reason = [CChar](repeating: 0, count: reasonBytes)
        guard let pointer = rd_kafka_new(type, options.pointer, &reason, reason.count) else {
            throw KafkaError(.configuration, text(reason))
        }
        options.release()
        self.pointer = pointer
        self.context = context
    }

    /// A consumer that was not closed before looks to its group like a crashed one: leaving
    /// politely may take seconds, which no `deinit` has. Where there is no broker librdkafka waits for seconds all
    /// the same, for answers that will not come: whoever stops does not wait with it.
    deinit {
        guard context.isAlone.load(ordering: .acquiring) else { return Self.destroy(pointer) }
        // Nobody else has it any more.
        nonisolated(unsafe) let pointer = pointer
        DispatchQueue.global().async { [context] in
            Self.destroy(pointer)
            withExtendedLifetime(context) {}
        }
    }

    private static func destroy(_ pointer: OpaquePointer) {
        rd_kafka_destroy_flags(pointer, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE)
    }

    /// Whether a broker can be reached: what waits for one that is gone can as well be left at once.
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

    /// The reason of a fatal error, once one has been raised.
    func fatalReason() -> KafkaError? {
        var reason = [CChar](repeating: 0, count: reasonBytes)
        let code = rd_kafka_fatal_error(pointer, &reason, reason.count)
        guard code != RD_KAFKA_RESP_ERR_NO_ERROR else { return nil }
        return KafkaError(.fatal, text(reason))
    }
}

/// A client that several threads call at once, which librdkafka promises to bear: its handle is
/// thread-safe, and constant here.
final class SharedClient: @unchecked Sendable {
    private let client: Client

    init(_ client: consuming Client) {
        self.client = client
    }

    var pointer: OpaquePointer { client.pointer }
    var context: ClientContext { client.context }

    /// Ends the poll that waits, or else the next one, at once.
    func wake() {
        let queue = rd_kafka_queue_get_main(client.pointer)
        rd_kafka_queue_yield(queue)
        rd_kafka_queue_destroy(queue)
    }

    func fatalReason() -> KafkaError? { client.fatalReason() }
    func hasBroker() -> Bool { client.hasBroker() }
}
