import Contracts
import Hummingbird
import ServiceKit

/// Maps HTTP requests about cards to use cases.
struct CardRoutes: Sendable {
    let payments: PaymentUseCases
    /// Nil with another provider.
    let stub: StubProvider?

    func add(to router: Router<Context>) {
        router.on(CardEndpoints.setUpPaymentMethod) {
            try await payments.beginSetup(for: $0.person.person)
        }
        router.on(CardEndpoints.chooseDefault) {
            try await payments.makeDefault($0.id(), of: $0.person.person)
        }
        router.on(CardEndpoints.confirm) {
            PaymentAnswer(payment: try await payments.confirm($0.id(), by: $0.person.person))
        }
        router.on(CardEndpoints.testConfirmation) { try await record($0.body) }
    }

    private func record(_ confirmation: TestConfirmation) async throws {
        guard let stub, try await stub.record(confirmation) else { throw Refusal.notFound }
    }
}
