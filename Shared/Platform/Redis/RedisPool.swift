import CHiredis
import Synchronization

/// A few connections to one server; each call uses the least busy one.
public final class RedisPool: Sendable {
    /// Longer pipelines are sent in parts, so that other commands are not delayed.
    public static let pipelineLimit = 1_000
    /// Maximum number of waiting calls; further ones are refused.
    public static let waitingLimit = 10_000

    public let configuration: RedisConfiguration
    private let connections: [RedisConnection]
    /// Number of running calls, by connection.
    private let busy: Mutex<[Int]>
    /// SHA1 by script, as computed by the server.
    private let digests = Mutex<[RedisScript: String]>([:])

    /// Does not connect yet.
    public init(_ configuration: RedisConfiguration) {
        chiredis_ignore_broken_pipes()
        self.configuration = configuration
        connections = (0..<max(1, configuration.connections)).map { _ in
            RedisConnection(configuration)
        }
        busy = Mutex(Array(repeating: 0, count: connections.count))
    }

    public func execute<C: RedisCommand>(_ command: C) async throws(RedisError) -> C.Response {
        try C.decode(try await call(command.arguments))
    }

    /// Sends all commands in one round trip, and returns the replies in order.
    ///
    /// A command that the server refuses gives an `.error` among the replies; the others run.
    public func pipeline(
        _ commands: [any RedisCommand]
    ) async throws(RedisError) -> [RedisValue] {
        var replies: [RedisValue] = []
        replies.reserveCapacity(commands.count)
        var rest = commands[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.pipelineLimit)
            rest = rest.dropFirst(part.count)
            replies += try await send(part.map(\.arguments))
        }
        return replies
    }

    /// Runs the script by its digest, and sends its text only if the server asks for it.
    public func run(
        script: RedisScript, keys: [String], arguments: [String]
    ) async throws(RedisError) -> RedisValue {
        let known = digests.withLock { $0[script] }
        let digest = if let known { known } else { try await load(script) }
        let call = ["EVALSHA", digest, String(keys.count)] + keys + arguments
        do {
            return try await self.call(call)
        } catch {
            guard error.code == "NOSCRIPT" else { throw error }
            _ = try await load(script)
            return try await self.call(call)
        }
    }

    /// Throws if the server does not answer.
    public func ping() async throws(RedisError) {
        _ = try await call(["PING"])
    }

    private func load(_ script: RedisScript) async throws(RedisError) -> String {
        guard let digest = try await call(["SCRIPT", "LOAD", script.source]).string else {
            throw RedisError(.protocol, "SCRIPT LOAD did not answer with a digest")
        }
        digests.withLock { $0[script] = digest }
        return digest
    }

    private func call(_ command: [String]) async throws(RedisError) -> RedisValue {
        guard let reply = try await send([command]).first else {
            throw RedisError(.protocol, "No reply")
        }
        if case .error(let message) = reply { throw RedisError(reply: message) }
        return reply
    }

    private func send(_ commands: [[String]]) async throws(RedisError) -> [RedisValue] {
        let deadline = ContinuousClock.now + configuration.commandTimeout
        let index = try leastBusy()
        defer { busy.withLock { $0[index] -= 1 } }
        return try await RedisMetrics.measure { () async throws(RedisError) in
            try await connections[index].send(commands, before: deadline)
        }
    }

    private func leastBusy() throws(RedisError) -> Int {
        let index: Int? = busy.withLock { busy in
            guard let index = busy.indices.min(by: { busy[$0] < busy[$1] }),
                busy[index] < Self.waitingLimit / busy.count
            else { return nil }
            busy[index] += 1
            return index
        }
        guard let index else { throw RedisError(.unavailable, "Too many commands wait") }
        return index
    }
}
