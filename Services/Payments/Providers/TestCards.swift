import Contracts

/// Test cards with Stripe's own names (docs.stripe.com/testing).
enum TestCards {
    static let all: [PaymentProviderInfo.TestMethod] = [
        .init(token: "pm_card_visa", brand: "visa", last4: "4242", outcome: .succeeds),
        .init(token: "pm_card_mastercard", brand: "mastercard", last4: "4444", outcome: .succeeds),
        .init(
            token: "pm_card_visa_chargeDeclined", brand: "visa", last4: "0002", outcome: .declined),
        .init(
            token: "pm_card_authenticationRequired", brand: "visa", last4: "3155",
            outcome: .requiresAction),
    ]
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
        self.init(provider: .stripe, testMethods: isTest ? TestCards.all : [])
    }
}
