import Contracts
import Hummingbird
import ServiceKit

extension PaymentRoutes {
    func addDisputes(to router: Router<Context>) {
        router.on(DisputeEndpoints.disputes) { call in
            try await payments.disputes(
                isOpen: call.query.state.map { $0 == .open }, of: call.query.payment, call.page)
        }
    }
}
