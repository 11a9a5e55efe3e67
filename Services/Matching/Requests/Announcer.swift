import Contracts
import Foundation
import Kafka

/// Publishes answers, and returns when the broker has them.
///
/// There is no outbox: Redis stores the answer until then.
struct Announcer: Sendable {
    static let source = "/matching"

    let send: @Sendable ([KafkaRecord]) async throws -> Void

    func announce(_ answers: [MatchAnswer]) async throws {
        guard !answers.isEmpty else { return }
        try await send(try answers.map(Self.record))
    }

    static func record(_ answer: MatchAnswer) throws -> KafkaRecord {
        guard let valet = answer.valet else {
            return try record(
                NoValetFound(order: answer.order, leg: answer.leg, attempt: answer.attempt), answer)
        }
        return try record(
            ValetMatched(
                order: answer.order, leg: answer.leg, attempt: answer.attempt, valet: valet,
                etaSeconds: answer.etaSeconds), answer)
    }

    private static func record<E: Event>(_ event: E, _ answer: MatchAnswer) throws -> KafkaRecord {
        let envelope = Envelope(
            id: answer.eventID, type: E.type, source: source, time: answer.decidedAt,
            subject: event.key, traceparent: answer.traceparent)
        return KafkaRecord(
            topic: E.topic.rawValue, key: event.key, value: try Wire.encode(event),
            headers: envelope.headers)
    }
}
