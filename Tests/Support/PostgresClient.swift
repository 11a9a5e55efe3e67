import CPostgres
import Foundation

/// One connection to a PostgreSQL server for what services never do, such as copying a database.
///
/// Blocks, and is used by one thread at a time.
final class PostgresClient {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let handle: OpaquePointer

    init(_ address: String) throws {
        guard let handle = PQconnectdb(address) else { throw Failure(description: "no memory") }
        self.handle = handle
        guard !isLost else { throw Failure(description: String(cString: PQerrorMessage(handle))) }
        // Notices go to standard error otherwise.
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
    }

    deinit { PQfinish(handle) }

    var isLost: Bool { PQstatus(handle) != CONNECTION_OK }

    /// Rows as lines, with a bar between two columns.
    @discardableResult
    func run(_ sql: String) throws -> String {
        let result = PQexec(handle, sql)
        defer { PQclear(result) }
        guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else {
            throw Failure(description: String(cString: PQerrorMessage(handle)))
        }
        return (0..<PQntuples(result)).map { row in
            (0..<PQnfields(result)).map { String(cString: PQgetvalue(result, row, $0)) }
                .joined(separator: "|")
        }.joined(separator: "\n")
    }

    /// Removes all rows but the list of migrations, unless migrations have inserted some, which have the same
    /// transaction: returns false then. Throws where there are no migrations yet.
    func removeRows() throws -> Bool {
        let tables = try run(
            """
            SELECT quote_ident(tablename) FROM pg_tables
            WHERE schemaname = 'public' AND tablename <> 'store_migrations'
            """
        ).split(separator: "\n")
        guard try run("SELECT COUNT(*) FROM store_migrations") != "0" else {
            throw Failure(description: "no migrations yet")
        }
        let inserted = try tables.filter { table in
            let migrations = "SELECT xmin FROM store_migrations"
            return try !run("SELECT 1 FROM \(table) WHERE xmin IN (\(migrations)) LIMIT 1").isEmpty
        }
        guard inserted.isEmpty else { return false }
        if !tables.isEmpty {
            try run("TRUNCATE \(tables.joined(separator: ", ")) RESTART IDENTITY")
        }
        return true
    }

    /// Copies a database, file by file: by way of the log, as the server does unless told so, takes twice as long.
    func copy(_ database: String, as name: String) throws {
        try run("CREATE DATABASE \(name) TEMPLATE \(database) STRATEGY FILE_COPY")
    }
}
