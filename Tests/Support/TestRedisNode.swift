import Foundation
import Redis
import Synchronization

/// A Redis server among others, which a test may kill, freeze and empty. It stops with its last reference.
public final class TestRedisNode: Sendable {
    public let port: Int
    /// Connections to this server alone.
    public let pool: RedisPool
    private let options: [String]
    private let folder: TestFolder
    private let process: Mutex<RedisProcess?>

    public var isRunning: Bool { process.withLock { $0 != nil } }

    /// - Parameters:
    ///   - options: Those of the command line, besides port and folder.
    ///   - settings: Lines of a file of settings, which a Sentinel needs.
    static func start(
        _ options: [String], settings: [String] = [], password: String? = nil
    ) async throws -> TestRedisNode {
        let port = try FreePort.find()
        let node = try TestRedisNode(port: port, options, settings, password: password)
        try await node.start()
        return node
    }

    private init(
        port: Int, _ options: [String], _ settings: [String], password: String?
    ) throws {
        self.port = port
        folder = try TestFolder("redis", ["settings": settings.joined(separator: "\n") + "\n"])
        self.options =
            ["\(folder.path)/settings"]
            + RedisProcess.options(port: port, folder: folder.path) + options
        process = Mutex(nil)
        var configuration = RedisConfiguration(host: "127.0.0.1", port: port)
        configuration.password = password
        pool = RedisPool(configuration.patient)
    }

    deinit { process.withLock { $0?.release() } }

    /// After `kill`: on the same port, in the same part of its cluster, but empty.
    public func start() async throws {
        let started = try await RedisProcess.start(options)
        process.withLock { $0 = started }
    }

    /// `kill -9`; returns once it is gone.
    public func kill() async {
        let running = process.withLock { $0.take() }
        await running?.stop()
    }

    /// Until `thaw` it keeps its connections, accepts new ones, and answers nothing.
    public func freeze() { process.withLock { $0?.freeze() } }
    public func thaw() { process.withLock { $0?.thaw() } }

    /// Deletes all keys.
    public func empty() async throws { try await ask("FLUSHALL") }

    /// The answer to a command that is about the server itself.
    @discardableResult
    public func ask(_ command: String...) async throws -> RedisValue {
        try await pool.execute(RawCommand(command))
    }
}
