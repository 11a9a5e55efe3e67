import Contracts
import Foundation
import Kafka
import ServiceContextModule
import Store

extension Transaction {
    /// Publishes an event if, and only if, this transaction is committed.
    ///
    /// Positions of one key follow the order of commits: a writer with the same key waits until the previous one has
    /// committed, and only then takes its position. Positions of different keys may be committed out of order. The
    /// relay therefore reads all unsent events, so that it misses no position that is committed late.
    public func publish(_ event: some Event, at time: Date) throws {
        let type = Swift.type(of: event)
        let body = try Wire.encode(event)
        guard body.count <= Outbox.largestBodyBytes else {
            throw BusError.eventTooLarge(type: type.type, bytes: body.count)
        }
        let owner = type.type.prefix { $0 != "." }
        let current = ServiceContext.current
        let trace = current?.traceContext?.child() ?? .root()
        if let parent = current?.traceContext, let tracer = current?.tracer {
            let start = Date()
            afterCommit {
                tracer.record(
                    Span(
                        "publish \(type.type)", .producer, trace, below: parent.spanID, from: start,
                        attributes: Span.messaging(type.topic.rawValue)))
            }
        }
        try append(
            Envelope(
                id: .new(at: time), type: type.type, source: "/\(owner)", time: time,
                subject: event.key, traceparent: trace.text),
            body: String(decoding: body, as: UTF8.self), to: type.topic)
    }

    /// Sends an event of any service again with the same id, so that services which have applied it ignore it. It
    /// keeps its producer's signature.
    public func republish(
        _ envelope: Envelope, body: String, signature: String, to topic: Topic
    ) throws {
        try append(envelope, body: body, signature: signature, to: topic)
    }

    private func append(
        _ envelope: Envelope, body: String, signature: String? = nil, to topic: Topic
    ) throws {
        try lock("\(topic.rawValue)/\(envelope.subject)")
        try execute(
            """
            INSERT INTO outbox
                (event_id, topic, type, source, key, traceparent, body, created_at, signature)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (event_id) DO UPDATE SET sent_at = NULL
            """,
            envelope.id, topic, envelope.type, envelope.source, envelope.subject,
            envelope.traceparent, body, envelope.time, signature)
        signal(Outbox.signal)
    }

    /// Deletes all earlier events of a key, sent or not. For data that must not be stored once the next event says
    /// that its subject is deleted.
    public func unpublish(_ key: String, on topic: Topic) throws {
        try execute("DELETE FROM outbox WHERE topic = ? AND key = ?", topic, key)
    }
}

/// Committed events in their order, stored for some days after they were sent.
public enum Outbox {
    /// Fires when a transaction that published something is committed.
    static let signal = "outbox"
    /// Below a broker's default limit of one megabyte, headers included.
    static let largestBodyBytes = 900_000
    public static let retention: Duration = .seconds(7 * 86_400)
    /// Longer than the outbox's, so that every event that can be replayed is still recognised.
    public static let inboxRetention: Duration = .seconds(14 * 86_400)
    /// Rows per transaction of a sweep or replay, so that other writers don't wait long.
    static let chunk = 500

    struct Entry: Sendable {
        let position: Int64
        let record: KafkaRecord
    }

    /// An event that is waiting to be sent.
    public struct Pending: Sendable, Hashable {
        public var count: Int
        public var oldest: Date?
    }

    /// Marks the events since then as unsent, so that the relay sends them again in order. Returns their number.
    ///
    /// Consumers ignore events that they have applied.
    @discardableResult
    public static func replay(since: Date, in database: Database) async throws -> Int {
        let last = try await database.read { transaction in
            try transaction.row("SELECT MAX(position) AS last FROM outbox")?
                .getIfPresent("last") ?? Int64(0)
        }
        var (from, count) = (Int64(0), 0)
        while true {
            let start = from
            let positions = try await database.write { transaction in
                let rows = try transaction.rows(
                    """
                    SELECT position FROM outbox
                    WHERE position > ? AND position <= ? AND created_at >= ?
                        AND sent_at IS NOT NULL
                    ORDER BY position LIMIT \(chunk)
                    """, start, last, since)
                let positions = try rows.map { try $0.get("position", as: Int64.self) }
                try mark(positions, sentAt: nil, in: transaction)
                transaction.signal(signal)
                return positions
            }
            guard let reached = positions.last else { return count }
            try Task.checkCancellation()
            from = reached
            count += positions.count
        }
    }

    /// The cluster to which the outbox is sent; nil before the first one.
    static func cluster(in database: Database) async throws -> String? {
        try await database.read { transaction in
            try transaction.row("SELECT id FROM outbox_cluster")?.get("id")
        }
    }

    static func set(cluster: String, at now: Date, in database: Database) async throws {
        try await database.write { transaction in
            try transaction.execute("DELETE FROM outbox_cluster")
            try transaction.execute(
                "INSERT INTO outbox_cluster (id, since) VALUES (?, ?)", cluster, now)
        }
    }

    public static func pending(in database: Database) async throws -> Pending {
        try await database.read { transaction in
            let row = try transaction.row(
                """
                SELECT COUNT(*) AS waiting, MIN(created_at) AS oldest FROM outbox
                WHERE sent_at IS NULL
                """)
            return Pending(
                count: try row?.get("waiting") ?? 0, oldest: try row?.getIfPresent("oldest"))
        }
    }

    /// The events of one type that this database has published, oldest first, at most `limit`.
    public static func events<E: Event>(
        of type: E.Type, in database: Database, limit: Int = 1_000
    ) async throws -> [E] {
        let bodies = try await database.read { transaction in
            let rows = try transaction.rows(
                "SELECT body FROM outbox WHERE type = ? ORDER BY position LIMIT ?", E.type, limit)
            return try rows.map { try $0.get("body", as: String.self) }
        }
        return try bodies.map { try Wire.decode(E.self, from: Data($0.utf8)) }
    }

    static func unsent(_ limit: Int, in database: Database) async throws -> [Entry] {
        let rows = try await database.read { transaction in
            try transaction.rows(
                """
                SELECT position, event_id, topic, type, source, key, traceparent, body, created_at,
                    signature
                FROM outbox WHERE sent_at IS NULL ORDER BY position LIMIT ?
                """, limit)
        }
        return try rows.map(entry)
    }

    static func markSent(_ entries: [Entry], at time: Date, in database: Database) async throws {
        try await database.write { transaction in
            try mark(entries.map(\.position), sentAt: time, in: transaction)
        }
    }

    /// Deletes sent events, and rows of the inbox, after their retention, in chunks. Returns the number of rows.
    @discardableResult
    static func sweep(at now: Date, in database: Database) async throws -> Int {
        let sent = try await database.sweep(batch: chunk) {
            try $0.execute(
                """
                DELETE FROM outbox WHERE position IN (
                    SELECT position FROM outbox WHERE sent_at IS NOT NULL AND sent_at < ?
                    ORDER BY sent_at LIMIT ?)
                """, now.addingTimeInterval(-retention.seconds), $1)
        }
        let applied = try await database.sweep(batch: chunk) {
            try $0.execute(
                """
                DELETE FROM inbox WHERE event_id IN (
                    SELECT event_id FROM inbox WHERE applied_at < ?
                    ORDER BY applied_at LIMIT ?)
                """, now.addingTimeInterval(-inboxRetention.seconds), $1)
        }
        return sent + applied
    }

    /// One statement per position, since the list may be longer than a statement allows.
    private static func mark(
        _ positions: [Int64], sentAt: Date?, in transaction: Transaction
    ) throws {
        for position in positions {
            try transaction.execute(
                "UPDATE outbox SET sent_at = ? WHERE position = ?", sentAt, position)
        }
    }

    private static func entry(_ row: Row) throws -> Entry {
        let envelope = Envelope(
            id: try row.get("event_id"), type: try row.get("type"),
            source: try row.get("source"), time: try row.get("created_at"),
            subject: try row.get("key"), traceparent: try row.getIfPresent("traceparent"))
        let body: String = try row.get("body")
        let signature: String? = try row.getIfPresent("signature")
        return Entry(
            position: try row.get("position"),
            record: KafkaRecord(
                topic: try row.get("topic"), key: envelope.subject, value: Data(body.utf8),
                headers: envelope.headers
                    + (signature.map { [(name: EventSignatures.header, value: $0)] } ?? [])))
    }
}

extension Duration {
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
