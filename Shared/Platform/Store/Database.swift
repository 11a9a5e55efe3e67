import Foundation
import Synchronization

/// One SQL database: many readers and writers, each in a transaction of its own.
public final class Database: Sendable {
    public enum Location: Sendable {
        /// SQLite, gone when the last reference to it is.
        case memory
        /// SQLite: path of a file; it and its folder are made when missing.
        case file(String)
        /// PostgreSQL: a database of that name at the address, made when missing.
        case postgres(PostgresAddress, database: String)
    }

    private let engine: any Engine
    private let listeners = Signals()
    /// Statements so far: tests see by them that what is asked does not grow with what is answered.
    let statements = Atomic(0)

    /// Opens the database and brings its schema up to date; refuses one of a newer version.
    ///
    /// Blocks meanwhile: for the start of a service.
    public init(_ location: Location, migrations: [Migration]) throws {
        switch location {
        case .memory:
            engine = try SQLiteEngine(path: nil, migrations, listeners)
        case .file(let path):
            engine = try SQLiteEngine(path: path, migrations, listeners)
        case .postgres(let address, let database):
            engine = try PostgresEngine(address, database, migrations, listeners)
        }
    }

    /// Reads one consistent state; nothing can be changed.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        var conflicts = Conflicts()
        while true {
            do {
                return try await engine.read { try self.count($0, body) }
            } catch {
                try await conflicts.wait(after: error)
            }
        }
    }

    /// All or nothing, and on the disk when it returns. Runs to its end even in a cancelled task.
    ///
    /// As if each transaction were alone. Where it is not, and others were faster, `body` runs
    /// again: it must have no effect but through its transaction.
    @discardableResult
    public func write<T: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        var conflicts = Conflicts()
        while true {
            do {
                return try await engine.write(inLine: conflicts.isInLine) {
                    try self.count($0, body)
                }
            } catch {
                try await conflicts.wait(after: error)
            }
        }
    }

    private func count<T>(
        _ transaction: Transaction, _ body: (Transaction) throws -> T
    ) throws -> T {
        defer { statements.add(transaction.statements, ordering: .relaxed) }
        return try body(transaction)
    }

    /// Fires after each commit whose transaction called `signal(name)`, in whichever process;
    /// several may come as one, and one may come without a commit.
    ///
    /// Listens from this call on, not from the first iteration, until the database is closed.
    public func signals(_ name: String) -> AsyncStream<Void> {
        let stream = listeners.stream(name)
        engine.listen()
        return stream
    }

    /// Whether this process is the one that relays events and keeps periodic work, of all that share
    /// the database; every listener is woken when it becomes so.
    ///
    /// When the one that was dies, another becomes it within a second or so.
    public var leads: Bool { engine.leads }

    /// Lets those who wait finish, and closes.
    public func close() async throws {
        try await engine.close()
        listeners.finish()
    }

    /// Writers that wait for their turn.
    var waitingWriters: Int { engine.waitingWriters }
}
