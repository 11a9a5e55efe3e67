import Foundation

/// Stars, and optionally a comment.
public struct RatingBody: Codable, Sendable {
    /// 1 to 5.
    public var stars: Int
    /// At most 1,000 characters.
    public var comment: String?
    /// The person to rate, if there are several; all of them when absent.
    public var to: PersonID?

    public init(stars: Int, comment: String? = nil, to: PersonID? = nil) {
        self.stars = stars
        self.comment = comment
        self.to = to
    }
}

/// A person's rating of another.
public struct Rating: Codable, Sendable, Hashable {
    public var engagement: EngagementID
    public var from: PersonID
    public var to: PersonID
    public var stars: Int
    @Nullable public var comment: String?
    public var updatedAt: Date

    private enum CodingKeys: String, CodingKey {
        // As clients have known it since all engagements were orders.
        case engagement = "order"
        case from, to, stars, comment, updatedAt
    }

    public init(
        engagement: EngagementID, from: PersonID, to: PersonID, stars: Int, comment: String?,
        updatedAt: Date
    ) {
        self.engagement = engagement
        self.from = from
        self.to = to
        self.stars = stars
        self.comment = comment
        self.updatedAt = updatedAt
    }
}

/// A person's average rating. `average` is null while `count` is 0.
public struct RatingSummary: Codable, Sendable, Hashable {
    @Nullable public var average: Double?
    public var count: Int

    public init(average: Double?, count: Int) {
        self.average = average
        self.count = count
    }
}

/// A comment about a person, without its author's name.
public struct RatingComment: Codable, Sendable, Hashable {
    public var stars: Int
    public var comment: String
    public var updatedAt: Date

    public init(stars: Int, comment: String, updatedAt: Date) {
        self.stars = stars
        self.comment = comment
        self.updatedAt = updatedAt
    }
}
