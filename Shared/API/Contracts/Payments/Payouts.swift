import Foundation

/// A person's balance in one currency, and in all of them. If the request names no currency, the
/// one in which most is available is shown. For a person who never had a balance that is ISO 4217's
/// code for no currency.
public struct PayeeBalance: Codable, Sendable, Hashable {
    /// A person's balance in one currency.
    public struct Currency: Codable, Sendable, Hashable {
        /// Amount that can be paid out; negative if more was refunded than was left.
        public var available: Money
        /// Amount that was billed for the person and is not paid yet.
        public var pending: Money

        public init(available: Money, pending: Money) {
            self.available = available
            self.pending = pending
        }
    }

    /// Amount that can be paid out; negative if more was refunded than was left.
    public var available: Money
    /// Amount that was billed for the person and is not paid yet.
    public var pending: Money
    /// The balance in every currency in which the person ever had one.
    public var currencies: [Currency]

    public init(_ shown: Currency, currencies: [Currency]) {
        available = shown.available
        pending = shown.pending
        self.currencies = currencies
    }
}

/// A payout to request.
public struct PayoutBody: Codable, Sendable {
    /// In minor units. Defaults to all that is available.
    public var amount: Int?
    /// ISO 4217 code. Defaults to the currency in which most is available.
    public var currency: String?

    public init(amount: Int? = nil, currency: String? = nil) {
        self.amount = amount
        self.currency = currency
    }
}

/// A payout that a person requested.
public struct Payout: Codable, Sendable, Hashable {
    /// Status of a payout. The amount of one that has `failed` is available again.
    public enum Status: String, Codable, Sendable, CaseIterable {
        case processing, paid
        /// The amount is available again.
        case failed
    }

    public var id: PayoutID
    public var amount: Money
    public var status: Status
    /// The provider's reason why the payout failed and the amount is available again; otherwise
    /// null.
    @Nullable public var reason: String?
    /// Part of a `paid` payout that has come back and is available again; null for none.
    @Nullable public var returned: Money?
    public var createdAt: Date

    public init(id: PayoutID, amount: Money, status: Status, createdAt: Date) {
        self.id = id
        self.amount = amount
        self.status = status
        self.createdAt = createdAt
        (reason, returned) = (nil, nil)
    }
}

/// The account that payouts go to.
public struct PayoutAccountBody: Codable, Sendable {
    /// The payment provider's name for the account: with Stripe a connected account, for example
    /// `acct_1032D82eZvKYlo2C`.
    public var account: String
    public init(account: String) { self.account = account }
}
