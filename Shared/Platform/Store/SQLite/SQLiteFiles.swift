internal import GRDB

/// Operations on database files that other processes may have open.
public enum SQLiteFiles {
    /// Seconds to wait for the services to finish their writes.
    private static let busyTimeoutSeconds = 30.0

    /// Copies all files in the state of one moment: nobody can write to any of them meanwhile. Blocks.
    public static func copy(_ files: [(from: String, to: String)]) throws {
        try translatingErrors {
            try holding(files.map(\.from)[...]) {
                for (from, to) in files {
                    try open(from).writeWithoutTransaction {
                        try $0.execute(sql: "VACUUM INTO ?", arguments: [to])
                    }
                }
            }
        }
    }

    private static func holding(_ paths: ArraySlice<String>, _ body: () throws -> Void) throws {
        guard let path = paths.first else { return try body() }
        try open(path).writeWithoutTransaction { connection in
            try connection.inTransaction(.immediate) {
                try holding(paths.dropFirst(), body)
                return .rollback
            }
        }
    }

    private static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeoutSeconds)
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}
