/// Payouts, their accounts and rules.
public enum PayoutEndpoints {
    public static let payoutAccount = Endpoint<Void, PayoutAccount>(
        .get, "/v1/me/payout-account", id: "payoutAccount", "My payout account",
        """
        The provider is asked each time, unless it answered less than 10 seconds ago that nothing is missing. If it \
        does not answer, the last known state is returned.
        """, by: [.customer, .valet], answer: "The account.")
    public static let payoutOnboarding = Endpoint<PayoutOnboardingBody, PayoutLink>(
        .post, "/v1/me/payout-account/onboarding", id: "payoutOnboarding",
        "Start or continue the onboarding for payouts",
        """
        Opens the person's account at the provider if there is none, and returns the page where the provider asks for \
        the details. It leads back to the app's `#/payouts/return`, or `#/payouts/refresh` if the page has expired.
        """, by: [.customer, .valet], with: [.idempotencyKey],
        answer: Success("The provider's page.", status: 201),
        refuses: [.payoutAccountRefused, .paymentProviderUnavailable])
    public static let payoutDashboard = Endpoint<Void, PayoutLink>(
        .post, "/v1/me/payout-account/dashboard", id: "payoutDashboard",
        "Open the provider's page about my payout account", by: [.customer, .valet],
        answer: Success("The provider's page.", status: 201),
        refuses: [.payoutAccountMissing, .payoutDashboardMissing, .paymentProviderUnavailable])
    public static let testPayoutAccount = Endpoint<TestPayoutAccountBody, PayoutAccount>(
        .put, "/v1/me/payout-account/test", id: "testPayoutAccount",
        "Complete the onboarding with the built-in provider", "For testing; no money is moved.",
        by: [.customer, .valet], answer: "The account.",
        refuses: [.notFound.when("Another provider is used."), .payoutAccountMissing])
    public static let payoutRules = Endpoint<Void, PayoutRulesVersion>(
        .get, "/v1/admin/payout-rules", id: "payoutRules", "The rules for payouts",
        by: [.operator],
        answer: Success("The rules in force; use the `ETag` as `If-Match`.", [.eTag]))
    public static let setPayoutRules = Endpoint<PayoutRules, PayoutRulesVersion>(
        .put, "/v1/admin/payout-rules", id: "setPayoutRules", "Set the rules for payouts",
        "A schedule applies to its days from now on.", by: [.operator], with: [.ifMatch],
        answer: Success("The next version.", [.eTag]), refuses: [.preconditionFailed])
    public static let payoutRulesVersions = Endpoint<PageQuery, Page<PayoutRulesVersion>>(
        .get, "/v1/admin/payout-rules/versions", id: "payoutRulesVersions",
        "Earlier rules for payouts", by: [.operator], answer: "Newest first.")
    public static let allPayouts = Endpoint<PayoutsQuery, Page<PayoutEntry>>(
        .get, "/v1/admin/payouts", id: "allPayouts", "Payouts of all people", by: [.operator],
        answer: "Newest first.")

    public static let all: [AnyEndpoint] = [
        payoutAccount.untyped, payoutOnboarding.untyped, payoutDashboard.untyped,
        testPayoutAccount.untyped, payoutRules.untyped, setPayoutRules.untyped,
        payoutRulesVersions.untyped, allPayouts.untyped,
    ]
}

/// Filters payouts.
public struct PayoutsQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var status: Payout.Status?
    public var person: PersonID?
    public var q: String?

    public init() {}

    public static let fields: [String: QueryField] = [
        "q": .atMost(100, "Words of the person's name, or the phone number."),
        "status": "Return only payouts with this status.",
        "person": "Return only payouts to this person.",
    ]
}

/// A payout, and the person who gets it.
public struct PayoutEntry: Codable, Sendable, Hashable {
    public var person: PersonID
    /// Null for a deleted account.
    @Nullable public var name: String?
    public var payout: Payout
    /// The provider's name of the account that it goes to.
    @Nullable public var account: String?

    public init(person: PersonID, name: String? = nil, payout: Payout, account: String?) {
        (self.person, self.payout) = (person, payout)
        self.name = name
        self.account = account
    }
}
