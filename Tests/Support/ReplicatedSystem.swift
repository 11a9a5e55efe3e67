import AsyncHTTPClient
import Contracts
import Foundation
import Synchronization

/// All services beside a broker, Redis and PostgreSQL of their own, two processes of those that people use
/// most, behind balancers: as on several machines, where nobody starts again what dies.
///
/// Stops with its last reference, and when this process ends, however it does.
public final class ReplicatedSystem: TestSystem {
    public static let doubled = ["gateway", "orders", "payments", "notifications", "matching"]
    private static let password = "an operator of tests"
    private static let secret = "a secret of tests, long enough for one"

    public let baseURL: URL
    public let postgres: TestPostgres
    private let broker: TestBroker
    private let redis: TestRedis
    private let folder: TestFolder
    /// Where each service is asked, and where its replicas listen.
    private let ports: [String: (door: Int, replicas: [Int])]
    private let processes = Mutex<[Int: ChildProcess]>([:])
    private let balancers: [ChildProcess]

    /// Returns when all of them are ready.
    public static func start() async throws -> ReplicatedSystem {
        let system = try ReplicatedSystem(doubled: doubled, redis: try await TestRedis.start())
        for service in allServices.map(\.name) {
            for replica in system.replicas(of: service) { try system.start(service, replica) }
        }
        try await system.requireReady()
        return system
    }

    /// One process of each service, of the last release, with room for a second one.
    public static func startLastRelease() async throws -> ReplicatedSystem {
        let services = allServices.map(\.name)
        let system = try ReplicatedSystem(doubled: services, redis: try await TestRedis.start())
        for service in services { try system.start(service, 0, of: .last) }
        try await system.requireReady()
        return system
    }

    private init(doubled: [String], redis: TestRedis) throws {
        self.redis = redis
        postgres = try TestPostgres()
        broker = try TestBroker.start()
        folder = try TestFolder("replicas", ["log": ""])
        var ports: [String: (door: Int, replicas: [Int])] = [:]
        for service in allServices.map(\.name) {
            let replicas = doubled.contains(service) ? 2 : 0
            ports[service] = (
                try FreePort.find(), try (0..<replicas).map { _ in try FreePort.find() }
            )
        }
        self.ports = ports
        balancers = try ports.values.filter { !$0.replicas.isEmpty }.map { door, replicas in
            try ChildProcess(
                #"python3 "$@""#,
                [ChildProcess.script("balancer.py")] + ([door] + replicas).map { String($0) })
        }
        guard let url = URL(string: "http://127.0.0.1:\(ports["gateway"]?.door ?? 0)") else {
            throw RunningSystem.Failure(description: "no address")
        }
        baseURL = url
    }

    public func operatorPassword() -> String { Self.password }

    /// What the services have printed.
    public var log: String {
        (try? String(contentsOf: folder.url.appending(path: "log"), encoding: .utf8)) ?? ""
    }

    /// Their numbers.
    public func replicas(of service: String) -> Range<Int> {
        0..<max(1, ports[service]?.replicas.count ?? 0)
    }

    /// `kill -9`.
    public func kill(_ service: String, _ replica: Int) {
        processes.withLock { $0.removeValue(forKey: port(service, replica)) }?.release()
    }

    public func start(_ service: String, _ replica: Int, of release: TestRelease = .this) throws {
        let port = port(service, replica)
        let values = environment(of: service, port)
            .filter { release.reads($0.key) }.map { "\($0)=\($1)" }
        let process = try ChildProcess(
            #"log=$1; shift; env -i "$@" >>"$log" 2>&1"#,
            ["\(folder.path)/log"] + values + release.program(of: service))
        processes.withLock { $0[port] = process }
    }

    /// Starts a process of that release beside the one that runs, and ends the latter once the new one is ready.
    public func roll(_ service: String, to release: TestRelease) async throws {
        let running = replicas(of: service).filter { replica in
            processes.withLock { $0[port(service, replica)] != nil }
        }
        let free = replicas(of: service).first { !running.contains($0) }
        guard let free else { throw RunningSystem.Failure(description: "\(service) has no room") }
        try start(service, free, of: release)
        try await requireReady()
        for replica in running { kill(service, replica) }
        try await requireReady()
    }

    private func requireReady() async throws {
        guard try await eventually({ try await isReady() }) else {
            throw RunningSystem.Failure(description: "not ready: \(log.suffix(4_000))")
        }
    }

    /// Every replica that runs says so.
    public func isReady() async throws -> Bool {
        for port in processes.withLock({ Array($0.keys) }) {
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
