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

    private struct State {
        var connection: PostgresConnection?
        /// Databases in the order in which they were made, and how many that were.
        var names: [String] = []
        var made = 0
        /// Of each kind: its databases until one of them is copied, and that copy, of which others are made.
        var candidates: [String: [String]] = [:]
        var templates: [String: String] = [:]
    }

    /// Debian's folder of the server's programs, of whichever version is there.
    private static let programs = "/usr/lib/postgresql"
    /// The server refuses to run as root.
    static let user = "postgres"
    /// What every server has to copy.
    private static let empty = "template0"
    /// As many databases as a test may have at once: older ones are dropped, since each takes its megabytes.
    private static let mostDatabases = 24
    private static let mostStarts = 10
    private static let startSeconds: TimeInterval = 60

    /// One for all tests of this process, started when the first of them asks.
    public static let shared = Result { try TestPostgres() }

    public let port: Int
    private let folder: String
    private let process: Mutex<ChildProcess>
    /// Removes the folder.
    private let broom: ChildProcess
    private let state = Mutex(State())

    public init() throws {
        port = try FreePort.find()
        folder = Self.parent().appending(path: "postgres-\(UUID().uuidString)").path
        process = Mutex(try Self.start(folder, port))
        broom = try ChildProcess("sleep 1000000", [folder], afterwards: #"sleep 1; rm -rf "$1""#)
        guard awaitAnswer(at: port, within: Self.startSeconds) else {
            throw DidNotStart(description: "PostgreSQL does not answer")
        }
    }

    public var address: String { "postgres://\(Self.user)@127.0.0.1:\(port)/" }

    public func location(_ name: String) throws -> Database.Location {
        .postgres(try at(), database: name)
    }

    private func at(_ port: Int? = nil) throws -> PostgresAddress {
        let address = "postgres://\(Self.user)@127.0.0.1:\(port ?? self.port)/"
        guard let parsed = PostgresAddress(address) else {
            throw DidNotStart(description: "\(address) is no address")
        }
        return parsed
    }

    /// A name that no database has: whoever opens it makes the database.
    public func newLocation() throws -> Database.Location { try location(newName()) }

    /// The same, for those who reach the server another way.
    func newName() throws -> String { try state.withLock { try newName(&$0) } }

    /// A database of its own that is there already. Databases of a kind have the same migrations: from the
    /// second on they are a copy that has them, without rows.
    public func newLocation(of kind: String) throws -> Database.Location {
        let name = try state.withLock { state in
            let template = try template(of: kind, &state)
            let name = try newName(&state)
            try connection(&state).copy(template ?? Self.empty, as: name)
            if template == nil { state.candidates[kind, default: []].append(name) }
            return name
        }
        return try location(name)
    }

    private func newName(_ state: inout State) throws -> String {
        state.made += 1
        let name = "test_\(state.made)"
        state.names.append(name)
        if state.names.count >= 2 * Self.mostDatabases {
            for old in state.names.prefix(Self.mostDatabases) {
                try connection(&state).run("DROP DATABASE IF EXISTS \(old) WITH (FORCE)")
            }
            state.names.removeFirst(Self.mostDatabases)
        }
        return name
    }

    /// Nil before a database of the kind has its migrations and is closed; an empty one where migrations insert
    /// rows, which a copy could not tell from those of a test.
    private func template(of kind: String, _ state: inout State) throws -> String? {
        if let template = state.templates[kind] { return template }
        let connection = try connection(&state)
        let candidates = state.candidates[kind, default: []].joined(separator: ",")
        let idle = try connection.names(
            """
            SELECT datname AS name FROM pg_database AS d WHERE datname = ANY ('{\(candidates)}') AND NOT EXISTS (
                SELECT 1 FROM pg_stat_activity AS a WHERE a.datname = d.datname) LIMIT 1
            """
        ).first
        guard let idle else { return nil }
        let template = "template_\(idle)"
        guard (try? connection.copy(idle, as: template)) != nil else { return nil }
        guard let hasNoRows = try? PostgresConnection.open(at(), database: template).removeRows()
        else {
            try connection.run("DROP DATABASE \(template) WITH (FORCE)")
            state.candidates[kind]?.removeAll { $0 == idle }
            return nil
        }
        state.templates[kind] = hasNoRows ? template : Self.empty
        return state.templates[kind]
    }

    /// Ends the server as a crash would.
    public func kill() {
        process.withLock { $0.release() }
        state.withLock { $0.connection = nil }
    }

    /// Starts the server again over what it has written.
    public func restart() throws { try restart(at: port) }

    /// Until `thaw` it keeps its connections, the system accepts new ones for it, and it answers nothing.
    public func freeze() throws { try signal(SIGSTOP) }
    public func thaw() throws { try signal(SIGCONT) }

    /// Loses all files, and gets the databases back from a dump that was made when nobody else could write any more.
    public func restoreFromDump() throws {
        let programs = "\(Self.programs)/\(try Self.version())/bin"
        let dump = "\(folder).sql"
        defer { try? FileManager.default.removeItem(atPath: dump) }
        // Nobody else knows this port.
        let hidden = try FreePort.find()
        let server = ["-h", "127.0.0.1", "-p", "\(hidden)", "-U", Self.user]
        try restart(at: hidden)
        _ = try Command.output("\(programs)/pg_dumpall", server + ["-f", dump])
        kill()
        try FileManager.default.removeItem(atPath: folder)
        try restart(at: hidden)
        _ = try Command.output("\(programs)/psql", server + ["-q", "-f", dump, "postgres"])
        try restart(at: port)
    }

    private func restart(at port: Int) throws {
        kill()
        // The old server may answer for a moment, and would pass for the new one.
        while (try? PostgresConnection.open(at(port))) != nil { usleep(10_000) }
        // It refuses to start while a process of the old one is at its end.
        for attempt in 1..<Self.mostStarts {
            try process.withLock { process in process = try Self.start(folder, port) }
            // Its recovery may take a while.
            if awaitAnswer(at: port, within: 2 * Double(attempt)) { return }
            kill()
        }
        throw DidNotStart(description: "PostgreSQL does not start again")
    }

    private func signal(_ number: Int32) throws {
        let text = try String(contentsOfFile: "\(folder)/postmaster.pid", encoding: .utf8)
        guard let postmaster = text.split(separator: "\n").first.flatMap({ Int32($0) }) else {
            throw DidNotStart(description: "PostgreSQL does not run")
        }
        for id in [postmaster] + (try ProcessTree.descendants(of: postmaster)) {
            _ = Foundation.kill(id, number)
        }
    }

    /// Runs a statement.
    public func run(_ sql: String) throws {
        try state.withLock { try connection(&$0).run(sql) }
    }

    /// The connection that all statements of ours go over, made again after it was lost.
    private func connection(_ state: inout State) throws -> PostgresConnection {
        if let connection = state.connection, !connection.isLost { return connection }
        let connection = try PostgresConnection.open(at())
        state.connection = connection
        return connection
    }

    private func awaitAnswer(at port: Int, within seconds: TimeInterval) -> Bool {
        let deadline = Date() + seconds
        while (try? PostgresConnection.open(at(port))) == nil {
            guard Date() < deadline else { return false }
            usleep(10_000)
        }
        return true
    }

    /// In memory where there is enough of it: most of what a test costs the server is making and removing
    /// files, for which others at the disk make it wait.
    private static func parent() -> URL {
        let memory = "/dev/shm"
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: memory)
        let free = attributes?[.systemFreeSize] as? NSNumber
        return (free?.int64Value ?? 0) >= 4 << 30
            ? URL(filePath: memory) : FileManager.default.temporaryDirectory
    }

    private static func version() throws -> String {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: programs)) ?? []
        guard let version = versions.max(by: { (Int($0) ?? 0) < (Int($1) ?? 0) }) else {
            throw DidNotStart(
                description: "no PostgreSQL in \(programs): run `.ci/setup --also postgresql`")
        }
        return version
    }

    /// The shell kills the postmaster, whose children notice at once. What `initdb` makes is kept for the
    /// next start.
    private static func start(_ folder: String, _ port: Int) throws -> ChildProcess {
        let script = """
            as=; [ "$(id -u)" = 0 ] && as="setpriv --reuid=\(user) --regid=\(user) --clear-groups --"
            mkdir -p "$2"; [ -z "$as" ] || chown \(user) "$2"; cd "$2"
            if [ ! -e "$2/PG_VERSION" ] && [ -d "$4" ]; then
                cp -R "$4/." "$2" && chmod 700 "$2"; [ -z "$as" ] || chown -R \(user) "$2"
            elif [ ! -e "$2/PG_VERSION" ]; then
                $as "$1/initdb" -D "$2" -U \(user) -A trust --no-sync -E UTF8 --locale=C >/dev/null
                cp -R "$2" "$4.$$" && mv -T "$4.$$" "$4" || rm -rf "$4.$$"
            fi
            $as "$1/postgres" -D "$2" -p "$3" -k "$2" -c listen_addresses=127.0.0.1 -c fsync=off \
            -c full_page_writes=off -c wal_level=minimal -c max_wal_senders=0 -c max_connections=400 \
            -c autovacuum=off -c shared_buffers=32MB -c max_wal_size=64MB -c log_min_messages=fatal
            """
        let version = try version()
        return try ChildProcess(
            script,
            [
                "\(programs)/\(version)/bin", folder, String(port),
                ChildProcess.script("../.build/postgres-\(version)"),
            ])
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

    /// A new one; all of a kind have the same migrations.
    public static func location(of kind: String) throws -> Database.Location {
        WithoutDatabase.check()
        return arePostgres ? try TestPostgres.shared.get().newLocation(of: kind) : .memory
    }

    /// The one of that name that belongs to a folder; it outlives who opens it.
    public static func location(_ name: String, in folder: String) throws -> Database.Location {
        WithoutDatabase.check()
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
