import Foundation

extension Topic {
    public static let ratings: Topic = "ratings"
}

/// One party rated the other, or changed their rating.
public struct RatingGiven: ProductEvent {
    public static let type = "ratings.rating-given.v1"
    public static let topic = Topic.ratings
    public var engagement: EngagementID
    /// The product of the engagement, for example `valet`.
    public var product: Product
    public var from: PersonID
    public var to: PersonID
    public var stars: Int
    /// Summary of the rated person, including this rating.
    public var summary: RatingSummary
    /// Grows by one with each change of the rated person's summary.
    public var version: Int
    public var key: String { to.description }

    public init(
        engagement: EngagementID, product: Product, from: PersonID, to: PersonID, stars: Int,
        summary: RatingSummary, version: Int
    ) {
        self.engagement = engagement
        self.product = product
        self.from = from
        self.to = to
        self.stars = stars
        self.summary = summary
        self.version = version
    }
}
