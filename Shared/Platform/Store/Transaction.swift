import Foundation

/// The open transaction; valid only inside the closure that got it, and refuses to work after it.
public final class Transaction {
    private var connection: (any SQLConnection)?
    private var failure: (any Error)?
    private(set) var signals: Set<String> = []
    private(set) var statements = 0

    init(_ connection: any SQLConnection) { self.connection = connection }

    /// From now on every call throws.
    func end() { connection = nil }

    /// What the body returns. A statement that failed fails it, whatever the body made of the error:
    /// PostgreSQL does nothing more in such a transaction.
    func run<T>(_ body: (Transaction) throws -> T) throws -> T {
        defer { end() }
        let value = try body(self)
        if let failure { throw failure }
        return value
    }

    /// Returns how many rows were inserted, changed or deleted.
    @discardableResult
    public func execute(_ sql: String, _ arguments: (any SQLConvertible)?...) throws -> Int {
        try execute(sql, arguments: arguments)
    }

    public func rows(_ sql: String, _ arguments: (any SQLConvertible)?...) throws -> [Row] {
        try rows(sql, arguments: arguments)
    }

    /// The first row of the answer; nil when it has none.
    public func row(_ sql: String, _ arguments: (any SQLConvertible)?...) throws -> Row? {
        try using(sql) { try $0.rows(sql, values(arguments), limit: 1).first }
    }

    /// As `execute`, for a number of arguments that only the running program knows.
    @discardableResult
    public func execute(_ sql: String, arguments: [(any SQLConvertible)?]) throws -> Int {
        try using(sql) { try $0.execute(sql, values(arguments)) }
    }

    /// As `rows`, for a number of arguments that only the running program knows.
    public func rows(_ sql: String, arguments: [(any SQLConvertible)?]) throws -> [Row] {
        try using(sql) { try $0.rows(sql, values(arguments), limit: .max) }
    }

    /// Question marks for so many arguments of an `IN`.
    public func marks(_ count: Int) -> String {
        Array(repeating: "?", count: count).joined(separator: ", ")
    }

    /// Wakes those who listen for `name`, once this is committed; in a read it does nothing.
    public func signal(_ name: String) { signals.insert(name) }

    /// Those who name the same lock go on one after the other, each when the one before has
    /// committed. The one writer of SQLite is alone anyway.
    public func lock(_ name: String) throws {
        try using("") { try $0.lock(name) }
    }

    private func using<T>(_ sql: String, _ work: (any SQLConnection) throws -> T) throws -> T {
        guard let connection else {
            throw StoreError(.other, "a transaction was used outside its closure")
        }
        if let failure { throw failure }
        do {
            guard !Self.steersTransactions(sql) else {
                throw StoreError(.other, "the store alone begins and ends transactions")
            }
            statements += 1
            return try work(connection)
        } catch {
            failure = error
            throw error
        }
    }

    private func values(_ arguments: [(any SQLConvertible)?]) throws -> [SQLValue] {
        try arguments.map { argument in
            let value = argument?.sqlValue ?? .null
            // SQLite would cut the text there, PostgreSQL would refuse it.
            if case .text(let text) = value, text.withCString(strlen) != text.utf8.count {
                throw StoreError(.checkViolation, "a text has a NUL in it")
            }
            return value
        }
    }

    private static let steering: Set<String> = [
        "BEGIN", "START", "COMMIT", "END", "ABORT", "ROLLBACK", "SAVEPOINT", "RELEASE", "PREPARE",
        "PRAGMA", "SET", "RESET", "ATTACH", "DETACH", "VACUUM", "LISTEN", "UNLISTEN",
    ]

    /// A shared commit would no longer be all or nothing for the others in it.
    private static func steersTransactions(_ sql: String) -> Bool {
        let first = sql.utf8.drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x09 || $0 == 0x0D }
            .prefix { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }
        guard (3...9).contains(first.count) else { return false }
        return steering.contains(String(decoding: first, as: UTF8.self).uppercased())
    }
}
