extension ServiceManifest {
    public static let ratings = ServiceManifest(
        "ratings", [.tokenKeys, .database, .personalData, .asksEngagements],
        endpoints: RatingEndpoints.all, events: [RatingGiven.self],
        hears: [AccountChanged.self, AccountDeleted.self, EngagementChanged.self],
        copies: [.people, .engagements])
}

/// Stars and comments.
public enum RatingEndpoints {
    public static let rate = Endpoint<RatingBody, Rating>(
        .put, "/v1/orders/{id}/rating", id: "rate", "Rate the other party",
        by: [.customer, .valet], answer: "The rating; a repeat changes it.",
        refuses: [.nothingToRate, .ratedTooEarly, .nobodyToRate])
    public static let rateEngagement = Endpoint<RatingBody, Rating>(
        .put, "/v1/engagements/{id}/rating", id: "rateEngagement",
        "Rate the other party of an order or of another product's engagement",
        by: [.customer, .valet], answer: "The rating; a repeat changes it.",
        refuses: [.nothingToRate, .ratedTooEarly, .nobodyToRate])
    public static let givenRatings = Endpoint<Void, Page<Rating>>(
        .get, "/v1/engagements/{id}/rating", id: "givenRatings",
        "My ratings of the other party of an order or of another product's engagement",
        by: [.customer, .valet], answer: "One rating for each rated person.")
    public static let rating = Endpoint<Void, RatingSummary>(
        .get, "/v1/users/{id}/rating", id: "rating", "Average stars", answer: "Average and count.")
    public static let comments = Endpoint<PageQuery, Page<RatingComment>>(
        .get, "/v1/users/{id}/comments", id: "comments", "Comments about a person",
        answer: "Newest first.")
    public static let all: [AnyEndpoint] = [
        rate.untyped, rateEngagement.untyped, givenRatings.untyped, rating.untyped,
        comments.untyped,
    ]
}
