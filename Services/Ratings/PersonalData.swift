import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// All that ratings hold on a person, for their export.
struct HeldRatings: Encodable, Sendable {
    /// Ratings of each direction that are given.
    static let most = 5_000

    let summary: RatingSummary
    /// What they said of others.
    let given: [Rating]
    /// What others said of them, without who.
    let received: [Received]

    struct Received: Encodable, Sendable {
        let engagement: EngagementID
        let stars: Int
        let comment: String?
        let updatedAt: Date

        init(_ rating: Rating) {
            engagement = rating.engagement
            stars = rating.stars
            comment = rating.comment
            updatedAt = rating.updatedAt
        }
    }
}

extension RatingUseCases {
    func held(on person: PersonID) async throws -> HeldRatings {
        try await database.read { transaction in
            HeldRatings(
                summary: try transaction.ratings.summary(of: person).body,
                given: try transaction.ratings.all(.rater, person, most: HeldRatings.most)
                    .map(\.body),
                received: try transaction.ratings.all(.rated, person, most: HeldRatings.most)
                    .map { HeldRatings.Received($0.body) })
        }
    }

    /// Forgets every word that somebody wrote, or that was written about them. Stars stay, and so
    /// does every average: they are others' too.
    func forget(_ event: AccountDeleted, _ delivery: Delivery) async throws {
        try await database.apply(delivery) { transaction in
            try transaction.keepStanding(event)
            try transaction.ratings.dropComments(of: event.account)
        }
    }
}
