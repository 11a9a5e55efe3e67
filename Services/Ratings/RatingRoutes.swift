import Contracts
import Hummingbird
import ServiceKit

struct RatingRoutes: Sendable {
    let ratings: RatingUseCases

    func add(to router: Router<Context>) {
        router.on(RatingEndpoints.rateEngagement, use: rate)
        router.on(RatingEndpoints.rate, use: rate)
        router.on(RatingEndpoints.rating, use: summary)
        router.on(RatingEndpoints.comments, use: comments)
        router.personalData { try await ratings.held(on: $0) }
    }

    @Sendable func rate(_ request: Request, _ context: Context) async throws -> Reply {
        let person = try context.person()
        let id = try context.id("id", as: EngagementID.self)
        let body = try await context.body(AnyNumberOfStars.self, of: request).body
        return try Reply(.ok, try await ratings.rate(id, by: person, body))
    }

    @Sendable func summary(_ request: Request, _ context: Context) async throws -> Reply {
        return try Reply(.ok, try await ratings.summary(of: context.id("id")))
    }

    @Sendable func comments(_ request: Request, _ context: Context) async throws -> Reply {
        return try Reply(.ok, try await ratings.comments(of: context.id("id"), request.page()))
    }
}

/// `RatingBody` with any number of stars: of a fraction where an integer is due, the JSON decoder
/// would say that the body can't be read, but not which field is wrong.
private struct AnyNumberOfStars: Decodable {
    var stars: Double
    var comment: String?

    var body: RatingBody {
        get throws {
            guard let stars = Int(exactly: stars) else {
                throw InvalidRequest("stars", "A whole number.")
            }
            return RatingBody(stars: stars, comment: comment)
        }
    }
}
