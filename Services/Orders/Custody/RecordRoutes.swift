import Contracts
import Hummingbird
import ServiceKit

/// HTTP to use case, for custody, alerts, statistics and what is held on a person.
struct RecordRoutes: Sendable {
    let queries: OrderQueries
    let alerts: AlertUseCases

    func add(to router: Router<Context>) {
        router.on(OrderEndpoints.custody, use: custody)
        router.on(OrderEndpoints.verifyCustody, use: verifyCustody)
        router.on(OrderEndpoints.alerts, use: listAlerts)
        router.on(OrderEndpoints.acknowledgeAlert, use: acknowledge)
        router.on(OrderEndpoints.orderStatistics, use: statistics)
        router.personalData { try await queries.held(on: $0) }
    }

    @Sendable private func custody(_ request: Request, _ context: Context) async throws -> Reply {
        let reader = try context.person()
        return try Reply(
            .ok, await queries.custody(of: context.id("id"), for: reader, request.page()))
    }

    @Sendable private func verifyCustody(
        _ request: Request, _ context: Context
    ) async throws -> Reply {
        return try Reply(.ok, await queries.verifyCustody(of: context.id("id")))
    }

    @Sendable private func listAlerts(
        _ request: Request, _ context: Context
    ) async throws -> Reply {
        let status = try request.query("status").map { text in
            guard let status = AlertStatus(rawValue: text) else {
                throw InvalidRequest("status", "open, acknowledged or resolved.")
            }
            return status
        }
        return try Reply(.ok, await alerts.list(status, request.page()))
    }

    @Sendable private func acknowledge(
        _ request: Request, _ context: Context
    ) async throws -> Reply {
        let person = try context.person()
        return try Reply(
            .ok, await alerts.acknowledge(context.id("id"), by: person.operatorID))
    }

    /// A day, unless a span is named.
    @Sendable private func statistics(
        _ request: Request, _ context: Context
    ) async throws -> Reply {
        let span = try TimeSpan(request, usual: 24 * TimeSpan.hour, at: queries.clock.now)
        return try Reply(.ok, await queries.statistics(in: span))
    }
}
