import Redis
import Support
import Testing

@Suite(.serialized) struct RedisSentinelTests {
    @Test func theMasterIsFoundWithTheLoginsOfBoth() async throws {
        let system = try await TestRedisSentinel.start(
            password: "data", sentinelPassword: "watch")
        let pool = RedisPool(try system.configuration)
        try await pool.ping()
        _ = try await pool.execute(RawCommand("SET", "k", "v"))
        let master = try #require(try await system.master())
        #expect(try await master.pool.execute(RawCommand("GET", "k")) == .bulk("v"))

        var wrong = try system.configuration
        wrong.password = "guess"
        wrong.commandTimeout = .milliseconds(200)
        let data = await #expect(throws: RedisError.self) { try await RedisPool(wrong).ping() }
        #expect(data?.code == "WRONGPASS")
        #expect(data?.kind == .unavailable)
    }

    @Test func anUnknownNameIsUnavailable() async throws {
        let system = try await TestRedisSentinel.start()
        let address = "redis+sentinel://127.0.0.1:\(system.sentinel.port)/other"
        let pool = RedisPool(try #require(RedisConfiguration(address)))
        let error = await #expect(throws: RedisError.self) { try await pool.ping() }
        #expect(error?.kind == .unavailable)
        #expect(error?.message.contains("knows no master other") == true)
    }

    @Test func aPlannedFailoverInTheMiddleLeadsToTheNewMaster() async throws {
        let system = try await TestRedisSentinel.start()
        let pool = RedisPool(try system.configuration)
        let before = try #require(try await system.master())
        let load = Load(pool, key: "k")
        try await load.during { try await system.failOver() }
        #expect(load.failures.allSatisfy { $0.kind == .unavailable })

        // The old one still takes writes for some seconds, since nobody has told it; they would be lost.
        let after = try #require(try await system.master())
        #expect(after !== before)
        let isFound = try await eventually {
            _ = try await pool.execute(RawCommand("SET", "k", "new"))
            return try await after.pool.execute(RawCommand("GET", "k")) == .bulk("new")
        }
        #expect(isFound)
    }

    @Test func aKilledMasterIsReplacedInTheMiddle() async throws {
        let system = try await TestRedisSentinel.start()
        let pool = RedisPool(try system.configuration)
        let master = try #require(try await system.master())
        let load = Load(pool, key: "k")
        try await load.during {
            await master.kill()
            try await system.awaitMaster(otherThan: master)
            try await load.awaitSuccess()
        }
        #expect(load.failures.allSatisfy { $0.kind == .unavailable })
        try await master.start()
        try await system.settle()
        _ = try await pool.execute(RawCommand("SET", "k", "v"))
        #expect(try await pool.execute(RawCommand("GET", "k")) == .bulk("v"))
    }

    @Test func aKnownMasterIsUsedWhileTheSentinelIsAway() async throws {
        let system = try await TestRedisSentinel.start()
        let pool = RedisPool(try system.configuration)
        try await pool.ping()
        await system.sentinel.kill()
        _ = try await pool.execute(RawCommand("SET", "k", "v"))

        var hasty = try system.configuration
        hasty.commandTimeout = .milliseconds(200)
        let error = await #expect(throws: RedisError.self) {
            try await RedisPool(hasty).execute(RawCommand("GET", "k"))
        }
        #expect(error?.kind == .unavailable)
        try await system.sentinel.start()
        #expect(
            try await RedisPool(try system.configuration).execute(RawCommand("GET", "k"))
                == .bulk("v"))
    }
}
