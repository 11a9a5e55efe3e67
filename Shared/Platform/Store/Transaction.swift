import Foundation

/// The open transaction. It works only inside the closure that received it.
public final class Transaction {
    private var connection: (any SQLConnection)?
    private var failure: (any Error)?
    private(set) var signals: Set<String> = []
    private(set) var statements = 0
    private(set) var afterwards: [@Sendable () -> Void] = []

    init(_ connection: any SQLConnection) { self.connection = connection }

    /// From now on every call throws.
    func end() { connection = nil }

    /// The result of the body. Throws if any statement failed, even if the body caught the error: PostgreSQL does
    /// nothing more in such a transaction.
    func run<T>(_ body: (Transaction) throws -> T) throws -> T {
        defer { end() }
        let value = try body(self)
        if let failure { throw failure }
        return value
    }

    /// Returns the number of rows that were inserted, changed or deleted.
    @discardableResult
    public func execute(_ sql: String, _ arguments: (any SQLConvertible)?...) throws -> Int {
        try execute(sql, arguments: arguments)
    }

    public func rows(_ sql: String, _ arguments: (any SQLConvertible)?...) throws -> [Row] {
        try rows(sql, arguments: arguments)
    }

    /// The first row of the result; nil if it has none.
    public func row(_ sql: String, _ arguments: (any SQLConvertible)?...) throws -> Row? {
        try using(sql) { try $0.rows(sql, values(arguments), limit: 1).first }
    }

    /// Like `execute`, for a variable number of arguments.
    @discardableResult
    public func execute(_ sql: String, arguments: [(any SQLConvertible)?]) throws -> Int {
        try using(sql) { try $0.execute(sql, values(arguments)) }
    }

    /// Like `rows`, for a variable number of arguments.
    public func rows(_ sql: String, arguments: [(any SQLConvertible)?]) throws -> [Row] {
        try using(sql) { try $0.rows(sql, values(arguments), limit: .max) }
    }

    /// Question marks for `count` arguments of an `IN`.
    public func marks(_ count: Int) -> String {
        Array(repeating: "?", count: count).joined(separator: ", ")
    }

    /// Wakes the listeners for `name` after the commit; does nothing in a read.
    public func signal(_ name: String) { signals.insert(name) }

    /// Runs `work` once this transaction is committed, and never if it isn't. For metrics: a process that ends between
    /// the two does not run it.
    public func afterCommit(_ work: @escaping @Sendable () -> Void) { afterwards.append(work) }

    /// Transactions that take the same lock run one after the other, each after the commit of the one before. SQLite
    /// has only one writer anyway.
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
            // SQLite would cut the text at a NUL, PostgreSQL would refuse it.
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

    /// With these statements, a shared commit would not be all or nothing for the others in it.
    private static func steersTransactions(_ sql: String) -> Bool {
        let first = sql.utf8.drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x09 || $0 == 0x0D }
            .prefix { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }
        guard (3...9).contains(first.count) else { return false }
        return steering.contains(String(decoding: first, as: UTF8.self).uppercased())
    }
}
