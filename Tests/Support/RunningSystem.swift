import AsyncHTTPClient
import Client
import Contracts
import Foundation
import ServiceKit
import Synchronization

/// A system of all services, which answers at an address.
public protocol TestSystem: Sendable {
    var baseURL: URL { get }
    /// The time by its services' clock.
    var now: Date { get }
    func operatorPassword() throws -> String
}

extension TestSystem {
    public var now: Date { Date() }

    public func client() -> OpenValetClient { OpenValetClient(baseURL) }

    /// A client whose operator is signed in.
    public func signedInOperator() async throws -> OpenValetClient {
        let client = client()
        _ = try await client.signIn(
            phone: RunningSystem.operatorPhone, password: operatorPassword())
        return client
    }
}

/// A system whose services write down where they listen: in `up.json` of its data folder, as `openvalet up` does.
public protocol LocalSystem: TestSystem {
    var folder: URL { get }
    /// What it has printed.
    var log: String { get }
}

extension LocalSystem {
    public func operatorPassword() throws -> String {
        try String(
            contentsOf: folder.appending(path: "operator-password"), encoding: .utf8
        ).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Every service says that it is ready, and so does the gateway.
    public func isServing() async throws -> Bool {
        let bases = try addresses().values
        guard !bases.isEmpty else { return false }
        for base in bases {
            let request = HTTPClientRequest(url: base + "/health/ready")
            let answer = try? await HTTPClient.shared.execute(request, timeout: .seconds(2))
            guard answer?.status == .ok else { return false }
        }
        return true
    }

    /// What a service has measured, in Prometheus' format.
    public func metrics(of service: String) async throws -> String {
        let base = try addresses()[service] ?? ""
        var request = HTTPClientRequest(url: base + "/metrics")
        request.headers.add(name: "Authorization", value: "Bearer \(RunningSystem.metricsToken)")
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(5))
        return String(buffer: try await answer.body.collect(upTo: 4 * 1_024 * 1_024))
    }

    /// What a service itself answers, past the gateway.
    public func answer(
        of service: String, to path: String, token: String? = nil
    ) async throws -> Data {
        var request = HTTPClientRequest(url: (try addresses()[service] ?? "") + path)
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        let body = try await answer.body.collect(upTo: 4 * 1_024 * 1_024)
        guard answer.status == .ok else {
            throw RunningSystem.Failure(
                description: "\(service) said \(answer.status): \(String(buffer: body))")
        }
        return Data(body.readableBytesView)
    }

    /// Where a service itself answers, past the gateway; nil while the system is not ready.
    public func address(of service: String) throws -> URL? {
        try addresses()[service].flatMap(URL.init(string:))
    }

    /// Where each service is; empty while the system is not ready.
    func addresses() throws -> [String: String] {
        guard let data = try? Data(contentsOf: folder.appending(path: "up.json")) else {
            return [:]
        }
        return try Wire.decode(from: data)
    }
}

/// All executables, started by `openvalet up` on a free port, with a data folder of their own.
///
/// Runs under `openvalet guard`: it stops when this process ends, however it ends.
public final class RunningSystem: LocalSystem {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
        public init(description: String) { self.description = description }
    }

    /// The operator of every test system.
    public static let operatorPhone = "+85290000000"

    /// Consumers that ask the broker a tenth as often: several houses share the machine, and one that only waits
    /// would take a quarter of a core.
    public static let calmBus = ["OPENVALET_KAFKA_SETTINGS": "fetch.wait.max.ms=50"]
    /// Of a gateway where many people sign in from one address.
    static let wideLimits = [
        "OPENVALET_GATEWAY_STRICT_PER_MINUTE": "100000",
        "OPENVALET_GATEWAY_REFUSALS_PER_SECOND": "100000",
        "OPENVALET_GATEWAY_OPEN_PER_SECOND": "10000",
        "OPENVALET_GATEWAY_PERSON_PER_SECOND": "1000",
        "OPENVALET_GATEWAY_ADDRESS_PER_SECOND": "100000",
        "OPENVALET_GATEWAY_RECOGNITIONS_PER_MINUTE": "100000",
    ]
    /// What a test gives accounts of a debug build; `Bench` runs what is released, which refuses it.
    #if DEBUG
    static let cheapPasswords = ["OPENVALET_ACCOUNTS_CHEAP_PASSWORDS": "yes"]
    #else
    static let cheapPasswords: [String: String] = [:]
    #endif
    static let metricsToken = "a token of tests, to read every metric"
    /// Series that are zero when nobody has anything left to do.
    static let backlogSeries = ["openvalet_bus_lag", "openvalet_outbox_pending"]

    public let folder: URL
    /// Removes the folder when nobody refers to the system any more, or this process has ended: one that
    /// several tests share has no last reference. Waits for the lock that `up` holds in it.
    private let broom: ChildProcess?
    public let baseURL: URL
    private let process: Mutex<Process>
    private let input: Pipe
    private let output: OutputLog

    /// Folder of the executables that a debug build makes.
    public static let debugBinaries = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: ".build/debug")

    /// Starts and waits until it says that it is ready. With a folder, what lies there is taken up again.
    public static func start(
        binaries: URL = debugBinaries, folder: URL? = nil, environment: [String: String] = [:],
        within limit: Duration = .seconds(90)
    ) async throws -> RunningSystem {
        let system = try RunningSystem(
            binaries: binaries, folder: folder, environment: environment)
        let isReady = try await eventually(within: limit) {
            guard system.isRunning else {
                throw Failure(description: "it ended: \(system.log.suffix(4_000))")
            }
            return system.log.contains("OpenValet is ready")
        }
        guard isReady else {
            system.stop()
            throw Failure(description: "not ready in time: \(system.log.suffix(4_000))")
        }
        return system
    }

    private init(binaries: URL, folder given: URL?, environment: [String: String]) throws {
        let folder =
            given
            ?? FileManager.default.temporaryDirectory.appending(path: "openvalet-\(UUID())")
        self.folder = folder
        broom = try given == nil ? Self.broom(for: folder) : nil
        let port = try FreePort.find()
        guard let url = URL(string: "http://127.0.0.1:\(port)") else {
            throw Failure(description: "no address")
        }
        baseURL = url
        let tool = binaries.appending(path: "openvalet")
        let process = Process()
        process.executableURL = tool
        process.arguments = [
            "guard", tool.path, "up", "--port", String(port), "--data", folder.path, "--plain",
        ]
        process.environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("OPENVALET_") }
            .merging(Self.calmBus) { $1 }
            .merging(try Self.settings(of: folder, environment)) { $1 }
        (input, output) = try ChildProcess.starting { () -> (Pipe, OutputLog) in
            let (input, output) = (Pipe(), OutputLog())
            process.standardInput = input
            process.standardOutput = output.pipe
            process.standardError = output.pipe
            try process.run()
            return (input, output)
        }
        self.process = Mutex(process)
    }

    /// What a system of tests on that folder is told, with settings of a test's own.
    public static func settings(
        of folder: URL, _ own: [String: String] = [:]
    ) throws -> [String: String] {
        wideLimits.merging(["OPENVALET_METRICS_TOKEN": metricsToken]) { $1 }
            .merging(cheapPasswords) { $1 }
            .merging(try TestDatabases.environment(of: folder.path)) { $1 }
            .merging(own) { $1 }
    }

    /// Removes a data folder once nobody refers to the broom any more, this process has ended, and `up` has let
    /// go of it.
    public static func broom(for folder: URL) throws -> ChildProcess {
        let sweep = #"flock -w 60 "$1/up.lock" true; rm -rf "$1""#
        return try ChildProcess(":", [folder.path], afterwards: sweep)
    }

    /// What `up` and the services have printed.
    public var log: String { output.text }

    public var isRunning: Bool { process.withLock { $0.isRunning } }

    /// Asks it to stop, and waits until every process is gone.
    public func stop() {
        try? input.fileHandleForWriting.close()
        let id = process.withLock { $0.processIdentifier }
        // One that has ended has no command line any more; `waitUntilExit` may miss that on Linux.
        while !Self.commandLine(id).isEmpty { usleep(10_000) }
    }

    /// Process ids of a part of this system, as `orders`, `broker`, `router` or `redis`.
    public func processes(_ part: String) throws -> [Int32] {
        let mark =
            switch part {
            // Redis writes its own title over its command line.
            case "redis": "redis-server"
            case "alpr-stub", "broker", "up": "openvalet\u{0}\(part)"
            case "router": "valhalla_service"
            default: "openvalet\u{0}service\u{0}\(part)"
            }
        let ours = try descendants()
        return ours.filter { id in
            let line = Self.commandLine(id)
            return line.contains(mark) && !line.contains("\u{0}guard\u{0}")
        }
    }

    /// Every process of the system, supervisors included.
    public func everyProcess() throws -> [Int32] {
        try [process.withLock { $0.processIdentifier }] + descendants()
    }

    /// `kill -9`.
    public func kill(_ part: String) throws {
        let found = try processes(part)
        guard !found.isEmpty else { throw Failure(description: "\(part) does not run") }
        for id in found { Foundation.kill(id, SIGKILL) }
    }

    /// Stops a part in its tracks, or lets it go on: a peer that is there and does not answer.
    public func freeze(_ part: String, _ isFrozen: Bool) throws {
        for id in try processes(part) { Foundation.kill(id, isFrozen ? SIGSTOP : SIGCONT) }
    }

    /// Waits until the part runs under another process id and all services are ready again.
    public func restarted(_ part: String, since old: [Int32]) async throws -> Bool {
        try await eventually {
            let now = try processes(part)
            guard !now.isEmpty, Set(now).isDisjoint(with: old) else { return false }
            return try await isServing()
        }
    }

    /// Every outbox is empty, and every consumer has read all there is.
    public func hasReadEverything() async throws -> Bool {
        for base in try addresses().values {
            var request = HTTPClientRequest(url: base + "/metrics")
            request.headers.add(
                name: "Authorization", value: "Bearer \(Self.metricsToken)")
            guard let answer = try? await HTTPClient.shared.execute(request, timeout: .seconds(5)),
                answer.status == .ok
            else { return false }
            let body = try await answer.body.collect(upTo: 4 * 1_024 * 1_024)
            let isBusy = String(buffer: body).split(separator: "\n").contains { line in
                Self.backlogSeries.contains { line.hasPrefix($0) }
                    && !line.hasSuffix(" 0.0")
            }
            if isBusy { return false }
        }
        return true
    }

    private func descendants() throws -> [Int32] {
        try ProcessTree.descendants(of: process.withLock { $0.processIdentifier })
    }

    private static func commandLine(_ id: Int32) -> String {
        (try? String(contentsOfFile: "/proc/\(id)/cmdline", encoding: .utf8)) ?? ""
    }
}

/// What a process prints, as it comes.
private final class OutputLog: Sendable {
    let pipe = Pipe()
    private let data = Mutex(Data())

    /// Reads on a thread of its own: a dispatch source that ends while its file is closed may crash the process.
    init() {
        Thread.detachNewThread { [self] in
            while true {
                let bytes = pipe.fileHandleForReading.availableData
                if bytes.isEmpty { return }
                data.withLock { $0.append(bytes) }
            }
        }
    }

    var text: String { String(decoding: data.withLock { $0 }, as: UTF8.self) }
}
