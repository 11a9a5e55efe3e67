import Redis
import Support
import Testing

@testable import ServiceKit

@Suite(.withoutDatabase) struct RedisFormatTests {
    private func stored(_ redis: TestRedis) async throws -> String? {
        try await redis.pool.execute(RawCommand("GET", "orders:format")).string
    }

    @Test func stateWithoutAVersionIsTaken() async throws {
        let redis = try await TestRedis.shared()
        for _ in 0..<2 {
            try await RedisFormat(1, of: "orders", in: redis.pool).check()
            #expect(try await stored(redis) == "1")
        }
    }

    @Test func anOlderReleaseRefusesStateOfANewerForm() async throws {
        let redis = try await TestRedis.shared()
        try await RedisFormat(2, of: "orders", in: redis.pool).check()
        let error = await #expect(throws: ConfigError.self) {
            try await RedisFormat(1, of: "orders", in: redis.pool).run()
        }
        #expect(error?.description.contains("form 2 of a newer release") == true)
        #expect(try await stored(redis) == "2")
    }

    @Test func otherServicesHaveVersionsOfTheirOwn() async throws {
        let redis = try await TestRedis.shared()
        try await RedisFormat(2, of: "matching", in: redis.pool).check()
        try await RedisFormat(1, of: "orders", in: redis.pool).check()
    }
}
