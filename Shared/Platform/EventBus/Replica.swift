import Contracts
import Foundation
import Store

/// The id of a copied thing, given by its owner.
public typealias ReplicaID = CustomStringConvertible & SQLConvertible

/// A service's copies of things that another service owns: the latest version of each, in its own table, and a mark
/// for each deleted one.
///
/// Events may come twice, late or out of order. An older version changes nothing, and nothing restores a deleted one.
public struct Replica<Value: Codable & Sendable>: Sendable {
    public let table: String

    public init(_ table: String) { self.table = table }

    /// The table of copies that 1.0.0 has. Put it before the migrations of the service's own tables.
    public var migration: Migration { Migration("\(table)-replica-1", statements) }

    /// The same for copies that a later release has added.
    public var addition: Migration { .addition("\(table)-replica-1", statements) }

    private var statements: [String] {
        [
            """
            CREATE TABLE \(table) (
                id TEXT NOT NULL PRIMARY KEY,
                version BIGINT NOT NULL,
                body TEXT,
                changed_at BIGINT NOT NULL)
            """,
            "CREATE INDEX \(table)_by_change ON \(table) (changed_at)",
        ]
    }

    /// The signal that fires when a copy changes.
    public func signal(_ id: some ReplicaID) -> String { "\(table):\(id)" }

    /// False if it changes nothing.
    @discardableResult
    public func keep(
        _ value: Value, of id: some ReplicaID, version: Int, at now: Date,
        in transaction: Transaction
    ) throws -> Bool {
        try put(id, version, Wire.json(value), now, transaction)
    }

    /// Its owner has deleted it; a mark stays.
    public func forget(
        _ id: some ReplicaID, version: Int, at now: Date, in transaction: Transaction
    ) throws {
        try put(id, version, nil, now, transaction)
    }

    /// Nil if it is unknown or deleted.
    public func value(of id: some ReplicaID, in transaction: Transaction) throws -> Value? {
        try transaction.row("SELECT body FROM \(table) WHERE id = ?", id)?.jsonIfPresent()
    }

    /// The copies with these ids, by the ids' text; deleted ones are left out.
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

    /// Whether any event about it has arrived, including its deletion.
    public func isKnown(_ id: some ReplicaID, in transaction: Transaction) throws -> Bool {
        try transaction.row("SELECT 1 AS one FROM \(table) WHERE id = ?", id) != nil
    }

    /// The version of each copy that isn't deleted; for tables that fit in memory.
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
