import Contracts
import Foundation
import Hummingbird
import ProductKit
import ServiceKit
import ServiceLifecycle
import Store

/// Builds the service. Later parts depend on earlier ones; they stop in reverse order.
func build(_ config: OrdersConfig, _ environment: ServiceEnvironment) async throws -> [any Service]
{
    func owner(_ url: URL, _ service: ServiceManifest) -> Owners {
        Owners([environment.peer(url, audience: service.name)])
    }
    let parts = try OrdersParts(
        environment, config.limits, CustodyChain(key: config.custodyKey),
        owners: OrderOwners(
            accounts: owner(config.accountsURL, .accounts), areas: owner(config.areasURL, .areas),
            recognitions: owner(config.platesURL, .plates),
            payments: owner(config.paymentsURL, .payments),
            carParks: environment.peer(
                config.carParksURL, audience: ServiceManifest.carparks.name)),
        addresses: OrderAddresses(config.maps))
    environment.tell(.engagements, from: parts.database) { transaction, after, limit in
        try transaction.orders.toldEngagements(after: after, limit: limit)
    }
    environment.tell(.bills, from: parts.database) { transaction, after, limit in
        try transaction.orders.toldBills(after: after, limit: limit)
    }
    environment.tell(.parkedVehicles, from: parts.database) { transaction, after, limit in
        try transaction.orders.toldParked(after: after, limit: limit)
    }
    environment.tell(.shifts, from: parts.database) { transaction, after, limit in
        try transaction.shifts.told(after: after, limit: limit)
    }
    let bus = try environment.bus(parts.database, reactions: orderReactions(parts.answers))
    environment.compare(OrderCopies.sets, in: parts.database)
    let watch = OrderWatch(answers: parts.answers, logger: environment.logger)
    let retention = environment.periodic("retention", of: parts.database) {
        try await parts.sweep()
    }
    let seals = environment.periodic("custody seals", of: parts.database) {
        try await parts.seals.seal()
    }
    environment.addCheck(
        HealthCheck("service-areas") {
            try await parts.database.read { _ = try parts.orders.areas.requireSome(in: $0) }
        })
    return bus + [
        watch, retention, seals,
        environment.server(parts.router(takesHistory: config.takesHistory)),
    ]
}

/// The service without its external connections, as tests use it.
struct OrdersParts: Sendable {
    let environment: ServiceEnvironment
    let database: Database
    let orders: OrderUseCases
    let answers: OrderAnswers
    let alerts: AlertUseCases
    let seals: CustodySeals

    init(
        _ environment: ServiceEnvironment, _ limits: OrderLimits = .usual, _ chain: CustodyChain,
        owners: OrderOwners, names: OrderNames = .random, addresses: OrderAddresses = .none
    ) throws {
        self.environment = environment
        database = try environment.database(
            OrderStore.migrations + OrderCopies.migrations + [KnownAreas.migration]
                + CustodyStore.migrations + RecognitionStore.migrations + DebtStore.migrations
                + AlertStore.migrations + TaskStore.migrations + ShiftStore.migrations)
        let clock = environment.clock
        orders = OrderUseCases(
            database: database, clock: clock, limits: limits, chain: chain, areas: KnownAreas(),
            owners: owners, names: names, addresses: addresses)
        answers = orders.answers
        seals = CustodySeals(database: database, clock: clock, chain: chain)
        alerts = AlertUseCases(database: database, clock: clock)
    }

    /// Deletes data past its retention period.
    func sweep() async throws {
        let now = environment.clock.now
        try await database.sweep { transaction, limit in
            try transaction.alerts.sweep(at: now, limit: limit)
                + transaction.recognitions.sweep(at: now, limit: limit)
        }
    }

    func router(takesHistory: Bool = false) -> Router<Context> {
        let router = environment.router()
        let queries = OrderQueries(
            database: database, clock: environment.clock, photos: PhotoAddresses(environment),
            chain: seals.chain)
        OrderRoutes(orders: orders, queries: queries, alerts: alerts).add(to: router)
        if takesHistory {
            router.on(InternalEndpoints.pastOrder) { try await orders.keep($0.body) }
        }
        return router
    }
}
