extension ServiceManifest {
    public static let ratings = ServiceManifest(
        "ratings", [.tokenKeys, .database, .personalData, .asksEngagements],
        endpoints: RatingEndpoints.all, events: [RatingGiven.self],
        hears: [AccountChanged.self, AccountDeleted.self, EngagementChanged.self])
}

/// Stars and comments.
public enum RatingEndpoints {
    public static let rate = Endpoint<RatingBody, Rating>(
        .put, "/v1/orders/{id}/rating", id: "rate", "Rate the other party",
        by: [.customer, .valet], answer: "The rating; it may be changed.",
        refuses: [.nothingToRate, .ratedTooEarly, .nobodyToRate])
    public static let rateEngagement = Endpoint<RatingBody, Rating>(
        .put, "/v1/engagements/{id}/rating", id: "rateEngagement",
        "Rate the other party of an order, or of what another product calls by its id",
        by: [.customer, .valet], answer: "The rating; it may be changed.",
        refuses: [.nothingToRate, .ratedTooEarly, .nobodyToRate])
    public static let givenRatings = Endpoint<Void, Page<Rating>>(
        .get, "/v1/engagements/{id}/rating", id: "givenRatings",
        "What I said of the other side of an order, or of what another product calls by its id",
        by: [.customer, .valet], answer: "One for each who was rated; none where nobody was.")
    public static let rating = Endpoint<Void, RatingSummary>(
        .get, "/v1/users/{id}/rating", id: "rating", "Average stars", answer: "Average and count.")
    public static let comments = Endpoint<PageQuery, Page<RatingComment>>(
        .get, "/v1/users/{id}/comments", id: "comments", "What was said",
        answer: "Newest first.")
    public static let all: [AnyEndpoint] = [
        rate.untyped, rateEngagement.untyped, givenRatings.untyped, rating.untyped,
        comments.untyped,
    ]
}
