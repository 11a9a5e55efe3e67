import CHiredis
import Threads

/// One connection, opened when first needed and again after it broke.
///
/// An actor on its own thread: hiredis blocks, and its context is not thread-safe.
actor RedisConnection {
    /// After a failure, calls fail at once for this long; the time doubles with each further failure.
    private static let backoff: Duration = .milliseconds(25)
    private static let backoffMaximum: Duration = .seconds(1)

    private let configuration: RedisConfiguration
    private var socket: Socket?
    private var failures = 0
    private var lastFailure: RedisError?
    private var retryTime = ContinuousClock.now
    private let executor = BlockingExecutor(label: "redis.connection")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ configuration: RedisConfiguration) {
        self.configuration = configuration
    }

    /// Sends all commands at once, and returns a reply for each, including error replies.
    func send(
        _ commands: [[String]], before deadline: ContinuousClock.Instant
    ) throws(RedisError) -> [RedisValue] {
        guard ContinuousClock.now < deadline else {
            throw RedisError(.unavailable, "Too many commands wait for a connection")
        }
        do {
            var socket = try connected()
            let replies = try socket.exchange(commands)
            self.socket = consume socket
            failures = 0
            lastFailure = nil
            return replies
        } catch {
            // Remaining data on the connection would be taken for the reply to another command.
            failed(error)
            throw error
        }
    }

    /// The open connection. Callers put it back only if it has worked.
    private func connected() throws(RedisError) -> Socket {
        if let socket = socket.take(), !socket.isSpent { return socket }
        if let lastFailure, ContinuousClock.now < retryTime { throw lastFailure }
        return try Socket.open(configuration)
    }

    private func failed(_ error: RedisError) {
        // A failure that only repeats the last one must not extend the wait.
        if lastFailure != nil, ContinuousClock.now < retryTime { return }
        let doubled = Self.backoff * (1 << min(failures, 10))
        retryTime = .now + min(doubled, Self.backoffMaximum)
        failures += 1
        lastFailure = error
    }
}

/// Sole owner of one `redisContext`.
private struct Socket: ~Copyable {
    private let context: UnsafeMutablePointer<redisContext>

    private init(owning context: UnsafeMutablePointer<redisContext>) {
        self.context = context
    }

    deinit { redisFree(context) }

    static func open(_ configuration: RedisConfiguration) throws(RedisError) -> Socket {
        let timeout = timeval(configuration.connectTimeout)
        let port = Int32(configuration.port)
        guard let context = redisConnectWithTimeout(configuration.host, port, timeout) else {
            throw RedisError(.unavailable, "No memory for a connection")
        }
        var socket = Socket(owning: context)
        try socket.check()
        redisSetTimeout(context, timeval(configuration.commandTimeout))
        redisEnableKeepAlive(context)
        for reply in try socket.exchange(configuration.greeting) {
            if case .error(let message) = reply { throw RedisError(reply: message) }
        }
        return socket
    }

    /// Whether the peer has closed the connection while it was idle.
    var isSpent: Bool { chiredis_is_spent(context) != 0 }

    mutating func exchange(_ commands: [[String]]) throws(RedisError) -> [RedisValue] {
        var bytes: [UInt8] = []
        for command in commands { Wire.append(command, to: &bytes) }
        bytes.withUnsafeBytes { bytes in
            let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress
            _ = redisAppendFormattedCommand(context, start, bytes.count)
        }
        var replies: [RedisValue] = []
        replies.reserveCapacity(commands.count)
        for _ in commands { replies.append(try reply()) }
        return replies
    }

    private func reply() throws(RedisError) -> RedisValue {
        var raw: UnsafeMutableRawPointer?
        redisGetReply(context, &raw)
        try check()
        guard let raw else { throw RedisError(.protocol, "No reply") }
        defer { freeReplyObject(raw) }
        return try RedisValue(raw.assumingMemoryBound(to: redisReply.self))
    }

    private func check() throws(RedisError) {
        guard context.pointee.err != 0 else { return }
        let reason = withUnsafeBytes(of: context.pointee.errstr) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        let broken = context.pointee.err == REDIS_ERR_PROTOCOL
        throw RedisError(broken ? .protocol : .unavailable, reason)
    }
}

extension RedisConfiguration {
    /// The first commands on a new connection.
    fileprivate var greeting: [[String]] {
        var commands: [[String]] = []
        if let password {
            commands.append(["AUTH"] + (username.map { [$0] } ?? []) + [password])
        }
        if database != 0 { commands.append(["SELECT", String(database)]) }
        return commands
    }
}

extension timeval {
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: Int(seconds), tv_usec: .init(attoseconds / 1_000_000_000_000))
    }
}
