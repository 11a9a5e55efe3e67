import Redis
import Support
import Testing

@Suite(.serialized) struct RedisClusterTests {
    private static let count = 300
    private static let script = RedisScript(
        "redis.call('INCR', KEYS[1]); return {KEYS[1], redis.call('GET', KEYS[1])}")

    @Test func aPipelineIsSplitByNodeAndItsRepliesAreInOrder() async throws {
        let cluster = try await TestRedisCluster.start()
        let pool = RedisPool(try cluster.configuration)
        try await pool.ping()
        let stored = try await pool.pipeline(
            (0..<Self.count).map { RawCommand("SET", "k\($0)", "\($0)") })
        #expect(stored == Array(repeating: .status("OK"), count: Self.count))
        let read = try await pool.pipeline(
            (0..<Self.count).flatMap { [RawCommand("GET", "k\($0)"), RawCommand("ECHO", "\($0)")] })
        #expect(read.map(\.int) == (0..<2 * Self.count).map { $0 / 2 })
        var sum = 0
        for node in cluster.masters {
            let keys = try await node.ask("DBSIZE").int ?? 0
            #expect(keys > 0)
            sum += keys
        }
        #expect(sum == Self.count)
    }

    @Test(arguments: RedisKind.allCases)
    func everyKeyThatMatchesIsFoundAtAllServers(_ kind: RedisKind) async throws {
        let redis = try await kind.start()
        // More than one answer of a server can have.
        let names = (0..<4_000).map { "kept:{\($0)}:person" }
        _ = try await redis.pool.executeAll(
            (names + ["kept:{1}:track", "other"]).map { RawCommand("SET", $0, "1") })
        #expect(try await redis.pool.keys(matching: "kept:{*}:person") == Set(names))
        #expect(try await redis.pool.keys(matching: "nothing*").isEmpty)
    }

    @Test func aScriptRunsWhereItsKeysAre() async throws {
        let cluster = try await TestRedisCluster.start()
        let pool = RedisPool(try cluster.configuration)
        for round in 1...3 {
            for key in ["a", "b", "c", "d", "e", "f"] {
                let reply = try await pool.run(script: Self.script, keys: [key], arguments: [])
                #expect(reply == .array([.bulk(key), .bulk("\(round)")]))
            }
            for node in cluster.masters { try await node.ask("SCRIPT", "FLUSH") }
        }
    }

    @Test func keysOfSeveralSlotsAreRefusedByTheServer() async throws {
        let cluster = try await TestRedisCluster.start()
        let pool = RedisPool(try cluster.configuration)
        let error = await #expect(throws: RedisError.self) {
            try await pool.execute(RawCommand("MGET", "a", "b"))
        }
        #expect(error?.code == "CROSSSLOT")
        #expect(error?.kind == .server)
    }

    @Test func oneSeedThatAnswersIsEnough() async throws {
        let cluster = try await TestRedisCluster.start()
        let last = try #require(cluster.nodes.last)
        let address = "redis+cluster://127.0.0.1:1,127.0.0.1:\(last.port)"
        let pool = RedisPool(try #require(RedisConfiguration(address)))
        try await pool.ping()
        for key in ["a", "b", "c"] { _ = try await pool.execute(RawCommand("SET", key, "1")) }

        let nowhere = RedisPool(try #require(RedisConfiguration("redis+cluster://127.0.0.1:1")))
        let error = await #expect(throws: RedisError.self) { try await nowhere.ping() }
        #expect(error?.kind == .unavailable)
    }

    @Test func aSlotThatHasMovedIsFound() async throws {
        let cluster = try await TestRedisCluster.start()
        let pool = RedisPool(try cluster.configuration)
        _ = try await pool.execute(RawCommand("SET", "k", "v"))
        let move = try await SlotMove(of: "k", in: cluster)
        try await move.begin()
        try await move.carry("k")
        try await move.end()
        #expect(try await pool.execute(RawCommand("GET", "k")) == .bulk("v"))
        #expect(
            try await pool.pipeline([RawCommand("GET", "k"), RawCommand("SET", "other", "1")])
                == [.bulk("v"), .status("OK")])
    }

    @Test func aSlotOnItsWayIsUsedAtBothEnds() async throws {
        let cluster = try await TestRedisCluster.start()
        let pool = RedisPool(try cluster.configuration)
        for name in ["a", "b"] {
            _ = try await pool.execute(RawCommand("SET", "{k}\(name)", name))
        }
        let move = try await SlotMove(of: "{k}", in: cluster)
        try await move.begin()
        try await move.carry("{k}a")
        let names = ["{k}a", "{k}b", "{k}new"]
        #expect(
            try await pool.pipeline(names.map { RawCommand("GET", $0) })
                == [.bulk("a"), .bulk("b"), .null])
        // A new key is made where the slot goes.
        for _ in 1...2 {
            _ = try await pool.run(script: Self.script, keys: ["{k}new"], arguments: [])
        }
        #expect(try await pool.execute(RawCommand("GET", "{k}new")) == .bulk("2"))

        // Keys at both ends: the server asks to wait, and the command's time ends.
        var hasty = try cluster.configuration
        hasty.commandTimeout = .milliseconds(200)
        let hastyPool = RedisPool(hasty)
        try await expectRefusal("TRYAGAIN") {
            try await hastyPool.execute(RawCommand(["MGET"] + names))
        }
        async let waiting = pool.execute(RawCommand(["MGET"] + names))
        try await move.carry("{k}b")
        try await move.end()
        #expect(try await waiting == .array([.bulk("a"), .bulk("b"), .bulk("2")]))
    }
}

@Suite(.serialized) struct RedisClusterFailoverTests {
    @Test func aPlannedFailoverFailsNoCommandAndRunsNoneTwice() async throws {
        let cluster = try await TestRedisCluster.start(withReplicas: true)
        let pool = RedisPool(try cluster.configuration)
        try await pool.ping()
        let owner = try await cluster.owner(of: "k")
        let index = try #require(cluster.masters.firstIndex { $0 === owner })
        let load = Load(pool, key: "k")
        try await load.during {
            try await cluster.replicas[index].ask("CLUSTER", "FAILOVER")
            let isOver = try await eventually {
                try await cluster.owner(of: "k") === cluster.replicas[index]
            }
            #expect(isOver)
        }
        #expect(load.failures.isEmpty)
        #expect(try await pool.execute(RawCommand("GET", "k")).int == load.successes)
    }

    @Test func aKilledMasterIsReplacedInTheMiddle() async throws {
        let cluster = try await TestRedisCluster.start(withReplicas: true)
        let pool = RedisPool(try cluster.configuration)
        let owner = try await cluster.owner(of: "k")
        let load = Load(pool, key: "k")
        try await load.during {
            await owner.kill()
            let isReplaced = try await eventually { try await cluster.owner(of: "k") !== owner }
            #expect(isReplaced)
            try await load.awaitSuccess()
        }
        #expect(load.failures.allSatisfy { $0.kind == .unavailable })
        try await cluster.settle()
        try await pool.ping()
        // It returns as a replica.
        try await owner.start()
        try await cluster.settle()
        _ = try await pool.execute(RawCommand("SET", "k", "v"))
        #expect(try await pool.execute(RawCommand("GET", "k")) == .bulk("v"))
    }

    @Test func aFrozenMasterIsReplacedInTheMiddle() async throws {
        let cluster = try await TestRedisCluster.start(withReplicas: true)
        var configuration = try cluster.configuration
        configuration.connectTimeout = .milliseconds(300)
        configuration.commandTimeout = .milliseconds(300)
        let pool = RedisPool(configuration)
        try await pool.ping()
        let owner = try await cluster.owner(of: "k")
        owner.freeze()
        defer { owner.thaw() }
        let error = await #expect(throws: RedisError.self) {
            try await pool.execute(RawCommand("SET", "k", "v"))
        }
        #expect(error?.kind == .unavailable)
        let isBack = try await eventually {
            (try? await pool.execute(RawCommand("SET", "k", "v"))) != nil
        }
        #expect(isBack)
    }

    @Test func withoutAReplicaTheSlotsAreUnavailableUntilTheirMasterIsBack() async throws {
        let cluster = try await TestRedisCluster.start()
        var configuration = try cluster.configuration
        configuration.commandTimeout = .milliseconds(500)
        let pool = RedisPool(configuration)
        try await pool.ping()
        let owner = try await cluster.owner(of: "k")
        await owner.kill()
        let error = await #expect(throws: RedisError.self) {
            try await pool.execute(RawCommand("GET", "k"))
        }
        #expect(error?.kind == .unavailable)
        let notReady = await #expect(throws: RedisError.self) { try await pool.ping() }
        #expect(notReady?.kind == .unavailable)
        try await owner.start()
        let isBack = try await eventually { (try? await pool.ping()) != nil }
        #expect(isBack)
        try await cluster.settle()
        #expect(try await pool.execute(RawCommand("SET", "k", "v")) == .status("OK"))
    }
}

/// Moves the slot of a key from its owner to another master, step by step.
private struct SlotMove {
    private let cluster: TestRedisCluster
    private let slot: String
    private let source: TestRedisNode
    private let target: TestRedisNode

    init(of key: String, in cluster: TestRedisCluster) async throws {
        self.cluster = cluster
        let owner = try await cluster.owner(of: key)
        source = owner
        target = try #require(cluster.masters.first { $0 !== owner })
        slot = "\(try await owner.ask("CLUSTER", "KEYSLOT", key).int ?? 0)"
    }

    private func id(_ node: TestRedisNode) async throws -> String {
        try await node.ask("CLUSTER", "MYID").string ?? ""
    }

    func begin() async throws {
        try await target.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", try await id(source))
        try await source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", try await id(target))
    }

    func carry(_ key: String) async throws {
        try await source.ask("MIGRATE", "127.0.0.1", "\(target.port)", key, "0", "5000")
    }

    func end() async throws {
        let id = try await id(target)
        for node in [target, source] + cluster.masters.filter({ $0 !== target && $0 !== source }) {
            try await node.ask("CLUSTER", "SETSLOT", slot, "NODE", id)
        }
    }
}
