extension Refusal {
    public static let documentUnknown = Refusal(
        404, "document.unknown", "There is no such document.",
        when: "There is no such document, or it is someone else's.")
    public static let tooManyDocumentMails = Refusal(
        429, "document.too_many_mails", "Too many documents were sent today. Try again tomorrow.")
    public static let documentAddressMissing = Refusal(
        422, "document.address_missing",
        "Enter an e-mail address, or confirm the one of your account.", field: "email",
        when: "The account has no confirmed e-mail address.")
}
