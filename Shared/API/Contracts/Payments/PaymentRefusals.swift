extension Refusal {
    /// What comes of paying a product's bill, in payments' own words.
    static let paying: [Refusal] = [
        .paymentDeclined, .paymentMethodUnknown, .paymentInProgress, .billChanged,
        .paymentTokenUnknown, .cardNumberRefused, .paymentProviderUnavailable, .billPending,
    ]

    public static let billUnknown = Refusal(
        404, "payment.bill_unknown", "There is no such bill.",
        when: "There is no such bill, or it is not yours.")
    public static let billPending = Refusal(
        503, "payment.bill_pending", "It is not known yet what is due."
    ).retrying(after: 2)
    public static let paymentUnknown = Refusal(404, "payment.unknown", "There is no such payment.")
    public static let paymentMethodUnknown = Refusal(
        404, "payment.method_unknown", "There is no such payment method.", field: "paymentMethodId",
        when: "There is no such method, or it is not yours.")
    public static let tooManyPaymentMethods = Refusal(
        422, "payment.too_many_methods", "There are too many payment methods already.")
    public static let nothingDue = Refusal(409, "payment.not_due", "Nothing is due.")
    public static let alreadyPaid = Refusal(409, "payment.already_paid", "This bill has been paid.")
    public static let alreadyHeld = Refusal(
        409, "payment.already_held", "The amount of this bill is set aside already.")
    public static let payoutTooLarge = Refusal(
        422, "payout.too_large", "That is more, or less, than can be paid out.", field: "amount",
        when: "That is not available, or less than is paid out.")
    public static let payoutTooSoon = Refusal(
        409, "payout.too_soon", "There is a payout today already.",
        when: "There is a payout today (UTC) already.")
    public static let payoutAccountMissing = Refusal(
        409, "payout.account_missing", "There is no account to pay out to.",
        when: "The provider needs an account to pay out to.")
    public static let paymentInProgress = Refusal(
        409, "payment.in_progress", "A payment of this bill is under way."
    ).retrying(after: 2)
    public static let paymentDeclined = Refusal(
        402, "payment.declined", "The payment was declined.",
        when: "The provider declined; `detail` has its reason.")
    public static let paymentProviderUnavailable = Refusal(
        503, "payment.provider_unavailable", "The payment provider does not answer.",
        when: "The provider does not answer; nothing is charged twice."
    ).because(
        "nothing will be charged twice; try again"
    ).retrying(after: 2)
    public static let paymentTokenUnknown = Refusal(
        422, "payment.token_unknown", "The payment provider does not know this token.",
        field: "token")
    public static let cardNumberRefused = Refusal(
        422, "payment.card_number_refused",
        "Card numbers are not accepted here, only the provider's tokens.", field: "token")
    public static let paymentNotRefundable = Refusal(
        409, "payment.not_refundable", "Only a payment that succeeded can be refunded.")
    public static let refundTooLarge = Refusal(
        422, "payment.refund_too_large", "That is more than is left of the payment.",
        field: "amount")
    public static let refundFailed = Refusal(
        422, "payment.refund_failed", "The payment provider refused the refund.")
    public static let nobodyToTip = Refusal(
        409, "payment.nobody_to_tip", "Nobody can be tipped for this.", field: "tip")
    public static let paymentCurrencyMismatch = Refusal(
        422, "payment.currency_mismatch", "That is not the currency of the bill.", field: "currency"
    )
    public static let billChanged = Refusal(
        409, "payment.bill_changed", "The bill has changed meanwhile; what was paid is given back.")
    public static let receiptNotReady = Refusal(
        409, "payment.receipt_not_ready", "There is no receipt before the payment.")
    public static let webhookSignatureInvalid = Refusal(
        400, "payment.webhook_signature", "The signature is missing, wrong or too old.",
        when: "The signature is missing, wrong or more than five minutes old.")
}
