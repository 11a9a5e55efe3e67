import Foundation

public enum PaymentStatus: String, Codable, Sendable, CaseIterable {
    case processing, requiresAction, succeeded, declined
    /// Set aside at the payer's bank, and not taken.
    case held
    /// What was set aside is the payer's again.
    case released
}

public struct Payment: Codable, Sendable, Hashable {
    public var id: PaymentID
    public var bill: BillID
    /// The same id, by the name that the first clients know.
    public private(set) var order: OrderID
    public var amount: Money
    public var refunded: Money
    public var status: Open<PaymentStatus>
    /// The provider's reason, as in `insufficient_funds`.
    @Nullable public var declineReason: String?
    /// What the client needs for a further step, with `requiresAction`.
    @Nullable public var clientSecret: String?
    @Nullable public var brand: String?
    @Nullable public var last4: String?
    /// Part of `amount` that goes to those who may be tipped; null without one.
    @Nullable public var tip: Money?
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
}

/// One of the two: a saved method, or a token of the provider.
public struct PayBody: Codable, Sendable {
    public var paymentMethodId: PaymentMethodID?
    public var token: String?
    /// Minor units of the bill's currency, on top of it.
    public var tip: Int?

    public init(
        paymentMethodId: PaymentMethodID? = nil, token: String? = nil, tip: Int? = nil
    ) {
        self.paymentMethodId = paymentMethodId
        self.token = token
        self.tip = tip
    }
}

/// What a product asks payments to charge for its payer.
public struct BillPayment: Codable, Sendable {
    public var payer: PersonID
    public var paymentMethodId: PaymentMethodID?
    public var token: String?

    public init(payer: PersonID, paymentMethodId: PaymentMethodID?, token: String?) {
        (self.payer, self.paymentMethodId, self.token) = (payer, paymentMethodId, token)
    }
}

/// A payment of the past, which payments takes in a demo only.
public struct PastPayment: Codable, Sendable {
    public var payer: PersonID
    public var token: String
    /// Minor units of the bill's currency, on top of it.
    public var tip: Int?
    public var paidAt: Date

    public init(payer: PersonID, token: String, tip: Int?, paidAt: Date) {
        (self.payer, self.token, self.tip, self.paidAt) = (payer, token, tip, paidAt)
    }
}

/// Answer of `POST /v1/bills/{id}/pay`, and of the same under the name of what is paid for.
public struct PaymentAnswer: Codable, Sendable {
    public var payment: Payment
    public init(payment: Payment) { self.payment = payment }
}

public struct PaymentMethod: Codable, Sendable, Hashable {
    public var id: PaymentMethodID
    public var brand: String
    public var last4: String

    public init(id: PaymentMethodID, brand: String, last4: String) {
        self.id = id
        self.brand = brand
        self.last4 = last4
    }
}

public struct PaymentTokenBody: Codable, Sendable {
    public var token: String
    public init(token: String) { self.token = token }
}

/// The whole remaining amount when `amount` is absent.
public struct RefundBody: Codable, Sendable {
    public var amount: Int?
    /// Index of a line of the bill that has a payee: they bear the refund.
    public var line: Int?
    public var reason: String

    public init(amount: Int? = nil, line: Int? = nil, reason: String) {
        self.amount = amount
        self.line = line
        self.reason = reason
    }
}

public struct Refund: Codable, Sendable, Hashable {
    public var id: RefundID
    public var payment: PaymentID
    public var bill: BillID
    /// The same id, by the name that the first clients know.
    public private(set) var order: OrderID
    public var amount: Money
    public var reason: String
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
}

/// A line of `GET /v1/payments`: what was paid, or given back.
public struct PaymentEntry: Codable, Sendable, Hashable {
    public enum Kind: String, Codable, Sendable, CaseIterable { case payment, refund }

    public var kind: Kind
    @Nullable public var payment: Payment?
    @Nullable public var refund: Refund?
    public var createdAt: Date

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

/// Answer of `GET /v1/admin/ledger/trial-balance`: what each account holds; the sum is zero.
public struct TrialBalance: Codable, Sendable, Hashable {
    public struct Line: Codable, Sendable, Hashable {
        public var account: String
        public var currency: String
        /// Debits minus credits, in minor units.
        public var balance: Int

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

/// One entry of the ledger: its postings sum to zero.
public struct LedgerRecord: Codable, Sendable, Hashable {
    public struct Posting: Codable, Sendable, Hashable {
        public var account: String
        /// Positive: debit; negative: credit.
        public var amount: Int
        public var currency: String

        public init(account: String, amount: Int, currency: String) {
            self.account = account
            self.amount = amount
            self.currency = currency
        }
    }

    public var id: String
    public var kind: String
    @Nullable public var bill: BillID?
    /// The same id, by the name that the first clients know.
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

/// A day of the ledger held against the provider's own list.
public struct Reconciliation: Codable, Sendable, Hashable {
    public struct Difference: Codable, Sendable, Hashable {
        public enum Kind: String, Codable, Sendable, CaseIterable {
            /// The provider took or gave money that the ledger does not have.
            case missingHere
            /// The ledger has money that the provider never moved.
            case missingAtProvider
            case amountDiffers, statusDiffers
        }

        public var kind: Kind
        @Nullable public var payment: PaymentID?
        @Nullable public var refund: RefundID?
        /// The provider's own id.
        @Nullable public var reference: String?
        @Nullable public var here: Money?
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
    /// The UTC day, as in `2026-11-21`.
    public var day: String
    public var compared: Int
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

/// Body of `POST /v1/admin/reconciliations`.
public struct ReconciliationBody: Codable, Sendable {
    /// The UTC day, as in `2026-11-21`.
    public var day: String
    public init(day: String) { self.day = day }
}

/// A body whose amounts are in the payment's own currency, unless `currency` says what the caller
/// takes it for: then the two have to be the same.
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
                    "What the caller takes the currency for; another than the bill's is refused."
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
