import Foundation
import Store
import Synchronization

/// A real PostgreSQL server of its own on a free port, which forgets when it stops.
///
/// Stops with its last reference, and when this process ends, however it does.
public final class TestPostgres: Sendable {
    public struct DidNotStart: Error, CustomStringConvertible {
        public let description: String
    }

    /// Debian's folder of the server's programs, of whichever version is there.
    private static let programs = "/usr/lib/postgresql"
    /// The server refuses to run as root.
    private static let user = "postgres"

    /// One for all tests of this process, started when the first of them asks.
    public static let shared = Result { try TestPostgres() }

    public let port: Int
    private let folder: String
    private let leash: Mutex<Leash>
    /// Removes the folder.
    private let broom: Leash
    /// Databases in the order in which they were made, and how many that were.
    private let databases = Mutex<(names: [String], made: Int)>(([], 0))

    /// As many databases as a test may have at once: older ones are dropped, since each takes its megabytes.
    private static let mostDatabases = 24
    private static let mostStarts = 10
    private static let startSeconds: TimeInterval = 60

    public init() throws {
        port = try FreePort.find()
        folder =
            FileManager.default.temporaryDirectory.appending(
                path: "postgres-\(UUID().uuidString)"
            ).path
        leash = Mutex(try Self.start(folder, port))
        broom = try Leash("sleep 1000000", [folder], afterwards: #"sleep 1; rm -rf "$1""#)
        guard awaitAnswer(within: Self.startSeconds) else {
            throw DidNotStart(description: "PostgreSQL does not answer")
        }
    }

    public var address: String { "postgres://\(Self.user)@127.0.0.1:\(port)/" }

    public func location(_ name: String) throws -> Database.Location {
        guard let address = PostgresAddress(address) else {
            throw DidNotStart(description: "\(address) is no address")
        }
        return .postgres(address, database: name)
    }

    /// A database that nobody else has.
    public func newLocation() throws -> Database.Location {
        let (name, old) = databases.withLock { databases in
            databases.made += 1
            let name = "test_\(databases.made)"
            databases.names.append(name)
            guard databases.names.count >= 2 * Self.mostDatabases else { return (name, [String]()) }
            let old = Array(databases.names.prefix(Self.mostDatabases))
            databases.names.removeFirst(old.count)
            return (name, old)
        }
        if !old.isEmpty {
            _ = try run(old.map { "DROP DATABASE IF EXISTS \($0) WITH (FORCE)" })
        }
        return try location(name)
    }

    /// Ends the server as a crash would.
    public func kill() { leash.withLock { $0.release() } }

    /// Starts the server again over what it has written.
    public func restart() throws {
        kill()
        // It refuses to start while a process of the old one is at its end.
        for attempt in 1..<Self.mostStarts {
            try leash.withLock { leash in leash = try Self.start(folder, port) }
            // Its recovery may take a while.
            if awaitAnswer(within: 2 * Double(attempt)) { return }
            kill()
        }
        throw DidNotStart(description: "PostgreSQL does not start again")
    }

    /// A statement; what it answers.
    @discardableResult
    public func run(_ sql: String) throws -> String { try run([sql]) }

    private func run(_ statements: [String]) throws -> String {
        try Command.output(
            "\(Self.bin())/psql",
            ["-XAtq"] + statements.flatMap { ["-c", $0] } + ["\(address)postgres"]
        ).trimmingCharacters(in: .newlines)
    }

    private func awaitAnswer(within seconds: TimeInterval) -> Bool {
        let deadline = Date() + seconds
        while (try? run("SELECT 1")) == nil {
            guard Date() < deadline else { return false }
            usleep(10_000)
        }
        return true
    }

    private static func bin() throws -> String {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: programs)) ?? []
        guard let version = versions.max(by: { (Int($0) ?? 0) < (Int($1) ?? 0) }) else {
            throw DidNotStart(
                description: "no PostgreSQL in \(programs): run `.ci/setup --also postgresql`")
        }
        return "\(programs)/\(version)/bin"
    }

    /// The shell kills the postmaster, whose children notice at once.
    private static func start(_ folder: String, _ port: Int) throws -> Leash {
        let script = """
            as=; [ "$(id -u)" = 0 ] && as="setpriv --reuid=\(user) --regid=\(user) --clear-groups --"
            mkdir -p "$2"; [ -z "$as" ] || chown \(user) "$2"; cd "$2"
            [ -e "$2/PG_VERSION" ] || $as "$1/initdb" -D "$2" -U \(user) -A trust --no-sync -E UTF8 \
            --locale=C >/dev/null
            $as "$1/postgres" -D "$2" -p "$3" -k "$2" -c listen_addresses=127.0.0.1 -c fsync=off \
            -c full_page_writes=off -c max_connections=400 \
            -c autovacuum=off -c shared_buffers=32MB -c max_wal_size=256MB -c log_min_messages=fatal
            """
        return try Leash(script, [bin(), folder, String(port)])
    }
}

/// Databases of the engine that `OPENVALET_TEST_DATABASE` names: SQLite, or `postgres`.
public enum TestDatabases {
    /// Set for a whole run of tests.
    public static let arePostgres =
        ProcessInfo.processInfo.environment["OPENVALET_TEST_DATABASE"] == "postgres"

    /// Asks for all columns of a database: table `t`, column `c`.
    public static let columns =
        arePostgres
        ? """
        SELECT table_name AS t, column_name AS c FROM information_schema.columns
        WHERE table_schema = 'public'
        """
        : """
        SELECT m.name AS t, c.name AS c FROM sqlite_master AS m, pragma_table_info(m.name) AS c
        WHERE m.type = 'table'
        """

    /// A new one.
    public static func location() throws -> Database.Location {
        arePostgres ? try TestPostgres.shared.get().newLocation() : .memory
    }

    /// The one of that name that belongs to a folder; it outlives who opens it.
    public static func location(_ name: String, in folder: String) throws -> Database.Location {
        guard arePostgres else { return .file("\(folder)/\(name).sqlite") }
        let postgres = try TestPostgres.shared.get()
        return try postgres.location("\(prefix(of: folder))_\(name)")
    }

    /// What an `openvalet up` on that folder is told.
    static func environment(of folder: String) throws -> [String: String] {
        guard arePostgres else { return [:] }
        let address = try TestPostgres.shared.get().address
        return ["OPENVALET_DATABASE": address + prefix(of: folder)]
    }

    private static func prefix(of folder: String) -> String {
        let id = folder.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return "f" + id.suffix(24)
    }
}
