/// A database of one kind, behind `Database`.
protocol Engine: Sendable {
    func read<T: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T

    /// `inLine`: after those, and before others, who have lost against somebody several times.
    func write<T: Sendable>(
        inLine: Bool, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T

    /// Somebody in this process listens for signals.
    func listen()

    /// Whether this process does what one alone does for all that share the database.
    var leads: Bool { get }

    /// Lets those who wait finish.
    func close() async throws

    var waitingWriters: Int { get }
}

/// An open connection inside a transaction.
protocol SQLConnection {
    /// Returns how many rows were inserted, changed or deleted.
    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int
    /// Runs to its end even when only its first rows are wanted.
    func rows(_ sql: String, _ arguments: [SQLValue], limit: Int) throws -> [Row]
    /// Until the end of the transaction nobody else has the lock of that name.
    func lock(_ name: String) throws
}
