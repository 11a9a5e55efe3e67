import AsyncHTTPClient
import CoreMetrics
import Foundation
import Logging
import ServiceLifecycle

/// Starts a service: configuration, logs, metrics, its parts in order; and stops it within a limit.
public enum Boot {
    /// Longest time that a stop may take; what is not done then is cut off and redone after the next start.
    static let stopLimit: Duration = .seconds(10)
    /// `EX_CONFIG` of sysexits.h.
    private static let exitConfiguration: Int32 = 78

    /// Runs until SIGTERM or SIGINT. `--help` lists the keys instead; `--health` asks the running service.
    public static func run<C: Config>(
        _ type: C.Type, _ build: (C, ServiceEnvironment) async throws -> [any Service]
    ) async {
        let name = C.service.name
        let variables = ProcessInfo.processInfo.environment
        switch CommandLine.arguments.dropFirst().first {
        case nil: break
        case "--health": exit(await isAlive(variables) ? 0 : 1)
        case let argument:
            say(help(name, C.allKeys), to: .standardOutput)
            exit(argument == "--help" ? 0 : exitConfiguration)
        }
        signal(SIGPIPE, SIG_IGN)
        ProcessRights.claim()
        do {
            let values = try ConfigValues(variables, keys: C.allKeys)
            let common = try CommonConfig(values, parts: C.service.parts)
            let config = try C(values)
            let registry = PrometheusRegistry()
            MetricsSystem.bootstrap(registry)
            let logger = logger(name, common)
            let environment = try ServiceEnvironment(
                name, common, logger: logger, metrics: registry)
            do {
                try await serve(build(config, environment), environment)
            } catch {
                // Without it, the client's deinit would stop a debug build before the reason is said.
                try? await environment.client.shutdown()
                throw error
            }
        } catch {
            say("openvalet-\(name): \(error)\n", to: .standardError)
            exit(error is ConfigError ? exitConfiguration : 1)
        }
    }

    /// Whether the service of these variables answers: a container's health check, without another program.
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
        var all = services
        all.insert(environment.clientService, at: 0)
        all.append(StopWatch(limit: stopLimit * 2, atStop: environment.leaveBus))
        if environment.common.isSupervised { all.append(SupervisorWatch()) }
        var configuration = ServiceGroupConfiguration(
            services: all.map {
                .init(
                    service: $0, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup)
            },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: environment.quietLogger)
        configuration.maximumGracefulShutdownDuration = stopLimit
        try await ServiceGroup(configuration: configuration).run()
    }

    /// The keys as a person reads them.
    static func help(_ name: String, _ keys: [ConfigKey]) -> String {
        var text = "openvalet-\(name): reads these environment variables.\n\n"
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

/// The first to hear of a stop. Ends a process whose stop does not end: librdkafka waits for ever for topics that have
/// vanished.
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

/// Ends the service when its standard input closes, which is when its supervisor is gone, even by `kill -9`.
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
