extension Refusal {
    public static let nothingToPhotograph = Refusal(
        404, "plates.engagement_unknown",
        "There is nothing with this id, or it belongs to someone else.")
    public static let photographedTooLate = Refusal(
        409, "plates.order_ended", "This order has ended.",
        when: "It ended more than a day ago, or without a vehicle.")
    public static let momentNotPossible = Refusal(
        409, "plates.moment_not_possible",
        "The vehicle is not being handed over or returned at the moment.")
    public static let tooManyVehiclePhotos = Refusal(
        409, "plates.too_many_photos", "The limit of photos is reached.",
        when: "The limit is 40."
    )
    public static let tooManyRecognitions = Refusal(
        409, "plates.too_many_recognitions",
        "The limit of recognitions is reached. Type the plate instead.",
        when: "The limit is 20 recognitions.")
    public static let recogniserUnavailable = Refusal(
        503, "plates.recogniser_unavailable", "Plates can't be recognised at the moment.",
        when: "The recogniser is not answering."
    ).because("Type the plate instead.").retrying(after: 10)
    public static let recogniserMisconfigured = Refusal(
        503, "plates.recogniser_misconfigured", "The recogniser does not accept our settings."
    ).because("Type the plate instead.").retrying(after: 300)
    public static let recogniserNoCredits = Refusal(
        503, "plates.recogniser_no_credits", "The recogniser's credits are used up.",
        when: "Its credits are used up. Nothing is stored: type the plate instead."
    ).because("Type the plate instead.").retrying(after: 300)
}
