extension Refusal {
    public static let nothingToRate = Refusal(
        404, "rating.engagement_unknown",
        "There is nothing with this id, or it belongs to someone else.")
    public static let ratedTooEarly = Refusal(
        409, "rating.not_finished", "You can rate this once it has ended.")
    public static let nobodyToRate = Refusal(
        409, "rating.nobody_served", "There is nobody to rate.")
}
