/// The implementation of a `Database` for one kind of SQL server or file.
protocol Engine: Sendable {
    func read<T: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T

    /// `inLine`: waits in the queue of transactions that have lost several times.
    func write<T: Sendable>(
        inLine: Bool, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T

    /// Called when this process starts to listen for signals.
    func listen()

    /// Whether this process is the leader among those that share the database.
    var leads: Bool { get }

    /// Lets waiting transactions finish.
    func close() async throws

    var waitingWriters: Int { get }

    /// Nil for SQLite.
    var connections: DatabaseConnections? { get }
}

/// An open connection inside a transaction.
protocol SQLConnection {
    /// Returns the number of rows that were inserted, changed or deleted.
    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int
    /// Runs to its end even if only the first rows are needed.
    func rows(_ sql: String, _ arguments: [SQLValue], limit: Int) throws -> [Row]
    /// Holds the lock of that name until the end of the transaction.
    func lock(_ name: String) throws
}
