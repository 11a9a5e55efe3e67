import Foundation

/// Answer of `GET /v1/me/balance`: what the house owes a person, of one currency in the first two fields.
///
/// Without `?currency=` that is the one in which most is available; who never had anything sees the
/// code for no currency (ISO 4217).
public struct PayeeBalance: Codable, Sendable, Hashable {
    public struct Currency: Codable, Sendable, Hashable {
        public var available: Money
        public var pending: Money

        public init(available: Money, pending: Money) {
            self.available = available
            self.pending = pending
        }
    }

    /// May be paid out; negative when more was taken back than was left.
    public var available: Money
    /// Billed for them and not paid yet.
    public var pending: Money
    /// Every currency that they ever had something in.
    public var currencies: [Currency]

    public init(_ shown: Currency, currencies: [Currency]) {
        available = shown.available
        pending = shown.pending
        self.currencies = currencies
    }
}

/// Body of `POST /v1/me/payouts`: all that is available when no amount is named.
public struct PayoutBody: Codable, Sendable {
    public var amount: Int?
    public var currency: String?

    public init(amount: Int? = nil, currency: String? = nil) {
        self.amount = amount
        self.currency = currency
    }
}

/// What was asked to be paid out to somebody.
public struct Payout: Codable, Sendable, Hashable {
    public enum Status: String, Codable, Sendable, CaseIterable {
        case processing, paid
        /// The amount is available again.
        case failed
    }

    public var id: PayoutID
    public var amount: Money
    public var status: Status
    /// The provider's reason, with `failed`.
    @Nullable public var reason: String?
    /// What of it has come back, with `paid`; null when nothing has.
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

/// Body of `POST /v1/me/payout-account`: where payouts go, by the provider's own name of it.
public struct PayoutAccountBody: Codable, Sendable {
    public var account: String
    public init(account: String) { self.account = account }
}
