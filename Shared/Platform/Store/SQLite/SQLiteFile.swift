internal import GRDB

/// A database in a file that is created once and then only read, such as a map's tiles.
///
/// Its calls block, so they need their own thread.
public final class SQLiteFile: Sendable {
    private let queue: DatabaseQueue

    /// Opens it read-only: it writes nothing, not even files beside it.
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

    /// Creates the file in one transaction, so that it has all its contents or none.
    public static func make(_ path: String, _ body: (Transaction) throws -> Void) throws {
        try translatingErrors {
            let queue = try DatabaseQueue(path: path)
            try queue.write { try Transaction(SQLiteConnection(database: $0)).run(body) }
            try queue.close()
        }
    }
}
