extension Refusal {
    public static let nothingToPhotograph = Refusal(
        404, "plates.engagement_unknown", "There is nothing of this id, or it is not yours.")
    public static let photographedTooLate = Refusal(
        409, "plates.order_ended", "This has ended.",
        when: "It ended, more than a day ago or without a vehicle.")
    public static let momentNotPossible = Refusal(
        409, "plates.moment_not_possible",
        "The vehicle is not being handed over, or back, at present.")
    public static let tooManyVehiclePhotos = Refusal(
        409, "plates.too_many_photos", "There are as many photos as there can be.",
        when: "There are 40."
    )
    public static let tooManyRecognitions = Refusal(
        409, "plates.too_many_recognitions", "The vehicle was recognised as often as it can be.",
        when: "The vehicle was recognised as often as it can be, 20 times.")
    public static let recogniserUnavailable = Refusal(
        503, "plates.recogniser_unavailable", "Plates can't be recognised at the moment.",
        when: "The recogniser does not answer."
    ).because("Type the plate and go on.").retrying(after: 10)
    public static let recogniserMisconfigured = Refusal(
        503, "plates.recogniser_misconfigured", "The recogniser does not accept our settings."
    ).because("Type the plate and go on.").retrying(after: 300)
    public static let recogniserNoCredits = Refusal(
        503, "plates.recogniser_no_credits", "The recogniser's credits are used up.",
        when: "Its credits are used up. Nothing is kept then: type the plate and go on."
    ).because("Type the plate and go on.").retrying(after: 300)
}
