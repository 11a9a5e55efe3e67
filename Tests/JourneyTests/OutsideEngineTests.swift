import Contracts
import Support
import Testing

/// `openvalet up` beside engines that it did not start: a broker of other people, and a Redis.
@Suite(.serialized) struct OutsideEngineTests {
    @Test func aJourneyNeedsNoEngineOfOnesOwn() async throws {
        let tansu = try await TestTansu.start(topics: [])
        let redis = try await TestRedis.start()
        let system = try await RunningSystem.start(
            environment: tansu.clientEnvironment.merging([
                "OPENVALET_KAFKA": tansu.bootstrapServers, "OPENVALET_REDIS": redis.address,
                "OPENVALET_KAFKA_SETTINGS": "session.timeout.ms=6000,heartbeat.interval.ms=500",
            ]) { $1 }, within: .seconds(180))
        defer { system.stop() }
        #expect(try system.processes("broker").isEmpty)
        #expect(try system.processes("redis").isEmpty)
        #expect(system.log.contains("made \(Topic.names.count) topics"))
        #expect(system.log.contains("your own at \(tansu.bootstrapServers)"))

        let pair = try await Pair.meet(in: try await World(system))
        let collected = try await pair.collect()
        let parked = try await pair.park(collected.id)
        #expect(parked.status == .parked)
    }
}
