import CHiredis

/// Sole owner of one `redisContext`.
struct Socket: ~Copyable {
    private let context: UnsafeMutablePointer<redisContext>

    private init(owning context: UnsafeMutablePointer<redisContext>) {
        self.context = context
    }

    deinit { redisFree(context) }

    static func open(_ endpoint: Endpoint) throws(RedisError) -> Socket {
        let timeout = timeval(endpoint.connectTimeout)
        let (host, port) = (endpoint.address.host, Int32(endpoint.address.port))
        guard let context = redisConnectWithTimeout(host, port, timeout) else {
            throw RedisError(.unavailable, "No memory for a connection")
        }
        let socket = Socket(owning: context)
        try socket.check()
        redisSetTimeout(context, timeval(endpoint.commandTimeout))
        redisEnableKeepAlive(context)
        let replies = try socket.exchange(endpoint.greeting)
        // Even a wrong password is no fault of the commands that wait for the connection.
        for case .error(let message) in replies { throw RedisError(.unavailable, message) }
        if endpoint.mustBeMaster, replies.last?.array?.first?.string != "master" {
            throw RedisError(.unavailable, "\(endpoint.address) is not the master any more")
        }
        return socket
    }

    /// Whether the peer has closed the connection while it was idle.
    var isSpent: Bool { chiredis_is_spent(context) != 0 }

    /// Sends all commands at once, and returns a reply for each, including error replies. After an error the connection
    /// is spent.
    func exchange(_ commands: [[String]]) throws(RedisError) -> [RedisValue] {
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

    /// The reply to one command, which is no error.
    func answer(_ command: [String]) throws(RedisError) -> RedisValue {
        let reply = try exchange([command])[0]
        if case .error(let message) = reply { throw RedisError(reply: message) }
        return reply
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

extension timeval {
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: Int(seconds), tv_usec: .init(attoseconds / 1_000_000_000_000))
    }
}
