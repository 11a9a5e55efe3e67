import Contracts
import Foundation
import Store

/// How the owner names what is copied.
public typealias ReplicaID = CustomStringConvertible & SQLConvertible

/// What a service keeps of things that another owns: the newest version of each, in a table of its own, and a mark
/// where one is deleted.
///
/// Events may come twice, late or out of order: an older version changes nothing, and nothing brings back what is
/// deleted.
public struct Replica<Value: Codable & Sendable>: Sendable {
    public let table: String

    public init(_ table: String) { self.table = table }

    /// Belongs before the migrations of the service's own tables.
    public var migration: Migration {
        Migration(
            "\(table)-replica-1",
            """
            CREATE TABLE \(table) (
                id TEXT NOT NULL PRIMARY KEY,
                version BIGINT NOT NULL,
                body TEXT,
                changed_at BIGINT NOT NULL)
            """,
            "CREATE INDEX \(table)_by_change ON \(table) (changed_at)")
    }

    /// Fires when there is something new of it.
    public func signal(_ id: some ReplicaID) -> String { "\(table):\(id)" }

    /// False for what is no news.
    @discardableResult
    public func keep(
        _ value: Value, of id: some ReplicaID, version: Int, at now: Date,
        in transaction: Transaction
    ) throws -> Bool {
        try put(id, version, Wire.json(value), now, transaction)
    }

    /// It is deleted by its owner; the mark stays.
    public func forget(
        _ id: some ReplicaID, version: Int, at now: Date, in transaction: Transaction
    ) throws {
        try put(id, version, nil, now, transaction)
    }

    /// Nil also for what is deleted.
    public func value(of id: some ReplicaID, in transaction: Transaction) throws -> Value? {
        try transaction.row("SELECT body FROM \(table) WHERE id = ?", id)?.jsonIfPresent()
    }

    /// Those of some, by the text of their ids; the deleted are not among them.
    public func values(
        of ids: some Collection<some ReplicaID>, in transaction: Transaction
    ) throws -> [String: Value] {
        guard !ids.isEmpty else { return [:] }
        let marks = transaction.marks(ids.count)
        let rows = try transaction.rows(
            "SELECT id, body FROM \(table) WHERE id IN (\(marks)) AND body IS NOT NULL",
            arguments: ids.map { $0 })
        return Dictionary(
            uniqueKeysWithValues: try rows.map { (try $0.get("id"), try $0.json()) })
    }

    /// Whether its owner has deleted it.
    public func isForgotten(_ id: some ReplicaID, in transaction: Transaction) throws -> Bool {
        try transaction.row("SELECT 1 AS one FROM \(table) WHERE id = ? AND body IS NULL", id)
            != nil
    }

    /// Whether anything was heard of it, be it that it is deleted.
    public func isKnown(_ id: some ReplicaID, in transaction: Transaction) throws -> Bool {
        try transaction.row("SELECT 1 AS one FROM \(table) WHERE id = ?", id) != nil
    }

    /// The version of each that is not deleted: for what is few enough to be kept in memory.
    public func versions<ID: ReplicaID & Hashable>(
        of type: ID.Type = ID.self, most: Int, in transaction: Transaction
    ) throws -> [ID: Int] {
        let rows = try transaction.rows(
            "SELECT id, version FROM \(table) WHERE body IS NOT NULL ORDER BY id LIMIT ?", most)
        return Dictionary(
            uniqueKeysWithValues: try rows.map { (try $0.get("id"), try $0.get("version")) })
    }

    @discardableResult
    private func put(
        _ id: some ReplicaID, _ version: Int, _ body: String?, _ now: Date,
        _ transaction: Transaction
    ) throws -> Bool {
        let changed = try transaction.execute(
            """
            INSERT INTO \(table) (id, version, body, changed_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                version = excluded.version, body = excluded.body, changed_at = excluded.changed_at
            WHERE \(table).body IS NOT NULL
                AND (excluded.version > \(table).version OR excluded.body IS NULL)
            """, id, version, body, now)
        transaction.signal(signal(id))
        return changed == 1
    }
}
