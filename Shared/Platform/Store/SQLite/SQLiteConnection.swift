internal import GRDB

/// SQLite's connection for `Transaction`.
struct SQLiteConnection: SQLConnection {
    let database: GRDB.Database

    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try translatingErrors {
            let statement = try database.cachedStatement(sql: sql)
            let before = database.totalChangesCount
            try statement.execute(arguments: StatementArguments(arguments.map(\.databaseValue)))
            // If this statement changed nothing, `changesCount` is still an earlier statement's.
            return database.totalChangesCount == before ? 0 : database.changesCount
        }
    }

    func rows(_ sql: String, _ arguments: [SQLValue], limit: Int) throws -> [Row] {
        try translatingErrors {
            let statement = try database.cachedStatement(sql: sql)
            let cursor = try GRDB.Row.fetchCursor(
                statement, arguments: StatementArguments(arguments.map(\.databaseValue)))
            var rows: [Row] = []
            var columns: [String]?
            // An INSERT … RETURNING must run to its end even if only its first row is needed.
            while let row = try cursor.next() {
                let names = columns ?? Array(row.columnNames)
                columns = names
                guard rows.count < limit else { continue }
                rows.append(Row(columns: names, values: row.databaseValues.map(\.value)))
            }
            return rows
        }
    }

    /// Does nothing: there is only one writer.
    func lock(_ name: String) {}
}

extension StoreError {
    init(_ error: DatabaseError) {
        let kind: Kind =
            switch error.extendedResultCode {
            case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY: .uniqueViolation
            case .SQLITE_CONSTRAINT_FOREIGNKEY: .foreignKeyViolation
            case .SQLITE_CONSTRAINT_CHECK, .SQLITE_CONSTRAINT_NOTNULL: .checkViolation
            default:
                switch error.resultCode {
                case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
                case .SQLITE_FULL: .full
                default: .other
                }
            }
        self.init(kind, error.message ?? "SQLite error \(error.extendedResultCode.rawValue)")
    }

    /// Converts SQLite's errors to ours; leaves the caller's own errors as they are.
    static func translate(_ error: any Error) -> any Error {
        (error as? DatabaseError).map { StoreError($0) } ?? error
    }
}

/// Runs `body` and converts errors of the library below.
func translatingErrors<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch { throw StoreError.translate(error) }
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
