/// What the payer of a bill is charged.
public struct BillCharge: Codable, Sendable, Hashable {
    /// The bill, and tax on top of it.
    public var charge: Money
    /// Tax on top of the bill's lines; absent if its prices include it.
    public var tax: Money?

    public init(_ charge: Money, tax: Money?) { (self.charge, self.tax) = (charge, tax) }
}

/// Where the receipt of a guest goes.
public struct BillMailBody: Codable, Sendable {
    public var email: String
    public var language: Language

    public init(email: String, in language: Language) {
        (self.email, self.language) = (email, language)
    }
}

/// Whether the receipt of a bill is sent: not if its payer has an account.
public struct BillMailAnswer: Codable, Sendable {
    public var isSent: Bool

    public init(isSent: Bool) { self.isSent = isSent }
}

extension Money {
    /// The amount with tax on top, if there is any.
    func withTax(_ tax: Money?) -> Money {
        Money(amount: amount + (tax?.amount ?? 0), currency: currency)
    }
}
