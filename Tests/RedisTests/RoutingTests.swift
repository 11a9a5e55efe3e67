import Testing

@testable import Redis

/// Values of the Redis Cluster specification, and of `CLUSTER KEYSLOT`.
struct KeySlotTests {
    @Test func theChecksumIsThatOfTheSpecification() {
        #expect(KeySlot.crc16("123456789".utf8) == 0x31C3)
    }

    @Test(arguments: [
        ("foo", 12_182), ("bar", 5_061), ("hello", 866), ("", 0), ("{user1000}.following", 3_443),
        ("{user1000}.followers", 3_443), ("user1000", 3_443), ("foo{bar}{zap}", 5_061),
        ("foo{}{bar}", 8_363), ("foo{{bar}}zap", 4_015),
    ])
    func aKeyHasTheSlotOfItsHashTag(_ key: String, _ slot: Int) {
        #expect(KeySlot.slot(of: key) == slot)
    }

    @Test(
        arguments: [
            (["GET", "k"], "k"), (["mget", "a", "b"], "a"), (["PING"], nil), (["ECHO", "k"], nil),
            (["script", "LOAD", "return 1"], nil), (["EVALSHA", "abc", "2", "a", "b", "c"], "a"),
            (["EVAL", "return 1", "0", "c"], nil), (["EVAL", "return 1"], nil), ([], nil),
        ] as [([String], String?)])
    func theKeyOfACommandIsFound(_ command: [String], _ key: String?) {
        #expect(KeySlot.key(of: command) == key)
    }
}

struct SlotMapTests {
    private static let server = RedisAddress(host: "asked", port: 1)

    private static func range(
        _ first: Int64, _ last: Int64, _ host: RedisValue, _ port: Int64
    ) -> RedisValue {
        .array([.integer(first), .integer(last), .array([host, .integer(port), .bulk("id")])])
    }

    @Test func anAnswerGivesTheServerOfEachSlot() throws {
        let reply = RedisValue.array([
            Self.range(0, 99, .bulk("::1"), 7), Self.range(100, 199, .null, 8),
            Self.range(200, 299, .bulk(""), 9), Self.range(300, 399, .bulk("?"), 10),
        ])
        var map = try #require(SlotMap(reply, from: Self.server))
        #expect(map[0] == RedisAddress(host: "::1", port: 7))
        #expect(map[199] == RedisAddress(host: "asked", port: 8))
        #expect(map[200] == RedisAddress(host: "asked", port: 9))
        #expect(map[300] == nil)
        #expect(map[16_383] == nil)
        #expect(!map.isComplete)
        map.move(300, to: RedisAddress(host: "new", port: 11))
        #expect(map[300] == RedisAddress(host: "new", port: 11))
        #expect(map.servers.count == 4)
    }

    @Test(arguments: [
        RedisValue.error("ERR This instance has cluster support disabled"), .array([.integer(1)]),
        .array([range(5, 4, .null, 1)]), .array([range(0, 16_384, .null, 1)]),
    ])
    func anotherAnswerIsNoMap(_ reply: RedisValue) {
        #expect(SlotMap(reply, from: Self.server) == nil)
    }

    @Test func aSingleServerHasAllSlots() {
        let map = SlotMap(single: Self.server)
        #expect(map.isComplete)
        #expect(map[16_383] == Self.server)
    }
}

struct ObstacleTests {
    private static let server = RedisAddress(host: "asked", port: 1)

    @Test(arguments: [
        ("MOVED 3999 127.0.0.1:6381", "moved 3999 127.0.0.1:6381"),
        ("MOVED 3999 ::1:6381", "moved 3999 [::1]:6381"), ("MOVED 7 :6381", "moved 7 asked:6381"),
        ("MOVED 7 ?:6381", "moved 7 unknown"), ("ASK 7 10.0.0.1:2", "ask 10.0.0.1:2"),
        ("MOVED", "none"), ("MOVED 16384 h:1", "none"), ("MOVED 7 h:0", "moved 7 unknown"),
        ("READONLY You can't write against a read only replica.", "notMaster"),
        ("CLUSTERDOWN The cluster is down", "notMaster"), ("TRYAGAIN Multiple keys", "passing"),
        ("LOADING Redis is loading the dataset in memory", "passing"), ("WRONGTYPE", "none"),
        ("NOSCRIPT No matching script.", "none"), ("OOM command not allowed", "none"),
    ])
    func aRefusalSaysWhatToDo(_ message: String, _ expected: String) {
        let text =
            switch Obstacle(message, from: Self.server) {
            case .moved(let slot, let server): "moved \(slot) \(server?.description ?? "unknown")"
            case .ask(let server): "ask \(server?.description ?? "unknown")"
            case .notMaster: "notMaster"
            case .passing: "passing"
            case nil: "none"
            }
        #expect(text == expected)
    }
}
