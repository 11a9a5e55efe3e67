import Contracts
import EventBus
import Hummingbird
import ServiceKit
import ServiceLifecycle
import Store

/// Everything this service is made of. Later services depend on earlier ones; they stop in reverse.
func build(_ config: PaymentsConfig, _ house: House) async throws -> [any Service] {
    let payments = try paymentUseCases(house, config)
    let bus = try house.bus(payments.database, reactions: paymentReactions(payments))
    let router = try paymentRouter(payments, house, config)
    return bus + [
        PaymentWork.queue(payments),
        Periodic(
            "reconciliation", every: .seconds(600), of: payments.database, logger: house.logger
        ) {
            try await payments.reconcileLastDay()
        },
        Periodic(
            "webhook events", every: .seconds(600), of: payments.database, logger: house.logger
        ) {
            try await payments.sweepWebhookEvents()
        },
        house.server(router),
    ]
}

func paymentRouter(
    _ payments: PaymentUseCases, _ house: House, _ config: PaymentsConfig = .stub
) throws -> Router<Context> {
    let router = house.router()
    PaymentRoutes(
        payments: payments, page: try ReceiptPage(), provider: PaymentProviderInfo(config)
    ).add(to: router)
    return router
}

/// The use cases over the house's database; the provider keeps its books beside ours.
func paymentUseCases(
    _ house: House, _ config: PaymentsConfig = .stub
) throws -> PaymentUseCases {
    let database = try house.database(
        [Standings.migration] + PaymentStore.migrations + LedgerStore.migrations
            + Payouts.migrations
            + WorkQueue.migrations
            + StubProvider.migrations + StripeStore.migrations)
    let billers = Billers(
        peers: config.billers.map { house.peer($0.url, audience: $0.service) })
    guard let stripe = config.stripe else {
        return PaymentUseCases(
            database: database, provider: StubProvider(database: database, clock: house.clock),
            clock: house.clock, logger: house.logger, billers: billers)
    }
    let store = StripeStore(database: database)
    let api = StripeAPI(
        stripe.url, key: stripe.key, timeout: stripe.timeout, client: house.httpClient,
        logger: house.logger)
    return PaymentUseCases(
        database: database,
        provider: StripeProvider(api: api, store: store, clock: house.clock, logger: house.logger),
        clock: house.clock, logger: house.logger, billers: billers,
        webhooks: StripeWebhooks(secret: stripe.webhookSecret, store: store))
}
