import CRdKafka
import Foundation

/// A record to send. Records with the same key keep their order.
public struct KafkaRecord: Sendable {
    public var topic: String
    public var key: String
    public var value: Data
    public var headers: [(name: String, value: String)]

    public init(
        topic: String, key: String, value: Data, headers: [(name: String, value: String)] = []
    ) {
        self.topic = topic
        self.key = key
        self.value = value
        self.headers = headers
    }
}

/// A record received by a consumer.
public struct ReceivedRecord: Sendable, Hashable {
    public let topic: String
    public let partition: Int32
    public let offset: Int64
    public let key: String?
    public let value: Data
    /// The last value if a name occurs several times.
    public let headers: [String: String]

    public init(
        topic: String, partition: Int32, offset: Int64, key: String?, value: Data,
        headers: [String: String] = [:]
    ) {
        self.topic = topic
        self.partition = partition
        self.offset = offset
        self.key = key
        self.value = value
        self.headers = headers
    }
}

extension ReceivedRecord {
    /// Copies everything: the message holds a whole fetch buffer and is destroyed soon.
    init(_ message: UnsafeMutablePointer<rd_kafka_message_t>) {
        let raw = message.pointee
        topic = String(cString: rd_kafka_topic_name(raw.rkt))
        partition = raw.partition
        offset = raw.offset
        key = raw.key.map { text(UnsafeRawBufferPointer(start: $0, count: raw.key_len)) }
        value = raw.payload.map { Data(bytes: $0, count: raw.len) } ?? Data()
        headers = Self.headers(of: message)
    }

    private static func headers(
        of message: UnsafeMutablePointer<rd_kafka_message_t>
    ) -> [String: String] {
        var list: OpaquePointer?
        guard rd_kafka_message_headers(message, &list) == RD_KAFKA_RESP_ERR_NO_ERROR, let list
        else { return [:] }
        var headers: [String: String] = [:]
        var name: UnsafePointer<CChar>?
        var value: UnsafeRawPointer?
        var size = 0
        var index = 0
        while rd_kafka_header_get_all(list, index, &name, &value, &size)
            == RD_KAFKA_RESP_ERR_NO_ERROR
        {
            index += 1
            guard let name else { continue }
            headers[String(cString: name)] = text(UnsafeRawBufferPointer(start: value, count: size))
        }
        return headers
    }
}

private func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes, as: UTF8.self)
}
