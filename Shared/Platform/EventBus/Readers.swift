import Contracts
import Foundation
import Kafka
import Logging
import ServiceLifecycle

extension ReceivedRecord {
    /// The record as an event of that type; nil if it has another type or is malformed.
    public func event<E: Event>(_ type: E.Type = E.self) -> E? {
        guard headers["ce_type"] == E.type else { return nil }
        return try? Wire.decode(E.self, from: value)
    }
}

/// Passes every record from now on to this process, whatever other processes read.
///
/// It has no offsets and no retries: it is for data that is only displayed. Events that aren't signed by a service
/// that may publish them are counted and dropped.
public struct BroadcastConsumer: Service {
    public typealias Handler = @Sendable (ReceivedRecord) async throws -> Void

    public let status = ConsumerStatus()
    private let pump: RecordPump
    private let signatures: EventSignatures
    private let handle: Handler

    public init(
        _ kafka: KafkaConfiguration, topics: Set<Topic>, signatures: EventSignatures,
        logger: Logger, handle: @escaping Handler
    ) {
        self.signatures = signatures
        let names = topics.map(\.rawValue).sorted()
        self.handle = handle
        let group = "\(kafka.clientID)-broadcast"
        pump = RecordPump(
            kafka: kafka, group: group, topics: names, start: .latest, share: .broadcast,
            status: status, metrics: ConsumerMetrics(group: group, topics: names), logger: logger,
            losses: BrokerLosses())
    }

    public func run() async throws {
        try await pump.run { record in
            do {
                try signatures.check(record, type: record.headers["ce_type"] ?? "")
                try await handle(record)
                pump.metrics.handled.increment()
            } catch {
                if error is Forgery { pump.metrics.forged.increment() }
                pump.logger.debug(
                    "a broadcast record was dropped", metadata: ["error": "\(loggable(error))"])
            }
            return .done
        }
    }
}

/// Shares the raw records of any topics among the processes of a group; for dead letters.
///
/// A record that keeps failing is logged and skipped, since there is no other place for it.
public struct RawConsumer: Service {
    public typealias Handler = @Sendable (ReceivedRecord) async throws -> Void

    public let status = ConsumerStatus()
    private let pump: RecordPump
    private let handle: Handler

    public init(
        _ kafka: KafkaConfiguration, group: String, topics: [String], logger: Logger,
        handle: @escaping Handler
    ) {
        self.handle = handle
        pump = RecordPump(
            kafka: kafka, group: group, topics: topics, start: .earliest,
            share: kafka.isSoleReader ? .sole : .group, status: status,
            metrics: ConsumerMetrics(group: group, topics: topics), logger: logger,
            losses: BrokerLosses())
    }

    public func run() async throws {
        try await pump.run { record in
            let retries = Retries { error, attempt in
                pump.metrics.retried.increment()
                pump.logger.warning(
                    "a raw record failed; retrying",
                    metadata: ["attempt": "\(attempt)", "error": "\(loggable(error))"])
            }
            switch await retries.run({ _ in try await handle(record) }) {
            case .succeeded:
                pump.metrics.handled.increment()
            case .stopped:
                return .left
            case .failed(let error, let attempts):
                pump.metrics.dead.increment()
                pump.logger.error(
                    "skipped a raw record",
                    metadata: [
                        "topic": "\(record.topic)", "partition": "\(record.partition)",
                        "offset": "\(record.offset)", "attempts": "\(attempts)",
                        "error": "\(loggable(error))",
                    ])
            }
            return .done
        }
    }
}
