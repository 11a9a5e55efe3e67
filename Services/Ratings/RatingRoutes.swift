import Contracts
import Hummingbird
import ServiceKit

/// Maps HTTP requests to use cases.
struct RatingRoutes: Sendable {
    let ratings: RatingUseCases

    func add(to router: Router<Context>) {
        // Clients of the first product use its own path for the engagement.
        for endpoint in [RatingEndpoints.rateEngagement, RatingEndpoints.rate] {
            router.on(endpoint.taking(AnyNumberOfStars.self)) {
                try await ratings.rate($0.id(), by: $0.person, $0.body.rating)
            }
        }
        router.on(RatingEndpoints.givenRatings) {
            Page(items: try await ratings.given(for: $0.id(), by: $0.person.person), next: nil)
        }
        router.on(RatingEndpoints.rating) { try await ratings.summary(of: $0.id()) }
        router.on(RatingEndpoints.comments) { try await ratings.comments(of: $0.id(), $0.page) }
        router.personalData { try await ratings.held(on: $0) }
    }
}

/// `RatingBody` with any number of stars: for a fraction instead of an integer, the JSON decoder
/// would report an unreadable body, but not the wrong field.
private struct AnyNumberOfStars: Decodable {
    var stars: Double
    var comment: String?
    var to: PersonID?

    var rating: RatingBody {
        get throws {
            guard let stars = Int(exactly: stars) else {
                throw Refusal.invalid("stars", "Use a whole number.")
            }
            return RatingBody(stars: stars, comment: comment, to: to)
        }
    }
}
