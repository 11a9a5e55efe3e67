import Foundation

/// Status of a dispute. `inquiry`: the payer's bank asks, and takes nothing yet. `needsResponse`:
/// the bank has taken the money back, and waits for evidence. `underReview`: the bank decides.
/// `closed`: an inquiry ended, and nothing was taken.
public enum DisputeStatus: String, QueryChoice, Codable {
    /// The payer's bank asks, and takes nothing yet.
    case inquiry
    /// The bank has taken the money back, and waits for evidence.
    case needsResponse
    /// The bank decides.
    case underReview
    /// The money has been returned.
    case won
    /// The money stays with the payer.
    case lost
    /// An inquiry ended, and nothing was taken.
    case closed

    /// Whether nothing has been decided.
    public var isOpen: Bool {
        switch self {
        case .inquiry, .needsResponse, .underReview: true
        case .won, .lost, .closed: false
        }
    }
}

/// A payment that its payer contests with their bank.
public struct Dispute: Codable, Sendable, Hashable {
    public var id: DisputeID
    public var payment: PaymentID
    public var bill: BillID
    /// The provider's own id.
    public var reference: String
    public var amount: Money
    public var status: Open<DisputeStatus>
    /// The bank's reason in the provider's words, for example `fraudulent`.
    public var reason: String
    /// Until when evidence is accepted; null if none is.
    @Nullable public var evidenceDueAt: Date?
    /// The provider's fee for the dispute so far; null for none.
    @Nullable public var fee: Money?
    public var createdAt: Date

    public init(
        id: DisputeID, payment: PaymentID, bill: BillID, reference: String, amount: Money,
        status: DisputeStatus, reason: String, createdAt: Date
    ) {
        self.id = id
        self.payment = payment
        self.bill = bill
        self.reference = reference
        self.amount = amount
        self.status = .known(status)
        self.reason = reason
        self.createdAt = createdAt
        (evidenceDueAt, fee) = (nil, nil)
    }
}

/// Filters disputes.
public struct DisputesQuery: PagedQuery {
    public enum State: String, QueryChoice { case open, closed }

    public var after: String?
    public var limit: Int?
    public var state: State?
    public var payment: PaymentID?

    public init() {}

    public static let fields: [String: QueryField] = [
        "state": "`open` returns disputes that nobody has decided, `closed` all others.",
        "payment": "Return only disputes of this payment.",
    ]
}

/// A payer contests a payment with their bank, or the bank has decided. There is one event for each
/// status that the platform learns of.
public struct PaymentDisputed: ProductEvent {
    public static let type = "payments.payment-disputed.v1"
    public static let topic = Topic.payments
    public var dispute: Dispute
    public var product: Product
    public var payer: PersonID
    public var key: String { dispute.bill.description }

    public init(dispute: Dispute, product: Product, payer: PersonID) {
        self.dispute = dispute
        self.product = product
        self.payer = payer
    }
}

/// A refund that had succeeded has failed: the payer's bank did not take the money, which is the
/// platform's again.
public struct RefundFailed: ProductEvent {
    public static let type = "payments.refund-failed.v1"
    public static let topic = Topic.payments
    public var refund: Refund
    public var product: Product
    public var payer: PersonID
    /// The provider's reason, for example `expired_or_canceled_card`.
    public var reason: String
    public var key: String { refund.bill.description }

    public init(refund: Refund, product: Product, payer: PersonID, reason: String) {
        self.refund = refund
        self.product = product
        self.payer = payer
        self.reason = reason
    }
}

/// The payment provider moved money in a way that operators should look at.
public struct ProviderAlerted: Event {
    /// The event. `refundMade`: a payment was refunded at the provider, and not here.
    /// `payoutFailed`: the bank refused a payout to the platform. `transferReversed`: money that
    /// was paid out to a person came back. `recordsDiffer`: a day's records differ.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// A payment was refunded at the provider, and not here.
        case refundMade
        /// The bank refused a payout to the platform.
        case payoutFailed
        /// Money that was paid out to a person came back.
        case transferReversed
        /// A day's records differ from the provider's.
        case recordsDiffer
    }

    public static let type = "payments.provider-alerted.v1"
    public static let topic = Topic.payments
    public var kind: Open<Kind>
    /// Its subject: the id of a refund or payout, or a day.
    public var subject: String
    public var amount: Money?
    public var key: String { subject }

    public init(_ kind: Kind, of subject: String, amount: Money?) {
        self.kind = .known(kind)
        self.subject = subject
        self.amount = amount
    }
}
