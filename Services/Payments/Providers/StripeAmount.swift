import Contracts

/// An amount as Stripe's API has it: a whole number of units that are not always ISO 4217's
/// (Stripe, currencies, special cases).
struct StripeAmount: Sendable, Hashable {
    /// Decimals that Stripe counts otherwise than ISO 4217. Krónur and shillings have none and are
    /// sent with two that have to be 00; ariary are sent without any.
    static let digits = ["ISK": 2, "UGX": 2, "MGA": 0]

    let value: Int
    /// In lower case.
    let currency: String

    var fields: [StripeField] { [("amount", String(value)), ("currency", currency)] }

    /// Nil if Stripe can't be told exactly this amount.
    init?(_ money: Money) {
        let currency = money.currency
        guard money.amount.isMultiple(of: Money.chargeStep(in: currency)),
            let value = Self.scaled(
                money.amount, from: Money.digits(of: currency), to: Self.digits(of: currency))
        else { return nil }
        (self.value, self.currency) = (value, currency.lowercased())
    }

    /// An amount in an answer of Stripe.
    init(_ value: Int, _ currency: String) {
        (self.value, self.currency) = (value, currency.lowercased())
    }

    /// Throws for an amount that our minor units can't express; there is none of that kind at Stripe.
    var money: Money {
        get throws {
            let currency = currency.uppercased()
            guard
                let amount = Self.scaled(
                    value, from: Self.digits(of: currency), to: Money.digits(of: currency))
            else { throw ProviderUnavailable(detail: "stripe: an amount can't be read") }
            return Money(amount: amount, currency: currency)
        }
    }

    private static func digits(of currency: String) -> Int {
        digits[currency] ?? Money.digits(of: currency)
    }

    /// Nil if that would need rounding, or too large a number.
    private static func scaled(_ amount: Int, from: Int, to: Int) -> Int? {
        let factor = (0..<abs(to - from)).reduce(1) { product, _ in product * 10 }
        guard to < from else {
            let (value, isTooLarge) = amount.multipliedReportingOverflow(by: factor)
            return isTooLarge ? nil : value
        }
        return amount.isMultiple(of: factor) ? amount / factor : nil
    }
}
