internal import CPostgres

/// Sole owner of one `PGconn`: blocks, and is used by one thread at a time.
package final class PostgresConnection: SQLConnection {
    /// For the server to answer at all, while somebody waits for a request's answer.
    package static let connectTimeoutSeconds = 3
    /// For one statement, its wait for a lock included: below the gateway's patience.
    static let statementTimeoutMilliseconds = 8_000
    /// For a transaction whose process has stopped in the middle of it.
    static let idleTimeoutMilliseconds = 30_000
    /// A peer that no longer acknowledges what we send is gone after this.
    static let userTimeoutMilliseconds = 10_000
    /// Prepared statements that a connection keeps; with one more it begins anew.
    static let mostStatements = 512

    private let handle: OpaquePointer
    private var statements: [PostgresStatement: String] = [:]
    private var statementsMade = 0

    /// Connects. What the address says goes before our own limits, but not before our encoding.
    package init(
        _ address: PostgresAddress, database: String,
        answersWithin seconds: Int = connectTimeoutSeconds
    ) throws {
        let settings: [(String, String)] = [
            ("connect_timeout", String(seconds)),
            ("tcp_user_timeout", String(Self.userTimeoutMilliseconds)),
            ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "2"),
            ("fallback_application_name", "openvalet"),
            // The first of this name is read as an address, the second as a name.
            ("dbname", address.url), ("dbname", database), ("client_encoding", "UTF8"),
        ]
        let handle = Self.strings(settings.map(\.0)) { names in
            Self.strings(settings.map(\.1)) { values in PQconnectdbParams(names, values, 1) }
        }
        guard let handle else { throw StoreError(.unavailable, "no memory for a connection") }
        self.handle = handle
        guard PQstatus(handle) == CONNECTION_OK else {
            throw StoreError(.unavailable, Self.line(PQerrorMessage(handle)))
        }
        // Notices go to standard error otherwise.
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
        try run(
            """
            SET statement_timeout = \(Self.statementTimeoutMilliseconds);
            SET idle_in_transaction_session_timeout = \(Self.idleTimeoutMilliseconds);
            SET bytea_output = 'hex'; SET extra_float_digits = 1; SET jit = off
            """)
    }

    deinit { PQfinish(handle) }

    /// Nothing more can be done with it.
    package var isLost: Bool { PQstatus(handle) != CONNECTION_OK }

    /// Statements of our own, without arguments and answers.
    package func run(_ sql: String) throws { _ = try checked(PQexec(handle, sql)) }

    /// Says `outcomeUnknown` when the answer does not come.
    func commit() throws {
        do {
            let result = try checked(PQexec(handle, "COMMIT"))
            guard result.command == "COMMIT" else {
                throw StoreError(.other, "the transaction was rolled back")
            }
        } catch let error as StoreError where error.kind == .unavailable {
            throw StoreError(.outcomeUnknown, error.message)
        }
    }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try perform(sql, arguments).changedRows
    }

    package func rows(_ sql: String, _ arguments: [SQLValue], limit: Int) throws -> [Row] {
        try perform(sql, arguments).rows(limit: limit)
    }

    func lock(_ name: String) throws {
        _ = try perform("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", [.text(name)])
    }

    private func perform(_ sql: String, _ arguments: [SQLValue]) throws -> PostgresResult {
        let name = try prepared(PostgresStatement(sql, arguments))
        let packed = PostgresArguments(arguments)
        let result = packed.bytes.withUnsafeBytes { bytes in
            let base = bytes.assumingMemoryBound(to: CChar.self).baseAddress
            let values = packed.starts.map { start in
                start.flatMap { start in base.map { $0 + start } }
            }
            return PQexecPrepared(
                handle, name, Int32(arguments.count), values, packed.lengths, packed.formats, 0)
        }
        return try checked(result)
    }

    private func prepared(_ statement: PostgresStatement) throws -> String {
        if let name = statements[statement] { return name }
        if statements.count >= Self.mostStatements {
            statements = [:]
            try run("DEALLOCATE ALL")
        }
        statementsMade += 1
        let name = "s\(statementsMade)"
        let result = PQprepare(
            handle, name, PostgresStatement.numbered(statement.sql), Int32(statement.types.count),
            statement.types)
        _ = try checked(result)
        statements[statement] = name
        return name
    }

    private func checked(_ result: OpaquePointer?) throws -> PostgresResult {
        guard let result else {
            throw StoreError(.unavailable, Self.line(PQerrorMessage(handle)))
        }
        let owned = PostgresResult(owning: result)
        guard owned.isError else { return owned }
        let error = StoreError(owned)
        if isLost { throw StoreError(.unavailable, error.message) }
        if owned.state == PostgresResult.planIsStale { statements = [:] }
        throw error
    }

    /// Libpq's words on a connection, which name the server and the user.
    private static func line(_ message: UnsafePointer<CChar>?) -> String {
        let text = message.map { String(cString: $0) } ?? ""
        let line = text.split(whereSeparator: \.isNewline).joined(separator: "; ")
        return line.isEmpty ? "the connection was lost" : line
    }

    /// A list of C strings that ends with null.
    private static func strings<T>(
        _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> T
    ) -> T {
        let bytes = texts.map { Array($0.utf8CString) }
        let all = bytes.flatMap { $0 }
        return all.withUnsafeBufferPointer { buffer in
            var start = 0
            var pointers: [UnsafePointer<CChar>?] = bytes.map { text in
                defer { start += text.count }
                return buffer.baseAddress.map { $0 + start }
            }
            pointers.append(nil)
            return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
        }
    }
}

extension PostgresConnection {
    /// Waits a while for somebody's notification, or a byte to `wake`, and gives what has come.
    func notifications(wake: Int32, within milliseconds: Int32) throws -> [String] {
        cpostgres_wait(handle, wake, milliseconds)
        guard PQconsumeInput(handle) == 1, !isLost else {
            throw StoreError(.unavailable, Self.line(PQerrorMessage(handle)))
        }
        var payloads: [String] = []
        while let notification = PQnotifies(handle) {
            payloads.append(String(cString: notification.pointee.extra))
            PQfreemem(notification)
        }
        return payloads
    }
}
