import Contracts
import Foundation
import Metrics
import Store

/// One delivery of an event to a service.
public struct Delivery: Sendable {
    public let envelope: Envelope
    /// The number of the try, from 1.
    public let attempt: Int

    public init(_ envelope: Envelope, attempt: Int = 1) {
        self.envelope = envelope
        self.attempt = attempt
    }

    /// A delivery as it would come from the bus; for tests of reactions.
    public static func of(_ event: some Event, id: EventID = .new(), at time: Date) -> Delivery {
        let type = Swift.type(of: event).type
        return Delivery(
            Envelope(
                id: id, type: type, source: "/\(type.prefix { $0 != "." })", time: time,
                subject: event.key))
    }
}

extension Transaction {
    /// False if this event was already applied to this database; otherwise records that it is.
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
    /// Runs `body` unless the event was applied already, in the transaction that records it.
    public func apply(
        _ delivery: Delivery, _ body: @escaping @Sendable (Transaction) throws -> Void
    ) async throws {
        try await write { transaction in
            if try transaction.isFirst(delivery) { try body(transaction) }
        }
    }
}
