import Foundation
internal import GRDB
import ServiceContextModule

/// SQLite in a file or in memory: several readers, and one writer that commits for all waiting transactions.
final class SQLiteEngine: Engine {
    /// Connections that read a file, besides the writing one.
    static let readers = 4
    /// Maximum number of waiting readers; further ones fail with `busy`.
    static let mostWaitingReaders = 4_096
    /// A new folder is private to its owner: it contains people's names and numbers.
    static let folderMode = 0o700
    /// Seconds to wait for another process that has locked the file.
    static let busyTimeoutSeconds = 5.0

    private let writer: any DatabaseWriter
    private let queue: WriteQueue
    private let gate = ReadGate(limit: mostWaitingReaders)

    /// In memory if the path is nil.
    init(path: String?, _ migrations: [Migration], _ listeners: Signals) throws {
        let writer = try translatingErrors {
            let writer = try Self.open(path)
            try writer.writeWithoutTransaction { connection in
                // After opening, which sets NORMAL: with that, the last commits may be lost.
                try connection.execute(sql: "PRAGMA synchronous = FULL")
                try connection.inTransaction(.immediate) {
                    try Migration.apply(
                        migrations, to: SQLiteConnection(database: connection),
                        translate: Self.translate)
                    return .commit
                }
            }
            return writer
        }
        self.writer = writer
        queue = WriteQueue(writer, listeners)
    }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try gate.enter()
        defer { gate.leave() }
        let context = ServiceContext.current
        return try await withCheckedThrowingContinuation { continuation in
            writer.asyncRead { connection in
                let result = Result {
                    let transaction = Transaction(
                        SQLiteConnection(database: try connection.get()))
                    return try ServiceContext.$current.withValue(context) {
                        try transaction.run(body)
                    }
                }
                continuation.resume(with: result.mapError(StoreError.translate))
            }
        }
    }

    /// In the order of arrival; waiting transactions share one commit.
    func write<T: Sendable>(
        inLine: Bool, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        let context = ServiceContext.current
        return try await withCheckedThrowingContinuation { continuation in
            queue.add(
                PendingWrite { transaction in
                    let value = try ServiceContext.$current.withValue(context) {
                        try transaction.run(body)
                    }
                    return { continuation.resume(returning: value) }
                } fail: { error in
                    continuation.resume(throwing: error)
                })
        }
    }

    /// Does nothing: signals come from this process only.
    func listen() {}

    /// Always true: no other process shares a file.
    var leads: Bool { true }

    var waitingWriters: Int { queue.waiting }

    var connections: DatabaseConnections? { nil }

    /// Checkpoints the write-ahead log into the file.
    func close() async throws {
        try await write(inLine: false) { _ in }
        queue.close()
        await gate.close()
        try await withCheckedThrowingContinuation { continuation in
            // Closing blocks until the readers are done, so it must not run on a thread of the cooperative pool.
            DispatchQueue.global().async { [writer] in
                let result = Result {
                    try? writer.writeWithoutTransaction { connection in
                        // This fails while another process reads; the next opening does it then.
                        _ = try connection.checkpoint(.truncate)
                    }
                    try translatingErrors { try writer.close() }
                }
                continuation.resume(with: result)
            }
        }
    }

    private static func open(_ path: String?) throws -> any DatabaseWriter {
        var configuration = Configuration()
        configuration.label = "store"
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(busyTimeoutSeconds)
        configuration.maximumReaderCount = readers
        guard let path else { return try DatabaseQueue(configuration: configuration) }
        let folder = URL(filePath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: folderMode])
        return try DatabasePool(path: path, configuration: configuration)
    }

    private static func translate(_ statement: String) -> String {
        statement.replacing(Migration.identity, with: "INTEGER PRIMARY KEY AUTOINCREMENT")
    }
}
