internal import CPostgres

/// Sole owner of one `PGconn`. Its calls block, and only one thread at a time may use it.
package final class PostgresConnection: SQLConnection {
    /// For the connection to the server, while somebody waits for the answer to a request.
    package static let connectTimeoutSeconds = 3
    /// For one statement, including its wait for a lock: shorter than the gateway waits.
    static let statementTimeoutMilliseconds = 8_000
    /// For a transaction whose process has stopped in the middle of it.
    static let idleTimeoutMilliseconds = 30_000
    /// A peer that has not acknowledged data for this long counts as lost.
    static let userTimeoutMilliseconds = 10_000
    /// Maximum number of prepared statements of a connection; beyond it they are all discarded.
    static let mostStatements = 512

    private let handle: OpaquePointer
    /// Called when the connection is closed.
    var onClose: (@Sendable () -> Void)?
    private var statements: [PostgresStatement: String] = [:]
    private var statementsMade = 0

    /// Connects. Parameters in the address override our limits, but not our encoding.
    package init(
        _ address: PostgresAddress, database: String,
        answersWithin seconds: Int = connectTimeoutSeconds
    ) throws {
        let settings: [(String, String)] = [
            ("connect_timeout", String(seconds)),
            ("tcp_user_timeout", String(Self.userTimeoutMilliseconds)),
            ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "2"),
            ("fallback_application_name", "openvalet"),
            // libpq reads the first `dbname` as an address, the second as a name.
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
        // Otherwise notices go to standard error.
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
        try run(
            """
            SET statement_timeout = \(Self.statementTimeoutMilliseconds);
            SET idle_in_transaction_session_timeout = \(Self.idleTimeoutMilliseconds);
            SET bytea_output = 'hex'; SET extra_float_digits = 1; SET jit = off
            """)
    }

    deinit {
        PQfinish(handle)
        onClose?()
    }

    /// Whether the connection can no longer be used.
    package var isLost: Bool { PQstatus(handle) != CONNECTION_OK }

    /// Runs our own statements, without arguments and results.
    package func run(_ sql: String) throws { _ = try checked(PQexec(handle, sql)) }

    /// Throws `outcomeUnknown` if no answer comes.
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

    /// Id of the server's process for this connection, which it keeps as long as it is not pooled by transaction.
    func backend() throws -> Int {
        let rows = try checked(PQexec(handle, "SELECT pg_backend_pid() AS id")).rows(limit: 1)
        return try rows.first?.get("id") ?? 0
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

    /// Libpq's message about a connection; it names the server and the user.
    private static func line(_ message: UnsafePointer<CChar>?) -> String {
        let text = message.map { String(cString: $0) } ?? ""
        let line = text.split(whereSeparator: \.isNewline).joined(separator: "; ")
        return line.isEmpty ? "the connection was lost" : line
    }

    /// A null-terminated list of C strings.
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
    /// Waits for a notification, or for a byte on `wake`, and returns the notifications.
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
