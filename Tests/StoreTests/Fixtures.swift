import Dispatch
import Foundation
import Support
import Testing

@testable import Store

let schema = Migration(
    "things-1",
    """
    CREATE TABLE things (
        id TEXT NOT NULL PRIMARY KEY, number BIGINT UNIQUE, size BIGINT CHECK (size < 100))
    """,
    """
    CREATE TABLE parts (
        id TEXT NOT NULL PRIMARY KEY,
        thing TEXT NOT NULL REFERENCES things (id) DEFERRABLE INITIALLY DEFERRED)
    """,
    "CREATE TABLE labels (thing TEXT NOT NULL REFERENCES things (id), text TEXT NOT NULL)")

func memory() throws -> Database { try Database(.memory, migrations: [schema]) }

/// What stands behind the database: each promise of the store holds for all of them.
enum TestEngine: CaseIterable, Sendable {
    case sqlite, postgres
    /// PostgreSQL behind PgBouncer in session mode.
    case pgbouncer

    static let servers: [TestEngine] = [.postgres, .pgbouncer]

    /// The location of a new database.
    func newLocation() throws -> Database.Location {
        switch self {
        case .sqlite: .memory
        case .postgres: try TestPostgres.shared.get().newLocation()
        case .pgbouncer: try TestPgBouncer.shared.get().newLocation()
        }
    }

    /// A new database.
    func open(_ migrations: [Migration] = [schema]) throws -> Database {
        try Database(newLocation(), migrations: migrations)
    }
}

/// Gives the body the path of a database in a folder that does not exist yet.
func withFile<T>(_ body: (String) async throws -> T) async throws -> T {
    let folder = try TestFolder("store")
    return try await body(folder.url.appending(path: "deep/things.sqlite").path())
}

extension Database {
    func add(_ id: String, number: Int? = nil) async throws {
        try await write { transaction in
            try transaction.execute(
                "INSERT INTO things (id, number) VALUES (?, ?)", id, number)
        }
    }

    func ids() async throws -> [String] {
        try await read { transaction in
            try transaction.rows("SELECT id FROM things ORDER BY id").map { try $0.get("id") }
        }
    }

    /// Holds the writer while `body` queues others up behind it, so that they share a commit.
    func whileHeld<T: Sendable>(_ body: () async throws -> T) async throws -> T {
        let (entered, release) = (DispatchSemaphore(value: 0), Door())
        async let holder: Void = write { _ in
            entered.signal()
            release.pass()
        }
        await entered.signalled()
        let result: T
        do {
            result = try await body()
        } catch {
            release.open()
            throw error
        }
        release.open()
        try await holder
        return result
    }

    func untilWaiting(_ count: Int) async throws {
        try #require(await eventually { waitingWriters == count })
    }
}

/// The kind of the store's error that the body throws, if it does.
func kind<T>(_ body: () async throws -> T) async throws -> StoreError.Kind? {
    do {
        _ = try await body()
        return nil
    } catch let error as StoreError {
        return error.kind
    }
}
