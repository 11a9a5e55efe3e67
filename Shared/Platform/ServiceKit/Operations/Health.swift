import Contracts
import Foundation
import Hummingbird

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

    func passes() async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { (try? await run()) != nil }
            group.addTask {
                try? await Task.sleep(for: Self.limit)
                return false
            }
            let passed = await group.next() ?? false
            group.cancelAll()
            return passed
        }
    }
}

/// The answer of `/health/ready`.
public struct HealthReport: Codable, Sendable, Equatable {
    public enum Status: String, Codable, Sendable { case ready, unavailable }

    public var status: Status
    /// By name of the dependency.
    public var checks: [String: Status]
}

/// `GET /health/live`: the process answers. `GET /health/ready`: its dependencies do too, else 503.
struct HealthRoutes: Sendable {
    let checks: [HealthCheck]

    func add(to router: Router<Context>) {
        router.get("/health/live") { _, _ in try Reply(["status": "live"]) }
        router.get("/health/ready") { _, _ in
            let report = await report()
            return try Reply(report, status: report.status == .ready ? .ok : .serviceUnavailable)
        }
    }

    func report() async -> HealthReport {
        var results: [String: HealthReport.Status] = [:]
        await withTaskGroup(of: (String, Bool).self) { group in
            for check in checks { group.addTask { (check.name, await check.passes()) } }
            for await (name, passed) in group { results[name] = passed ? .ready : .unavailable }
        }
        let isReady = results.values.allSatisfy { $0 == .ready }
        return HealthReport(status: isReady ? .ready : .unavailable, checks: results)
    }
}
