import Threads

/// One connection, opened when first needed and again after it broke.
///
/// An actor on a thread of its own: libpq blocks, and its connection is for one thread at a time.
actor PostgresSession {
    /// In line are those who have lost several times. Of the session, since a transaction that
    /// waits for it inside would have begun too early.
    private static let line = "pg_advisory_lock(7016601, 1)"
    private static let leave = "pg_advisory_unlock(7016601, 1)"
    /// What a transaction has read by walking over a whole table conflicts with every change of it, so indexes
    /// are walked over instead. Not for what stands in the index alone, as a count of all rows: two that count by an
    /// index in which nothing has ever stood may both commit what only one of them should (seen on PostgreSQL 15.18).
    private static let writing = """
        BEGIN ISOLATION LEVEL SERIALIZABLE; SET LOCAL enable_seqscan = off; SET LOCAL enable_indexonlyscan = off
        """
    private static let reading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    private let opener: PostgresOpener
    private var connection: PostgresConnection?
    private let executor = BlockingExecutor(label: "store.postgres")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ opener: PostgresOpener) { self.opener = opener }

    func read<T: Sendable>(_ body: @Sendable (Transaction) throws -> T) throws -> T {
        let connection = try begin(Self.reading)
        return try ending(connection) {
            let value = try Transaction(connection).run(body)
            try connection.run("COMMIT")
            return value
        }
    }

    /// What the body returns, and whom it wakes.
    func write<T: Sendable>(
        inLine: Bool, _ body: @Sendable (Transaction) throws -> T
    ) throws -> (value: T, signals: Set<String>) {
        if inLine { _ = try begin("SELECT \(Self.line)") }
        let connection = try begin(Self.writing)
        let transaction = Transaction(connection)
        let result = Result {
            try ending(connection) {
                let value = try transaction.run(body)
                try connection.commit()
                return value
            }
        }
        // It goes with the connection otherwise.
        if inLine, self.connection != nil { try? connection.run("SELECT \(Self.leave)") }
        return (try result.get(), transaction.signals)
    }

    func close() { connection = nil }

    /// Finds out here whether a connection that was idle has broken: nothing was done yet.
    private func begin(_ sql: String) throws -> PostgresConnection {
        if let connection {
            do {
                try connection.run(sql)
                return connection
            } catch {
                // A transaction may have begun before a later statement failed.
                self.connection = nil
                guard connection.isLost else { throw error }
            }
        }
        let connection = try opener.open()
        try connection.run(sql)
        self.connection = connection
        return connection
    }

    private func ending<T>(_ connection: PostgresConnection, _ work: () throws -> T) throws -> T {
        do {
            return try work()
        } catch {
            if connection.isLost || (try? connection.run("ROLLBACK")) == nil {
                self.connection = nil
            }
            throw error
        }
    }
}
