internal import GRDB

/// A database in a file that is made once and from then on only read, as a map's tiles.
///
/// Its calls block: they belong on a thread of their own.
public final class SQLiteFile: Sendable {
    private let queue: DatabaseQueue

    /// Opens it for reading alone: nothing is written, not beside it either.
    public init(path: String) throws {
        var configuration = Configuration()
        configuration.label = "file"
        configuration.readonly = true
        queue = try translatingErrors {
            try DatabaseQueue(path: path, configuration: configuration)
        }
    }

    public func read<T>(_ body: (Transaction) throws -> T) throws -> T {
        try translatingErrors {
            try queue.read { try Transaction(SQLiteConnection(database: $0)).run(body) }
        }
    }

    /// Makes the file in one transaction, so that it has everything or nothing.
    public static func make(_ path: String, _ body: (Transaction) throws -> Void) throws {
        try translatingErrors {
            let queue = try DatabaseQueue(path: path)
            try queue.write { try Transaction(SQLiteConnection(database: $0)).run(body) }
            try queue.close()
        }
    }
}
