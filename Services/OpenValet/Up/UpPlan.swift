import ArgumentParser
import Contracts
import Foundation
import Maps
import NIOCore
import NIOPosix
import ServiceKit

/// The ports and environments of all processes.
struct UpPlan: Sendable {
    let folder: DataFolder
    let secrets: UpSecrets
    let gatewayPort: Int
    let redisPort: Int
    let routerPort: Int
    let maps: MapFolder
    /// Nil when it is not installed.
    let valhalla: ValhallaPrograms?
    let binaries = Self.programs
    /// Nil when a real recogniser of plates is configured.
    let recogniserStubPort: Int?
    let demo: Demo?
    let clock: ServiceClock
    let outside: OutsideEngines
    private let ports: [String: Int]
    private let perService: [String: [String: String]]
    private let logLevel: String

    init(settings: UpSettings, folder: DataFolder, secrets: UpSecrets) throws {
        self.folder = folder
        self.secrets = secrets
        demo = settings.isDemo ? try Demo(folder, secrets) : nil
        clock = settings.clock
        perService = settings.perService
        outside = try OutsideEngines(settings.perService)
        logLevel = settings.logLevel
        gatewayPort = settings.port
        guard FreePorts.isFree(settings.port) else {
            throw ToolError(
                "Port \(settings.port) is in use. Choose another one with --port.")
        }
        maps = MapFolder(folder.file("maps"))
        valhalla = settings.valhalla
        var free = try FreePorts.take(allServices.count + 3)
        redisPort = free.removeLast()
        routerPort = free.removeLast()
        let stubPort = free.removeLast()
        recogniserStubPort = settings.needsRecogniserStub ? stubPort : nil
        var ports = Dictionary(uniqueKeysWithValues: zip(allServices.map(\.name), free))
        ports[ServiceManifest.gateway.name] = settings.port
        if let port = try Self.getaliftPort(settings) {
            ports[ServiceManifest.getalift.name] = port
        }
        self.ports = ports
    }

    /// The port that is built into the apps of GetALift.
    private static let builtInGetaliftPort = 7878

    /// The port for the apps of GetALift; nil, for any port, if another program or `up` has the built-in one.
    private static func getaliftPort(_ settings: UpSettings) throws -> Int? {
        guard let given = settings.getaliftPort else {
            return FreePorts.claim(builtInGetaliftPort) ? builtInGetaliftPort : nil
        }
        guard FreePorts.claim(given), given != settings.port else {
            throw ToolError(
                "Port \(given) is in use. Choose another one with OPENVALET_GETALIFT_PORT.")
        }
        return given
    }

    /// Folder of this executable.
    static let programs =
        (Bundle.main.executableURL
        ?? URL(fileURLWithPath: CommandLine.arguments[0]))
        .resolvingSymlinksInPath().deletingLastPathComponent().path

    func url(_ service: String) -> String { "http://127.0.0.1:\(ports[service] ?? 0)" }

    /// The whole environment of a service: of our settings, only its own.
    func environment(of service: ServiceManifest, kafka: String) -> [String: String] {
        let name = service.name
        var values = Self.inherited()
        values["OPENVALET_HOST"] = "127.0.0.1"
        values["OPENVALET_PORT"] = String(ports[name] ?? 0)
        values["OPENVALET_DATA"] = folder.path
        values["OPENVALET_KAFKA"] = kafka
        values.merge(share(of: name)) { $1 }
        values["OPENVALET_SERVICE_SECRET"] = secrets.serviceSecret
        values["OPENVALET_LOG_LEVEL"] = logLevel
        values["OPENVALET_SUPERVISED"] = "1"
        if service == .accounts {
            values["OPENVALET_OPERATOR_PHONE"] = secrets.operatorPhone
            values["OPENVALET_OPERATOR_PASSWORD"] = secrets.operatorPassword
        }
        if service.parts.contains(.redis), outside.redis == nil {
            values["OPENVALET_REDIS"] =
                "redis://:\(secrets.redisPassword)@127.0.0.1:\(redisPort)"
        }
        if service == .plates, let recogniserStubPort {
            values["OPENVALET_PLATES_ALPR_URL"] = "http://127.0.0.1:\(recogniserStubPort)"
            values["OPENVALET_PLATES_ALPR_KEY"] = secrets.recogniserStubKey
        }
        if service.parts.contains(.maps) { values["OPENVALET_MAPS"] = maps.path }
        if service == .web, let demo { values["OPENVALET_WEB_DEMO_FILE"] = demo.accountsFile }
        if demo != nil, let name = DemoHistory.settings[service.name] { values[name] = "yes" }
        if service.parts.contains(.router), valhalla != nil,
            perService[name]?["OPENVALET_ROUTER"] == nil
        {
            values["OPENVALET_ROUTER"] = "maps"
            values["OPENVALET_ROUTER_URL"] = "http://127.0.0.1:\(routerPort)"
        }
        if service == .orders { values["OPENVALET_ORDERS_CUSTODY_KEY"] = secrets.custodyKey }
        let given = perService[name] ?? [:]
        // A secret that is given as a file replaces ours.
        for file in given.keys where file.hasSuffix("_FILE") {
            values[String(file.dropLast(5))] = nil
        }
        return values.merging(service.addresses(url)) { $1 }.merging(given) { $1 }
    }

    /// How a service reads topics: alone from the broker in memory. An outside cluster may have more processes of it,
    /// on other machines; there it keeps its name in the group when it starts again.
    private func share(of service: String) -> [String: String] {
        guard outside.kafka != nil else { return ["OPENVALET_KAFKA_SHARE": "sole"] }
        let host = ProcessInfo.processInfo.hostName
        return [
            "OPENVALET_KAFKA_SHARE": "group",
            "OPENVALET_KAFKA_INSTANCE": "\(host)-\(gatewayPort)-\(service)",
        ]
    }

    /// The environment of the recogniser's stub, which knows neither the bus nor the services.
    func environmentOfRecogniserStub() -> [String: String] {
        var values = Self.inherited()
        values["OPENVALET_HOST"] = "127.0.0.1"
        values["OPENVALET_PORT"] = String(recogniserStubPort ?? 0)
        values["OPENVALET_ALPR_STUB_KEY"] = secrets.recogniserStubKey
        values["OPENVALET_SUPERVISED"] = "1"
        return values
    }

    var redisHome: String { folder.file("redis") }
    var routerHome: String { folder.file("router") }

    /// Writes Redis' settings, including its password, to a file that only its owner can read; returns its path.
    func redisSettings() throws -> String {
        let home = redisHome
        try FileManager.default.createDirectory(
            atPath: home, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try folder.write(
            """
            bind 127.0.0.1
            port \(redisPort)
            requirepass \(secrets.redisPassword)
            dir "\(home)"
            appendonly yes
            appendfsync everysec
            save ""
            loglevel warning
            logfile redis.log
            """, to: "redis.conf")
        return folder.file("redis.conf")
    }

    /// Writes the router's settings for the current roads; returns their path.
    func routerSettings() throws -> String {
        guard let roads = maps.roads else { throw ToolError("There are no roads.") }
        return try RouterProgram.settings(roads: roads, home: routerHome, port: routerPort)
    }

    static func inherited() -> [String: String] {
        ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("OPENVALET_") }
    }
}

/// Free ports of 127.0.0.1.
enum FreePorts {
    static func isFree(_ port: Int) -> Bool {
        guard let socket = bound(to: port) else { return false }
        close(socket)
        return true
    }

    /// Takes this port, if nobody listens on it and no other `up` has taken it.
    static func claim(_ port: Int) -> Bool { isFree(port) && isReserved(port) }

    /// Below the range of ports for outgoing connections, one of which could take a service's port while the
    /// service restarts.
    private static let range = 15_000..<30_000

    /// This many different ports, which no other `up` takes while this process runs.
    static func take(_ count: Int, in range: Range<Int> = range) throws -> [Int] {
        var ports: [Int] = []
        var port = Int.random(in: range)
        for _ in range where ports.count < count {
            if isFree(port), isReserved(port) { ports.append(port) }
            port = port + 1 < range.upperBound ? port + 1 : range.lowerBound
        }
        guard ports.count == count else { throw ToolError("No free ports.") }
        return ports
    }

    /// Reserves a port while its service starts or restarts, by binding the UDP port of the same number, which nobody
    /// uses and the system frees when this process ends.
    private static func isReserved(_ port: Int) -> Bool { bound(to: port, isMark: true) != nil }

    private static func bound(to port: Int, isMark: Bool = false) -> Int32? {
        let kind = isMark ? SOCK_DGRAM : SOCK_STREAM
        #if canImport(Darwin)
        let descriptor = socket(AF_INET, kind, 0)
        #else
        let descriptor = socket(AF_INET, Int32(kind.rawValue), 0)
        #endif
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        if !isMark { setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length)
            }
        }
        guard result == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
