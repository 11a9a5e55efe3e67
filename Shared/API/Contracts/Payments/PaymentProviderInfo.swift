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

        public init(token: String, brand: String, last4: String, outcome: Outcome) {
            self.token = token
            self.brand = brand
            self.last4 = last4
            self.outcome = outcome
        }
    }

    public var provider: Provider
    /// Test cards that move no money; empty where real money is moved.
    public var testMethods: [TestMethod]

    public init(provider: Provider, testMethods: [TestMethod]) {
        self.provider = provider
        self.testMethods = testMethods
    }
}
