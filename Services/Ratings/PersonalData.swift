import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// All data that ratings holds about a person, for their export.
struct HeldRatings: Encodable, Sendable {
    /// The most ratings of each direction in an export.
    static let most = 5_000

    let summary: RatingSummary
    /// Ratings that the person gave.
    let given: [Rating]
    /// Ratings that the person received, without their authors.
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

    /// Deletes all comments by and about the person. Stars and averages stay, because they are also other people's.
    func forget(_ event: AccountDeleted, _ delivery: Delivery) async throws {
        try await database.apply(delivery) { transaction in
            try transaction.keepStanding(event)
            try transaction.ratings.dropComments(of: event.account)
        }
    }
}
