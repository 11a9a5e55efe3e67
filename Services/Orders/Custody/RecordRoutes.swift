import Contracts
import Hummingbird
import ServiceKit

/// Custody, alerts, statistics and the export of personal data.
extension OrderRoutes {
    func addRecords(to router: Router<Context>) {
        router.on(OrderEndpoints.custody) {
            try await queries.custody(of: $0.id(), for: $0.person, $0.page)
        }
        router.on(OrderEndpoints.verifyCustody) { try await queries.verifyCustody(of: $0.id()) }
        router.on(OrderEndpoints.alerts) { call in
            try await alerts.list(call.query.status, call.page)
        }
        router.on(OrderEndpoints.acknowledgeAlert) {
            try await alerts.acknowledge($0.id(), by: $0.person.operatorID)
        }
        // The default span is one day.
        router.on(OrderEndpoints.orderStatistics) {
            try await queries.statistics(
                in: TimeSpan($0.query, usual: 24 * TimeSpan.hour, at: queries.clock.now))
        }
        router.personalData { try await queries.held(on: $0) }
    }
}
