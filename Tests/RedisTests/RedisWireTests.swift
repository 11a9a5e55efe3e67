import Testing

@testable import Redis

struct RedisWireTests {
    @Test(arguments: [
        (["PING"], "*1\r\n$4\r\nPING\r\n"),
        (["SET", "k", ""], "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$0\r\n\r\n"),
        (["SET", "k", "a\r\nb%s"], "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$6\r\na\r\nb%s\r\n"),
        (["GET", "車"], "*2\r\n$3\r\nGET\r\n$3\r\n車\r\n"),
    ])
    func aCommandIsAnArrayOfBulkStrings(_ arguments: [String], _ wire: String) {
        var bytes: [UInt8] = []
        Wire.append(arguments, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == wire)
    }

    @Test func aRawCommandReturnsItsReplyAsItIs() throws {
        #expect(RawCommand("GET", "k") == RawCommand(["GET", "k"]))
        #expect(RawCommand.decode(.array([.null])) == .array([.null]))
    }

    @Test(
        arguments: [
            (RedisValue.null, nil, nil, nil),
            (.integer(7), nil, 7, 7.0),
            (.bulk("12"), "12", 12, 12.0),
            (.bulk("1.5"), "1.5", nil, 1.5),
            (.status("OK"), "OK", nil, nil),
            (.error("ERR no"), nil, nil, nil),
            (.array([.integer(1)]), nil, nil, nil),
        ] as [(RedisValue, String?, Int?, Double?)])
    func aReplyIsReadAsWhatItIs(
        _ value: RedisValue, _ string: String?, _ int: Int?, _ double: Double?
    ) {
        #expect(value.string == string)
        #expect(value.int == int)
        #expect(value.double == double)
        #expect(value.isNull == (value == .null))
    }

    @Test func anArrayIsReadAsValues() {
        #expect(RedisValue.array([.integer(1), .null]).array == [.integer(1), .null])
        #expect(RedisValue.bulk("a").array == nil)
    }

    @Test(arguments: [
        ("LOADING Redis is loading the dataset in memory", RedisError.Kind.unavailable),
        ("BUSY Redis is busy running a script.", .unavailable),
        ("READONLY You can't write against a read only replica.", .unavailable),
        ("MOVED 1 127.0.0.1:1", .unavailable),
        ("OOM command not allowed when used memory > 'maxmemory'.", .unavailable),
        ("NOAUTH Authentication required.", .unavailable),
        ("CROSSSLOT Keys in request don't hash to the same slot", .server),
        ("WRONGTYPE Operation against a key", .server),
        ("NOSCRIPT No matching script.", .server),
        ("ERR unknown command", .server),
    ])
    func anErrorReplySaysWhetherItPasses(_ reply: String, _ kind: RedisError.Kind) {
        let error = RedisError(reply: reply)
        #expect(error.kind == kind)
        #expect(reply.hasPrefix(error.code + " "))
    }
}

struct RedisConfigurationTests {
    @Test(
        arguments: [
            ("localhost:6380", "localhost", 6380, nil, nil, 0),
            ("10.0.0.1:1", "10.0.0.1", 1, nil, nil, 0),
            ("[::1]:6379", "::1", 6379, nil, nil, 0),
            ("redis://cache", "cache", 6379, nil, nil, 0),
            ("redis://cache:7000/3", "cache", 7000, nil, nil, 3),
            ("redis://cache/", "cache", 6379, nil, nil, 0),
            ("redis://:s3cret@cache:7000", "cache", 7000, nil, "s3cret", 0),
            ("redis://app:p%40ss%2F@cache:7000/1", "cache", 7000, "app", "p@ss/", 1),
        ] as [(String, String, Int, String?, String?, Int)])
    func anAddressIsReadInBothForms(
        _ text: String, _ host: String, _ port: Int, _ username: String?, _ password: String?,
        _ database: Int
    ) throws {
        let configuration = try #require(RedisConfiguration(text))
        #expect(configuration.host == host)
        #expect(configuration.port == port)
        #expect(configuration.username == username)
        #expect(configuration.password == password)
        #expect(configuration.database == database)
    }

    @Test func membersOfAClusterAreReadFromOneAddress() throws {
        let text = "redis+cluster://app:p%2Cw@a,b:7001,[::1]:7002"
        let configuration = try #require(RedisConfiguration(text))
        #expect(configuration.topology == .cluster)
        #expect(configuration.servers.map(\.description) == ["a:6379", "b:7001", "[::1]:7002"])
        #expect(configuration.username == "app")
        #expect(configuration.password == "p,w")
    }

    @Test func sentinelsAreReadWithTheNameOfTheMasterAndBothLogins() throws {
        let text =
            "redis+sentinel://:data@a,b:5000/main/2?sentinel_username=me&sentinel_password=w%40tch"
        let configuration = try #require(RedisConfiguration(text))
        guard case .sentinel(let sentinel) = configuration.topology else {
            return #expect(Bool(false), "\(configuration.topology)")
        }
        #expect(configuration.servers.map(\.description) == ["a:26379", "b:5000"])
        #expect(configuration.password == "data")
        #expect(configuration.database == 2)
        #expect(sentinel.master == "main")
        #expect(sentinel.username == "me")
        #expect(sentinel.password == "w@tch")
    }

    @Test(arguments: [
        "redis+cluster://a:7000/1", "redis+cluster://a:7000,", "redis+cluster://a,b:x",
        "redis+sentinel://a,b", "redis+sentinel://a/main/x", "redis+sentinel://a/main/1/2",
        "redis+sentinel://a/main?password=x", "redis+sentinel://a/main?sentinel_username=x",
        "redis://a,b", "a:1,b:2",
        "", "localhost", "localhost:", ":6379", "localhost:0", "localhost:70000", "localhost:x",
        "a b:6379", "redis://", "redis://cache:7000/x", "redis://cache/-1", "rediss://cache:7000",
        "http://cache:7000", "redis://app@cache:7000", "redis://cache?db=1", "me@cache:7000",
    ])
    func anythingElseIsRefused(_ text: String) {
        #expect(RedisConfiguration(text) == nil)
    }
}
