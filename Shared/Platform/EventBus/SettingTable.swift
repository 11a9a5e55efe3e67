import Contracts
import Store

/// Settings per person or area: one row each, with the key, and the value as `body`.
public struct SettingTable<Key: SQLConvertible, Value: Codable & Sendable>: Sendable {
    private let table: String
    private let key: String
    private let usual: Value

    /// - Parameters:
    ///   - key: The column of the key.
    ///   - usual: The default value.
    public init(_ table: String, of key: String, usual: Value) {
        (self.table, self.key, self.usual) = (table, key, usual)
    }

    public func value(of key: Key, in transaction: Transaction) throws -> Value {
        try find(key, in: transaction) ?? usual
    }

    /// Nil if it isn't set.
    public func find(_ key: Key, in transaction: Transaction) throws -> Value? {
        try transaction.row("SELECT body FROM \(table) WHERE \(self.key) = ?", key)?.json()
    }

    public func put(_ value: Value, of key: Key, in transaction: Transaction) throws {
        try transaction.execute(
            """
            INSERT INTO \(table) (\(self.key), body) VALUES (?, ?)
            ON CONFLICT (\(self.key)) DO UPDATE SET body = excluded.body
            """, key, Wire.json(value))
    }
}
