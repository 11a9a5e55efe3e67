import Foundation
internal import GRDB
import ServiceContextModule

/// One SQL database: many readers, and writers that share their commits.
public final class Database: Sendable {
    public enum Location: Sendable {
        /// Gone when the last reference to it is.
        case memory
        /// Path of a file; it and its folder are made when missing.
        case file(String)
    }

    /// Connections that read a file beside the one that writes.
    static let readers = 4
    /// Readers that may wait; those beyond are told `busy`.
    static let mostWaitingReaders = 4_096
    /// A new folder is its owner's alone: people's names and numbers lie in it.
    static let folderMode = 0o700
    /// Seconds to wait for another process that holds the file.
    static let busyTimeoutSeconds = 5.0

    private let writer: any DatabaseWriter
    private let queue: WriteQueue
    private let listeners = Signals()
    private let gate = ReadGate(limit: mostWaitingReaders)

    /// Opens the database and brings its schema up to date; refuses one of a newer version.
    public init(_ location: Location, migrations: [Migration]) throws {
        let writer = try translatingErrors {
            let writer = try Self.open(location)
            try writer.writeWithoutTransaction { connection in
                // After opening, which sets NORMAL: that may lose the last commits.
                try connection.execute(sql: "PRAGMA synchronous = FULL")
                try Migration.apply(migrations, to: connection)
            }
            return writer
        }
        self.writer = writer
        queue = WriteQueue(writer, listeners)
    }

    /// Reads one consistent state; nothing can be changed.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try gate.enter()
        defer { gate.leave() }
        let context = ServiceContext.current
        return try await withCheckedThrowingContinuation { continuation in
            writer.asyncRead { connection in
                let result = Result {
                    let transaction = Transaction(try connection.get())
                    defer { transaction.end() }
                    return try ServiceContext.$current.withValue(context) {
                        try body(transaction)
                    }
                }
                continuation.resume(with: result.mapError(StoreError.translate))
            }
        }
    }

    /// All or nothing, and on the disk when it returns. Runs to its end even in a cancelled task.
    ///
    /// Writers are served in the order of their arrival, and those who wait share one commit.
    @discardableResult
    public func write<T: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        let context = ServiceContext.current
        return try await withCheckedThrowingContinuation { continuation in
            queue.add(
                PendingWrite { transaction in
                    let value = try ServiceContext.$current.withValue(context) {
                        try body(transaction)
                    }
                    return { continuation.resume(returning: value) }
                } fail: { error in
                    continuation.resume(throwing: error)
                })
        }
    }

    /// Fires after each commit whose transaction called `signal(name)`; several may come as one.
    ///
    /// Listens from this call on, not from the first iteration, until the database is closed.
    public func signals(_ name: String) -> AsyncStream<Void> { listeners.stream(name) }

    /// Lets those who wait finish, folds the write-ahead log into the file, and closes.
    public func close() async throws {
        try await write { _ in }
        queue.close()
        listeners.finish()
        await gate.close()
        try await withCheckedThrowingContinuation { continuation in
            // Closing blocks until the readers are done: not on a thread of the cooperative pool.
            DispatchQueue.global().async { [writer] in
                let result = Result {
                    try? writer.writeWithoutTransaction { connection in
                        // While another process reads it fails: the next opening does it.
                        _ = try connection.checkpoint(.truncate)
                    }
                    try translatingErrors { try writer.close() }
                }
                continuation.resume(with: result)
            }
        }
    }

    /// Writers that wait for their turn.
    var waitingWriters: Int { queue.waiting }

    private static func open(_ location: Location) throws -> any DatabaseWriter {
        var configuration = Configuration()
        configuration.label = "store"
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(busyTimeoutSeconds)
        configuration.maximumReaderCount = readers
        switch location {
        case .memory:
            return try DatabaseQueue(configuration: configuration)
        case .file(let path):
            let folder = URL(filePath: path).deletingLastPathComponent()
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: folderMode])
            return try DatabasePool(path: path, configuration: configuration)
        }
    }
}
