import Foundation

/// Status of a payment. `requiresAction`: the payer has to take a further step. `held`: the amount
/// is held on the payer's card, and not charged yet. `released`: the hold was released, and nothing
/// was charged.
public enum PaymentStatus: String, Codable, Sendable, CaseIterable {
    case processing, requiresAction, succeeded, declined
    /// Held on the payer's card, and not charged yet.
    case held
    /// The hold was released, and nothing was charged.
    case released
}

/// How money is received: by card through the payment provider, in cash, or by a card terminal that
/// is not connected to the platform.
public enum PaymentMeans: String, Codable, Sendable, CaseIterable {
    case card, cash
    /// A card terminal of its own, whose payment a person records here.
    case terminal
}

/// A payment of a bill, or an attempt to pay it.
public struct Payment: Codable, Sendable, Hashable {
    public var id: PaymentID
    public var bill: BillID
    /// Same as `bill`.
    ///
    /// Existing clients use this name.
    public private(set) var order: OrderID
    /// Amount of the payment, tip included. When a held amount is charged, this becomes the amount
    /// charged.
    public var amount: Money
    /// Total of all refunds so far.
    public var refunded: Money
    public var status: Open<PaymentStatus>
    /// Why the payment was `declined` or `released`, otherwise null: the provider's reason, for
    /// example `insufficient_funds`, or ours (`not_processed`, `superseded`, `expired` or
    /// `bill_changed`).
    @Nullable public var declineReason: String?
    /// Secret that the client needs for the payer's further step, with `requiresAction`; otherwise
    /// null.
    @Nullable public var clientSecret: String?
    @Nullable public var brand: String?
    @Nullable public var last4: String?
    /// Part of `amount` for the people who may be tipped; null without a tip.
    @Nullable public var tip: Money?
    /// How it is paid; absent in payments of earlier releases, which were all by card.
    public var means: Open<PaymentMeans>?
    /// Part of `amount` that is tax on top of the bill; absent if its prices include tax.
    public var tax: Money?
    public var createdAt: Date

    public init(
        id: PaymentID, bill: BillID, amount: Money, status: PaymentStatus, createdAt: Date
    ) {
        self.id = id
        self.bill = bill
        order = bill.as(OrderID.self)
        self.amount = amount
        self.status = .known(status)
        self.createdAt = createdAt
        refunded = .zero(amount.currency)
        (declineReason, clientSecret, brand, last4, tip) = (nil, nil, nil, nil, nil)
    }

    /// The part that pays for the bill's lines: without tip, and without tax on top. Products settle
    /// this, rather than `amount`.
    public var forBill: Money {
        Money(
            amount: amount.amount - (tip?.amount ?? 0) - (tax?.amount ?? 0),
            currency: amount.currency)
    }
}

/// How to pay a bill: with a saved payment method or with a token of the payment provider, exactly
/// one of the two.
public struct PayBody: Codable, Sendable {
    public var paymentMethodId: PaymentMethodID?
    /// Token of the payment provider: letters, digits, `_` and `-`.
    public var token: String?
    /// Tip for those who may be tipped, for example the valets, on top of the bill, in minor units
    /// of its currency.
    public var tip: Int?

    public init(
        paymentMethodId: PaymentMethodID? = nil, token: String? = nil, tip: Int? = nil
    ) {
        self.paymentMethodId = paymentMethodId
        self.token = token
        self.tip = tip
    }
}

/// A payment of a bill that a product requests for the payer.
public struct BillPayment: Codable, Sendable {
    public var payer: PersonID
    public var paymentMethodId: PaymentMethodID?
    public var token: String?
    /// True if the payer is not there to confirm the payment; absent if they are.
    public var isOffSession: Bool?

    public init(
        payer: PersonID, paymentMethodId: PaymentMethodID?, token: String?,
        isOffSession: Bool? = nil
    ) {
        (self.payer, self.paymentMethodId, self.token) = (payer, paymentMethodId, token)
        self.isOffSession = isOffSession
    }
}

/// A payment in the past, which payments accepts in a demo only.
public struct PastPayment: Codable, Sendable {
    public var payer: PersonID
    public var token: String
    /// Tip on top of the bill, in minor units of its currency.
    public var tip: Int?
    public var paidAt: Date

    public init(payer: PersonID, token: String, tip: Int?, paidAt: Date) {
        (self.payer, self.token, self.tip, self.paidAt) = (payer, token, tip, paidAt)
    }
}

/// The payment in its current state.
public struct PaymentAnswer: Codable, Sendable {
    public var payment: Payment
    public init(payment: Payment) { self.payment = payment }
}

/// A saved card. The bank may replace it: then its digits and its expiry date change, and its id
/// stays.
public struct PaymentMethod: Codable, Sendable, Hashable {
    public var id: PaymentMethodID
    public var brand: String
    public var last4: String
    /// Month of the expiry date, 1 to 12, at the end of which the card expires; absent if the
    /// provider does not say.
    public var expiryMonth: Int?
    /// Year of the expiry date, with four digits; absent if the provider does not say.
    public var expiryYear: Int?
    /// The wallet that holds the card, for example `apple_pay`; absent for a card itself.
    public var wallet: String?
    /// True for the card that the person chose as their default; absent for others.
    public var isDefault: Bool?
    /// True once the expiry date has passed; absent before.
    public var isExpired: Bool?

    public init(id: PaymentMethodID, brand: String, last4: String) {
        self.id = id
        self.brand = brand
        self.last4 = last4
    }
}

/// A payment method to save, by its token of the payment provider. Card numbers are refused.
public struct PaymentTokenBody: Codable, Sendable {
    /// Token of the payment provider: letters, digits, `_` and `-`.
    public var token: String
    public init(token: String) { self.token = token }
}

/// A refund to make, and why.
public struct RefundBody: Codable, Sendable {
    /// In minor units of the payment's currency. Defaults to the whole remaining amount or, with
    /// `line`, to what remains of that line.
    public var amount: Int?
    /// Index, from 0, of a line of the bill that has a payee, who then bears the refund.
    public var line: Int?
    public var reason: String
    /// How a payment in cash or by terminal is refunded: `cash` or `terminal`, by default as it was
    /// paid. Absent for card payments, which the payment provider refunds.
    public var means: PaymentMeans?
    /// The drawer from which the cash comes. Defaults to the caller's open one.
    public var drawerId: DrawerID?

    public init(amount: Int? = nil, line: Int? = nil, reason: String) {
        self.amount = amount
        self.line = line
        self.reason = reason
    }
}

/// A refund of a payment, in whole or in part.
public struct Refund: Codable, Sendable, Hashable {
    public var id: RefundID
    public var payment: PaymentID
    public var bill: BillID
    /// Same as `bill`.
    ///
    /// Existing clients use this name.
    public private(set) var order: OrderID
    public var amount: Money
    public var reason: String
    /// Part of `amount` that is tax on top of the bill; absent if its prices include tax.
    public var tax: Money?
    public var createdAt: Date

    public init(
        id: RefundID, payment: PaymentID, bill: BillID, amount: Money, reason: String,
        createdAt: Date
    ) {
        self.id = id
        self.payment = payment
        self.bill = bill
        order = bill.as(OrderID.self)
        self.amount = amount
        self.reason = reason
        self.createdAt = createdAt
    }

    /// The part that was paid for the bill's lines, and tips, without tax on top. Products settle
    /// this, rather than `amount`.
    public var forBill: Money {
        Money(amount: amount.amount - (tax?.amount ?? 0), currency: amount.currency)
    }
}

/// The state of a refund.
public enum RefundState: String, Codable, Sendable, CaseIterable {
    /// The provider has not answered yet, or nobody has handed out the cash yet.
    case processing
    case succeeded
    /// The provider refused it, or the payer's bank did afterwards; the money is refundable again.
    case failed
}

/// A payment, an attempt to pay, or a refund.
public struct PaymentEntry: Codable, Sendable, Hashable {
    /// Whether an entry is a payment or a refund.
    public enum Kind: String, Codable, Sendable, CaseIterable { case payment, refund }

    public var kind: Kind
    /// With the kind `payment`; otherwise null.
    @Nullable public var payment: Payment?
    /// With the kind `refund`; otherwise null.
    @Nullable public var refund: Refund?
    public var createdAt: Date
    /// State of the refund; absent for payments, and for customers, who see only those that succeeded.
    public var refundState: RefundState?
    /// The provider's reason why the refund failed, for example `lost_or_stolen_card`; absent unless it did.
    public var refundFailure: String?
    /// When the money was received or refunded; absent if it wasn't, and for customers.
    public var enteredAt: Date?
    /// The payer; absent for customers.
    public var payer: PersonID?
    /// Name of the payer; absent for customers, and for deleted accounts.
    public var payerName: String?
    /// Title of the thing paid for, in your language; absent for customers.
    public var title: String?
    /// The name by which people know the item, for example the number of a ticket; absent for customers.
    public var reference: String?
    /// Absent for customers.
    public var product: Product?
    /// Id of the area or car park of the bill; absent if there is none, and for customers.
    public var site: String?
    /// Name of the area or car park of the bill; absent if there is none, and for customers.
    public var siteName: String?

    public init(payment: Payment) {
        kind = .payment
        createdAt = payment.createdAt
        self.payment = payment
        refund = nil
    }

    public init(refund: Refund) {
        kind = .refund
        createdAt = refund.createdAt
        payment = nil
        self.refund = refund
    }
}

/// The balance of each account of the ledger. The balances sum to zero in each currency.
public struct TrialBalance: Codable, Sendable, Hashable {
    /// The balance of one account in one currency.
    public struct Line: Codable, Sendable, Hashable {
        /// Name of the account, for example `revenue:valet`. The accounts of all people are summed
        /// up: `payable` is due to them, `pending` is billed for them and not paid yet, and
        /// `reward` is the value of their rewards.
        public var account: String
        public var currency: String
        /// Debits minus credits, in minor units.
        public var balance: Int
        /// The account's name in your language.
        public var name: String?

        public init(account: String, currency: String, balance: Int) {
            self.account = account
            self.currency = currency
            self.balance = balance
        }
    }

    public var lines: [Line]
    public var at: Date

    public init(lines: [Line], at: Date) {
        self.lines = lines
        self.at = at
    }
}

/// An entry of the ledger. Its postings sum to zero in each currency.
public struct LedgerRecord: Codable, Sendable, Hashable {
    /// One line of a ledger entry.
    public struct Posting: Codable, Sendable, Hashable {
        /// Name of the account, for example `revenue:valet`, or `payable:` followed by a person's
        /// id.
        public var account: String
        /// In minor units: positive for a debit, negative for a credit.
        public var amount: Int
        public var currency: String
        /// The account's name in your language.
        public var name: String?

        public init(account: String, amount: Int, currency: String) {
            self.account = account
            self.amount = amount
            self.currency = currency
        }
    }

    /// The entry's kind and its cause, separated by a colon, for example `capture:` and the id of a
    /// payment.
    public var id: String
    /// `bill`, `void`, `capture`, `refund`, `refundFailed`, `dispute`, `reward`, `payout`, `paid`,
    /// `unpaid`, or for cash drawers `float`, `deposit` or `count`.
    public var kind: String
    /// The bill that the entry belongs to; null for entries about payouts.
    @Nullable public var bill: BillID?
    /// Same as `bill`.
    ///
    /// Existing clients use this name.
    @Nullable public private(set) var order: OrderID?
    public var postings: [Posting]
    public var enteredAt: Date

    public init(
        id: String, kind: String, bill: BillID?, postings: [Posting], enteredAt: Date
    ) {
        self.id = id
        self.kind = kind
        self.bill = bill
        order = bill?.as(OrderID.self)
        self.postings = postings
        self.enteredAt = enteredAt
    }
}

extension LedgerRecord.Posting: SchemaNamed {
    public static var schemaName: String { "LedgerPosting" }
}

/// A comparison of one day of the ledger with the payment provider's statement.
public struct Reconciliation: Codable, Sendable, Hashable {
    /// A movement of money that the ledger and the payment provider record differently.
    public struct Difference: Codable, Sendable, Hashable {
        /// How the records differ. `missingHere`: the provider moved money that the ledger does not
        /// have. `missingAtProvider`: the provider never moved money that the ledger has.
        /// `amountDiffers`: the amounts differ. `statusDiffers`: the provider moved money for a
        /// payment or refund that is not settled here.
        public enum Kind: String, Codable, Sendable, CaseIterable {
            /// The provider moved money that the ledger does not have.
            case missingHere
            /// The provider never moved money that the ledger has.
            case missingAtProvider
            case amountDiffers, statusDiffers
        }

        public var kind: Kind
        /// The payment concerned, if any; otherwise null.
        @Nullable public var payment: PaymentID?
        /// The refund concerned, if any; otherwise null.
        @Nullable public var refund: RefundID?
        /// The payout concerned; absent for none.
        public var payout: PayoutID?
        /// The provider's own id of the movement; null if the provider has none.
        @Nullable public var reference: String?
        /// Amount in the ledger; null if it has none.
        @Nullable public var here: Money?
        /// Amount in the provider's statement; null if it has none.
        @Nullable public var atProvider: Money?

        public init(
            kind: Kind, payment: PaymentID?, refund: RefundID?, reference: String?, here: Money?,
            atProvider: Money?
        ) {
            self.kind = kind
            self.payment = payment
            self.refund = refund
            self.reference = reference
            self.here = here
            self.atProvider = atProvider
        }
    }

    public var id: ReconciliationID
    /// The day in the company's time zone, for example `2026-11-21`; in UTC without one.
    public var day: String
    /// Number of movements compared.
    public var compared: Int
    /// The differences found; at most 1000 are listed.
    public var differences: [Difference]
    public var madeAt: Date

    public init(
        id: ReconciliationID, day: String, compared: Int, differences: [Difference], madeAt: Date
    ) {
        self.id = id
        self.day = day
        self.compared = compared
        self.differences = differences
        self.madeAt = madeAt
    }
}

/// The day to reconcile.
public struct ReconciliationBody: Codable, Sendable {
    /// The day in the company's time zone, for example `2026-11-21`; in UTC without one.
    public var day: String
    public init(day: String) { self.day = day }
}

/// A body whose amounts are in the currency of the bill or payment. A `currency` in it is a check:
/// any other than that is refused.
public struct InCurrency<Body: Decodable & Sendable>: Decodable, Sendable {
    public let body: Body
    public let currency: String?

    private enum CodingKeys: String, CodingKey { case currency }

    public init(_ body: Body, currency: String? = nil) {
        self.body = body
        self.currency = currency
    }

    public init(from decoder: any Decoder) throws {
        body = try Body(from: decoder)
        currency = try decoder.container(keyedBy: CodingKeys.self)
            .decodeIfPresent(String.self, forKey: .currency)
    }
}

extension InCurrency: Encodable where Body: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try body.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(currency, forKey: .currency)
    }
}

extension InCurrency: Described {
    public static var schema: JSONValue {
        let currency = JSONValue.schema(
            "string",
            [
                "description":
                    "The currency that the caller expects; any other than the bill's is refused."
            ])
        return .object([
            "allOf": [
                .reference(to: Body.self),
                .object(["properties": .object(["currency": currency])]),
            ]
        ])
    }
    public static var parts: [any Decodable.Type] { [Body.self] }
}
