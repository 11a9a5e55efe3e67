import AsyncHTTPClient
import Contracts
import CoreMetrics
import Foundation
import Kafka
import Logging
import Metrics
import ServiceLifecycle

/// A runnable service: its identity, its settings and how to build it.
///
/// Each service has one, which its own executable and `openvalet service` run.
public struct ServiceProgram: Sendable {
    /// Builds a service's parts: dependencies first, in the order in which they start.
    public typealias Build<C> = @Sendable (C, ServiceEnvironment) async throws -> [any Service]

    public let service: ServiceManifest
    /// Every setting that the service reads.
    public let keys: [ConfigKey]
    private let build: @Sendable (ConfigValues, ServiceEnvironment) async throws -> [any Service]

    public init<C: Config>(_ config: C.Type, _ build: @escaping Build<C>) {
        service = C.service
        keys = C.allKeys
        self.build = { values, environment in try await build(try C(values), environment) }
    }

    /// Runs the service until SIGTERM or SIGINT. `--help` lists the settings instead, `--version` prints the
    /// version, and `--health` asks the running service.
    public func run(_ arguments: some Sequence<String> = CommandLine.arguments.dropFirst()) async {
        await Boot.run(self, Array(arguments), ProcessInfo.processInfo.environment)
    }

    /// All parts of the service in the order in which they start; they stop in reverse.
    public func parts(
        _ values: ConfigValues, _ environment: ServiceEnvironment
    ) async throws -> [any Service] {
        do {
            let client = [environment.clientService] + [environment.spanExporter].compactMap(\.self)
            return client + (try await build(values, environment))
        } catch {
            // Otherwise the client's deinit would stop a debug build before the reason is printed.
            try? await environment.client.shutdown()
            throw error
        }
    }
}

/// Starts a service: configuration, logs, metrics, then its parts in order. Stops it within a time limit: first it
/// drains, then its connections end, then its other parts.
public enum Boot {
    /// How long unfinished work may go on once the service has drained. It is then cut off, and redone after the next
    /// start.
    static let workLimit: Duration = .seconds(8)
    /// Maximum duration of a stop once the service has drained.
    static let stopLimit: Duration = .seconds(10)
    /// `EX_CONFIG` of sysexits.h.
    private static let exitConfiguration: Int32 = 78

    static func run(
        _ program: ServiceProgram, _ arguments: [String], _ variables: [String: String]
    ) async {
        let name = program.service.name
        switch arguments.first {
        case nil: break
        case "--health": exit(await isAlive(variables) ? 0 : 1)
        case "--version":
            say("\(ServiceProgram.version)\n", to: .standardOutput)
            exit(0)
        case let argument:
            say(help(name, program.keys), to: .standardOutput)
            exit(argument == "--help" ? 0 : exitConfiguration)
        }
        signal(SIGPIPE, SIG_IGN)
        ProcessRights.claim()
        do {
            let values = try ConfigValues(variables, keys: program.keys)
            let common = try CommonConfig(values, parts: program.service.parts)
            let registry = PrometheusRegistry()
            MetricsSystem.bootstrap(registry)
            let environment = try ServiceEnvironment(
                name, common, logger: logger(name, common), metrics: registry)
            environment.logger.info(
                "starting", metadata: ["librdkafka": "\(KafkaConfiguration.libraryVersion)"])
            Gauge(
                label: "openvalet_build_info",
                dimensions: [("service", name), ("version", ServiceProgram.version)]
            ).record(1)
            let process = ProcessMetrics()
            environment.measure("process", atMostEvery: ProcessMetrics.pause) {
                try process.measure()
            }
            try await serve(program.parts(values, environment), environment)
        } catch {
            say("openvalet-\(name): \(error)\n", to: .standardError)
            exit(error is ConfigError ? exitConfiguration : 1)
        }
    }

    /// Whether the service with these settings answers: a container's health check that needs no other program.
    public static func isAlive(_ variables: [String: String]) async -> Bool {
        let port = variables["OPENVALET_PORT"] ?? "8080"
        let request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/health/live")
        let response = try? await HTTPClient.shared.execute(request, timeout: .seconds(2))
        return response?.status == .ok
    }

    private static func logger(_ name: String, _ common: CommonConfig) -> Logger {
        LoggingSystem.bootstrap { _ in
            LogLines(service: name, asJSON: common.logsJSON, logLevel: common.logLevel)
        }
        return Logger(label: name)
    }

    private static func serve(_ services: [any Service], _ environment: ServiceEnvironment)
        async throws
    {
        // They learn of a stop in reverse.
        var all = services
        all.append(StopWatch(limit: stopLimit, atStop: environment.leaveBus))
        all.append(environment.drain)
        if environment.common.isSupervised { all.append(SupervisorWatch()) }
        var configuration = ServiceGroupConfiguration(
            services: all.map {
                .init(
                    service: $0, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup)
            },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: environment.quietLogger)
        configuration.maximumGracefulShutdownDuration = environment.common.drainPause + workLimit
        try await ServiceGroup(configuration: configuration).run()
    }

    /// The settings as text for `--help`.
    static func help(_ name: String, _ keys: [ConfigKey]) -> String {
        var text = "openvalet-\(name) reads these environment variables:\n\n"
        for key in keys {
            let standard =
                switch key.standard {
                case nil: "required"
                case "": "optional"
                case let value?: "default \(value)"
                }
            let file = key.isSecret ? "; or \(key.name)_FILE" : ""
            text += "  \(key.name) (\(standard)\(file))\n      \(key.meaning)\n"
        }
        return text
    }

    private static func say(_ text: String, to handle: FileHandle) {
        handle.write(Data(text.utf8))
    }
}

/// Ends a process whose stop hangs, since librdkafka waits for ever for topics that have vanished. It learns of a stop
/// once the service has drained.
struct StopWatch: Service {
    let limit: Duration
    var atStop: @Sendable () -> Void = {}
    var end: @Sendable () -> Void = { _exit(1) }

    func run() async throws {
        try? await gracefulShutdown()
        atStop()
        let seconds = Double(limit.components.seconds)
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: seconds)
            end()
        }
    }
}

/// Ends the service when its standard input closes: its supervisor has ended, even by `kill -9`.
public struct SupervisorWatch: Service {
    public init() {}

    public func run() async throws {
        let closed = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let thread = Thread {
            var byte: UInt8 = 0
            while read(STDIN_FILENO, &byte, 1) > 0 {}
            closed.continuation.finish()
        }
        thread.name = "supervisor-watch"
        thread.start()
        await cancelWhenGracefulShutdown {
            for await _ in closed.stream {}
        }
    }
}
