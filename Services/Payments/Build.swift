import Contracts
import EventBus
import Hummingbird
import ServiceKit
import ServiceLifecycle
import Store

/// Builds the service. Later parts depend on earlier ones; they stop in reverse order.
func build(_ config: PaymentsConfig, _ environment: ServiceEnvironment) async throws
    -> [any Service]
{
    let payments = try paymentUseCases(environment, config)
    environment.compare(
        [
            people.copies(of: .people), payers.copies(of: .people, for: "payers"),
            BillStore.copies,
        ] + Standings.copies, in: payments.database)
    let bus = try environment.bus(payments.database, reactions: paymentReactions(payments))
    let router = try paymentRouter(payments, environment, config)
    payments.addMeasures(to: environment)
    return bus + [
        PaymentWork.queue(payments),
        environment.periodic("reconciliation", of: payments.database) {
            try await payments.reconcileLastDay()
        },
        environment.periodic("payouts", of: payments.database) {
            try await payments.planPayouts()
        },
        environment.periodic("last release", every: .seconds(86_400), of: payments.database) {
            try await payments.completeWorkOfTheLastRelease()
        },
        environment.periodic("webhook events", of: payments.database) {
            try await payments.sweepWebhookEvents()
        },
        environment.server(router),
    ]
}

func paymentRouter(
    _ payments: PaymentUseCases, _ environment: ServiceEnvironment, _ config: PaymentsConfig = .stub
) throws -> Router<Context> {
    let router = environment.router()
    let page = try ReceiptPage()
    PaymentRoutes(payments: payments, page: page, provider: PaymentProviderInfo(config))
        .add(to: router)
    DocumentRoutes(payments: payments, page: page, sealer: environment.sealer).add(to: router)
    let stub = StubProvider(database: payments.database, clock: payments.clock)
    CardRoutes(payments: payments, stub: config.stripe == nil ? stub : nil).add(to: router)
    CashRoutes(payments: payments).add(to: router)
    BookRoutes(payments: payments, page: try StatementPage()).add(to: router)
    if config.takesHistory {
        router.on(InternalEndpoints.pastPayment) { call in
            PaymentAnswer(payment: try await payments.pay(call.id(), as: call.body))
        }
    }
    return router
}

/// Builds the use cases; the provider's tables are in the same database.
func paymentUseCases(
    _ environment: ServiceEnvironment, _ config: PaymentsConfig = .stub
) throws -> PaymentUseCases {
    let database = try environment.database(
        [Standings.migration] + PaymentStore.migrations + payerMigrations + Cards.migrations
            + LedgerStore.migrations + CompanyStore.migrations + TaxStore.migrations
            + DocumentStore.migrations + DocumentMailStore.migrations + SiteStore.migrations
            + Payouts.migrations + Disputes.migrations + ProviderAlerts.migrations
            + [DrawerStore.migration]
            + WorkQueue.migrations
            + PaymentSearch.migrations + LedgerStore.bookMigrations + ClosingStore.migrations
            + DocumentStore.bookMigrations
            + StubProvider.migrations + StripeStore.migrations)
    let billers = Owners(
        config.billers.map { environment.peer($0.url, audience: $0.service) })
    guard let stripe = config.stripe else {
        return PaymentUseCases(
            database: database,
            provider: StubProvider(database: database, clock: environment.clock),
            clock: environment.clock, logger: environment.logger, billers: billers,
            appAddress: config.appAddress)
    }
    let store = StripeStore(database: database)
    let api = StripeAPI(
        stripe.url, key: stripe.key, timeout: stripe.timeout, client: environment.httpClient,
        logger: environment.logger)
    return PaymentUseCases(
        database: database,
        provider: StripeProvider(
            api: api, store: store, clock: environment.clock, logger: environment.logger),
        clock: environment.clock, logger: environment.logger, billers: billers,
        webhooks: StripeWebhooks(
            secret: stripe.webhookSecret, connectSecret: stripe.connectSecret, store: store),
        appAddress: config.appAddress)
}
