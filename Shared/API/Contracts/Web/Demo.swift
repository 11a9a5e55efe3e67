/// Accounts to sign in with in a demo.
public struct DemoView: Codable, Sendable, Hashable {
    /// A sign-in that is open to anyone who can reach the demo.
    public struct Account: Codable, Sendable, Hashable {
        /// App to sign in to: `customer`, `valet` or `operator`.
        public var app: String
        public var phone: String
        public var password: String

        public init(app: String, phone: String, password: String) {
            (self.app, self.phone, self.password) = (app, phone, password)
        }
    }

    public var accounts: [Account]

    public init(accounts: [Account]) { self.accounts = accounts }
}

/// A hand-over code that one person gives another in a demo, where they can't meet.
public struct SpokenCode: Codable, Sendable, Hashable {
    public var leg: OrderLeg
    /// Four digits.
    public var code: String

    public init(leg: OrderLeg, code: String) { (self.leg, self.code) = (leg, code) }
}

extension DemoView: SchemaNamed {
    public static var schemaName: String { "Demo" }
}

extension DemoView.Account: SchemaNamed {
    public static var schemaName: String { "DemoAccount" }
}
