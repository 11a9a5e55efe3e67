import CRdKafka

/// An error from Kafka, classified by what the caller can do about it.
public struct KafkaError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: Sendable {
        /// The same call may succeed later.
        case retriable
        /// This client can't be used any more; a new one may work.
        case fatal
        /// A setting, a permission or a credential is wrong.
        case configuration
        /// This record will never be accepted.
        case permanent
    }

    public let kind: Kind
    /// The error number of librdkafka or the broker, if there is one.
    public let code: Int32?
    public let message: String

    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.code = nil
        self.message = message
    }

    init(_ code: rd_kafka_resp_err_t, detail: String? = nil) {
        kind = Kind(code)
        self.code = code.rawValue
        let reason = String(cString: rd_kafka_err2str(code))
        message = detail.map { "\(reason): \($0)" } ?? reason
    }

    /// An error in librdkafka's own words for this case.
    init(_ code: rd_kafka_resp_err_t, message: String) {
        kind = Kind(code)
        self.code = code.rawValue
        self.message = message
    }

    /// An error of one call, with what is wrong with the whole client: by itself librdkafka only says that a record
    /// timed out, or that no broker could be reached.
    init(_ code: rd_kafka_resp_err_t, of client: ClientContext) {
        let reason = String(cString: rd_kafka_err2str(code))
        let trouble =
            switch code {
            case RD_KAFKA_RESP_ERR__MSG_TIMED_OUT, RD_KAFKA_RESP_ERR__TRANSPORT,
                RD_KAFKA_RESP_ERR__TIMED_OUT:
                client.recentTrouble
            default: nil as String?
            }
        self.init(code, message: trouble.map { "\($0) (\(reason))" } ?? reason)
    }

    /// A fatal error of a client that will be replaced.
    var ofReplacedClient: KafkaError {
        kind == .fatal ? KafkaError(.retriable, message) : self
    }

    public var description: String { "\(kind): \(message)" }

    /// The error of a closed `KafkaProducer` or `KafkaConsumer`.
    static let closed = KafkaError(.fatal, "The client is closed")
}

extension KafkaError.Kind {
    /// Every error that isn't known to be permanent is retriable, including missing topics, which may be created
    /// later.
    init(_ code: rd_kafka_resp_err_t) {
        switch code {
        case RD_KAFKA_RESP_ERR__FATAL, RD_KAFKA_RESP_ERR__FENCED, RD_KAFKA_RESP_ERR__DESTROY,
            RD_KAFKA_RESP_ERR__GAPLESS_GUARANTEE, RD_KAFKA_RESP_ERR__CRIT_SYS_RESOURCE,
            RD_KAFKA_RESP_ERR_OUT_OF_ORDER_SEQUENCE_NUMBER, RD_KAFKA_RESP_ERR_PRODUCER_FENCED,
            RD_KAFKA_RESP_ERR_INVALID_PRODUCER_EPOCH, RD_KAFKA_RESP_ERR_FENCED_INSTANCE_ID:
            self = .fatal
        case RD_KAFKA_RESP_ERR__AUTHENTICATION, RD_KAFKA_RESP_ERR__UNSUPPORTED_FEATURE,
            RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED,
            RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED,
            RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED,
            RD_KAFKA_RESP_ERR_SASL_AUTHENTICATION_FAILED,
            RD_KAFKA_RESP_ERR_UNSUPPORTED_SASL_MECHANISM,
            RD_KAFKA_RESP_ERR_INCONSISTENT_GROUP_PROTOCOL, RD_KAFKA_RESP_ERR_INVALID_GROUP_ID,
            RD_KAFKA_RESP_ERR_INVALID_SESSION_TIMEOUT, RD_KAFKA_RESP_ERR_UNSUPPORTED_VERSION:
            self = .configuration
        case RD_KAFKA_RESP_ERR__INVALID_ARG, RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE,
            RD_KAFKA_RESP_ERR_INVALID_MSG_SIZE, RD_KAFKA_RESP_ERR_RECORD_LIST_TOO_LARGE,
            RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION, RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP,
            RD_KAFKA_RESP_ERR_INVALID_RECORD, RD_KAFKA_RESP_ERR_POLICY_VIOLATION:
            self = .permanent
        default:
            self = .retriable
        }
    }
}

/// Throws if librdkafka returned an error.
func check(_ code: rd_kafka_resp_err_t) throws(KafkaError) {
    guard code == RD_KAFKA_RESP_ERR_NO_ERROR else { throw KafkaError(code) }
}

/// The C string in a buffer.
func text(_ buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

/// Size of the buffer for librdkafka's error messages.
let reasonBytes = 512
