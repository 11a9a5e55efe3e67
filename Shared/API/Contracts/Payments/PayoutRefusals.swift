extension Refusal {
    public static let payoutAccountRefused = Refusal(
        409, "payout.account_refused", "The payment provider can't onboard this account.",
        when: "The provider refuses to open the account, for example in this country.")
    public static let payoutAccountRestricted = Refusal(
        409, "payout.account_restricted", "Your payout account is not complete yet.",
        when: "The provider pays nothing out to the account yet; its requirements say why.")
    public static let payoutDashboardMissing = Refusal(
        409, "payout.no_dashboard", "The payment provider has no page about this account.")
}
