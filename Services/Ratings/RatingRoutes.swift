import Contracts
import Hummingbird
import ServiceKit

/// HTTP to use case.
struct RatingRoutes: Sendable {
    let ratings: RatingUseCases

    func add(to router: Router<Context>) {
        // Clients of the first product name the engagement by its own path.
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

/// `RatingBody` with any number of stars: of a fraction where an integer is due, the JSON decoder
/// would say that the body can't be read, but not which field is wrong.
private struct AnyNumberOfStars: Decodable {
    var stars: Double
    var comment: String?
    var to: PersonID?

    var rating: RatingBody {
        get throws {
            guard let stars = Int(exactly: stars) else {
                throw Refusal.invalid("stars", "A whole number.")
            }
            return RatingBody(stars: stars, comment: comment, to: to)
        }
    }
}
