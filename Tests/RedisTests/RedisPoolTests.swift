import Redis
import Support
import Testing

struct RedisPoolTests {
    @Test func repliesOfEveryKindArrive() async throws {
        let redis = try await TestRedis.start()
        let pool = redis.pool
        try await pool.ping()
        #expect(try await pool.execute(RawCommand("SET", "k", "車 \0 %s")) == .status("OK"))
        #expect(try await pool.execute(RawCommand("GET", "k")) == .bulk("車 \0 %s"))
        #expect(try await pool.execute(RawCommand("GET", "other")) == .null)
        #expect(try await pool.execute(RawCommand("INCRBY", "n", "5")) == .integer(5))
        #expect(try await pool.execute(RawCommand("RPUSH", "l", "a", "b")) == .integer(2))
        #expect(
            try await pool.execute(RawCommand("LRANGE", "l", "0", "-1"))
                == .array([.bulk("a"), .bulk("b")]))
        #expect(try await pool.execute(RawCommand("LRANGE", "m", "0", "-1")) == .array([]))
    }

    @Test func aRefusedCommandIsAServerErrorAndTheConnectionLivesOn() async throws {
        let redis = try await TestRedis.start()
        _ = try await redis.pool.execute(RawCommand("SET", "k", "text"))
        let error = await #expect(throws: RedisError.self) {
            try await redis.pool.execute(RawCommand("INCR", "k"))
        }
        #expect(error?.kind == .server)
        let wrongType = await #expect(throws: RedisError.self) {
            try await redis.pool.execute(RawCommand("LPUSH", "k", "v"))
        }
        #expect(wrongType?.code == "WRONGTYPE")
        #expect(try await redis.pool.execute(RawCommand("GET", "k")) == .bulk("text"))
    }

    @Test func aTypedCommandDecodesItsReply() async throws {
        let redis = try await TestRedis.start()
        #expect(try await redis.pool.execute(Increment(key: "n")) == 1)
        #expect(try await redis.pool.execute(Increment(key: "n")) == 2)
    }

    @Test func aPipelineAnswersEachCommandInOrder() async throws {
        let redis = try await TestRedis.start()
        let count = RedisPool.pipelineLimit * 2 + 500
        let commands = (0..<count).map { RawCommand("SET", "k\($0)", String($0)) }
        let stored = try await redis.pool.pipeline(commands)
        #expect(stored == Array(repeating: .status("OK"), count: count))
        let read = try await redis.pool.pipeline((0..<count).map { RawCommand("GET", "k\($0)") })
        #expect(read.map(\.int) == (0..<count).map { $0 })
        #expect(try await redis.pool.pipeline([]) == [])
    }

    @Test func aRefusalWithinAPipelineStaysAtItsPlace() async throws {
        let redis = try await TestRedis.start()
        let replies = try await redis.pool.pipeline([
            RawCommand("SET", "k", "v"), RawCommand("INCR", "k"), RawCommand("GET", "k"),
        ])
        #expect(replies.count == 3)
        #expect(replies[0] == .status("OK"))
        guard case .error = replies[1] else { return #expect(Bool(false), "\(replies[1])") }
        #expect(replies[2] == .bulk("v"))
    }

    @Test func aRefusalOfOneOfAllCommandsIsThrownAndTheOthersRun() async throws {
        let redis = try await TestRedis.start()
        let error = await #expect(throws: RedisError.self) {
            try await redis.pool.executeAll([
                RawCommand("SET", "k", "v"), RawCommand("INCR", "k"), RawCommand("SET", "l", "v"),
            ])
        }
        #expect(error?.kind == .server)
        let read = [RawCommand("GET", "k"), RawCommand("GET", "l")]
        let replies = try await redis.pool.executeAll(read)
        #expect(replies == [.bulk("v"), .bulk("v")])
    }

    @Test func callsFromManyTasksGetTheirOwnReplies() async throws {
        let redis = try await TestRedis.start()
        let pool = redis.pool
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<32 {
                group.addTask {
                    for round in 0..<50 {
                        let text = "\(task)-\(round)"
                        let reply = try await pool.execute(RawCommand("ECHO", text))
                        #expect(reply == .bulk(text))
                    }
                }
            }
            try await group.waitForAll()
        }
        let clients = try await pool.execute(RawCommand("INFO", "clients")).string ?? ""
        #expect(clients.contains(/connected_clients:[1-4]\s/))
    }

    @Test func passwordAndDatabaseAreGivenOnConnecting() async throws {
        let redis = try await TestRedis.start()
        _ = try await redis.pool.execute(RawCommand("CONFIG", "SET", "requirepass", "s3cret"))
        let text = "redis://:s3cret@127.0.0.1:\(redis.port)/2"
        let pool = RedisPool(try #require(RedisConfiguration(text)))
        _ = try await pool.execute(RawCommand("SET", "k", "in two"))
        _ = try await pool.execute(RawCommand("SELECT", "0"))
        #expect(try await pool.execute(RawCommand("GET", "k")) == .null)

        var wrong = redis.configuration
        let none = await #expect(throws: RedisError.self) { try await RedisPool(wrong).ping() }
        #expect(none?.code == "NOAUTH")
        wrong.password = "guess"
        let refused = await #expect(throws: RedisError.self) { try await RedisPool(wrong).ping() }
        // Nothing is wrong with the command: it waits until the password is right.
        #expect(refused?.kind == .unavailable)
        #expect(refused?.code == "WRONGPASS")
    }

    @Test func aUserOfAnAccessListIsKnownByName() async throws {
        let redis = try await TestRedis.start()
        _ = try await redis.pool.execute(
            RawCommand("ACL", "SETUSER", "app", "on", ">word", "~*", "+@all"))
        let text = "redis://app:word@127.0.0.1:\(redis.port)"
        let pool = RedisPool(try #require(RedisConfiguration(text)))
        #expect(try await pool.execute(RawCommand("ACL", "WHOAMI")) == .bulk("app"))
    }
}

struct RedisScriptTests {
    private static let script = RedisScript("return {KEYS[1], ARGV[1], #ARGV}")

    @Test func aScriptSeesItsKeysAndArguments() async throws {
        let redis = try await TestRedis.start()
        let reply = try await redis.pool.run(
            script: Self.script, keys: ["k"], arguments: ["a", "b"])
        #expect(reply == .array([.bulk("k"), .bulk("a"), .integer(2)]))
    }

    @Test func aScriptThatTheServerForgotIsGivenAgain() async throws {
        let redis = try await TestRedis.start()
        for _ in 1...3 {
            let reply = try await redis.pool.run(script: Self.script, keys: ["k"], arguments: ["a"])
            #expect(reply.array?.first == .bulk("k"))
            _ = try await redis.pool.execute(RawCommand("SCRIPT", "FLUSH"))
        }
    }

    @Test func anErrorWithinAScriptIsAServerError() async throws {
        let redis = try await TestRedis.start()
        for source in ["return redis.error_reply('REFUSED by the script')", "syntax error here"] {
            let error = await #expect(throws: RedisError.self) {
                try await redis.pool.run(script: RedisScript(source), keys: [], arguments: [])
            }
            #expect(error?.kind == .server)
        }
    }
}

struct RedisFailureTests {
    @Test func nobodyListeningIsUnavailable() async throws {
        let redis = try await TestRedis.start()
        await redis.stop()
        for _ in 1...3 {
            let error = await #expect(throws: RedisError.self) { try await redis.pool.ping() }
            #expect(error?.kind == .unavailable)
        }
    }

    @Test func aRestartedServerIsFoundAgain() async throws {
        let redis = try await TestRedis.start()
        let pool = redis.pool
        // Opens more than one connection, all of which the restart breaks.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 { group.addTask { try await pool.ping() } }
            try await group.waitForAll()
        }
        try await redis.restart()
        // An idle connection that has been closed is noticed before it is used.
        for _ in 1...8 { try await pool.ping() }

        await redis.stop()
        await #expect(throws: RedisError.self) { try await pool.ping() }
        try await redis.restart()
        let isBack = try await eventually { (try? await pool.ping()) != nil }
        #expect(isBack)
    }

    @Test func anObstacleIsWaitedForAndIsAnErrorWhenItLasts() async throws {
        let redis = try await TestRedis.start()
        _ = try await redis.pool.execute(RawCommand("REPLICAOF", "127.0.0.1", "1"))
        var hasty = redis.configuration
        hasty.commandTimeout = .milliseconds(200)
        let pool = RedisPool(hasty)
        try await expectRefusal("READONLY") {
            try await pool.execute(RawCommand("SET", "k", "v"))
        }
        let isSplit = try await eventually {
            let replies = try? await pool.pipeline([
                RawCommand("GET", "k"), RawCommand("SET", "k", "v"), RawCommand("ECHO", "mine"),
            ])
            guard let replies, case .error(let message) = replies[1] else { return false }
            return message.hasPrefix("READONLY") && replies[0] == .null
                && replies[2] == .bulk("mine")
        }
        #expect(isSplit)

        async let stored = redis.pool.execute(RawCommand("SET", "k", "v"))
        _ = try await redis.pool.execute(RawCommand("REPLICAOF", "NO", "ONE"))
        #expect(try await stored == .status("OK"))
    }

    @Test func aPeerThatDoesNotAnswerIsGivenUp() async throws {
        let silent = try Listener()
        var configuration = RedisConfiguration(host: "127.0.0.1", port: silent.port)
        configuration.commandTimeout = .milliseconds(100)
        let pool = RedisPool(configuration)
        let kinds = await withTaskGroup(of: RedisError.Kind?.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    do throws(RedisError) {
                        try await pool.ping()
                        return nil
                    } catch {
                        return error.kind
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(kinds == Array(repeating: .unavailable, count: 64))
    }

    @Test func aCommandThatTakesTooLongBreaksItsConnectionOnly() async throws {
        let redis = try await TestRedis.start()
        var configuration = redis.configuration
        configuration.commandTimeout = .milliseconds(100)
        configuration.connections = 1
        let pool = RedisPool(configuration)
        let error = await #expect(throws: RedisError.self) {
            try await pool.execute(RawCommand("BLPOP", "nothing", "0"))
        }
        #expect(error?.kind == .unavailable)
        // Never the late answer of the first command.
        let isBack = try await eventually {
            (try? await pool.execute(RawCommand("ECHO", "mine"))) == .bulk("mine")
        }
        #expect(isBack)
    }

    @Test func anUnknownHostIsUnavailable() async throws {
        let pool = RedisPool(RedisConfiguration(host: "nowhere.invalid", port: 6379))
        let error = await #expect(throws: RedisError.self) { try await pool.ping() }
        #expect(error?.kind == .unavailable)
    }
}

private struct Increment: RedisCommand {
    let key: String

    var arguments: [String] { ["INCR", key] }

    static func decode(_ reply: RedisValue) throws(RedisError) -> Int {
        guard let value = reply.int else {
            throw RedisError(.protocol, "INCR did not answer a number")
        }
        return value
    }
}
