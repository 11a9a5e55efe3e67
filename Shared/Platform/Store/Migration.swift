import Foundation

/// A change of the schema that is applied once. Its name is recorded and must never change.
///
/// Releases after 1.0.0 change a schema by additions only, so that the release before can use the database, too: while
/// replicas are upgraded one after the other, and after a step back.
///
/// Column types that both engines accept are BIGINT, DOUBLE PRECISION, TEXT and BYTEA, and `Migration.identity` for
/// an automatic key.
public struct Migration: Sendable {
    /// Column type and constraint of a primary key that increases with each inserted row.
    public static let identity = "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"

    public let name: String
    public let statements: [String]
    /// Whether a release that doesn't know it can use the database.
    public let isAddition: Bool

    public init(_ name: String, _ statements: String...) {
        self.init(name, statements)
    }

    public init(_ name: String, _ statements: [String]) {
        self.init(name: name, statements: statements, isAddition: false)
    }

    private init(name: String, statements: [String], isAddition: Bool) {
        self.name = name
        self.statements = statements
        self.isAddition = isAddition
    }

    /// A migration that only adds: tables, indexes, and columns that may be null or have a default. It may also insert
    /// and update rows. A unique index is on a table that it creates. Opening the database throws for any other
    /// statement.
    public static func addition(_ name: String, _ statements: String...) -> Migration {
        addition(name, statements)
    }

    public static func addition(_ name: String, _ statements: [String]) -> Migration {
        Migration(name: name, statements: statements, isAddition: true)
    }
}

extension Migration {
    /// The tables that record what has been applied. 1.0.0 reads the first one only, and refuses a database that has
    /// migrations there which it doesn't know.
    private static let (required, additions) = ("store_migrations", "store_additions")

    private var record: String { isAddition ? Self.additions : Self.required }

    /// Applies missing migrations in the caller's transaction, which must be the only one. Refuses a database with
    /// unknown migrations other than additions.
    static func apply(
        _ migrations: [Migration], to connection: some SQLConnection,
        translate: (String) -> String = { $0 }
    ) throws {
        let names = migrations.map(\.name)
        guard Set(names).count == names.count else {
            throw StoreError(.other, "two migrations have the same name")
        }
        let required = try applied(Self.required, connection)
        guard required.isSubset(of: names) else {
            let unknown = required.subtracting(names).sorted().joined(separator: ", ")
            throw StoreError(.other, "the database is of a newer version: \(unknown)")
        }
        let applied = try required.union(applied(Self.additions, connection))
        for migration in migrations where !applied.contains(migration.name) {
            guard !migration.isAddition || migration.changesNothingElse else {
                throw StoreError(.other, "\(migration.name) does more than add")
            }
            for statement in migration.statements {
                _ = try connection.execute(translate(statement), [])
            }
            _ = try connection.execute(
                "INSERT INTO \(migration.record) (name, applied_at) VALUES (?, ?)",
                [.text(migration.name), Date().sqlValue])
        }
    }

    private static func applied(_ table: String, _ connection: some SQLConnection) throws
        -> Set<String>
    {
        _ = try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(table) (
                name TEXT NOT NULL PRIMARY KEY, applied_at BIGINT NOT NULL)
            """, [])
        return Set(
            try connection.rows("SELECT name FROM \(table)", [], limit: .max)
                .map { try $0.get("name", as: String.self) })
    }

    /// Whether all statements are among those that an addition may have.
    var changesNothingElse: Bool {
        var made: Set<String> = []
        return statements.allSatisfy { statement in
            let words = statement.uppercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }
                .map(String.init)
            guard !statement.contains(";"), words.count > 2 else { return false }
            switch (words[0], words[1]) {
            case ("CREATE", "TABLE"):
                made.insert(words[2])
                return true
            case ("CREATE", "INDEX"), ("INSERT", "INTO"), ("UPDATE", _): return true
            case ("CREATE", "UNIQUE"): return words.count > 5 && made.contains(words[5])
            case ("ALTER", "TABLE"): return Self.addsColumn(words.dropFirst(3))
            default: return false
            }
        }
    }

    /// Whether an ALTER TABLE with these words adds one column that the inserts of an earlier release may leave out.
    private static func addsColumn(_ words: ArraySlice<String>) -> Bool {
        let refused: Set = ["PRIMARY", "UNIQUE", "CHECK", "REFERENCES", "DROP", "RENAME", "ALTER"]
        return Array(words.prefix(2)) == ["ADD", "COLUMN"]
            && words.dropFirst(2).allSatisfy { $0 != "ADD" && !refused.contains($0) }
            && (!words.contains("NOT") || words.contains("DEFAULT"))
    }
}
