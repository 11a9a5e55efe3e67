import Contracts
import Foundation
import ServiceLifecycle
import Subprocess
import SystemPackage

/// One child process: starts it, restarts it after a growing pause, and stops it with this process.
struct SupervisedProcess: Service {
    enum Kind: Sendable, Equatable {
        case redis, broker, recogniserStub, router, service(ServiceManifest), simulator

        var name: String {
            switch self {
            case .redis: "redis"
            case .broker: "broker"
            case .recogniserStub: "alpr-stub"
            case .router: "router"
            case .service(let service): service.name
            case .simulator: "simulate"
            }
        }
    }

    /// How long a process may take to stop by itself: a little longer than the services' own limit.
    private static let grace: Duration = .seconds(12)
    private static let shortestPause: Duration = .milliseconds(200)
    private static let longestPause: Duration = .seconds(5)
    /// After running for this long, a process is restarted after the shortest pause.
    private static let steady: Duration = .seconds(10)
    /// `EX_CONFIG`: a restart would not help.
    private static let exitConfiguration: Int32 = 78

    let processes: ServiceProcesses
    let kind: Kind

    init(_ processes: ServiceProcesses, _ kind: Kind) {
        self.processes = processes
        self.kind = kind
    }

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            if kind == .simulator {
                _ = try? await processes.hasGreeted.wait(upTo: ServiceProcesses.startLimit * 2)
            }
            var pause = Self.shortestPause
            while !Task.isCancelled {
                if kind == .redis {
                    await StrayProcess.stop(RedisProgram.name, in: processes.plan.redisHome)
                }
                let begun = ContinuousClock.now
                let next = try await runUntilItEndsOrItsEnvironmentChanges()
                if Task.isCancelled || next == .giveUp { return }
                if next == .again { continue }
                if ContinuousClock.now - begun > Self.steady { pause = Self.shortestPause }
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, Self.longestPause)
            }
        }
    }

    private enum NextStep { case again, afterPause, giveUp }

    /// A new broker's address changes the environment of a service, and the router reads its roads once: both need
    /// a new process.
    private func runUntilItEndsOrItsEnvironmentChanges() async throws -> NextStep {
        switch kind {
        case .recogniserStub:
            return await judge(try await runOnce(processes.plan.environmentOfRecogniserStub()))
        case .redis, .broker, .simulator:
            return await judge(try await runOnce())
        case .router:
            guard let roads = try? await processes.plan.maps.roads(otherThan: nil) else {
                return .giveUp
            }
            guard processes.plan.valhalla != nil else {
                processes.printer.line(
                    kind.name,
                    "is not installed, so routes are straight lines. \(ValhallaPrograms.advice)")
                _ = try? await processes.plan.maps.roads(otherThan: roads)
                return .again
            }
            await StrayProcess.stop(RouterProgram.name, in: processes.plan.routerHome)
            return try await run(UpPlan.inherited()) {
                _ = try await processes.plan.maps.roads(otherThan: roads)
            }
        case .service(let service):
            guard let kafka = try? await processes.wiring.kafka() else { return .giveUp }
            return try await run(processes.plan.environment(of: service, kafka: kafka.servers)) {
                _ = try await processes.wiring.kafka(after: kafka.generation)
            }
        }
    }

    private func run(
        _ environment: [String: String],
        until itsInputChanges: @escaping @Sendable () async throws -> Void
    ) async throws -> NextStep {
        try await withThrowingTaskGroup(of: NextStep.self) { group in
            group.addTask { await judge(try await runOnce(environment)) }
            group.addTask { (try? await itsInputChanges()) == nil ? .giveUp : .again }
            let next = try await group.next() ?? .giveUp
            group.cancelAll()
            return next
        }
    }

    private func judge(_ status: TerminationStatus?) async -> NextStep {
        guard let status else {
            processes.fail("Can't start \(kind.name).")
            return .giveUp
        }
        guard !Task.isCancelled else { return .giveUp }
        if status == .exited(Self.exitConfiguration) {
            processes.fail("\(kind.name) refused its settings; the reason is above.")
            return .giveUp
        }
        processes.printer.line(kind.name, "ended (\(status)); restarting")
        return .afterPause
    }

    /// Runs the process until it ends; nil if it could not be started.
    private func runOnce(_ environment: [String: String] = UpPlan.inherited()) async throws
        -> TerminationStatus?
    {
        var options = PlatformOptions()
        // Its own process group, so that Ctrl-C reaches only this process, which stops the others in order.
        options.processGroupID = 0
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: Self.grace)]
        let (program, arguments, home) = try command()
        let values = Dictionary(
            uniqueKeysWithValues: environment.map { (Environment.Key(stringLiteral: $0), $1) })
        do {
            let result = try await Subprocess.run(
                .path(FilePath(program)), arguments: Arguments(arguments),
                environment: .custom(values), workingDirectory: home.map { FilePath($0) },
                platformOptions: options, input: .inputWriter, output: .sequence,
                error: .combinedWithOutput
            ) { execution in
                for try await line in execution.standardOutput.strings() { show(line) }
            }
            return result.terminationStatus
        } catch is CancellationError {
            return .exited(0)
        } catch let error as SubprocessError {
            if Task.isCancelled { return .exited(0) }
            processes.printer.line(kind.name, "\(error)")
            return nil
        }
    }

    private func command() throws -> (program: String, arguments: [String], home: String?) {
        let plan = processes.plan
        let tool = "\(plan.binaries)/openvalet"
        switch kind {
        case .service(let service): return (tool, ["service", service.name], nil)
        case .recogniserStub: return (tool, [kind.name], nil)
        case .broker: return (tool, ["broker"], nil)
        case .simulator:
            return (tool, ["guard", tool] + (try plan.demo?.arguments(plan) ?? []), nil)
        case .redis:
            let settings = try plan.redisSettings()
            return (tool, ["guard", RedisProgram.name, settings], nil)
        case .router:
            let settings = try plan.routerSettings()
            let program = plan.valhalla?.service ?? RouterProgram.name
            return (
                tool, ["guard", program, settings, "\(RouterProgram.threads)"], plan.routerHome
            )
        }
    }

    private func show(_ line: some StringProtocol) {
        let line = line.trimmingCharacters(in: .newlines)
        if kind == .broker, line.hasPrefix(Broker.announcement) {
            processes.wiring.announce(kafka: String(line.dropFirst(Broker.announcement.count)))
        } else if kind == .router {
            // It also logs a line for each request.
            if line.contains("[ERROR]") { processes.printer.line(kind.name, line) }
        } else if !line.isEmpty {
            processes.printer.line(kind.name, line)
        }
    }
}
