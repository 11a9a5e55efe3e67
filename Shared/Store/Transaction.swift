internal import GRDB

/// The open transaction; valid only inside the closure that got it, and refuses to work after it.
public final class Transaction {
    private var connection: GRDB.Database?
    private(set) var signals: Set<String> = []

    init(_ connection: GRDB.Database) { self.connection = connection }

    /// From now on every call throws.
    func end() { connection = nil }

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
        try rows(sql, arguments: arguments, limit: 1).first
    }

    /// As `execute`, for a number of arguments that only the running program knows.
    @discardableResult
    public func execute(_ sql: String, arguments: [(any SQLConvertible)?]) throws -> Int {
        try translatingErrors {
            let connection = try open(for: sql)
            let statement = try connection.cachedStatement(sql: sql)
            let before = connection.totalChangesCount
            try statement.execute(arguments: bind(arguments))
            // `changesCount` still tells of an earlier statement when this one changed nothing.
            return connection.totalChangesCount == before ? 0 : connection.changesCount
        }
    }

    /// As `rows`, for a number of arguments that only the running program knows.
    public func rows(_ sql: String, arguments: [(any SQLConvertible)?]) throws -> [Row] {
        try rows(sql, arguments: arguments, limit: .max)
    }

    /// Wakes those who listen for `name`, once this is committed; in a read it does nothing.
    public func signal(_ name: String) { signals.insert(name) }

    private func rows(
        _ sql: String, arguments: [(any SQLConvertible)?], limit: Int
    ) throws -> [Row] {
        try translatingErrors {
            let statement = try open(for: sql).cachedStatement(sql: sql)
            let cursor = try GRDB.Row.fetchCursor(statement, arguments: bind(arguments))
            var rows: [Row] = []
            var columns: [String]?
            // An INSERT … RETURNING must run to its end even when only its first row is wanted.
            while let row = try cursor.next() {
                let names = columns ?? Array(row.columnNames)
                columns = names
                guard rows.count < limit else { continue }
                rows.append(Row(columns: names, values: row.databaseValues.map(\.value)))
            }
            return rows
        }
    }

    private func open(for sql: String) throws -> GRDB.Database {
        guard let connection else {
            throw StoreError(.other, "a transaction was used outside its closure")
        }
        guard !Self.steersTransactions(sql) else {
            throw StoreError(.other, "the store alone begins and ends transactions")
        }
        return connection
    }

    private func bind(_ arguments: [(any SQLConvertible)?]) throws -> StatementArguments {
        StatementArguments(
            try arguments.map { argument in
                let value = argument?.sqlValue ?? .null
                // SQLite would cut the text there, PostgreSQL would refuse it.
                if case .text(let text) = value, text.utf8.contains(0) {
                    throw StoreError(.checkViolation, "a text has a NUL in it")
                }
                return value.databaseValue
            })
    }

    private static let steering: Set<String> = [
        "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE", "PRAGMA", "ATTACH", "DETACH",
        "VACUUM",
    ]

    /// A shared commit would no longer be all or nothing for the others in it.
    private static func steersTransactions(_ sql: String) -> Bool {
        let first = sql.utf8.drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x09 || $0 == 0x0D }
            .prefix { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }
        guard (3...9).contains(first.count) else { return false }
        return steering.contains(String(decoding: first, as: UTF8.self).uppercased())
    }
}

extension SQLValue {
    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .real(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .blob(let value): value.databaseValue
        }
    }
}

extension DatabaseValue {
    var value: SQLValue {
        switch storage {
        case .null: .null
        case .int64(let value): .integer(value)
        case .double(let value): .real(value)
        case .string(let value): .text(value)
        case .blob(let value): .blob(value)
        }
    }
}
