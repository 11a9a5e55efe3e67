import Contracts
import EventBus
import Foundation
import Hummingbird
import ServiceKit
import ServiceLifecycle

/// Everything that car parks are made of. Later services need earlier ones; they stop in reverse.
func build(
    _ config: CarParksConfig, _ environment: ServiceEnvironment
) async throws -> [any Service] {
    let parts = try CarParkParts(
        environment, config.limits,
        payments: environment.peer(
            config.paymentsURL, audience: ServiceManifest.payments.name,
            within: BookingUseCases.paymentTime),
        vehicles: Owners([
            environment.peer(config.accountsURL, audience: ServiceManifest.accounts.name)
        ]))
    let bus = try environment.bus(
        parts.bookings.database, reactions: carParkReactions(parts.bookings))
    let retention = Periodic(
        "retention", every: .seconds(600), of: parts.bookings.database, logger: environment.logger
    ) {
        try await parts.gates.sweep()
    }
    return bus + [
        BookingWork.queue(parts.bookings, environment), retention,
        environment.server(parts.router()),
    ]
}

/// The service without its connections to the bus; tests use it as it is.
struct CarParkParts: Sendable {
    let environment: ServiceEnvironment
    let carParks: CarParkUseCases
    let bookings: BookingUseCases
    let gates: GateUseCases

    init(
        _ environment: ServiceEnvironment, _ limits: BookingLimits = BookingLimits(),
        payments: Peer, vehicles: Owners
    ) throws {
        self.environment = environment
        let clock = environment.clock
        let database = try environment.database(
            [Standings.migration, KnownVehicles.migration] + WorkQueue.migrations + [
                CarParkStore.migration, Inventory.migration, BookingStore.migration,
                GateStore.migration,
            ])
        carParks = CarParkUseCases(database: database, clock: clock)
        bookings = BookingUseCases(
            database: database, clock: clock, limits: limits, payments: payments,
            vehicles: vehicles)
        gates = GateUseCases(database: database, clock: clock, bookings: bookings)
    }

    /// All endpoints of car parks.
    func router() -> Router<Context> {
        let router = environment.router()
        CarParkRoutes(carParks: carParks, bookings: bookings, gates: gates).add(to: router)
        return router
    }
}
