/// The amount charged for a bill.
public struct BillCharge: Codable, Sendable, Hashable {
    /// The total of the bill, plus tax on top of it.
    public var charge: Money
    /// Tax on top of the bill's lines; absent if its prices include it.
    public var tax: Money?
    /// The payer's payment that waits for their confirmation; absent if there is none.
    public var payment: Payment?

    public init(_ charge: Money, tax: Money?) { (self.charge, self.tax) = (charge, tax) }
}

/// The address to which the receipt of a guest is sent.
public struct BillMailBody: Codable, Sendable {
    public var email: String
    public var language: Language

    public init(email: String, in language: Language) {
        (self.email, self.language) = (email, language)
    }
}

/// Whether the receipt of a bill is sent. It isn't if the payer has an account.
public struct BillMailAnswer: Codable, Sendable {
    public var isSent: Bool

    public init(isSent: Bool) { self.isSent = isSent }
}

extension Money {
    /// The amount with tax on top, if there is any.
    func withTax(_ tax: Money?) -> Money {
        Money(amount: amount + (tax?.amount ?? 0), currency: currency)
    }

    /// What is refunded for this part of a bill: with its share of the tax that was paid on top, of which a half is
    /// rounded up, and as a multiple of what a card can be charged.
    ///
    /// - Parameters:
    ///   - whole: What was paid for the bill, without tax on top, in minor units.
    ///   - tax: What was paid on top of it, in minor units.
    public func refund(of whole: Int, tax: Int) -> Money {
        let part = max(0, min(amount, whole))
        let share = whole > 0 ? (2 * part * tax + whole) / (2 * whole) : 0
        return Money(amount: amount + share, currency: currency).roundedUp
    }
}
