import Contracts
import Foundation
import Metrics
import Store

/// One event on its way into a service.
public struct Delivery: Sendable {
    public let envelope: Envelope
    /// Counts the tries from 1.
    public let attempt: Int

    public init(_ envelope: Envelope, attempt: Int = 1) {
        self.envelope = envelope
        self.attempt = attempt
    }

    /// As it would arrive from the bus: for tests of reactions.
    public static func of(_ event: some Event, id: EventID = .new(), at time: Date) -> Delivery {
        let type = Swift.type(of: event).type
        return Delivery(
            Envelope(
                id: id, type: type, source: "/\(type.prefix { $0 != "." })", time: time,
                subject: event.key))
    }
}

extension Transaction {
    /// False when this event was already applied to this database. Remembers it otherwise.
    public func isFirst(_ delivery: Delivery) throws -> Bool {
        let inserted = try execute(
            """
            INSERT INTO inbox (event_id, applied_at) VALUES (?, ?)
            ON CONFLICT (event_id) DO NOTHING
            """, delivery.envelope.id, Date())
        if inserted == 0 { BusMetrics.duplicates.increment() }
        return inserted == 1
    }
}

extension Database {
    /// Runs `body` unless the event was applied already, in the transaction that remembers it.
    public func apply(
        _ delivery: Delivery, _ body: @escaping @Sendable (Transaction) throws -> Void
    ) async throws {
        try await write { transaction in
            if try transaction.isFirst(delivery) { try body(transaction) }
        }
    }
}
