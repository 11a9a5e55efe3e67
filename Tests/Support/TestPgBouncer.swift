import Foundation
import Store

/// A real PgBouncer before a PostgreSQL server, on a free port. Debian's package has its program.
///
/// Stops with its last reference, and when this process ends, however it does.
public final class TestPgBouncer: Sendable {
    /// What a session of the server is given to.
    public enum Mode: String, Sendable { case session, transaction }

    /// In session mode, before the server that the tests of this process share.
    public static let shared = Result {
        try TestPgBouncer(before: TestPostgres.shared.get(), mode: .session)
    }

    private static let startSeconds: TimeInterval = 60

    private let postgres: TestPostgres
    private let port: Int
    private let process: ChildProcess

    public init(before postgres: TestPostgres, mode: Mode) throws {
        self.postgres = postgres
        port = try FreePort.find()
        process = try Self.start(port, before: postgres.port, mode)
        let deadline = Date() + Self.startSeconds
        while (try? PostgresConnection.open(address())) == nil {
            guard Date() < deadline else {
                throw TestPostgres.DidNotStart(
                    description: "PgBouncer does not answer: run `.ci/setup --also pgbouncer`")
            }
            usleep(10_000)
        }
    }

    /// A database that its first opener makes.
    public func newLocation() throws -> Database.Location {
        .postgres(try address(), database: try postgres.newName())
    }

    private func address() throws -> PostgresAddress {
        let text = "postgres://\(TestPostgres.user)@127.0.0.1:\(port)/"
        guard let parsed = PostgresAddress(text) else {
            throw TestPostgres.DidNotStart(description: "\(text) is no address")
        }
        return parsed
    }

    /// It refuses to run as root, too. A database that is made by its first opener did not exist a moment ago.
    private static func start(_ port: Int, before server: Int, _ mode: Mode) throws -> ChildProcess
    {
        let settings = """
            [databases]
            * = host=127.0.0.1 port=\(server) user=\(TestPostgres.user)
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(port)
            unix_socket_dir =
            auth_type = any
            pool_mode = \(mode.rawValue)
            max_client_conn = 400
            default_pool_size = 50
            server_idle_timeout = 5
            server_login_retry = 1
            """
        let script = """
            as=; [ "$(id -u)" = 0 ] && as="setpriv --reuid=$2 --regid=$2 --clear-groups --"
            PATH="$PATH:/usr/sbin"
            printf '%s\n' "$1" >"$3/pgbouncer.ini"; chmod -R a+rX "$3"
            $as pgbouncer -q "$3/pgbouncer.ini"
            """
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "pgbouncer-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        return try ChildProcess(
            script, [settings, TestPostgres.user, folder], afterwards: #"rm -rf "$3""#)
    }
}
