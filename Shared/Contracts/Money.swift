/// An amount in the currency's minor unit: `{ "amount": 12000, "currency": "HKD" }` is 120 dollars.
public struct Money: Hashable, Codable, Sendable {
    /// Minor units (cents), negative for what is given back.
    public var amount: Int
    /// ISO 4217, three capital letters.
    public var currency: String

    public init(amount: Int, currency: String) {
        self.amount = amount
        self.currency = currency
    }

    /// Largest amount that a tariff, charge or refund may have: ten million in major units of most currencies.
    public static let largestAmount = 1_000_000_000

    public static func zero(_ currency: String) -> Money { Money(amount: 0, currency: currency) }
}
