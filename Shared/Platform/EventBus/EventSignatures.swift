import Contracts
import Crypto
import Foundation
import Kafka

/// Signs what this service puts on the bus, and tells whether what it finds there comes from who may say it.
///
/// HMAC-SHA256 over topic, key, headers and body, under a key of the producer: by HKDF from the service secret.
public struct EventSignatures: Sendable {
    /// `<producer>:<base64>`, beside the CloudEvents attributes.
    public static let header = "signature"

    private let producer: String
    /// The current key of each producer, and the one before it while the secret is being changed.
    private let keys: [String: [SymmetricKey]]
    private let speakers: [String: Set<String>]

    /// Signs with the first secret, and takes what is signed with any of them. `speakers` are the producers
    /// that may say each type of event.
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

    /// The record with a signature; one that has a signature, or a place for it, keeps it.
    @Sendable public func sign(_ record: KafkaRecord) -> KafkaRecord {
        guard let key = keys[producer]?.first,
            !record.headers.contains(where: { $0.name == Self.header })
        else { return record }
        // The last of a name counts, as for whoever reads the record.
        let headers = Dictionary(record.headers.map { ($0.name, $0.value) }) { $1 }
        let code = Self.code(record.topic, record.key, headers, record.value, key)
        var record = record
        record.headers.append(
            (name: Self.header, value: "\(producer):\(Data(code).base64EncodedString())"))
        return record
    }

    /// Throws when the record is not signed by somebody who may say this type of event.
    func check(_ record: ReceivedRecord, type: String) throws(Forgery) {
        let producer = try producer(of: record)
        guard speakers[type]?.contains(producer) == true else {
            throw .mayNotSay(producer: producer, type: type)
        }
    }

    /// Whether a dead letter is of the service that it says has given up.
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

    /// Every part is told with its length, so that no two records read alike.
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

/// Why a record is not what it says it is.
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
