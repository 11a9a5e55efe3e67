import CRdKafka
import Synchronization

/// A line of librdkafka's log, or an error of a whole client.
public struct KafkaLogLine: Sendable {
    /// Syslog's severity: 0 emergency … 3 error, 4 warning … 7 debug.
    public let severity: Int
    /// librdkafka's name of the part that speaks, such as `CLUSTERID`; `ERROR` for an error of the whole client.
    public let facility: String
    /// The client's id, kind and number in this process, such as `orders#consumer-2`.
    public let client: String
    public let message: String

    public init(severity: Int, facility: String, client: String, message: String) {
        self.severity = severity
        self.facility = facility
        self.client = client
        self.message = message
    }
}

/// The data for librdkafka's callbacks, which get a configuration's one opaque pointer.
final class ClientContext: Sendable {
    private let log: KafkaConfiguration.LogHandler?
    private let trouble = Mutex<(sentence: String, time: ContinuousClock.Instant)?>(nil)
    /// Whether the group has assigned partitions to the consumer, possibly none.
    let isAssigned = Atomic(false)
    /// Number of assignments by the group.
    let assignments = Atomic(0)
    /// Whether no broker was found the last time.
    let isAlone = Atomic(false)
    /// Whether a producer's broker has lost records.
    let isOutdated = Atomic(false)
    /// Whether the next partitions that the group assigns are read from their beginning, and whether the present
    /// ones are.
    let rereadsNext = Atomic(false)
    let isRereading = Atomic(false)
    private let onDelivery: @Sendable (_ partition: String, _ offset: Int64) -> Void

    /// Longer than the 30 seconds for which librdkafka leaves out an error that repeats.
    private static let troubleTime: Duration = .seconds(60)

    init(
        log: KafkaConfiguration.LogHandler?,
        onDelivery: @escaping @Sendable (_ partition: String, _ offset: Int64) -> Void = { _, _ in }
    ) {
        self.log = log
        self.onDelivery = onDelivery
    }

    static func of(_ client: OpaquePointer?) -> ClientContext? {
        guard let client, let opaque = rd_kafka_opaque(client) else { return nil }
        return Unmanaged<ClientContext>.fromOpaque(opaque).takeUnretainedValue()
    }

    /// Why the client can't work, if it said so within the last minute and nothing has succeeded since.
    var recentTrouble: String? {
        trouble.withLock { trouble in
            guard let trouble, ContinuousClock.now - trouble.time < Self.troubleTime else {
                return nil
            }
            return trouble.sentence
        }
    }

    /// The broker has stored a record, so the trouble is over.
    func delivered(_ partition: String, _ offset: Int64) {
        trouble.withLock { $0 = nil }
        onDelivery(partition, offset)
    }

    func say(_ severity: Int, _ facility: String, _ client: OpaquePointer?, _ message: String) {
        guard let log else { return }
        let name = client.map { String(cString: rd_kafka_name($0)) } ?? ""
        log(KafkaLogLine(severity: severity, facility: facility, client: name, message: message))
    }

    func warn(_ facility: String, _ client: OpaquePointer?, _ message: String) {
        say(4, facility, client, message)
    }

    /// Remembers the error of a whole client, and says it as a sentence for operators.
    func fail(_ code: rd_kafka_resp_err_t, _ reason: String, _ client: OpaquePointer?) {
        let error = ClientTrouble(code, reason)
        // It only sums up the errors of each broker, which came before.
        if code != RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN {
            trouble.withLock { $0 = (error.sentence, ContinuousClock.now) }
        }
        say(error.severity, "ERROR", client, error.sentence)
    }
}

/// Facilities whose lines are for debugging, whatever librdkafka says: the error callback gets the words of `FAIL`, and
/// every reader of the broker in memory says at its start that topics may be made by themselves there.
private let details: Set = ["FAIL", "AUTOCREATE"]

extension Options {
    /// Without these callbacks librdkafka writes to standard error.
    func setCallbacks() {
        rd_kafka_conf_set_log_cb(pointer) { client, severity, facility, message in
            guard let message, let facility, let context = ClientContext.of(client) else { return }
            let name = String(cString: facility)
            let severity = details.contains(name) ? 7 : Int(severity)
            context.say(severity, name, client, String(cString: message))
        }
        rd_kafka_conf_set_error_cb(pointer) { client, code, reason, _ in
            guard let reason, let context = ClientContext.of(client) else { return }
            context.fail(.init(rawValue: code), String(cString: reason), client)
        }
    }
}

/// An error of a whole client in the words of an operator.
struct ClientTrouble {
    let severity: Int
    let sentence: String

    init(_ code: rd_kafka_resp_err_t, _ reason: String) {
        // librdkafka adds how long it was in which state, and how often it kept silent.
        let reason = reason.replacing(/\s\(after \d+ms in state .*\)$/, with: "")
        switch code {
        case RD_KAFKA_RESP_ERR__AUTHENTICATION, RD_KAFKA_RESP_ERR_SASL_AUTHENTICATION_FAILED:
            (severity, sentence) = (3, "Kafka does not accept the credentials: \(reason)")
        case RD_KAFKA_RESP_ERR__SSL:
            (severity, sentence) = (3, "TLS with Kafka failed: \(reason)")
        case RD_KAFKA_RESP_ERR__TRANSPORT, RD_KAFKA_RESP_ERR__RESOLVE,
            RD_KAFKA_RESP_ERR__TIMED_OUT:
            (severity, sentence) = (4, "Kafka can't be reached: \(reason)")
        case RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN:
            (severity, sentence) = (7, reason)
        case RD_KAFKA_RESP_ERR__FATAL:
            (severity, sentence) = (3, "A Kafka client can't go on: \(reason)")
        default:
            (severity, sentence) = (4, reason)
        }
    }
}
