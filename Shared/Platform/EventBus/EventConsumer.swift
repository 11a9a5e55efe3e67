import Contracts
import Foundation
import Kafka
import Logging
import ServiceContextModule
import ServiceLifecycle

/// Passes each event to its reaction, in order per key, until the service stops.
///
/// A record ends as done or as a dead letter; one that can't be handled never blocks the others.
public struct EventConsumer: Service {
    public let status = ConsumerStatus()

    private let pump: RecordPump
    private let reactions: Reactions
    private let signatures: EventSignatures
    private let deadLetters: KafkaProducer
    private let tracer: Tracer?

    /// A new group reads from the earliest record. `dead` sends records that can't be handled to the dead-letter
    /// topic. `losses` hears that the broker has lost records.
    public init(
        _ kafka: KafkaConfiguration, group: String, signatures: EventSignatures,
        reactions: Reactions, dead: KafkaProducer, losses: BrokerLosses = BrokerLosses(),
        tracer: Tracer? = nil, logger: Logger
    ) {
        let topics = reactions.topics.map(\.rawValue).sorted()
        self.reactions = reactions
        self.signatures = signatures
        deadLetters = dead
        self.tracer = tracer
        pump = RecordPump(
            kafka: kafka, group: group, topics: topics, start: .earliest,
            share: kafka.isSoleReader ? .sole : .group, status: status,
            metrics: ConsumerMetrics(group: group, topics: topics), logger: logger, losses: losses)
    }

    public func run() async throws {
        try reactions.requireOneEach()
        try await pump.run(react)
    }

    @Sendable private func react(to record: ReceivedRecord) async throws -> RecordPump.Outcome {
        guard let envelope = Envelope(headers: record.headers) else {
            return try await sendToDeadLetters(record, "The envelope is malformed", attempts: 0)
        }
        guard let reaction = reactions[envelope.type] else { return .done }
        do {
            try signatures.check(record, type: envelope.type)
        } catch {
            pump.metrics.forged.increment()
            return try await sendToDeadLetters(
                record, loggable(error), attempts: 0, isForged: true)
        }
        let work: Reaction.Work
        do {
            work = try reaction.decode(record.value)
        } catch {
            return try await sendToDeadLetters(
                record, "The body is malformed: \(loggable(error))", attempts: 0)
        }
        var context = ServiceContext.topLevel
        let parent = envelope.traceparent.flatMap(TraceContext.init)
        let trace = parent?.child() ?? .root()
        (context.traceContext, context.tracer) = (trace, tracer)
        let start = Date()
        let outcome = await ServiceContext.$current.withValue(context) {
            await retries(record, envelope).run { attempt in
                do {
                    try await work(Delivery(envelope, attempt: attempt))
                } catch let unknown as UnknownValue {
                    skip(envelope, unknown)
                }
            }
        }
        tracer?.record(
            Span(
                "handle \(envelope.type)", .consumer, trace, below: parent?.spanID, from: start,
                attributes: Span.messaging(record.topic), failure: outcome.failure))
        switch outcome {
        case .succeeded:
            pump.metrics.handled.increment()
            // Clocks of two machines differ a little.
            let age = max(0, Date().timeIntervalSince(envelope.time))
            pump.metrics.age.record(duration: .seconds(age))
            return .done
        case .stopped:
            return .left
        case .failed(let error, let attempts):
            return try await sendToDeadLetters(record, loggable(error), attempts: attempts)
        }
    }

    private func skip(_ envelope: Envelope, _ unknown: UnknownValue) {
        pump.metrics.skipped.increment()
        pump.logger.warning(
            "skipped an event with an unknown value",
            metadata: [
                "event_type": "\(envelope.type)", "event_id": "\(envelope.id)",
                "field": "\(unknown.field)", "value": "\(unknown.value.prefix(40))",
            ])
    }

    private func retries(_ record: ReceivedRecord, _ envelope: Envelope) -> Retries {
        Retries { error, attempt in
            pump.metrics.retried.increment()
            pump.logger.warning(
                "a reaction failed; retrying",
                metadata: [
                    "event_type": "\(envelope.type)", "event_id": "\(envelope.id)",
                    "attempt": "\(attempt)", "error": "\(loggable(error))",
                    "trace_id": "\(ServiceContext.current?.traceContext?.traceID ?? "")",
                ])
        }
    }

    /// Returns once the dead-letter topic has the record, however long that takes.
    private func sendToDeadLetters(
        _ record: ReceivedRecord, _ reason: String, attempts: Int, isForged: Bool = false
    ) async throws -> RecordPump.Outcome {
        let id = DeadLetterID.new()
        let letter = record.dead(
            reason, consumer: pump.group, attempts: attempts, isForged: isForged, id: id)
        var backoff = Backoff(first: .milliseconds(100), most: .seconds(5))
        while true {
            do {
                try await deadLetters.send(letter)
                pump.metrics.dead.increment()
                pump.logger.error(
                    "a record became a dead letter",
                    metadata: [
                        "dead_id": "\(id)", "topic": "\(record.topic)",
                        "event_type": "\(record.headers["ce_type"] ?? "")",
                        "event_id": "\(record.headers["ce_id"] ?? "")", "attempts": "\(attempts)",
                    ])
                return .done
            } catch {
                if isStopping { return .left }
                if error.kind == .fatal { throw error }
                pump.logger.warning(
                    "a dead letter could not be written", metadata: ["error": "\(loggable(error))"])
            }
            await backoff.wait()
            if isStopping { return .left }
        }
    }
}
