import Contracts
import Foundation
import Hummingbird
import ServiceKit

/// Maps requests about payouts, their accounts and rules to use cases.
struct PayoutRoutes: Sendable {
    let payments: PaymentUseCases

    func add(to router: Router<Context>) {
        router.on(PayoutEndpoints.payoutAccount) {
            try await payments.payoutAccount(of: $0.person.person)
        }
        router.on(PayoutEndpoints.payoutOnboarding) { call in
            var body = call.body
            let person = try call.person
            body.app = body.app ?? (person.roles.contains(.valet) ? .valet : .customer)
            return try await payments.onboard(person.person, body)
        }
        router.on(PayoutEndpoints.payoutDashboard) {
            try await payments.payoutDashboard(of: $0.person.person)
        }
        router.on(PayoutEndpoints.testPayoutAccount) {
            try await payments.fillInTestAccount($0.body, of: $0.person.person)
        }
        router.on(PayoutEndpoints.payoutRules) { _ in try await payments.payoutRules().reply() }
        router.on(PayoutEndpoints.setPayoutRules) { call in
            try await payments.setPayoutRules(
                call.body, ifVersion: call.ifMatch, by: call.person.person
            ).reply()
        }
        router.on(PayoutEndpoints.payoutRulesVersions) {
            try await payments.payoutRulesVersions($0.page)
        }
        router.on(PayoutEndpoints.allPayouts) { try await payments.payouts($0.query) }
    }
}

extension PayoutRulesVersion: Versioned {}
