/// An amount in the currency's minor unit: `{ "amount": 12000, "currency": "HKD" }` is 120 dollars.
public struct Money: Hashable, Codable, Sendable {
    /// Amount in minor units, for example cents; negative for money that is given back.
    public var amount: Int
    /// Currency code (ISO 4217).
    public var currency: String

    public init(amount: Int, currency: String) {
        self.amount = amount
        self.currency = currency
    }

    /// Largest amount of a tariff, charge or refund: ten million in major units of most currencies.
    public static let largestAmount = 1_000_000_000

    public static func zero(_ currency: String) -> Money { Money(amount: 0, currency: currency) }
}
