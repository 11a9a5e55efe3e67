import Blobs
import Contracts
import Hummingbird
import ServiceKit
import ServiceLifecycle

/// Builds the service. Later parts depend on earlier ones; they stop in reverse order.
func build(_ config: PlatesConfig, _ environment: ServiceEnvironment) async throws -> [any Service]
{
    let plates = try plateUseCases(
        config, environment, blobs: try config.blobs.store(in: environment))
    environment.compare(
        Standings.copies + [engagements.copies(of: .engagements) { $0.state == .open }],
        in: plates.database)
    let bus = try environment.bus(plates.database, reactions: plateReactions(plates))
    return bus + [plates.deletions, environment.server(plateRouter(plates, environment))]
}

/// All endpoints of plates.
func plateRouter(_ plates: PlateUseCases, _ environment: ServiceEnvironment) -> Router<Context> {
    let router = environment.router(largestBody: BodyLimit.photo)
    PlateRoutes(plates: plates).add(to: router)
    return router
}

func plateUseCases(
    _ config: PlatesConfig, _ environment: ServiceEnvironment, blobs: any BlobStore
) throws -> PlateUseCases {
    PlateUseCases(
        database: try environment.database(plateMigrations), blobs: blobs,
        recogniser: AlprRecogniser(config.alpr, client: environment.httpClient),
        addresses: environment.signedAddresses, clock: environment.clock,
        logger: environment.logger,
        owners: environment.engagementOwners)
}
