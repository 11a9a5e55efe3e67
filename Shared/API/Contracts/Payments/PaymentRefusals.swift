extension Refusal {
    /// The refusals of paying a product's bill.
    static let paying: [Refusal] = [
        .paymentDeclined, .paymentMethodUnknown, .paymentInProgress, .billChanged,
        .paymentTokenUnknown, .cardNumberRefused, .paymentProviderUnavailable, .billPending,
        .amountTooSmall,
    ]

    public static let billUnknown = Refusal(
        404, "payment.bill_unknown", "There is no such bill.",
        when: "There is no such bill, or it is someone else's.")
    public static let billPending = Refusal(
        503, "payment.bill_pending", "We don't know the amount yet. Try again in a moment."
    ).retrying(after: 2)
    public static let paymentUnknown = Refusal(404, "payment.unknown", "There is no such payment.")
    public static let paymentMethodUnknown = Refusal(
        404, "payment.method_unknown", "There is no such payment method.", field: "paymentMethodId",
        when: "There is no such method, or it is someone else's.")
    public static let tooManyPaymentMethods = Refusal(
        422, "payment.too_many_methods",
        "You have reached the limit of payment methods. Remove one first.")
    public static let nothingDue = Refusal(409, "payment.not_due", "Nothing is due.")
    public static let alreadyPaid = Refusal(409, "payment.already_paid", "This bill has been paid.")
    public static let alreadyHeld = Refusal(
        409, "payment.already_held", "The amount of this bill is already held.")
    public static let payoutTooLarge = Refusal(
        422, "payout.too_large", "That amount can't be paid out.", field: "amount",
        when: "The amount is more than the balance, or less than the minimum.")
    public static let payoutTooSoon = Refusal(
        409, "payout.too_soon", "You have already had a payout today.",
        when: "There was already a payout today (UTC).")
    public static let payoutAccountMissing = Refusal(
        409, "payout.account_missing", "Set up your payout account first.",
        when: "The provider needs an account to pay out to.")
    public static let amountTooSmall = Refusal(
        422, "payment.amount_too_small", "A card can't be charged this amount.",
        when: "The amount is less than a card can be charged; `detail` has the least.")
    public static let paymentInProgress = Refusal(
        409, "payment.in_progress", "This bill is just being paid."
    ).retrying(after: 2)
    public static let paymentDeclined = Refusal(
        402, "payment.declined", "The payment was declined.",
        when: "The provider declined; `detail` is its reason.")
    public static let paymentProviderUnavailable = Refusal(
        503, "payment.provider_unavailable", "The payment provider is not answering.",
        when: "The provider is not answering. Nothing is charged twice."
    ).because(
        "Try again. Nothing is charged twice."
    ).retrying(after: 2)
    public static let paymentTokenUnknown = Refusal(
        422, "payment.token_unknown", "The payment provider does not know this token.",
        field: "token")
    public static let cardNumberRefused = Refusal(
        422, "payment.card_number_refused",
        "Send the provider's token, not a card number.", field: "token")
    public static let paymentNotRefundable = Refusal(
        409, "payment.not_refundable", "Only a successful payment can be refunded.")
    public static let refundTooLarge = Refusal(
        422, "payment.refund_too_large", "The amount is more than what is left of the payment.",
        field: "amount")
    public static let refundFailed = Refusal(
        422, "payment.refund_failed", "The payment provider refused the refund.")
    public static let nobodyToTip = Refusal(
        409, "payment.nobody_to_tip", "There is nobody to tip for this.", field: "tip")
    public static let paymentCurrencyMismatch = Refusal(
        422, "payment.currency_mismatch", "The bill is in another currency.", field: "currency"
    )
    public static let billChanged = Refusal(
        409, "payment.bill_changed", "The bill has changed. We are refunding your payment.")
    public static let receiptNotReady = Refusal(
        409, "payment.receipt_not_ready", "The receipt is available after the payment.")
    public static let webhookSignatureInvalid = Refusal(
        400, "payment.webhook_signature", "The signature is missing, wrong or too old.",
        when: "The signature is missing, wrong or more than five minutes old.")
}
