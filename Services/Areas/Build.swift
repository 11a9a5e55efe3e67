import Hummingbird
import ServiceKit
import ServiceLifecycle

/// Builds the service. Later services need earlier ones; they stop in reverse.
func build(_ config: AreasConfig, _ environment: ServiceEnvironment) async throws -> [any Service] {
    let areas = AreaUseCases(
        database: try environment.database(areaMigrations), clock: environment.clock)
    try await areas.seed()
    environment.tell(.areas, from: areas.database) { transaction, after, limit in
        try transaction.areas.all(after: after, limit: limit).map { .init($0.id, $0.changed) }
    }
    environment.compare(Standings.copies, in: areas.database)
    let bus = try environment.bus(areas.database, reactions: areaReactions(areas.database))
    return bus + [environment.server(areaRouter(areas, environment))]
}

/// The router with all endpoints of areas.
func areaRouter(_ areas: AreaUseCases, _ environment: ServiceEnvironment) -> Router<Context> {
    let router = environment.router()
    AreaRoutes(areas: areas).add(to: router)
    return router
}
