import Foundation
import Redis
import Synchronization

/// A real Redis server on a free port, in memory, or one of the numbered databases of a server.
///
/// A server of its own stops with its last reference, when asked to, and when this process ends, however it does.
public final class TestRedis: Sendable {
    public struct DidNotStart: Error {
        public let output: String
    }

    private static let server = SharedRedis()

    public let port: Int
    public let pool: RedisPool
    private let server: Mutex<RedisProcess?>

    private init(_ server: RedisProcess?, port: Int, database: Int = 0) {
        self.port = port
        var configuration = RedisConfiguration(host: "127.0.0.1", port: port)
        configuration.database = database
        configuration.connectTimeout = patience
        configuration.commandTimeout = patience
        pool = RedisPool(configuration)
        self.server = Mutex(server)
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
        return TestRedis(try await RedisProcess.start(port: port), port: port)
    }

    public var configuration: RedisConfiguration { pool.configuration }

    /// As `OPENVALET_REDIS` takes it.
    public var address: String { "redis://127.0.0.1:\(port)/\(configuration.database)" }

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
        let started = try await RedisProcess.start(port: port)
        server.withLock { $0 = started }
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

/// One run of the server, under a shell that kills it when this process lets go of its input.
private final class RedisProcess: Sendable {
    /// More than a process has tests.
    private static let mostDatabases = 2_000

    private let process: ChildProcess
    private let ended: Gate

    private init(process: ChildProcess, ended: Gate) {
        self.process = process
        self.ended = ended
    }

    static func start(port: Int) async throws -> RedisProcess {
        let output = Pipe()
        let process = try ChildProcess(
            """
            redis-server --port "$1" --bind 127.0.0.1 --save '' --appendonly no --dir /tmp --databases "$2"
            """,
            [String(port), String(mostDatabases)], output: output)
        let ready = Gate()
        let ended = Gate()
        let said = Mutex("")
        let lines = output.fileHandleForReading
        // A thread of its own, since a readability handler is a dispatch source: one whose file is
        // closed before the cancelled source has gone leaves libdispatch a pointer to nothing.
        let reader = Thread {
            while true {
                let bytes = lines.availableData
                if bytes.isEmpty { break }
                let text = said.withLock { said in
                    said += String(decoding: bytes, as: UTF8.self)
                    return said
                }
                // The shell outlives a server that did not get its port.
                if text.contains("Ready to accept connections") || text.contains("Failed listening")
                {
                    ready.open()
                }
            }
            // Both the server and its shell are gone.
            ready.open()
            ended.open()
        }
        reader.start()
        await ready.wait()
        let server = RedisProcess(process: process, ended: ended)
        guard !ended.isOpen, said.withLock({ $0.contains("Ready to accept") }) else {
            server.release()
            throw TestRedis.DidNotStart(output: said.withLock { $0 })
        }
        return server
    }

    func release() {
        process.release()
    }

    func stop() async {
        release()
        await ended.wait()
    }
}

/// Opens once, for everybody who waits.
private final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var isOpen: Bool { state.withLock { $0.isOpen } }

    func open() {
        let waiting = state.withLock { state in
            defer { state = State(isOpen: true) }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }
}
