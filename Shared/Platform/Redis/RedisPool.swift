import CHiredis
import Synchronization

/// Connections to a Redis server, to a cluster, or to the master that Sentinels name.
///
/// A command goes to the server that has its first key. What has surely not run is sent again as long as the command's
/// time lasts: to the server to which a cluster redirects, to a new master, or to the same one when it is ready. What
/// may have run is never sent twice.
public final class RedisPool: Sendable {
    /// Longer pipelines are sent in parts, so that other commands are not delayed.
    public static let pipelineLimit = 1_000
    /// Maximum number of waiting calls for each server; further ones are refused.
    public static let waitingLimit = 10_000

    public let configuration: RedisConfiguration
    private let router: Router
    /// SHA1 by script, as computed by the server.
    private let digests = Mutex<[RedisScript: String]>([:])

    /// Does not connect yet.
    public init(_ configuration: RedisConfiguration) {
        chiredis_ignore_broken_pipes()
        self.configuration = configuration
        router = Router(configuration)
    }

    public func execute<C: RedisCommand>(_ command: C) async throws(RedisError) -> C.Response {
        try C.decode(try await call(command.arguments))
    }

    /// Sends all commands in one round trip to each server that has some of their keys, and returns the replies in
    /// order. Commands whose keys are in the same slot also run in order, unless one of them meets an obstacle that
    /// passes, such as a slot on its way to another server: it runs later than those after it.
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

    /// Like `pipeline`, but throws if the server refuses any of the commands. The others have run.
    public func executeAll(
        _ commands: [any RedisCommand]
    ) async throws(RedisError) -> [RedisValue] {
        let replies = try await pipeline(commands)
        for case .error(let message) in replies { throw RedisError(reply: message) }
        return replies
    }

    /// Runs the script by its digest, and sends its text only to a server that asks for it. All keys must be in one
    /// slot.
    public func run(
        script: RedisScript, keys: [String], arguments: [String]
    ) async throws(RedisError) -> RedisValue {
        let known = digests.withLock { $0[script] }
        let digest = if let known { known } else { try await load(script) }
        let rest = [String(keys.count)] + keys + arguments
        do {
            return try await call(["EVALSHA", digest] + rest)
        } catch {
            guard error.code == "NOSCRIPT" else { throw error }
            // That server then knows it, too.
            return try await call(["EVAL", script.source] + rest)
        }
    }

    /// Every key that matches the glob-style pattern, at all servers. One that comes, goes or moves to another server
    /// meanwhile may be left out. All keys are looked at, a thousand at a time.
    public func keys(matching pattern: String) async throws(RedisError) -> Set<String> {
        try await router.keys(matching: pattern)
    }

    /// Throws unless every server answers that has keys, and every slot has a server.
    public func ping() async throws(RedisError) {
        try await router.ping()
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
        let replies = try await RedisMetrics.measure { () async throws(RedisError) in
            try await router.send(commands)
        }
        for case .error(let message) in replies { RedisMetrics.refused(RedisError(reply: message)) }
        return replies
    }
}
