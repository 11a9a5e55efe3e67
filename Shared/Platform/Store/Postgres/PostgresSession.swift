import Threads

/// One connection, opened when first needed and again after it broke.
///
/// An actor on its own thread: libpq blocks, and a connection is for one thread at a time.
actor PostgresSession {
    /// The queue of transactions that have lost several times. The lock belongs to the session: a transaction that
    /// waited for it inside would have begun too early.
    private static let line = "pg_advisory_lock(7016601, 1)"
    private static let leave = "pg_advisory_unlock(7016601, 1)"
    /// A sequential scan makes a transaction conflict with every change of the table, so we use index scans instead.
    /// Index-only scans are off: two transactions that count by an index in which there never was an entry may both
    /// commit, although only one should (seen on PostgreSQL 15.18).
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

    /// The result of the body, and the signals to fire.
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
        // The lock is released with the connection otherwise.
        if inLine, self.connection != nil { try? connection.run("SELECT \(Self.leave)") }
        return (try result.get(), transaction.signals)
    }

    func close() { connection = nil }

    /// Closes the connection on the session's thread, then calls `done`.
    nonisolated func close(then done: @escaping @Sendable () -> Void) {
        executor.perform {
            self.assumeIsolated { $0.connection = nil }
            done()
        }
    }

    /// Begins a transaction. If an idle connection turns out to be broken, it opens a new one: nothing was done yet.
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
        let connection = try opener.connection()
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
