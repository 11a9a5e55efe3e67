extension Refusal {
    public static let positionInvalid = Refusal(
        422, "location.invalid", "This is not a valid position.",
        when: "A field of a position is out of range, or the client sets `busy`.")
    public static let valetOnJob = Refusal(
        409, "location.on_job", "With a job or an offer you can't go off shift or take a break.",
        when:
            "A valet with a job or an open offer can't go off shift or take a break."
    )
    public static let valetOffShift = Refusal(
        409, "location.off_shift", "You can take a break only during a shift.")
    public static let valetSuspended = Refusal(
        403, "location.suspended", "You are suspended from working as a valet.")
    public static let noRouteNow = Refusal(
        409, "location.no_route", "There is no route to show at the moment.",
        when: """
            Nobody is on the way, they choose their own destination, or their position is unknown or too old.
            """)
    public static let engagementUnknown = Refusal(
        404, "engagement.unknown", "There is nothing with this id, or it belongs to someone else.")

    public static func positionInvalid(_ field: String, _ detail: String) -> Refusal {
        positionInvalid.because(detail).about(field)
    }
}
