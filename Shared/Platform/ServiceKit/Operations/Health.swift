import Contracts
import EventBus
import Foundation
import Hummingbird
import Logging
import Synchronization

/// A check of a dependency that the service needs.
public struct HealthCheck: Sendable {
    /// Maximum duration of a check.
    static let limit: Duration = .seconds(2)

    public let name: String
    let run: @Sendable () async throws -> Void

    /// The check passes unless it throws.
    public init(_ name: String, _ run: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.run = run
    }

    /// Why the check fails; nil if it passes.
    func failure() async -> (any Error)? {
        do {
            try await withTimeLimit(Self.limit, run)
            return nil
        } catch {
            return error
        }
    }
}

/// The answer of `/health/ready`.
public struct HealthReport: Codable, Sendable, Equatable {
    public enum Status: String, Codable, Sendable { case ready, unavailable }

    public var status: Status
    /// By name of the dependency.
    public var checks: [String: Status]
    /// What each failing check misses, as a sentence.
    public var missing: [String: String]?
}

/// `GET /health/live`: the process answers. `GET /health/ready`: its dependencies do too, and it isn't stopping, else
/// 503.
final class HealthRoutes: Sendable {
    private let checks: [HealthCheck]
    private let drain: Drain
    private let logger: Logger
    /// Names of the checks that failed the last time.
    private let failing = Mutex<Set<String>>([])

    init(checks: [HealthCheck], drain: Drain, logger: Logger) {
        (self.checks, self.drain, self.logger) = (checks, drain, logger)
    }

    func add(to router: Router<Context>) {
        router.get("/health/live") { _, _ in try Reply(["status": "live"]) }
        router.get("/health/ready") { _, _ in
            let report = await self.report()
            return try Reply(report, status: report.status == .ready ? .ok : .serviceUnavailable)
        }
    }

    func report() async -> HealthReport {
        if drain.isStopping {
            return HealthReport(status: .unavailable, checks: ["drain": .unavailable])
        }
        var report = HealthReport(status: .ready, checks: [:])
        await withTaskGroup(of: (String, (any Error)?).self) { group in
            for check in checks { group.addTask { (check.name, await check.failure()) } }
            for await (name, failure) in group {
                note(name, failure)
                report.checks[name] = failure == nil ? .ready : .unavailable
                guard let failure else { continue }
                report.status = .unavailable
                report.missing = (report.missing ?? [:])
                    .merging([name: Self.sentence(failure)]) { $1 }
            }
        }
        return report
    }

    /// Anybody may ask, so only a refusal is told in its words; the log has the reason of every failure.
    private static func sentence(_ failure: any Error) -> String {
        switch failure {
        case let refusal as Refusal: refusal.problem.detail ?? refusal.problem.title
        case is TimedOut: "It does not answer in time."
        default: "It does not answer."
        }
    }

    /// Logs a check that fails for the first time, or passes again.
    private func note(_ name: String, _ failure: (any Error)?) {
        let hasChanged = failing.withLock { failing in
            failure == nil ? failing.remove(name) != nil : failing.insert(name).inserted
        }
        guard hasChanged else { return }
        if let failure {
            logger.notice(
                "not ready", metadata: ["check": "\(name)", "error": "\(loggable(failure))"])
        } else {
            logger.notice("ready again", metadata: ["check": "\(name)"])
        }
    }
}
