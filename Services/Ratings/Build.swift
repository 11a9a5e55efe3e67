import Hummingbird
import ServiceKit
import ServiceLifecycle

/// Builds the service. Later parts depend on earlier ones; they stop in reverse order.
func build(_ config: RatingsConfig, _ environment: ServiceEnvironment) async throws -> [any Service]
{
    let ratings = RatingUseCases(
        database: try environment.database(ratingMigrations), clock: environment.clock,
        owners: environment.engagementOwners)
    environment.compare(
        Standings.copies + [engagements.copies(of: .engagements) { $0.state == .known(.open) }],
        in: ratings.database)
    let bus = try environment.bus(ratings.database, reactions: ratingReactions(ratings))
    return bus + [environment.server(ratingRouter(ratings, environment))]
}

/// All endpoints of ratings.
func ratingRouter(_ ratings: RatingUseCases, _ environment: ServiceEnvironment) -> Router<Context> {
    let router = environment.router()
    RatingRoutes(ratings: ratings).add(to: router)
    return router
}
