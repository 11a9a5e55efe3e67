import Contracts
import Foundation

/// The external company that moves the money.
///
/// Every call that changes something carries an id of ours, and the provider acts at most once per id,
/// however often it is called. So after a lost answer, the same call is repeated, never a new charge made.
protocol PaymentProvider: PayoutProvider {
    /// The instrument behind a token; nil if the provider does not know it.
    func instrument(for token: PaymentToken) async throws -> Instrument?

    /// Begins to set up a card for payments in the payer's absence; returns the secret for the provider's form.
    func beginSetup(for payer: PersonID) async throws -> String

    /// Saves the instrument behind a token for the payer's next payments.
    func keep(_ token: PaymentToken, for payer: PersonID) async throws -> KeepOutcome

    /// The current data of a saved instrument, which the bank may have replaced; nil if it is not saved any more.
    func saved(_ reference: String) async throws -> Instrument?

    /// Deletes a saved instrument.
    func release(_ reference: String) async throws

    /// Deletes everything saved for a payer; payments stay.
    func forget(_ payer: PersonID) async throws

    /// Charges, or returns the reason of the refusal.
    func charge(_ charge: Charge) async throws -> ChargeOutcome

    /// Continues after the payer's further step; a hold only up to the bank's approval.
    func resume(_ payment: PaymentID, isHold: Bool) async throws -> ChargeOutcome

    /// Captures an amount of a hold; the rest is released to the payer.
    func capture(_ payment: PaymentID, _ amount: Money) async throws -> ChargeOutcome

    /// The outcome of a charge; nil if the provider never received it.
    func status(of payment: PaymentID) async throws -> ChargeOutcome?

    /// Ensures that nothing is charged under this id from now on, even by a call that is still on
    /// its way. Returns the outcome: `cancelled`, or `succeeded` if it was too late.
    func cancel(_ payment: PaymentID, because reason: CancelReason) async throws -> ChargeOutcome

    /// Makes a refund.
    func refund(_ refund: Refund) async throws -> RefundOutcome

    /// The provider's movements in a span of time, page by page; `after` is the previous page's `next`.
    func movements(in span: Range<Date>, after: String?) async throws -> MovementPage

    /// The movement under an id, at any time; nil if there is none.
    func movement(of cause: Movement.Cause) async throws -> Movement?

    /// All refunds of a payment, oldest first, whoever made them.
    func refunds(of payment: PaymentID) async throws -> [ReportedRefund]

    /// Our id of a refund that was made at the provider; the same for each call.
    func adopt(_ refund: String) async throws -> RefundID

    /// A dispute of a payment of ours; nil for any other.
    func dispute(_ reference: String) async throws -> ReportedDispute?

    /// The disputes that began in a span of time.
    func disputes(in span: Range<Date>, after: String?) async throws -> DisputePage

    /// A failed payout to the platform's own bank; nil unless it failed.
    func failedPayout(_ reference: String) async throws -> FailedPayout?
}

/// The data of a card that may be stored here.
struct Instrument: Codable, Sendable, Hashable {
    /// The provider's reference for charges.
    let reference: String
    let brand: String
    let last4: String
    /// The last month in which the card can be used; nil if the provider does not say.
    var expiry: CardExpiry?
    /// Such as `apple_pay`; nil for a card itself.
    var wallet: String?
}

/// The expiry date on a card.
struct CardExpiry: Codable, Sendable, Hashable {
    /// 1 to 12.
    let month: Int
    /// With four digits.
    let year: Int

    /// Nil for a month that does not exist.
    init?(month: Int, year: Int) {
        guard (1...12).contains(month), (2_000...9_999).contains(year) else { return nil }
        (self.month, self.year) = (month, year)
    }

    /// Whether the month is over everywhere: no later than that, banks refuse the card.
    func isPast(at now: Date) -> Bool {
        let next = DateComponents(
            calendar: Calendar(identifier: .gregorian), timeZone: .gmt,
            year: month == 12 ? year + 1 : year, month: month == 12 ? 1 : month + 1, day: 1)
        guard let end = next.date else { return false }
        return now >= end.addingTimeInterval(Self.lastZone)
    }

    /// The zone in which a day ends last, in seconds behind UTC.
    private static let lastZone: TimeInterval = 12 * 3_600
}

enum KeepOutcome: Sendable, Hashable {
    case kept(Instrument)
    /// The provider does not know the token.
    case unknown
    case declined(String)
}

struct Charge: Sendable, Hashable {
    let id: PaymentID
    let bill: BillID
    let payer: PersonID
    let amount: Money
    let reference: String
    /// Holds the amount without charging it.
    var isHold = false
    /// The payer is not there to confirm the payment.
    var isOffSession = false
}

enum ChargeOutcome: Sendable, Hashable {
    case succeeded
    /// With the provider's reason, for example `card_declined`.
    case declined(String)
    /// The payer has to do something with this secret first.
    case requiresAction(clientSecret: String)
    /// The payer's bank agreed, but nothing is charged before `resume` or, for a hold, `capture`.
    case authorized
    case cancelled(String)
    /// The provider does not know yet.
    case pending
}

enum RefundOutcome: Sendable, Hashable {
    case succeeded
    case failed(String)
    /// The provider does not know yet.
    case pending
}

/// Why we gave an attempt up; also the reason that the payer sees.
enum CancelReason: String, Sendable, CaseIterable {
    /// The provider never received it.
    case notProcessed = "not_processed"
    /// The payer paid by other means.
    case superseded
    /// The payer's further step did not come in time.
    case expired
    /// The bill was withdrawn or replaced by another.
    case billChanged = "bill_changed"

    /// Whether the payer is notified.
    var isAnnounced: Bool {
        switch self {
        case .notProcessed, .expired: true
        case .superseded, .billChanged: false
        }
    }
}

/// Money that the provider charged, refunded or paid out to people, or that a dispute took.
struct Movement: Sendable, Hashable {
    enum Cause: Sendable, Hashable {
        case payment(PaymentID)
        case refund(RefundID)
        /// Money that a dispute has taken, by the provider's id.
        case dispute(String)
        case payout(PayoutID)

        /// The id of the matching ledger entry; of a dispute, what the ids of its entries begin with.
        var entry: String {
            switch self {
            case .payment(let id): LedgerEntry.capture(id)
            case .refund(let id): LedgerEntry.refund(id)
            case .dispute(let id): LedgerEntry.dispute(id)
            case .payout(let id): LedgerEntry.paid(id)
            }
        }
    }

    /// Nil if it is not ours.
    let cause: Cause?
    /// The provider's own id.
    let reference: String
    /// Positive for refunds too.
    let amount: Money
    /// The payment of ours that it belongs to, if the cause is not ours.
    var payment: PaymentID?
}

struct MovementPage: Sendable, Hashable {
    let items: [Movement]
    let next: String?
}

/// The provider did not answer. The outcome is unknown, unless the call was read-only.
struct ProviderUnavailable: Error {
    let detail: String
}
