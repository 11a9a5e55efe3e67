import Foundation

/// A change of the schema that is applied once. Its name is recorded and must never change.
///
/// Column types that both engines accept are BIGINT, DOUBLE PRECISION, TEXT and BYTEA, and `Migration.identity` for
/// an automatic key.
public struct Migration: Sendable {
    /// Column type and constraint of a primary key that increases with each inserted row.
    public static let identity = "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"

    public let name: String
    public let statements: [String]

    public init(_ name: String, _ statements: String...) {
        self.name = name
        self.statements = statements
    }

    public init(_ name: String, _ statements: [String]) {
        self.name = name
        self.statements = statements
    }
}

extension Migration {
    private static let table = """
        CREATE TABLE IF NOT EXISTS store_migrations (
            name TEXT NOT NULL PRIMARY KEY, applied_at BIGINT NOT NULL)
        """

    /// Applies missing migrations in the caller's transaction, which must be the only one. Refuses a database with
    /// unknown migrations.
    static func apply(
        _ migrations: [Migration], to connection: some SQLConnection,
        translate: (String) -> String = { $0 }
    ) throws {
        let names = migrations.map(\.name)
        guard Set(names).count == names.count else {
            throw StoreError(.other, "two migrations have the same name")
        }
        _ = try connection.execute(table, [])
        let applied = Set(
            try connection.rows("SELECT name FROM store_migrations", [], limit: .max)
                .map { try $0.get("name", as: String.self) })
        guard applied.isSubset(of: names) else {
            let unknown = applied.subtracting(names).sorted().joined(separator: ", ")
            throw StoreError(.other, "the database is of a newer version: \(unknown)")
        }
        for migration in migrations where !applied.contains(migration.name) {
            for statement in migration.statements {
                _ = try connection.execute(translate(statement), [])
            }
            _ = try connection.execute(
                "INSERT INTO store_migrations (name, applied_at) VALUES (?, ?)",
                [.text(migration.name), Date().sqlValue])
        }
    }
}
