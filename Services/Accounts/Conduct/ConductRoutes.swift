import Contracts
import Hummingbird
import ServiceKit

/// The routes of blocks and reports.
extension AccountRoutes {
    func addConduct(to router: Router<Context>) {
        router.on(AccountEndpoints.blocks) {
            try await accounts.blocks(of: $0.person.person, $0.page)
        }
        router.on(AccountEndpoints.block) {
            try await accounts.block($0.id(), by: $0.person.person)
        }
        router.on(AccountEndpoints.unblock) {
            try await accounts.unblock($0.id(), by: $0.person.person)
        }
        router.on(AccountEndpoints.report) {
            try await accounts.report($0.body, by: $0.person.person, once: $0.idempotency)
        }
        router.on(AccountEndpoints.reports) { call in
            try await accounts.reports(call.query.status, call.page)
        }
        router.on(AccountEndpoints.closeReport) {
            try await accounts.close(
                $0.id(), $0.body, by: $0.person, once: $0.idempotency)
        }
    }
}
