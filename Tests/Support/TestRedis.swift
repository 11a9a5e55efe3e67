import Foundation
import Redis
import Synchronization

/// A real Redis server on a free port, in memory, or one of the numbered databases of a server, or a cluster.
///
/// A server of its own stops with its last reference, when asked to, and when this process ends, however it does.
public final class TestRedis: Sendable {
    public struct DidNotStart: Error {
        public let output: String
    }

    /// More than a process has tests.
    private static let mostDatabases = 2_000
    private static let server = SharedRedis()

    public let port: Int
    public let pool: RedisPool
    /// As `OPENVALET_REDIS` takes it.
    public let address: String
    private let server: Mutex<RedisProcess?>
    private let cluster: TestRedisCluster?

    private init(_ server: RedisProcess?, port: Int, database: Int = 0) {
        self.port = port
        address = "redis://127.0.0.1:\(port)/\(database)"
        var configuration = RedisConfiguration(host: "127.0.0.1", port: port)
        configuration.database = database
        pool = RedisPool(configuration.patient)
        self.server = Mutex(server)
        cluster = nil
    }

    private init(_ cluster: TestRedisCluster) throws {
        port = cluster.masters[0].port
        address = cluster.address
        pool = RedisPool(try cluster.configuration)
        server = Mutex(nil)
        self.cluster = cluster
    }

    deinit {
        server.withLock { $0?.release() }
    }

    /// An empty database of the server that the tests of this process share: for those that neither stop it nor
    /// look at what all its databases have in common, such as scripts and statistics.
    public static func shared() async throws -> TestRedis {
        let (port, database) = try await server.nextDatabase()
        return TestRedis(nil, port: port, database: database)
    }

    /// A server of its own. Returns once it answers.
    public static func start() async throws -> TestRedis {
        let port = try FreePort.find()
        return TestRedis(try await run(at: port), port: port)
    }

    /// A cluster of three, for what has to work there, too. Only its last reference stops it.
    public static func cluster() async throws -> TestRedis {
        try TestRedis(await TestRedisCluster.start())
    }

    private static func run(at port: Int) async throws -> RedisProcess {
        try await RedisProcess.start(
            RedisProcess.options(port: port) + ["--databases", "\(mostDatabases)"])
    }

    public var configuration: RedisConfiguration { pool.configuration }

    /// Kills the server, and waits until it is gone.
    public func stop() async {
        let server = server.withLock { server in
            defer { server = nil }
            return server
        }
        await server?.stop()
    }

    /// Starts an empty server on the same port.
    public func restart() async throws {
        await stop()
        let started = try await Self.run(at: port)
        server.withLock { $0 = started }
    }
}

/// For tests whose behaviour must not depend on the number of servers.
public enum RedisKind: CaseIterable, Sendable {
    case single, cluster

    public func start() async throws -> TestRedis {
        switch self {
        case .single: try await .shared()
        case .cluster: try await .cluster()
        }
    }
}

/// The server that tests share, which the first of them starts.
private actor SharedRedis {
    private var server: TestRedis?
    private var databases = 0

    func nextDatabase() async throws -> (port: Int, database: Int) {
        var server = server
        if server == nil {
            let started = try await TestRedis.start()
            // Somebody else may have started one meanwhile.
            server = self.server ?? started
            self.server = server
        }
        guard let server else { throw TestRedis.DidNotStart(output: "") }
        databases += 1
        return (server.port, databases)
    }
}
