extension Refusal {
    public static let drawerUnknown = Refusal(
        404, "drawer.unknown", "There is no such drawer.",
        when: "There is no such drawer, or it is another valet's.")
    public static let drawerAlreadyOpen = Refusal(
        409, "drawer.already_open",
        "This person already has an open drawer. Count and close it first.")
    public static let drawerClosed = Refusal(
        409, "drawer.closed", "This drawer has been counted and closed.")
    public static let drawerRequired = Refusal(
        422, "drawer.required", "Open a drawer first, or choose one.", field: "drawerId",
        when: "Cash needs an open drawer, and the caller has none.")
    public static let drawerTooLittle = Refusal(
        409, "drawer.too_little", "There is less than that in the drawer.")
    public static let givenTooLittle = Refusal(
        422, "payment.given_wrong", "This is not enough, or not what is due.", field: "given",
        when: "Less cash was given than is due, or the terminal took another amount.")
    public static let refundUnknown = Refusal(
        404, "payment.refund_unknown", "There is no such refund to hand out.")

    static let receiving: [Refusal] = [
        .billUnknown, .billPending, .nothingDue, .alreadyPaid, .alreadyHeld, .paymentInProgress,
        .paymentProviderUnavailable, .billChanged, .givenTooLittle, .drawerUnknown,
        .drawerClosed, .drawerRequired,
    ]
}
