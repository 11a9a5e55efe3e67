import Metrics

/// Time and failures of round trips to the server.
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
            Counter(
                label: "openvalet_redis_failures_total", dimensions: [("kind", "\(error.kind)")]
            ).increment()
            throw error
        }
    }
}
