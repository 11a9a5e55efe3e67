import Foundation
internal import GRDB

/// A change of the schema that is applied once. Its name is recorded and must never change.
public struct Migration: Sendable {
    public let name: String
    public let statements: [String]

    public init(_ name: String, _ statements: String...) {
        self.name = name
        self.statements = statements
    }
}

extension Migration {
    private static let table = """
        CREATE TABLE IF NOT EXISTS store_migrations (
            name TEXT NOT NULL PRIMARY KEY, applied_at BIGINT NOT NULL)
        """

    /// Applies what is missing, all of it or nothing; refuses a database that knows more than us.
    static func apply(_ migrations: [Migration], to connection: GRDB.Database) throws {
        let names = migrations.map(\.name)
        guard Set(names).count == names.count else {
            throw StoreError(.other, "two migrations have the same name")
        }
        try connection.inTransaction(.immediate) {
            try connection.execute(sql: table)
            let applied = try String.fetchSet(connection, sql: "SELECT name FROM store_migrations")
            guard applied.isSubset(of: names) else {
                let unknown = applied.subtracting(names).sorted().joined(separator: ", ")
                throw StoreError(.other, "the database is of a newer version: \(unknown)")
            }
            for migration in migrations where !applied.contains(migration.name) {
                for statement in migration.statements {
                    try connection.execute(sql: statement)
                }
                try connection.execute(
                    sql: "INSERT INTO store_migrations (name, applied_at) VALUES (?, ?)",
                    arguments: [migration.name, Date().sqlValue.databaseValue])
            }
            return .commit
        }
    }
}
