import Hummingbird
import ServiceKit
import ServiceLifecycle

/// Everything that ratings is made of. Later services need earlier ones; they stop in reverse.
func build(_ config: RatingsConfig, _ house: House) async throws -> [any Service] {
    let ratings = RatingUseCases(
        database: try house.database(ratingMigrations), clock: house.clock)
    let bus = try house.bus(ratings.database, reactions: ratingReactions(ratings))
    return bus + [house.server(ratingRouter(ratings, house))]
}

/// All endpoints of ratings.
func ratingRouter(_ ratings: RatingUseCases, _ house: House) -> Router<Context> {
    let router = house.router()
    RatingRoutes(ratings: ratings).add(to: router)
    return router
}
