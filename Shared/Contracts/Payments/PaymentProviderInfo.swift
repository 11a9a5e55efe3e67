/// Answer of `GET /v1/payment-provider`: who moves the money, and what it can be tried out with.
public struct PaymentProviderInfo: Codable, Sendable, Hashable {
    public enum Provider: String, Codable, Sendable, CaseIterable {
        /// Nobody: for trying out.
        case stub
        case stripe
    }

    /// A card of the provider's that moves no money.
    public struct TestMethod: Codable, Sendable, Hashable {
        public enum Outcome: String, Codable, Sendable, CaseIterable {
            case succeeds, declined, requiresAction
        }

        /// What `token` of a payment or a new payment method says.
        public var token: String
        public var brand: String
        public var last4: String
        /// What paying with it comes to.
        public var outcome: Outcome

        public init(token: String, brand: String, last4: String, outcome: Outcome) {
            self.token = token
            self.brand = brand
            self.last4 = last4
            self.outcome = outcome
        }
    }

    public var provider: Provider
    /// None where money is moved.
    public var testMethods: [TestMethod]

    public init(provider: Provider, testMethods: [TestMethod]) {
        self.provider = provider
        self.testMethods = testMethods
    }
}
