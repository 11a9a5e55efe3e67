import Contracts
import Foundation
import Store

extension Transaction {
    var recognitions: RecognitionStore { RecognitionStore(transaction: self) }
}

/// Known recognitions and their valets, so that a valet who parks can refer only to their own.
struct RecognitionStore {
    /// How long a recognition can be referred to, in seconds: a week.
    static let retentionSeconds = 7.0 * 86_400

    static let migrations = [
        Migration(
            "recognitions-1",
            """
            CREATE TABLE recognitions (
                id TEXT NOT NULL PRIMARY KEY,
                order_id TEXT,
                valet TEXT NOT NULL,
                made_at BIGINT NOT NULL)
            """,
            "CREATE INDEX recognitions_age ON recognitions (made_at)")
    ]

    let transaction: Transaction

    func keep(_ event: RecognitionMade) throws {
        try transaction.execute(
            """
            INSERT INTO recognitions (id, order_id, valet, made_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (id) DO NOTHING
            """, event.recognition, event.engagement, event.valet, event.madeAt)
    }

    /// Whether the recognition is this valet's, made for this order or for none.
    func contains(_ id: RecognitionID, of valet: ValetID, for order: OrderID) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS one FROM recognitions
            WHERE id = ? AND valet = ? AND (order_id IS NULL OR order_id = ?)
            """, id, valet, order) != nil
    }

    /// Returns the number of removed rows.
    func sweep(at now: Date, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM recognitions WHERE id IN (
                SELECT id FROM recognitions WHERE made_at < ? LIMIT ?)
            """, now.addingTimeInterval(-Self.retentionSeconds), limit)
    }
}
