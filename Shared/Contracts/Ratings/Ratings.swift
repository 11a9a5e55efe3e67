import Foundation

public struct RatingBody: Codable, Sendable {
    /// 1…5.
    public var stars: Int
    /// At most 1,000 characters.
    public var comment: String?
    /// Whom, where there are several; all of them when absent.
    public var to: PersonID?

    public init(stars: Int, comment: String? = nil, to: PersonID? = nil) {
        self.stars = stars
        self.comment = comment
        self.to = to
    }
}

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

/// Answer of `GET /v1/users/{id}/rating`; `average` is null while `count` is 0.
public struct RatingSummary: Codable, Sendable, Hashable {
    @Nullable public var average: Double?
    public var count: Int

    public init(average: Double?, count: Int) {
        self.average = average
        self.count = count
    }
}

/// A line of `GET /v1/users/{id}/comments`.
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
