import Threads

/// One connection, opened when first needed and again after it broke.
///
/// An actor on its own thread: hiredis blocks, and its context is not thread-safe.
actor RedisConnection {
    /// After a failure, calls fail at once for this long; the time doubles with each further failure.
    private static let backoff: Duration = .milliseconds(25)
    private static let backoffMaximum: Duration = .seconds(1)

    private let endpoint: Endpoint
    private var socket: Socket?
    private var failures = 0
    private var lastFailure: RedisError?
    private var retryTime = ContinuousClock.now
    private let executor = BlockingExecutor(label: "redis.connection")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ endpoint: Endpoint) {
        self.endpoint = endpoint
    }

    /// Sends all commands at once, and returns a reply for each, including error replies.
    func send(
        _ commands: [[String]], before deadline: ContinuousClock.Instant
    ) throws(SendFailure) -> [RedisValue] {
        guard ContinuousClock.now < deadline else {
            let reason = "Too many commands wait for a connection"
            throw SendFailure(error: RedisError(.unavailable, reason), mayHaveRun: false)
        }
        let socket: Socket
        do throws(RedisError) {
            socket = try connected()
        } catch {
            failed(error)
            throw SendFailure(error: error, mayHaveRun: false)
        }
        do throws(RedisError) {
            let replies = try socket.exchange(commands)
            self.socket = consume socket
            failures = 0
            lastFailure = nil
            return replies
        } catch {
            // Remaining data on the connection would be taken for the reply to another command.
            failed(error)
            throw SendFailure(error: error, mayHaveRun: true)
        }
    }

    /// The open connection. Callers put it back only if it has worked.
    private func connected() throws(RedisError) -> Socket {
        if let socket = socket.take(), !socket.isSpent { return socket }
        if let lastFailure, ContinuousClock.now < retryTime { throw lastFailure }
        return try Socket.open(endpoint)
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

/// Why there is no reply from a server.
struct SendFailure: Error {
    let error: RedisError
    /// Whether the commands may have reached the server. If not, they may be sent again.
    let mayHaveRun: Bool
}
