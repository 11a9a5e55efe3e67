/// Answer of `GET /v1/demo`.
public struct DemoView: Codable, Sendable, Hashable {
    /// Somebody whom one can be.
    public struct Account: Codable, Sendable, Hashable {
        /// `customer`, `valet` or `operator`.
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

/// A hand-over code that is read out on a demo's street.
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
