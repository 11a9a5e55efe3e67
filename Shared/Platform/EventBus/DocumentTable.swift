import Contracts
import Store

/// A value that a service owns and stores as a whole, with columns for searching.
public protocol Document: Codable, Sendable, Identifiable where ID: ReplicaID {
    /// Increases with each change.
    var version: Version { get set }
    /// Columns for queries and indexes, besides `id` and `version`.
    var columns: KeyValuePairs<String, (any SQLConvertible)?> { get }
}

/// A table of documents, one row each with `id`, `version`, `body` and their columns. A document is written only if
/// nobody else has changed it since it was read.
public struct DocumentTable<Value: Document>: Sendable {
    public let table: String

    public init(_ table: String) { self.table = table }

    public func value(of id: Value.ID, in transaction: Transaction) throws -> Value? {
        try transaction.row("SELECT body FROM \(table) WHERE id = ?", id)?.json()
    }

    public func insert(_ value: Value, in transaction: Transaction) throws {
        let (names, values) = try row(value)
        let marks = transaction.marks(names.count + 1)
        try transaction.execute(
            "INSERT INTO \(table) (\(names.joined(separator: ", ")), id) VALUES (\(marks))",
            arguments: values + [value.id])
    }

    /// Writes a document that was read from the table. Throws `LostRace` if the table has another version by now.
    public func update(_ value: inout Value, in transaction: Transaction) throws {
        let (names, values) = try row(value)
        let changes = names.map { "\($0) = ?" }.joined(separator: ", ")
        let changed = try transaction.execute(
            "UPDATE \(table) SET \(changes) WHERE id = ? AND version = ?",
            arguments: values + [value.id, value.version.stored])
        guard changed == 1 else { throw LostRace() }
        value.version = value.version.written
    }

    private func row(_ value: Value) throws -> ([String], [(any SQLConvertible)?]) {
        let body = try Wire.json(value)
        return (
            value.columns.map(\.key) + ["version", "body"],
            value.columns.map(\.value) + [value.version.number, body]
        )
    }
}
