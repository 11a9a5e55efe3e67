import Contracts
import Foundation
import Kafka

/// Header names of a dead letter, in addition to those of the original record.
public enum DeadHeader {
    public static let reason = "dead_reason"
    public static let consumer = "dead_consumer"
    public static let attempts = "dead_attempts"
    public static let id = "dead_id"
    /// The signature of the original record; the letter itself is signed by the consumer that gave up.
    public static let signature = "dead_signature"
    /// Present if the record isn't signed by a service that may publish it.
    public static let forged = "dead_forged"
    /// Maximum length of a reason, in characters.
    static let longestReason = 500
}

extension ReceivedRecord {
    /// The record for the dead-letter topic, with the reason.
    func dead(
        _ reason: String, consumer: String, attempts: Int, isForged: Bool, id: DeadLetterID
    ) -> KafkaRecord {
        let kept = headers.sorted { $0.key < $1.key }
            .filter { !$0.key.hasPrefix("dead_") && $0.key != EventSignatures.header }
            .map { (name: $0.key, value: $0.value) }
        return KafkaRecord(
            topic: topic + ".dead", key: key ?? "", value: value,
            headers: kept + [
                (name: DeadHeader.reason, value: String(reason.prefix(DeadHeader.longestReason))),
                (name: DeadHeader.consumer, value: consumer),
                (name: DeadHeader.attempts, value: String(attempts)),
                (name: DeadHeader.id, value: id.description),
                (name: DeadHeader.signature, value: headers[EventSignatures.header] ?? ""),
            ] + (isForged ? [(name: DeadHeader.forged, value: "1")] : []))
    }
}
