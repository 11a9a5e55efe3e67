import Synchronization

/// A few connections to one server; each call uses the least busy one.
final class RedisNode: Sendable {
    private let connections: [RedisConnection]
    /// Number of running calls, by connection.
    private let busy: Mutex<[Int]>

    /// Does not connect yet.
    init(_ endpoint: Endpoint, connections count: Int) {
        connections = (0..<max(1, count)).map { _ in RedisConnection(endpoint) }
        busy = Mutex(Array(repeating: 0, count: connections.count))
    }

    /// Sends all commands in one round trip, and returns a reply for each, including error replies.
    func send(
        _ commands: [[String]], before deadline: ContinuousClock.Instant
    ) async throws(SendFailure) -> [RedisValue] {
        let index = try leastBusy()
        defer { busy.withLock { $0[index] -= 1 } }
        return try await connections[index].send(commands, before: deadline)
    }

    private func leastBusy() throws(SendFailure) -> Int {
        let index: Int? = busy.withLock { busy in
            guard let index = busy.indices.min(by: { busy[$0] < busy[$1] }),
                busy[index] < RedisPool.waitingLimit / busy.count
            else { return nil }
            busy[index] += 1
            return index
        }
        guard let index else {
            let error = RedisError(.unavailable, "Too many commands wait")
            throw SendFailure(error: error, mayHaveRun: false)
        }
        return index
    }
}
