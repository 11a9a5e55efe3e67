import Contracts
import EventBus
import Hummingbird
import ServiceKit
import ServiceLifecycle
import Store

/// Everything this service is made of. Later services depend on earlier ones; they stop in reverse.
func build(_ config: PaymentsConfig, _ house: House) async throws -> [any Service] {
    let payments = try paymentUseCases(house)
    let bus = try house.bus(payments.database, reactions: paymentReactions(payments))
    let router = paymentRouter(payments, house)
    return bus + [PaymentRecovery(payments: payments), house.server(router)]
}

func paymentRouter(_ payments: PaymentUseCases, _ house: House) -> Router<Context> {
    let router = house.router()
    PaymentRoutes(payments: payments).add(to: router)
    return router
}

/// The use cases over the house's database; the provider keeps its books beside ours.
func paymentUseCases(_ house: House) throws -> PaymentUseCases {
    let database = try house.database(PaymentStore.migrations + StubProvider.migrations)
    return PaymentUseCases(
        database: database, provider: StubProvider(database: database), clock: house.clock,
        logger: house.logger)
}
