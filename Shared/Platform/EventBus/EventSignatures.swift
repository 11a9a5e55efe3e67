import Contracts
import Crypto
import Foundation
import Kafka

/// Signs this service's events, and checks that received events are signed by a service that may publish them.
///
/// HMAC-SHA256 over topic, key, headers and body, with a key per producer, derived from the service secret by HKDF.
public struct EventSignatures: Sendable {
    /// The header with the value `<producer>:<base64>`, besides the CloudEvents attributes.
    public static let header = "signature"

    private let producer: String
    /// The keys of each producer: the current one, and the previous one while the secret is being changed.
    private let keys: [String: [SymmetricKey]]
    private let speakers: [String: Set<String>]

    /// Signs with the first secret, and accepts signatures with any of them. `speakers` are the producers that may
    /// publish each type of event.
    public init(
        producer: String, secrets: [String], speakers: [String: Set<String>] = eventSpeakers
    ) {
        self.producer = producer
        self.speakers = speakers
        let producers = speakers.values.reduce(into: Set(allServices.map(\.name) + [producer])) {
            $0.formUnion($1)
        }
        keys = Dictionary(uniqueKeysWithValues: producers.map { ($0, Self.keys(of: $0, secrets)) })
    }

    private static func keys(of producer: String, _ secrets: [String]) -> [SymmetricKey] {
        secrets.map { secret in
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: Data(secret.utf8)),
                info: Data("openvalet events of \(producer)".utf8), outputByteCount: 32)
        }
    }

    /// The signed record; a record that already has the header keeps it.
    @Sendable public func sign(_ record: KafkaRecord) -> KafkaRecord {
        guard let key = keys[producer]?.first,
            !record.headers.contains(where: { $0.name == Self.header })
        else { return record }
        // The last header of a name counts, as it does for readers of the record.
        let headers = Dictionary(record.headers.map { ($0.name, $0.value) }) { $1 }
        let code = Self.code(record.topic, record.key, headers, record.value, key)
        var record = record
        record.headers.append(
            (name: Self.header, value: "\(producer):\(Data(code).base64EncodedString())"))
        return record
    }

    /// Throws if the record isn't signed by a service that may publish this type of event.
    func check(_ record: ReceivedRecord, type: String) throws(Forgery) {
        let producer = try producer(of: record)
        guard speakers[type]?.contains(producer) == true else {
            throw .mayNotSay(producer: producer, type: type)
        }
    }

    /// Whether a dead letter is signed by the consumer that it names.
    public func isSignedByConsumer(_ letter: ReceivedRecord) -> Bool {
        guard let producer = try? producer(of: letter) else { return false }
        return producer == letter.headers[DeadHeader.consumer]
    }

    /// The service that signed the record. Throws if the signature is missing or wrong.
    private func producer(of record: ReceivedRecord) throws(Forgery) -> String {
        guard let signature = record.headers[Self.header], !signature.isEmpty else {
            throw .unsigned
        }
        let parts = signature.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let keys = keys[parts[0]], let code = Data(base64Encoded: parts[1])
        else { throw .forged }
        let key = record.key ?? ""
        for candidate in keys
        where Self.code(record.topic, key, record.headers, record.value, candidate) == code {
            return parts[0]
        }
        throw .forged
    }

    /// Each part is preceded by its length, so that no two records give the same input.
    private static func code(
        _ topic: String, _ key: String, _ headers: [String: String], _ value: Data,
        _ secret: SymmetricKey
    ) -> HMAC<SHA256>.MAC {
        var head: [UInt8] = []
        head.reserveCapacity(1_024)
        func append(_ text: String) {
            withUnsafeBytes(of: UInt32(text.utf8.count).bigEndian) { head.append(contentsOf: $0) }
            head.append(contentsOf: text.utf8)
        }
        append(topic)
        append(key)
        for name in headers.keys.sorted() where name != header {
            append(name)
            append(headers[name] ?? "")
        }
        var code = HMAC<SHA256>(key: secret)
        withUnsafeBytes(of: UInt32(head.count).bigEndian) { code.update(data: $0) }
        code.update(data: head)
        code.update(data: value)
        return code.finalize()
    }
}

/// Why the origin of a record can't be trusted.
enum Forgery: Error, Equatable, CustomStringConvertible {
    case unsigned
    case forged
    case mayNotSay(producer: String, type: String)

    var description: String {
        switch self {
        case .unsigned: "The record is not signed"
        case .forged: "The signature does not fit the record"
        case .mayNotSay(let producer, let type): "\(producer) may not say \(type)"
        }
    }
}
