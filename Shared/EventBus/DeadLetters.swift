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
    /// Characters of a reason that are kept.
    static let longestReason = 500
}

extension ReceivedRecord {
    /// The same record for the dead-letter topic, with the reason.
    func dead(_ reason: String, consumer: String, attempts: Int, id: DeadLetterID) -> KafkaRecord {
        let kept = headers.sorted { $0.key < $1.key }
            .filter { !$0.key.hasPrefix("dead_") }
            .map { (name: $0.key, value: $0.value) }
        return KafkaRecord(
            topic: topic + ".dead", key: key ?? "", value: value,
            headers: kept + [
                (name: DeadHeader.reason, value: String(reason.prefix(DeadHeader.longestReason))),
                (name: DeadHeader.consumer, value: consumer),
                (name: DeadHeader.attempts, value: String(attempts)),
                (name: DeadHeader.id, value: id.description),
            ])
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
