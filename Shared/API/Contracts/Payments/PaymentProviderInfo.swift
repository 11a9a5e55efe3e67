/// The payment provider, and cards to test it with.
public struct PaymentProviderInfo: Codable, Sendable, Hashable {
    /// The payment provider. `stub` is for testing and moves no money.
    public enum Provider: String, Codable, Sendable, CaseIterable {
        /// Built in, for testing.
        case stub
        case stripe
    }

    /// A test card that moves no money.
    public struct TestMethod: Codable, Sendable, Hashable {
        /// The result of paying with a test card.
        public enum Outcome: String, Codable, Sendable, CaseIterable {
            case succeeds, declined, requiresAction
        }

        /// To be sent as `token` of a payment or of a new payment method.
        public var token: String
        public var brand: String
        public var last4: String
        public var outcome: Outcome
        /// The number to type in a form, which turns it into the token; absent if there is none.
        public var number: String?

        public init(
            token: String, brand: String, last4: String, outcome: Outcome, number: String? = nil
        ) {
            self.token = token
            self.brand = brand
            self.last4 = last4
            self.outcome = outcome
            self.number = number
        }
    }

    public var provider: Provider
    /// Test cards that move no money; empty where real money is moved.
    public var testMethods: [TestMethod]
    /// With Stripe, the key with which an app shows Stripe's card form; absent without.
    public var publishableKey: String?
    /// With Stripe, the address of Stripe.js, which an app loads when it needs it; absent without.
    public var script: String?
    /// Number of decimals in the provider's form, by currency, where it differs from ISO 4217;
    /// absent if it differs for none.
    public var decimals: [String: Int]?

    public init(
        provider: Provider, testMethods: [TestMethod], publishableKey: String? = nil,
        script: String? = nil, decimals: [String: Int]? = nil
    ) {
        self.provider = provider
        self.testMethods = testMethods
        (self.publishableKey, self.script) = (publishableKey, script)
        self.decimals = decimals
    }
}
