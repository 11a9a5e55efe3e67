import Foundation
import Synchronization

/// An SQL database with many readers and writers, each in its own transaction.
public final class Database: Sendable {
    public enum Location: Sendable {
        /// SQLite in memory, until the last reference is gone.
        case memory
        /// SQLite at the path of a file; creates the file and its folder if missing.
        case file(String)
        /// PostgreSQL: the database of that name on the server, created if missing.
        case postgres(PostgresAddress, database: String)
    }

    /// Maximum number of connections of one process to PostgreSQL, unless told otherwise: one that listens and leads,
    /// and three for transactions.
    public static let standardConnections = 4

    private let engine: any Engine
    private let listeners = Signals()
    /// Number of statements so far. Tests check with it that queries don't grow with the answer.
    let statements = Atomic(0)

    /// Opens the database and updates its schema. Refuses a database of a newer version that has done more than add.
    ///
    /// Blocks; for the start of a service.
    ///
    /// - Parameter connections: Maximum number of connections to PostgreSQL, at least 2: one listens for signals and
    ///   holds the leader's lock as long as the process runs, the others are opened for transactions as needed.
    public init(
        _ location: Location, migrations: [Migration], connections: Int = standardConnections
    ) throws {
        switch location {
        case .memory:
            engine = try SQLiteEngine(path: nil, migrations, listeners)
        case .file(let path):
            engine = try SQLiteEngine(path: path, migrations, listeners)
        case .postgres(let address, let database):
            engine = try PostgresEngine(
                address, database, migrations, listeners, connections: connections)
        }
    }

    /// Reads one consistent state; can't change anything.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try await SQLMetrics.reads.measure {
            var conflicts = Conflicts()
            while true {
                do {
                    return try await engine.read { try self.count($0, body) }
                } catch {
                    try await conflicts.wait(after: error)
                }
            }
        }
    }

    /// Runs a transaction that is all or nothing, and on the disk when it returns. It runs to its end even in a
    /// cancelled task.
    ///
    /// Writes are serialisable. If others were faster, `body` runs again, so it must have no effect outside its
    /// transaction.
    @discardableResult
    public func write<T: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try await SQLMetrics.writes.measure {
            var conflicts = Conflicts()
            while true {
                do {
                    let (value, afterwards) = try await engine.write(inLine: conflicts.isInLine) {
                        (try self.count($0, body), $0.afterwards)
                    }
                    for work in afterwards { work() }
                    return value
                } catch {
                    try await conflicts.wait(after: error)
                }
            }
        }
    }

    private func count<T>(
        _ transaction: Transaction, _ body: (Transaction) throws -> T
    ) throws -> T {
        defer { statements.add(transaction.statements, ordering: .relaxed) }
        return try body(transaction)
    }

    /// Fires after each commit whose transaction called `signal(name)`, in any process. Several signals may arrive as
    /// one, and one may arrive without a commit.
    ///
    /// Listens from this call on, not from the first iteration, until the database is closed.
    public func signals(_ name: String) -> AsyncStream<Void> {
        let stream = listeners.stream(name)
        engine.listen()
        return stream
    }

    /// Whether this process is the leader among those that share the database: it relays events and does periodic
    /// work. Wakes all listeners when it becomes the leader.
    ///
    /// If the leader dies, another process takes over within about a second.
    public var leads: Bool { engine.leads }

    /// This process' connections now; nil for SQLite.
    public var connections: DatabaseConnections? { engine.connections }

    /// Lets waiting transactions finish, then closes.
    public func close() async throws {
        try await engine.close()
        listeners.finish()
    }

    var waitingWriters: Int { engine.waitingWriters }
}
