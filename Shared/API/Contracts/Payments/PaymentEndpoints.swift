extension ServiceManifest {
    public static let payments = ServiceManifest(
        "payments", [.tokenKeys, .database, .personalData, .asksBills],
        endpoints: PaymentEndpoints.all + DisputeEndpoints.all + CardEndpoints.all
            + PayoutEndpoints.all + CashEndpoints.all + CompanyEndpoints.all
            + DocumentEndpoints.all + ReceiptSettingsEndpoints.all + BookEndpoints.all,
        events: [
            PaymentSucceeded.self, PaymentDeclined.self, PaymentRefunded.self, PaymentHeld.self,
            PaymentReleased.self, PaymentActionRequired.self, TipGiven.self, RefundFailed.self,
            PaymentDisputed.self, ProviderAlerted.self, PayoutChanged.self,
            PayoutAccountChanged.self, MailRequested.self,
        ],
        hears: [
            AccountChanged.self, AccountDeleted.self, BillChanged.self, BillNoticeIssued.self,
        ], copies: [.people, .bills])
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
        "Remove a payment method", by: [.customer], answer: "The method is removed.",
        refuses: [.paymentMethodUnknown])
    public static let pay = Endpoint<InCurrency<PayBody>, PaymentAnswer>(
        .post, "/v1/orders/{id}/pay", id: "pay", "Pay for an order", by: [.customer],
        with: [.idempotencyKey],
        answer: "The payment; with `requiresAction` the client must take a further step.",
        refuses: Refusal.paying + [
            .billUnknown, .nothingDue, .alreadyPaid, .alreadyHeld, .nobodyToTip,
            .paymentCurrencyMismatch,
        ])
    public static let receipt = Endpoint<LanguageQuery, Receipt>(
        .get, "/v1/orders/{id}/receipt", id: "receipt", "The receipt of an order",
        """
        As data, or with `Accept: text/html` as a page to show and print, in the customer's language by default.
        """, by: [.customer, .operator],
        answer: Success("The price of the order and how it was paid.", as: [.json, .html]),
        refuses: [.billUnknown, .receiptNotReady])
    public static let bill = Endpoint<Void, BillView>(
        .get, "/v1/bills/{id}", id: "bill", "A bill",
        "The bill for an item of a product. Customers see their own bills, operators all.",
        by: [.customer, .operator], answer: "The bill.",
        refuses: [
            .billUnknown
        ])
    public static let payBill = Endpoint<InCurrency<PayBody>, PaymentAnswer>(
        .post, "/v1/bills/{id}/pay", id: "payBill", "Pay a bill", by: [.customer],
        with: [.idempotencyKey],
        answer: "The payment; with `requiresAction` the client must take a further step.",
        refuses: Refusal.paying + [
            .billUnknown, .nothingDue, .alreadyPaid, .alreadyHeld, .nobodyToTip,
            .paymentCurrencyMismatch,
        ])
    public static let billReceipt = Endpoint<LanguageQuery, BillReceipt>(
        .get, "/v1/bills/{id}/receipt", id: "billReceipt", "The receipt of a bill",
        """
        As data, or with `Accept: text/html` as a page to show and print, in the payer's language by default.
        """, by: [.customer, .operator],
        answer: Success("The price and how it was paid.", as: [.json, .html]),
        refuses: [
            .billUnknown,
            .receiptNotReady,
        ])
    public static let payments = Endpoint<PaymentsQuery, Page<PaymentEntry>>(
        .get, "/v1/payments", id: "payments", "Payments and refunds", by: [.customer, .operator],
        answer: "A customer's own; for operators, all.")
    public static let balance = Endpoint<BalanceQuery, PayeeBalance>(
        .get, "/v1/me/balance", id: "balance", "My balance",
        """
        My share of paid bills, and my tips, in the given currency or the one with the most available; \
        `currencies` has all. An empty balance has the currency of my latest bill, my payout account's country or \
        the platform.
        """, by: [.customer, .valet],
        answer: "The balance.")
    public static let payouts = Endpoint<PageQuery, Page<Payout>>(
        .get, "/v1/me/payouts", id: "payouts", "My payouts", by: [.customer, .valet],
        answer: "Newest first.")
    public static let payOut = Endpoint<PayoutBody, Payout>(
        .post, "/v1/me/payouts", id: "payOut", "Request a payout",
        "At least the minimum of the currency, once a day (UTC); a failed payout does not count.",
        by: [.customer, .valet], with: [.idempotencyKey],
        answer: Success(
            "The payout; while it is `processing`, the server keeps asking the provider.",
            status: 201),
        refuses: [
            .payoutTooSoon,
            .payoutAccountMissing,
            .payoutAccountRestricted,
            .payoutTooLarge,
        ])
    public static let savePayoutAccount = Endpoint<PayoutAccountBody, Void>(
        .post, "/v1/me/payout-account", id: "savePayoutAccount", "Set my payout account",
        """
        The payment provider's name of the account: with Stripe a connected account, for example \
        `acct_1032D82eZvKYlo2C`.
        """, by: [.customer, .valet], with: [.idempotencyKey],
        answer: "Payouts now go there.")
    public static let earnings = Endpoint<SpanQuery, Earnings>(
        .get, "/v1/me/earnings", id: "earnings", "My tips as a valet",
        """
        Covers the last week, or a given span of up to 31 days. A refund to the customer does not change the tip.
        """, by: [.valet], answer: "Tips, newest first, and their sums.")
    public static let paymentProvider = Endpoint<Void, PaymentProviderInfo>(
        .get, "/v1/payment-provider", id: "paymentProvider", "The payment provider", by: .anybody,
        answer: "The provider, and its test cards if no real money is charged.")
    public static let stripeWebhook = Endpoint<JSONValue, Void>(
        .post, "/v1/webhooks/stripe", id: "stripeWebhook", "Receive an event from Stripe",
        """
        For Stripe only: the body must be signed. The server reads the object from Stripe again before it changes \
        anything, and ignores other types of events. Subscribe to `payment_intent.succeeded`, \
        `payment_intent.payment_failed`, `payment_intent.canceled`, `payment_intent.amount_capturable_updated`, \
        `refund.created`, `refund.updated`, `refund.failed`, `charge.refunded`, `charge.refund.updated`, \
        `charge.dispute.created`, `charge.dispute.updated`, `charge.dispute.funds_withdrawn`, \
        `charge.dispute.funds_reinstated`, `charge.dispute.closed`, `transfer.reversed`, `payout.failed`, \
        `payment_method.updated`, `payment_method.automatically_updated` and `payment_method.detached`. An endpoint \
        for connected accounts subscribes to `account.updated`, `account.application.deauthorized`, \
        `account.external_account.*`, `capability.updated` and `payout.failed`.
        """, by: .anybody, rate: .webhooks, bodyLimit: BodyLimit.webhook,
        with: [
            RequestHeader(
                "Stripe-Signature", isRequired: true,
                "Time and HMAC-SHA256: `t=…,v1=…`.")
        ], answer: "The event was received.",
        refuses: [
            .malformed,
            .webhookSignatureInvalid,
            .notFound,
            .paymentInProgress.when(
                "The outcome of the payment is not known yet. Send the event again."),
            .paymentProviderUnavailable,
        ])
    public static let trialBalance = Endpoint<Void, TrialBalance>(
        .get, "/v1/admin/ledger/trial-balance", id: "trialBalance",
        "The balance of each ledger account", by: [.operator],
        answer: "Debits minus credits; the sum is zero in each currency.")
    public static let ledgerEntries = Endpoint<LedgerQuery, Page<LedgerRecord>>(
        .get, "/v1/admin/ledger/entries", id: "ledgerEntries", "Entries of the ledger",
        by: [.operator],
        answer: "Newest first.")
    public static let reconcile = Endpoint<ReconciliationBody, Reconciliation>(
        .post, "/v1/admin/reconciliations", id: "reconcile",
        "Reconcile a day with the payment provider's statement", by: [.operator],
        with: [.idempotencyKey],
        answer: Success("The differences of that day; there should be none.", status: 201),
        refuses: [.paymentProviderUnavailable])
    public static let reconciliations = Endpoint<PageQuery, Page<Reconciliation>>(
        .get, "/v1/admin/reconciliations", id: "reconciliations",
        "Days reconciled with the payment provider's statement", by: [.operator],
        answer: "Newest first; the server also reconciles each day automatically.")
    private static let refundFollows =
        "The refund is pending. Repeat the request only with the same `Idempotency-Key`."
    public static let refund = Endpoint<InCurrency<RefundBody>, Refund>(
        .post, "/v1/admin/payments/{id}/refunds", id: "refund", "Refund a payment", by: [.operator],
        with: [.idempotencyKey], answer: Success("The refund.", status: 201),
        refuses: [
            .paymentUnknown,
            .paymentNotRefundable,
            .paymentInProgress.when("The provider has not finished yet. \(refundFollows)"),
            .refundTooLarge,
            .refundFailed,
            .paymentCurrencyMismatch,
            .paymentProviderUnavailable.when("The provider is not answering. \(refundFollows)"),
            .drawerUnknown, .drawerClosed, .drawerRequired, .drawerTooLittle,
        ])
    public static let revenueStatistics = Endpoint<RevenueQuery, RevenueStatistics>(
        .get, "/v1/admin/statistics/revenue", id: "revenueStatistics", "Statistics of revenue",
        """
        Payments and refunds of the ledger in a span of up to 31 days; the last day by default.
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
