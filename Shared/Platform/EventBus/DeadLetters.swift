import Contracts
import Foundation
import Kafka
import Store

/// Header names of a dead letter, beside those of the record that died.
public enum DeadHeader {
    public static let reason = "dead_reason"
    public static let consumer = "dead_consumer"
    public static let attempts = "dead_attempts"
    public static let id = "dead_id"
    /// The signature of the record that died: the letter has one of the consumer that gave up.
    public static let signature = "dead_signature"
    /// There when the record is not signed by who may say it.
    public static let forged = "dead_forged"
    /// Characters of a reason that are kept.
    static let longestReason = 500
}

extension ReceivedRecord {
    /// The same record for the dead-letter topic, with the reason.
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

/// What of an error may be logged: messages of other types might quote an event.
func loggable(_ error: any Error) -> String {
    switch error {
    case let error as StoreError: error.description
    case let error as KafkaError: error.description
    default: String(reflecting: type(of: error))
    }
}
