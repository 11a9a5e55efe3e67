import Hummingbird
import ServiceKit
import ServiceLifecycle

/// Everything that plates is made of. Later services need earlier ones; they stop in reverse.
func build(_ config: PlatesConfig, _ house: House) async throws -> [any Service] {
    let database = try house.database([])
    let bus = try house.bus(database, reactions: nil)
    return bus + [house.server(house.router())]
}
