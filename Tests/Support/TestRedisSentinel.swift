import Redis

/// A real Redis master with a replica, and a Sentinel that replaces the master when it is silent.
public final class TestRedisSentinel: Sendable {
    public static let name = "openvalet"
    /// The Sentinel counts a master that is silent for so many milliseconds as down.
    private static let downAfter = 1_000

    /// At the start the first is the master.
    public let servers: [TestRedisNode]
    public let sentinel: TestRedisNode
    private let password: String?
    private let sentinelPassword: String?

    /// As `OPENVALET_REDIS` takes it.
    public var address: String {
        let login = password.map { ":\($0)@" } ?? ""
        let query = sentinelPassword.map { "?sentinel_password=\($0)" } ?? ""
        return "redis+sentinel://\(login)127.0.0.1:\(sentinel.port)/\(Self.name)\(query)"
    }

    /// With much time for each command.
    public var configuration: RedisConfiguration {
        get throws { try RedisConfiguration.patient(address) }
    }

    private init(
        _ servers: [TestRedisNode], _ sentinel: TestRedisNode, _ password: String?,
        _ sentinelPassword: String?
    ) {
        self.servers = servers
        self.sentinel = sentinel
        self.password = password
        self.sentinelPassword = sentinelPassword
    }

    /// Returns once the Sentinel knows the replica, which has the master's data.
    public static func start(
        password: String? = nil, sentinelPassword: String? = nil
    ) async throws -> TestRedisSentinel {
        let login = password.map { ["--requirepass", $0, "--masterauth", $0] } ?? []
        let options = ["--repl-diskless-sync-delay", "0"] + login
        let master = try await TestRedisNode.start(options, password: password)
        // Not on the command line, so that after a failover it starts again as the master.
        let replica = try await TestRedisNode.start(
            options, settings: ["replicaof 127.0.0.1 \(master.port)"], password: password)
        var settings = [
            "sentinel monitor \(name) 127.0.0.1 \(master.port) 1",
            "sentinel down-after-milliseconds \(name) \(downAfter)",
            "sentinel failover-timeout \(name) \(3 * downAfter)",
        ]
        if let password { settings.append("sentinel auth-pass \(name) \(password)") }
        if let sentinelPassword { settings.append("requirepass \(sentinelPassword)") }
        let sentinel = try await TestRedisNode.start(
            ["--sentinel"], settings: settings, password: sentinelPassword)
        let system = TestRedisSentinel([master, replica], sentinel, password, sentinelPassword)
        try await system.settle()
        return system
    }

    /// Returns once the master has a replica with its data, and the Sentinel knows both.
    public func settle() async throws {
        let isWhole = try await eventually {
            guard let master = try await master(), let known = try? await sentinelInfo() else {
                return false
            }
            let replication = try? await master.ask("INFO", "replication").string
            return known.contains("slaves=1") && replication?.contains("state=online") == true
        }
        guard isWhole else { throw TestRedis.DidNotStart(output: "There is no replica") }
    }

    private func sentinelInfo() async throws -> String? {
        try await sentinel.ask("INFO", "sentinel").string
    }

    /// The master that the Sentinel names now.
    public func master() async throws -> TestRedisNode? {
        let address = try? await sentinel.ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", Self.name)
        let port = address?.array?.last?.int
        return servers.first { $0.port == port }
    }

    /// Makes the replica the master, as before an upgrade of the master.
    public func failOver() async throws {
        let before = try await master()
        // It refuses until it has asked the replica how it is.
        let hasBegun = try await eventually {
            (try? await sentinel.ask("SENTINEL", "FAILOVER", Self.name)) != nil
        }
        guard hasBegun else { throw TestRedis.DidNotStart(output: "There is no failover") }
        try await awaitMaster(otherThan: before)
    }

    /// Returns once the Sentinel names another master, which takes writes.
    public func awaitMaster(otherThan before: TestRedisNode?) async throws {
        let isReplaced = try await eventually {
            guard let now = try await master(), now !== before else { return false }
            let role = try? await now.ask("ROLE").array?.first
            return role?.string == "master"
        }
        guard isReplaced else { throw TestRedis.DidNotStart(output: "The master stays") }
    }
}
