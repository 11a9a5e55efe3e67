extension Refusal {
    public static let positionInvalid = Refusal(
        422, "location.invalid", "This can't be a position.",
        when: "A field of a position is out of range, or `busy` is set by hand.")
    public static let valetOnJob = Refusal(
        409, "location.on_job", "A valet with a job can't go off shift or on a break.",
        when:
            "A valet with a job, or one who is asked to take one, can't go off shift or on a break."
    )
    public static let valetOffShift = Refusal(
        409, "location.off_shift", "A break can't begin off shift.")
    public static let valetSuspended = Refusal(
        403, "location.suspended", "This valet may not work at present.")
    public static let noRouteNow = Refusal(
        409, "location.no_route", "There is no way to show at present.",
        when: """
            Nobody is on the way, they choose where to, or their position is not known yet or too old.
            """)
    public static let engagementUnknown = Refusal(
        404, "engagement.unknown", "There is nothing of this id, or it is not yours.")

    public static func positionInvalid(_ field: String, _ detail: String) -> Refusal {
        positionInvalid.because(detail).about(field)
    }
}
