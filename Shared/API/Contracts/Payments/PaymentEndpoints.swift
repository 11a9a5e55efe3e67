extension ServiceManifest {
    public static let payments = ServiceManifest(
        "payments", [.tokenKeys, .database, .personalData, .asksBills],
        endpoints: PaymentEndpoints.all,
        events: [
            PaymentSucceeded.self, PaymentDeclined.self, PaymentRefunded.self, PaymentHeld.self,
            PaymentReleased.self, TipGiven.self,
        ], hears: [AccountChanged.self, AccountDeleted.self, BillChanged.self])
}

/// Methods, bills, charges, refunds, payouts and the books.
public enum PaymentEndpoints {
    public static let paymentMethods = Endpoint<PageQuery, Page<PaymentMethod>>(
        .get, "/v1/me/payment-methods", id: "paymentMethods", "My payment methods", by: [.customer],
        answer: "Saved methods.")
    public static let savePaymentMethod = Endpoint<PaymentTokenBody, PaymentMethod>(
        .post, "/v1/me/payment-methods", id: "savePaymentMethod", "Save a payment method",
        by: [.customer], with: [.idempotencyKey], answer: Success("The method.", status: 201),
        refuses: [
            .paymentDeclined,
            .paymentTokenUnknown, .cardNumberRefused,
            .tooManyPaymentMethods,
            .paymentProviderUnavailable,
        ])
    public static let deletePaymentMethod = Endpoint<Void, Void>(
        .delete, "/v1/me/payment-methods/{id}", id: "deletePaymentMethod",
        "Forget a payment method", by: [.customer], answer: "It is gone.",
        refuses: [.paymentMethodUnknown])
    public static let pay = Endpoint<InCurrency<PayBody>, PaymentAnswer>(
        .post, "/v1/orders/{id}/pay", id: "pay", "Pay", by: [.customer], with: [.idempotencyKey],
        answer: "The payment; with `requiresAction` the client has a further step to take.",
        refuses: Refusal.paying + [
            .billUnknown, .nothingDue, .alreadyPaid, .alreadyHeld, .nobodyToTip,
            .paymentCurrencyMismatch,
        ])
    public static let receipt = Endpoint<LanguageQuery, Receipt>(
        .get, "/v1/orders/{id}/receipt", id: "receipt", "Receipt",
        """
        As data, or with `Accept: text/html` as a page to show and print, in the customer's language unless \
        another is named.
        """, by: [.customer, .operator],
        answer: Success("What the order cost and how it was paid.", as: [.json, .html]),
        refuses: [.billUnknown, .receiptNotReady])
    public static let bill = Endpoint<Void, BillView>(
        .get, "/v1/bills/{id}", id: "bill", "Bill",
        "What is owed for one thing of a product. Its payer's own; an operator's any.",
        by: [.customer, .operator], answer: "The bill.",
        refuses: [
            .billUnknown
        ])
    public static let payBill = Endpoint<InCurrency<PayBody>, PaymentAnswer>(
        .post, "/v1/bills/{id}/pay", id: "payBill", "Pay a bill", by: [.customer],
        with: [.idempotencyKey],
        answer: "The payment; with `requiresAction` the client has a further step to take.",
        refuses: Refusal.paying + [
            .billUnknown, .nothingDue, .alreadyPaid, .alreadyHeld, .nobodyToTip,
            .paymentCurrencyMismatch,
        ])
    public static let billReceipt = Endpoint<LanguageQuery, BillReceipt>(
        .get, "/v1/bills/{id}/receipt", id: "billReceipt", "Receipt of a bill",
        """
        As data, or with `Accept: text/html` as a page to show and print, in the payer's language unless \
        another is named.
        """, by: [.customer, .operator],
        answer: Success("What it cost and how it was paid.", as: [.json, .html]),
        refuses: [
            .billUnknown,
            .receiptNotReady,
        ])
    public static let payments = Endpoint<PaymentsQuery, Page<PaymentEntry>>(
        .get, "/v1/payments", id: "payments", "Payments and refunds", by: [.customer, .operator],
        answer: "Own ones; an operator's all.")
    public static let balance = Endpoint<BalanceQuery, PayeeBalance>(
        .get, "/v1/me/balance", id: "balance", "What the house owes me",
        """
        My part of paid bills, and tips. Of the named currency, or of the one in which most is available; \
        `currencies` has all.
        """, by: [.customer, .valet],
        answer: "The balance.")
    public static let payouts = Endpoint<PageQuery, Page<Payout>>(
        .get, "/v1/me/payouts", id: "payouts", "My payouts", by: [.customer, .valet],
        answer: "Newest first.")
    public static let payOut = Endpoint<PayoutBody, Payout>(
        .post, "/v1/me/payouts", id: "payOut", "Ask for a payout",
        "At least 1000 minor units, once a day (UTC); one that failed does not count.",
        by: [.customer, .valet], with: [.idempotencyKey],
        answer: Success(
            "The payout; while it is `processing` the provider is asked again by itself.",
            status: 201),
        refuses: [
            .payoutTooSoon,
            .payoutAccountMissing,
            .payoutTooLarge,
        ])
    public static let savePayoutAccount = Endpoint<PayoutAccountBody, Void>(
        .post, "/v1/me/payout-account", id: "savePayoutAccount", "Say where payouts go",
        """
        The payment provider's own name of the account: with Stripe a connected account, as in \
        `acct_1032D82eZvKYlo2C`.
        """, by: [.customer, .valet], with: [.idempotencyKey],
        answer: "Payouts go there from now on.")
    public static let earnings = Endpoint<SpanQuery, Earnings>(
        .get, "/v1/me/earnings", id: "earnings", "A valet's own tips",
        """
        The week before now, unless a span of 31 days at most is named. A refund to the customer leaves a \
        tip as it is.
        """, by: [.valet], answer: "Tips, newest first, and their sums.")
    public static let paymentProvider = Endpoint<Void, PaymentProviderInfo>(
        .get, "/v1/payment-provider", id: "paymentProvider", "Who moves the money", by: .anybody,
        answer: "The provider, and its test cards where no money is moved.")
    public static let stripeWebhook = Endpoint<JSONValue, Void>(
        .post, "/v1/webhooks/stripe", id: "stripeWebhook", "An event of Stripe's",
        """
        For Stripe alone: the body has to be signed. What it says is asked for again before anything \
        changes. Types that mean nothing here are taken and ignored.
        """, by: .anybody, rate: .webhooks, bodyLimit: BodyLimit.webhook,
        with: [
            RequestHeader(
                "Stripe-Signature", isRequired: true,
                "Time and HMAC-SHA256: `t=…,v1=…`.")
        ], answer: "It was heard.",
        refuses: [
            .malformed,
            .webhookSignatureInvalid,
            .notFound,
            .paymentInProgress.when(
                "It is not known yet what became of the payment: send the event again."),
            .paymentProviderUnavailable,
        ])
    public static let trialBalance = Endpoint<Void, TrialBalance>(
        .get, "/v1/admin/ledger/trial-balance", id: "trialBalance",
        "What each account of the ledger holds", by: [.operator],
        answer: "Debits minus credits; the sum is zero in each currency.")
    public static let ledgerEntries = Endpoint<LedgerQuery, Page<LedgerRecord>>(
        .get, "/v1/admin/ledger/entries", id: "ledgerEntries", "Entries of the ledger",
        by: [.operator],
        answer: "Newest first.")
    public static let reconcile = Endpoint<ReconciliationBody, Reconciliation>(
        .post, "/v1/admin/reconciliations", id: "reconcile",
        "Hold a day against the payment provider's list", by: [.operator], with: [.idempotencyKey],
        answer: Success("Every difference of that day; none is as it should be.", status: 201),
        refuses: [.paymentProviderUnavailable])
    public static let reconciliations = Endpoint<PageQuery, Page<Reconciliation>>(
        .get, "/v1/admin/reconciliations", id: "reconciliations",
        "Days that were held against the payment provider's list", by: [.operator],
        answer: "Newest first; each day is made once by itself, too.")
    private static let refundFollows =
        "The refund will be made; repeat the request only with the same `Idempotency-Key`."
    public static let refund = Endpoint<InCurrency<RefundBody>, Refund>(
        .post, "/v1/admin/payments/{id}/refunds", id: "refund", "Give money back", by: [.operator],
        with: [.idempotencyKey], answer: Success("The refund.", status: 201),
        refuses: [
            .paymentUnknown,
            .paymentNotRefundable,
            .paymentInProgress.when("The provider is not done yet. \(refundFollows)"),
            .refundTooLarge,
            .refundFailed,
            .paymentCurrencyMismatch,
            .paymentProviderUnavailable.when("The provider does not answer. \(refundFollows)"),
        ])
    public static let revenueStatistics = Endpoint<SpanQuery, RevenueStatistics>(
        .get, "/v1/admin/statistics/revenue", id: "revenueStatistics", "What was earned",
        """
        What the ledger says that was paid and given back in a span of 31 days at most, the day before now \
        unless it is named.
        """, by: [.operator], answer: "Sums of each currency.")
    public static let all: [AnyEndpoint] = [
        paymentMethods.untyped, savePaymentMethod.untyped, deletePaymentMethod.untyped, pay.untyped,
        receipt.untyped, bill.untyped, payBill.untyped, billReceipt.untyped, payments.untyped,
        balance.untyped, payouts.untyped, payOut.untyped, savePayoutAccount.untyped,
        earnings.untyped, paymentProvider.untyped, stripeWebhook.untyped, trialBalance.untyped,
        ledgerEntries.untyped, reconcile.untyped, reconciliations.untyped, refund.untyped,
        revenueStatistics.untyped,
    ]
}
