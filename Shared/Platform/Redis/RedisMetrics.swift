import Metrics

/// Time and failures of round trips to the server, and what it refuses.
enum RedisMetrics {
    private static let duration = Timer(label: "openvalet_redis_seconds")

    /// Measures a round trip, with all waits and repetitions.
    static func measure<T>(
        _ roundTrip: () async throws(RedisError) -> T
    ) async throws(RedisError) -> T {
        let start = ContinuousClock.now
        defer { duration.record(duration: ContinuousClock.now - start) }
        do {
            return try await roundTrip()
        } catch {
            count(error)
            throw error
        }
    }

    /// Counts an error reply. That a server doesn't know a script yet is no failure: it gets its text then.
    static func refused(_ error: RedisError) {
        if error.code != "NOSCRIPT" { count(error) }
    }

    private static func count(_ error: RedisError) {
        Counter(label: "openvalet_redis_failures_total", dimensions: [("kind", "\(error.kind)")])
            .increment()
    }
}
