extension Refusal {
    public static let nothingToRate = Refusal(
        404, "rating.engagement_unknown", "There is nothing of this id, or it is not yours.")
    public static let ratedTooEarly = Refusal(
        409, "rating.not_finished", "This can be rated once it has ended.")
    public static let nobodyToRate = Refusal(
        409, "rating.nobody_served", "There is nobody to rate.")
}
