import AsyncHTTPClient
import Contracts
import Foundation
import Synchronization

/// All services beside a broker, Redis and PostgreSQL of their own, some of them as two processes behind a balancer: as
/// on several machines.
///
/// Stops with its last reference, and when this process ends, however it does.
public final class ReplicatedSystem: TestSystem {
    /// What runs twice, and beside what.
    public struct Layout: Sendable {
        public var doubled: [String]
        /// Tansu and a Redis Cluster, instead of librdkafka's broker and one Redis.
        public var isFar: Bool

        /// Those that people use most.
        public static let busiest = Layout(
            doubled: ["gateway", "orders", "payments", "notifications", "matching"], isFar: false)
        /// Every service, as on many machines.
        public static let scaled = Layout(doubled: allServices.map(\.name), isFar: true)
        /// Room for a second process of each, as an upgrade needs.
        public static let upgraded = Layout(doubled: allServices.map(\.name), isFar: false)
        /// One process of each, on a broker of other people.
        public static let tansu = Layout(doubled: [], isFar: true)
    }

    private enum Broker {
        case near(TestBroker)
        case tansu(TestTansu)

        var bootstrapServers: String {
            switch self {
            case .near(let broker): broker.bootstrapServers
            case .tansu(let tansu): tansu.bootstrapServers
            }
        }
    }

    private enum RedisServers {
        case one(TestRedis)
        case cluster(TestRedisCluster)

        var address: String {
            switch self {
            case .one(let redis): redis.address
            case .cluster(let cluster): cluster.address
            }
        }
    }

    private static let password = "an operator of tests"
    /// Between its services.
    public static let secret = "a secret of tests, long enough for one"

    public let layout: Layout
    public let baseURL: URL
    public let postgres: TestPostgres
    private let broker: Broker
    private let redis: RedisServers
    private let folder: TestFolder
    /// Where each service is asked, and where its replicas listen.
    private let ports: [String: (door: Int, replicas: [Int])]
    private let processes = Mutex<[Int: (release: TestRelease, program: TestProgram)]>([:])
    private let balancer: ChildProcess

    /// Returns when all of them are ready.
    public static func start(_ layout: Layout = .busiest) async throws -> ReplicatedSystem {
        let system = try await ReplicatedSystem(layout)
        // One of each first: what a service makes at its first start, such as keys, is there for the other.
        for replica in 0..<2 {
            for service in allServices.map(\.name) where system.replicas(of: service) ~= replica {
                try system.start(service, replica)
            }
            try await system.requireReady()
        }
        return system
    }

    /// One process of each service, of the last release, with room for a second one.
    public static func startLastRelease() async throws -> ReplicatedSystem {
        let system = try await ReplicatedSystem(.upgraded)
        for service in allServices.map(\.name) { try system.start(service, 0, of: .last) }
        try await system.requireReady()
        return system
    }

    private convenience init(_ layout: Layout) async throws {
        let broker = layout.isFar ? Broker.tansu(try await .start()) : .near(try .start())
        let redis =
            layout.isFar ? RedisServers.cluster(try await .start()) : .one(try await .start())
        try self.init(layout, broker, redis)
    }

    /// Two of each on two cores, while each makes its database.
    private static let startLimit: Duration = .seconds(240)

    private init(_ layout: Layout, _ broker: Broker, _ redis: RedisServers) throws {
        (self.layout, self.broker, self.redis) = (layout, broker, redis)
        postgres = try TestPostgres()
        folder = try TestFolder("replicas")
        var ports: [String: (door: Int, replicas: [Int])] = [:]
        for service in allServices.map(\.name) {
            let count = layout.doubled.contains(service) ? 2 : 0
            ports[service] = (try FreePort.find(), try (0..<count).map { _ in try FreePort.find() })
        }
        self.ports = ports
        let doors = ports.values.filter { !$0.replicas.isEmpty }.map { door, replicas in
            "\(door):" + replicas.map { "\($0)" }.joined(separator: ",")
        }
        balancer = try ChildProcess(
            #"python3 "$@""#, [ChildProcess.script("balancer.py")] + doors)
        guard let url = URL(string: "http://127.0.0.1:\(ports["gateway"]?.door ?? 0)") else {
            throw RunningSystem.Failure(description: "no address")
        }
        baseURL = url
    }

    /// The broker of a layout that is far.
    public var tansu: TestTansu? { if case .tansu(let tansu) = broker { tansu } else { nil } }

    /// The Redis Cluster of a layout that is far.
    public var redisCluster: TestRedisCluster? {
        if case .cluster(let cluster) = redis { cluster } else { nil }
    }

    public func operatorPassword() -> String { Self.password }

    /// What the services have printed.
    public var log: String {
        processes.withLock { $0.values.map(\.program) }.map(\.log).joined()
    }

    /// Their numbers.
    public func replicas(of service: String) -> Range<Int> {
        0..<max(1, ports[service]?.replicas.count ?? 0)
    }

    /// `kill -9`.
    public func kill(_ service: String, _ replica: Int) { program(service, replica)?.kill() }

    public func start(_ service: String, _ replica: Int, of release: TestRelease = .this) throws {
        let port = port(service, replica)
        let program = try processes.withLock { processes in
            if let known = processes[port], known.release == release { return known.program }
            let command = release.program(of: service)
            let values = environment(of: service, port).filter { release.reads($0.key) }
            let program = try TestProgram(
                command[0], Array(command.dropFirst()), environment: values)
            processes[port] = (release, program)
            return program
        }
        try program.start()
    }

    /// Until `thaw` the process keeps its connections and answers nothing.
    public func freeze(_ service: String, _ replica: Int) { program(service, replica)?.freeze() }
    public func thaw(_ service: String, _ replica: Int) { program(service, replica)?.thaw() }

    private func program(_ service: String, _ replica: Int) -> TestProgram? {
        processes.withLock { $0[port(service, replica)]?.program }
    }

    /// Starts a process of that release beside the one that runs, and ends the latter once the new one is ready.
    public func roll(_ service: String, to release: TestRelease) async throws {
        let running = replicas(of: service).filter { replica in
            program(service, replica)?.isRunning == true
        }
        let free = replicas(of: service).first { !running.contains($0) }
        guard let free else { throw RunningSystem.Failure(description: "\(service) has no room") }
        try start(service, free, of: release)
        try await requireReady()
        for replica in running { kill(service, replica) }
        try await requireReady()
    }

    private func requireReady() async throws {
        guard try await eventually(within: Self.startLimit, { try await isReady() }) else {
            throw RunningSystem.Failure(description: "not ready: \(log.suffix(4_000))")
        }
    }

    /// Every replica that runs says so.
    public func isReady() async throws -> Bool {
        let running = processes.withLock { $0.filter { $1.program.isRunning }.map(\.key) }
        for port in running {
            let request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/health/ready")
            let answer = try? await HTTPClient.shared.execute(request, timeout: .seconds(5))
            guard answer?.status == .ok else { return false }
        }
        return true
    }

    private func port(_ service: String, _ replica: Int) -> Int {
        guard let ports = ports[service] else { preconditionFailure("there is no \(service)") }
        return ports.replicas.isEmpty ? ports.door : ports.replicas[replica]
    }

    /// Where each service is asked.
    public var addresses: [String: String] {
        Dictionary(uniqueKeysWithValues: ports.keys.map { ($0, url($0)) })
    }

    private func url(_ service: String) -> String {
        "http://127.0.0.1:\(ports[service]?.door ?? 0)"
    }

    private func environment(of service: String, _ port: Int) -> [String: String] {
        var values = [
            "OPENVALET_PORT": String(port), "OPENVALET_DATA": folder.path,
            "OPENVALET_DATABASE": postgres.address, "OPENVALET_KAFKA": broker.bootstrapServers,
            // A group that somebody leaves or joins waits for nearly a session.
            "OPENVALET_KAFKA_SETTINGS": "session.timeout.ms=3000,heartbeat.interval.ms=500",
            "OPENVALET_SERVICE_SECRET": Self.secret, "OPENVALET_LOG_LEVEL": "warning",
        ]
        if case .tansu(let tansu) = broker {
            values.merge(tansu.clientEnvironment) { $1 }
            // It always takes three seconds to gather a group, in which members have to stay, and keeps members with a
            // name for ever.
            values["OPENVALET_KAFKA_SETTINGS"] =
                "session.timeout.ms=6000,heartbeat.interval.ms=500,group.instance.id="
        }
        let manifest = allServices.first { $0.name == service }
        values.merge(manifest?.addresses(url) ?? [:]) { $1 }
        if manifest?.parts.contains(.redis) == true { values["OPENVALET_REDIS"] = redis.address }
        switch service {
        case "accounts":
            values["OPENVALET_OPERATOR_PHONE"] = RunningSystem.operatorPhone
            values["OPENVALET_OPERATOR_PASSWORD"] = Self.password
            values.merge(RunningSystem.cheapPasswords) { $1 }
        case "orders":
            values["OPENVALET_ORDERS_CUSTODY_KEY"] = Self.secret
        case "gateway":
            values.merge(RunningSystem.wideLimits) { $1 }
        case "matching":
            values["OPENVALET_MATCHING_PATIENCE_SECONDS"] = "45"
        case "plates":
            values["OPENVALET_PLATES_ALPR_URL"] = "http://127.0.0.1:1"
            values["OPENVALET_PLATES_ALPR_KEY"] = "none"
        default: break
        }
        return values
    }
}
