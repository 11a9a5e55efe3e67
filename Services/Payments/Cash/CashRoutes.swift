import Contracts
import Hummingbird
import ServiceKit

/// Maps HTTP requests about cash and terminals to use cases.
struct CashRoutes: Sendable {
    let payments: PaymentUseCases

    func add(to router: Router<Context>) {
        addDrawers(to: router)
        router.on(CashEndpoints.receiveBill) {
            try await payments.receive(
                $0.id(), $0.body.body, in: $0.body.currency, by: $0.teller(), key: $0.idempotency)
        }
        router.on(CashEndpoints.receiveOrder) {
            try await payments.receive(
                $0.id(), $0.body.body, in: $0.body.currency,
                by: Teller(person: $0.person.person, isValet: true), key: $0.idempotency)
        }
        router.on(CashEndpoints.orderBill) {
            try await payments.bill($0.id(), servedBy: $0.person.person)
        }
        router.on(InternalEndpoints.receiveBill) {
            try await payments.receive(
                $0.id(), $0.body.body, by: Teller(person: $0.body.by, isValet: false),
                key: $0.idempotency)
        }
        router.on(CashEndpoints.cashRefunds) { try await payments.cashRefunds($0.page) }
        router.on(CashEndpoints.handOut) {
            try await payments.handOut(
                $0.id(or: .refundUnknown), $0.body, by: $0.person.person, key: $0.idempotency)
        }
    }

    private func addDrawers(to router: Router<Context>) {
        for endpoint in [CashEndpoints.openDrawer, CashEndpoints.openPouch] {
            router.on(endpoint) {
                try await payments.openDrawer($0.body, by: $0.teller(), key: $0.idempotency)
            }
        }
        router.on(CashEndpoints.drawers) { try await payments.drawers($0.query, $0.page) }
        router.on(CashEndpoints.myDrawers) {
            try await payments.drawers(of: $0.person.person, $0.page)
        }
        router.on(CashEndpoints.closeDrawer) {
            try await payments.closeDrawer(
                $0.id(or: .drawerUnknown), $0.body, by: $0.teller(), key: $0.idempotency)
        }
        router.on(CashEndpoints.deposit) {
            try await payments.deposit(
                $0.body, from: $0.id(or: .drawerUnknown), by: $0.teller(), key: $0.idempotency)
        }
    }
}

extension Call {
    /// Operators use any drawer; everybody else is a valet.
    fileprivate func teller() throws -> Teller {
        let caller = try person
        return Teller(person: caller.person, isValet: !caller.isOperator)
    }
}
