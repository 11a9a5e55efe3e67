import Hummingbird
import ServiceKit
import ServiceLifecycle
import Store

/// Everything that orders is made of. Later services depend on earlier ones; they stop in reverse.
func build(_ config: OrdersConfig, _ house: House) async throws -> [any Service] {
    let parts = try OrdersParts(house, config.limits, CustodyChain(key: config.custodyKey))
    let bus = try house.bus(parts.database, reactions: orderReactions(parts.answers))
    let watch = OrderWatch(answers: parts.answers, logger: house.logger)
    let retention = Periodic(
        "retention", every: .seconds(600), of: parts.database, logger: house.logger
    ) {
        try await parts.sweep()
    }
    let seals = Periodic(
        "custody seals", every: .seconds(600), of: parts.database, logger: house.logger
    ) {
        try await parts.seals.seal()
    }
    let backfill = Periodic(
        "older orders", every: .seconds(600), of: parts.database, logger: house.logger
    ) {
        try await parts.database.measureOlderOrders()
    }
    house.addCheck(
        HealthCheck("service-areas") {
            try await parts.database.read { try parts.orders.areas.requireSome(in: $0) }
        })
    return bus + [watch, retention, seals, backfill, house.server(parts.router())]
}

/// The service without its connections to the outside; tests use it as it is.
struct OrdersParts: Sendable {
    let house: House
    let database: Database
    let orders: OrderUseCases
    let answers: OrderAnswers
    let alerts: AlertUseCases
    let seals: CustodySeals

    init(
        _ house: House, _ limits: OrderLimits = .usual, _ chain: CustodyChain,
        names: OrderNames = .random
    ) throws {
        self.house = house
        database = try house.database(
            OrderStore.migrations + OrderCopies.migrations + [areaCopies.migration]
                + OrderCustody.migrations + OrderRecognitions.migrations + OrderDebts.migrations
                + OrderAlerts.migrations + TaskStore.migrations + ShiftStore.migrations)
        let (clock, areas) = (house.clock, KnownAreas())
        orders = OrderUseCases(
            database: database, clock: clock, limits: limits, chain: chain, areas: areas,
            names: names)
        answers = OrderAnswers(
            database: database, clock: clock, limits: limits, chain: chain, areas: areas)
        seals = CustodySeals(database: database, clock: clock, chain: chain)
        alerts = AlertUseCases(database: database, clock: clock)
    }

    /// Removes what has outlived its retention.
    func sweep() async throws {
        let now = house.clock.now
        try await database.sweep { transaction, limit in
            try transaction.sweepAlerts(at: now, limit: limit)
                + transaction.sweepRecognitions(at: now, limit: limit)
        }
    }

    func router() -> Router<Context> {
        let router = house.router()
        let queries = OrderQueries(
            database: database, clock: house.clock, photos: PhotoAddresses(house),
            chain: seals.chain)
        OrderRoutes(orders: orders, queries: queries).add(to: router)
        BillRoutes(database: database).add(to: router)
        DispatchRoutes(orders: orders, queries: queries).add(to: router)
        RecordRoutes(queries: queries, alerts: alerts).add(to: router)
        return router
    }
}
