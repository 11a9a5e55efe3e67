import Contracts
import EventBus
import Kafka
import ServiceKit

extension KafkaProducer {
    /// Signs each record as a service that may say it, a dead letter as the consumer that it names.
    public static func ofEveryService(_ configuration: KafkaConfiguration) throws -> KafkaProducer {
        try KafkaProducer(configuration) { record in
            let headers = Dictionary(record.headers.map { ($0.name, $0.value) }) { $1 }
            let producer =
                headers[DeadHeader.consumer] ?? eventSpeakers[headers["ce_type"] ?? ""]?.min()
            return EventSignatures(
                producer: producer ?? "", secrets: [ServiceEnvironment.testSecret]
            ).sign(
                record)
        }
    }
}
