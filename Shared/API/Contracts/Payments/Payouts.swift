import Foundation

/// A person's balance in one currency, and in all of them. If the request names no currency, the
/// one in which most is available is shown. For a person who never had a balance that is the
/// currency of their latest bill; without one it is that of their payout account's country, or else
/// that of the platform's latest bill.
public struct PayeeBalance: Codable, Sendable, Hashable {
    /// A person's balance in one currency.
    public struct Currency: Codable, Sendable, Hashable {
        /// Amount that can be paid out; negative if more was refunded than was left.
        public var available: Money
        /// Amount that was billed for the person and is not paid yet.
        public var pending: Money
        /// Part of the balance that is not paid out while a payment is disputed; it is not in
        /// `available`. Absent for none.
        public var frozen: Money?
        /// The minimum payout.
        public var minimum: Money
        /// The next payout that is made automatically, at today's balance; null for none.
        @Nullable public var next: NextPayout?

        public init(
            available: Money, pending: Money, minimum: Money, frozen: Money? = nil,
            next: NextPayout? = nil
        ) {
            (self.available, self.pending) = (available, pending)
            (self.minimum, self.frozen) = (minimum, frozen)
            self.next = next
        }
    }

    /// A payout that the schedule will make.
    public struct NextPayout: Codable, Sendable, Hashable {
        public var at: Date
        /// At today's balance.
        public var amount: Money

        public init(at: Date, amount: Money) { (self.at, self.amount) = (at, amount) }
    }

    /// Amount that can be paid out; negative if more was refunded than was left.
    public var available: Money
    /// Amount that was billed for the person and is not paid yet.
    public var pending: Money
    /// The minimum payout in this currency.
    public var minimum: Money
    /// The next payout that is made automatically in this currency, at today's balance; null for
    /// none.
    @Nullable public var next: NextPayout?
    /// The balance in every currency in which the person ever had one.
    public var currencies: [Currency]

    public init(_ shown: Currency, currencies: [Currency]) {
        available = shown.available
        (pending, minimum) = (shown.pending, shown.minimum)
        self.currencies = currencies
        next = shown.next
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

/// Why a payout failed.
public enum PayoutProblem: String, Codable, Sendable, CaseIterable {
    /// The person's account at the provider can't receive payouts, or does not exist any more.
    case accountUnusable
    /// The bank account is closed or does not exist.
    case bankAccountClosed
    /// The bank refused for another reason, for example a wrong name.
    case bankRefused
    /// The provider took the payout back.
    case reversed
    /// The provider refused for another reason.
    case providerRefused
}

/// A payout that a person requested, or that the schedule made.
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
    /// Meaning of the reason; null unless the payout failed.
    @Nullable public var problem: PayoutProblem?
    /// The last four digits of the bank account that it went to; null if they are not known.
    @Nullable public var last4: String?
    /// Part of a `paid` payout that has come back and is available again; null for none.
    @Nullable public var returned: Money?
    public var createdAt: Date

    public init(id: PayoutID, amount: Money, status: Status, createdAt: Date) {
        self.id = id
        self.amount = amount
        self.status = status
        self.createdAt = createdAt
        (reason, returned) = (nil, nil)
        (problem, last4) = (nil, nil)
    }
}

/// The account that payouts go to.
public struct PayoutAccountBody: Codable, Sendable {
    /// The payment provider's name for the account: with Stripe a connected account, for example
    /// `acct_1032D82eZvKYlo2C`.
    public var account: String
    public init(account: String) { self.account = account }
}
