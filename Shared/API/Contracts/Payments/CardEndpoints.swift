/// The secret with which a client sets up a card for payments in the payer's absence.
public struct PaymentSetup: Codable, Sendable, Hashable {
    /// Secret of the provider's setup (with Stripe, of a SetupIntent), for the provider's card form.
    public var clientSecret: String

    public init(clientSecret: String) { self.clientSecret = clientSecret }
}

/// A person's answer when the built-in provider asks them to confirm a test payment.
public struct TestConfirmation: Codable, Sendable {
    /// The payment's `clientSecret`.
    public var clientSecret: String
    /// Whether the confirmation succeeded.
    public var isConfirmed: Bool

    public init(clientSecret: String, isConfirmed: Bool) {
        (self.clientSecret, self.isConfirmed) = (clientSecret, isConfirmed)
    }
}

/// Setting up, choosing and confirming cards.
public enum CardEndpoints {
    public static let setUpPaymentMethod = Endpoint<Void, PaymentSetup>(
        .post, "/v1/me/payment-methods/setup", id: "setUpPaymentMethod",
        "Begin to save a payment method",
        """
        The client completes the setup with the provider's card form, and then saves the method by its token. A method \
        that was set up can be charged when the payer is not there, for example at the exit of a car park.
        """, by: [.customer], rate: .strict,
        answer: Success("The secret for the provider's form.", status: 201),
        refuses: [.tooManyPaymentMethods, .paymentProviderUnavailable])
    public static let chooseDefault = Endpoint<Void, PaymentMethod>(
        .put, "/v1/me/payment-methods/{id}/default", id: "chooseDefaultPaymentMethod",
        "Choose the default payment method", by: [.customer],
        answer: "The method, which is now listed first.", refuses: [.paymentMethodUnknown])
    public static let confirm = Endpoint<Void, PaymentAnswer>(
        .post, "/v1/bills/{id}/confirm", id: "confirmPayment",
        "Continue a payment that waits for its payer",
        """
        For a payment with `requiresAction`, also one that was begun on another device or in the payer's absence. If \
        the answer is `requiresAction` again, the client lets the payer confirm with the `clientSecret`, and repeats \
        the request. If the payment has ended meanwhile, the answer is its result: paid, or declined.
        """, by: [.customer], answer: "The payment.",
        refuses: [
            .paymentDeclined, .paymentInProgress, .billChanged, .paymentProviderUnavailable,
            .billUnknown, .paymentUnknown.when("Nobody has tried to pay this bill."),
        ])
    public static let testConfirmation = Endpoint<TestConfirmation, Void>(
        .post, "/v1/payment-provider/confirmations", id: "confirmTestPayment",
        "Confirm a test payment",
        "Only with the built-in provider, in place of the confirmation by a bank.", by: .anybody,
        answer: "The confirmation was recorded.", refuses: [.notFound])
    public static let all: [AnyEndpoint] = [
        setUpPaymentMethod.untyped, chooseDefault.untyped, confirm.untyped,
        testConfirmation.untyped,
    ]
}
