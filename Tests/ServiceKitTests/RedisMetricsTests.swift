import CoreMetrics
import Redis
import ServiceKit
import Support
import Testing

@Suite(.withoutDatabase) struct RedisMetricsTests {
    @Test func whatRedisRefusesCountsAsAFailure() async throws {
        let redis = try await TestRedis.start()
        let pool = redis.pool
        let registry = PrometheusRegistry()
        let script = RedisScript("return 1")
        try await withMetricsFactory(registry) {
            _ = try await pool.execute(RawCommand("SET", "k", "text"))
            let error = await #expect(throws: RedisError.self) {
                try await pool.execute(RawCommand("INCR", "k"))
            }
            #expect(error?.kind == .server)
            _ = try await pool.pipeline([RawCommand("INCR", "k"), RawCommand("GET", "k")])
            // A server that has forgotten a script gets its text: no failure.
            for _ in 0..<2 {
                let reply = try await pool.run(script: script, keys: ["k"], arguments: [])
                #expect(reply == .integer(1))
                _ = try await pool.execute(RawCommand("SCRIPT", "FLUSH"))
            }
        }
        let lines = registry.text().split(separator: "\n")
        let failures = lines.filter { $0.hasPrefix("openvalet_redis_failures_total") }
        #expect(failures == [#"openvalet_redis_failures_total{kind="server"} 2.0"#])
    }
}
