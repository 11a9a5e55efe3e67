import Contracts
import Foundation
import Store

extension Transaction {
    /// Sends an event of any service once more, under the id that it has: who has applied it
    /// ignores it.
    public func republish(_ envelope: Envelope, body: String, to topic: Topic) throws {
        let counter = try row(
            "UPDATE outbox_position SET position = position + 1 WHERE id = 1 RETURNING position")
        guard let counter else { throw StoreError(.other, "outbox_position is empty") }
        try execute(
            """
            INSERT INTO outbox
                (position, event_id, topic, type, source, key, traceparent, body, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (event_id) DO UPDATE SET sent_at = NULL
            """,
            try counter.get("position", as: Int64.self), envelope.id, topic, envelope.type,
            envelope.source, envelope.subject, envelope.traceparent, body, envelope.time)
        signal(Outbox.signal)
    }
}
