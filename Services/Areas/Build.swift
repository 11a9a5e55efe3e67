import Hummingbird
import ServiceKit
import ServiceLifecycle

/// Everything that areas is made of. Later services need earlier ones; they stop in reverse.
func build(_ config: AreasConfig, _ house: House) async throws -> [any Service] {
    let areas = AreaUseCases(
        database: try house.database(areaMigrations), clock: house.clock)
    try await areas.seed()
    let bus = try house.bus(areas.database, reactions: areaReactions(areas.database))
    return bus + [house.server(areaRouter(areas, house))]
}

/// All endpoints of areas.
func areaRouter(_ areas: AreaUseCases, _ house: House) -> Router<Context> {
    let router = house.router()
    AreaRoutes(areas: areas).add(to: router)
    return router
}
