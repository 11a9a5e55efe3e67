import Redis
import Support
import Synchronization
import Testing

/// Increments a number again and again, from several tasks.
final class Load: Sendable {
    private static let tasks = 4

    private let pool: RedisPool
    private let key: String
    private let results = Mutex<(successes: Int, failures: [RedisError])>((0, []))

    var successes: Int { results.withLock { $0.successes } }
    var failures: [RedisError] { results.withLock { $0.failures } }

    init(_ pool: RedisPool, key: String) {
        self.pool = pool
        self.key = key
    }

    /// Runs until the body returns.
    func during(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.tasks {
                group.addTask { while !Task.isCancelled { await self.increment() } }
            }
            defer { group.cancelAll() }
            try await awaitSuccess()
            try await body()
            try await awaitSuccess()
        }
    }

    /// Returns once it has succeeded again.
    func awaitSuccess() async throws {
        let before = successes
        guard try await eventually({ successes > before }) else {
            throw RedisError(.unavailable, "Nothing succeeds any more")
        }
    }

    private func increment() async {
        do {
            _ = try await pool.execute(RawCommand("INCR", key))
            results.withLock { $0.successes += 1 }
        } catch {
            results.withLock { $0.failures.append(error) }
        }
    }
}

/// Expects that the call fails with this code, and as unavailable. On a slow machine its time may be over before.
func expectRefusal(
    _ code: String, _ call: () async throws -> RedisValue,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let isRefused = try await eventually {
        do {
            let reply = try await call()
            Issue.record("\(reply)", sourceLocation: sourceLocation)
            return true
        } catch let error as RedisError {
            #expect(error.kind == .unavailable, sourceLocation: sourceLocation)
            return error.code == code
        }
    }
    #expect(isRefused, sourceLocation: sourceLocation)
}
