import Contracts
import CoreMetrics
import Foundation
import Hummingbird
import Logging
import ServiceKit
import ServiceLifecycle
import Support
import Synchronization

@testable import AlprStub
@testable import OpenValet

/// All services of `openvalet up` within this process, beside a broker and a Redis of their own.
///
/// Settings, ports, addresses and secrets come from the plan that `up` makes, so only the processes are missing: tests
/// that kill one, or look at one, take a `RunningSystem`. Runs until the tests end.
final class TestPlatform: LocalSystem {
    let folder: URL
    let baseURL: URL
    /// Moves the clock of all services.
    let clock: MovedClock
    private let plan: UpPlan
    private let broom: ChildProcess
    private let redis: ChildProcess
    private let broker: TestBroker
    private let lines: LogRecorder
    private let stops = AsyncStream<Void>.makeStream()

    var log: String { lines.text }
    var now: Date { clock.now }

    /// Starts, and waits until each service is ready.
    static func start(_ environment: [String: String] = [:]) async throws -> TestPlatform {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "openvalet-\(UUID())")
        let own = try RunningSystem.settings(of: folder, environment)
        let settings = try UpSettings(
            own, port: FreePort.find(), data: folder.path, logLevel: "info")
        let data = try DataFolder(folder.path)
        let plan = try UpPlan(settings: settings, folder: data, secrets: UpSecrets(data, own))
        let platform = try TestPlatform(folder, plan)
        try await platform.serve(plan)
        return platform
    }

    private init(_ folder: URL, _ plan: UpPlan) throws {
        guard let url = URL(string: "http://127.0.0.1:\(plan.gatewayPort)") else {
            throw RunningSystem.Failure(description: "no address")
        }
        (self.folder, baseURL, self.plan) = (folder, url, plan)
        broom = try RunningSystem.broom(for: folder)
        redis = try ChildProcess(#"redis-server "$1""#, [plan.redisSettings()])
        broker = try TestBroker.start()
        clock = MovedClock()
        lines = LogRecorder(.info)
    }

    private func serve(_ plan: UpPlan) async throws {
        var services = [try stub(plan)].compactMap(\.self)
        for program in ServiceCommand.programs {
            services += try await parts(of: program, plan)
        }
        var quiet = Logger(label: "platform") { _ in SwiftLogNoOpLogHandler() }
        quiet.logLevel = .critical
        let group = ServiceGroup(
            configuration: .init(
                services: services, gracefulShutdownSignals: [], logger: quiet))
        Task.detached { [stops] in
            for await _ in stops.stream {}
            await group.triggerGracefulShutdown()
        }
        // What the services need lives as long as they run.
        Task.detached { [self] in
            do { try await group.run() } catch { lines.logger.error("it stopped: \(error)") }
        }
        let local = LocalServices(plan)
        try local.remember(in: plan.folder)
        guard try await eventually(within: ServiceProcesses.startLimit, { try await isServing() })
        else {
            throw RunningSystem.Failure(description: "not ready: \(log.suffix(4_000))")
        }
    }

    /// A platform, and its operator, for the time of the body.
    static func run(
        _ environment: [String: String] = [:],
        _ body: (World, TestPlatform) async throws -> Void
    ) async throws {
        let platform = try await start(environment)
        defer { platform.stop() }
        try await body(try await World(platform), platform)
    }

    /// Asks the services to stop, and does not wait for that.
    func stop() { stops.continuation.finish() }

    /// The addresses of all services, and the secret by which they recognise each other.
    var services: LocalServices { LocalServices(plan, clock: clock.serviceClock) }

    /// Moves the clock, and deletes the events of SQL that would not be stored any more.
    func pass(days: Double) throws {
        clock.advance(by: days * 86_400)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".sqlite") }.map { "\(folder.path)/\($0)" }
        let sweep = """
            import sqlite3, sys
            for file in sys.argv[1:]:
                database = sqlite3.connect(file, timeout=60)
                database.execute('DELETE FROM outbox WHERE sent_at IS NOT NULL')
                database.commit()
            """
        _ = try Command.output("python3", ["-c", sweep] + files)
    }

    /// Deletes everything that Redis has.
    func emptyRedis() throws {
        let answer = try Command.output(
            "redis-cli", ["-p", "\(plan.redisPort)", "flushall"],
            ["REDISCLI_AUTH": plan.secrets.redisPassword])
        guard answer.contains("OK") else { throw RunningSystem.Failure(description: answer) }
    }

    /// Runs a service with an empty data folder, and a broker that has lost every event, beside the others, which don't
    /// know it.
    func withNew(
        _ service: ServiceManifest, _ body: (_ url: String) async throws -> Void
    ) async throws {
        guard let program = ServiceCommand.programs.first(where: { $0.service == service }) else {
            throw RunningSystem.Failure(description: "no such service")
        }
        let (folder, port, empty) = (
            try TestFolder("new"), try FreePort.find(), try TestBroker.start()
        )
        let parts = try await self.parts(
            of: program, plan,
            [
                "OPENVALET_DATA": folder.path, "OPENVALET_PORT": "\(port)",
                "OPENVALET_KAFKA": empty.bootstrapServers,
            ])
        defer { withExtendedLifetime((folder, empty)) {} }
        let group = ServiceGroup(
            configuration: .init(
                services: parts, gracefulShutdownSignals: [], logger: lines.logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            try await body("http://127.0.0.1:\(port)")
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    private func parts(
        of program: ServiceProgram, _ plan: UpPlan, _ own: [String: String] = [:]
    ) async throws -> [any Service] {
        let service = program.service
        let variables = plan.environment(of: service, kafka: broker.bootstrapServers)
            .merging(RunningSystem.calmBus) { own, _ in own }
            .merging(own) { _, own in own }
        let values = try ConfigValues(variables, keys: program.keys)
        let common = try CommonConfig(values, parts: service.parts)
        let environment = try ServiceEnvironment(
            service.name, common, logger: lines.logger, metrics: Self.metrics,
            clock: clock.serviceClock)
        return try await program.parts(values, environment)
    }

    private func stub(_ plan: UpPlan) throws -> (any Service)? {
        guard let port = plan.recogniserStubPort else { return nil }
        return Application(
            router: stubRouter(AlprStub(key: plan.secrets.recogniserStubKey)), server: .guarded(),
            configuration: .init(address: .hostname("127.0.0.1", port: port), serverName: nil),
            logger: lines.logger)
    }

    /// Of all platforms of this process: a process has one system of metrics.
    private static let metrics: PrometheusRegistry = {
        let registry = PrometheusRegistry()
        MetricsSystem.bootstrap(registry)
        return registry
    }()
}

/// A clock that goes on as the system's does, and that a test moves ahead.
final class MovedClock: Sendable {
    private let ahead = Mutex(TimeInterval(0))

    var now: Date { Date().addingTimeInterval(ahead.withLock(\.self)) }
    var serviceClock: ServiceClock { ServiceClock { self.now } }

    func advance(by seconds: TimeInterval) { ahead.withLock { $0 += seconds } }
}
