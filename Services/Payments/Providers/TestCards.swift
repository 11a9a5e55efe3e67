import Contracts

/// Test cards with Stripe's own names (docs.stripe.com/testing).
enum TestCards {
    static let all: [PaymentProviderInfo.TestMethod] = [
        .init(
            token: "pm_card_visa", brand: "visa", last4: "4242", outcome: .succeeds,
            number: "4242424242424242"),
        .init(
            token: "pm_card_mastercard", brand: "mastercard", last4: "4444", outcome: .succeeds,
            number: "5555555555554444"),
        .init(
            token: "pm_card_visa_chargeDeclined", brand: "visa", last4: "0002", outcome: .declined,
            number: "4000000000000002"),
        .init(
            token: "pm_card_visa_chargeDeclinedInsufficientFunds", brand: "visa", last4: "9995",
            outcome: .declined, number: "4000000000009995"),
        .init(
            token: "pm_card_authenticationRequired", brand: "visa", last4: "3155",
            outcome: .requiresAction, number: "4000002500003155"),
    ]

    /// The stub's reason for declining a card.
    static func declineReason(of token: String) -> String {
        token.hasPrefix("pm_card_visa_chargeDeclinedInsufficientFunds")
            ? "insufficient_funds" : DeclineReason.generic
    }
}

extension PaymentProviderInfo {
    /// Prefixes of Stripe's secret and restricted keys in test mode.
    private static let testKeys = ["sk_test_", "rk_test_"]

    init(_ config: PaymentsConfig) {
        guard let stripe = config.stripe else {
            self.init(provider: .stub, testMethods: TestCards.all)
            return
        }
        let isTest = Self.testKeys.contains { stripe.key.hasPrefix($0) }
        self.init(
            provider: .stripe, testMethods: isTest ? TestCards.all : [],
            publishableKey: stripe.publishableKey, script: stripe.script?.absoluteString,
            decimals: StripeAmount.digits)
    }
}
