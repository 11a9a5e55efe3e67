import Contracts
import Foundation

/// A company on the other side of a network that moves the money.
///
/// Every call that changes something carries an id of ours, and the provider does it at most once per id,
/// however often it is asked. So a lost answer is found by asking again, never by charging anew.
protocol PaymentProvider: Sendable {
    /// What stands behind a token; nil when the provider does not know it.
    func instrument(for token: PaymentToken) async throws -> Instrument?

    /// Keeps what stands behind a token for the payer's next payments.
    func keep(_ token: PaymentToken, for payer: PersonID) async throws -> KeepOutcome

    /// A kept instrument is not needed any more.
    func release(_ reference: String) async throws

    /// Everything that is kept of a payer goes; what was paid stays.
    func forget(_ payer: PersonID) async throws

    /// Takes the money, or says why not.
    func charge(_ charge: Charge) async throws -> ChargeOutcome

    /// Goes on after the payer's further step; of a hold only as far as the bank's word.
    func resume(_ payment: PaymentID, isHold: Bool) async throws -> ChargeOutcome

    /// Takes an amount of what is set aside; the rest is the payer's again.
    func capture(_ payment: PaymentID, _ amount: Money) async throws -> ChargeOutcome

    /// What became of a charge; nil when the provider never took it up.
    func status(of payment: PaymentID) async throws -> ChargeOutcome?

    /// Makes sure that nothing is taken under this id from now on, also when the charge is still on
    /// its way. Answers what holds: `cancelled`, or `succeeded` when it was too late.
    func cancel(_ payment: PaymentID, because reason: CancelReason) async throws -> ChargeOutcome

    /// Gives money back.
    func refund(_ refund: Refund) async throws -> RefundOutcome

    /// Whether a payout can only go to an account that the person has named.
    var needsPayoutAccount: Bool { get }

    /// Whether it can be the provider's name of an account.
    func isPayoutAccount(_ account: String) -> Bool

    /// Pays out what is owed to a person. Asked again it says what became of it, also later: what was
    /// paid may come back.
    func payOut(_ payout: PayoutAttempt) async throws -> PayoutOutcome

    /// What the provider moved in a span of time, a page at a time; `after` is the last page's
    /// `next`.
    func movements(in span: Range<Date>, after: String?) async throws -> MovementPage

    /// What the provider took under an id, whenever that was; nil for nothing.
    func movement(of cause: Movement.Cause) async throws -> Movement?
}

/// A card, as far as it may be known here.
struct Instrument: Codable, Sendable, Hashable {
    /// What the provider wants to hear when it is charged.
    let reference: String
    let brand: String
    let last4: String
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
    /// Set aside only.
    var isHold = false
}

enum ChargeOutcome: Sendable, Hashable {
    case succeeded
    /// With the provider's reason, as in `card_declined`.
    case declined(String)
    /// The payer has to do something with this secret first.
    case requiresAction(clientSecret: String)
    /// The payer's bank agreed, and nothing is taken before `resume`, or of a hold `capture`.
    case authorized
    case cancelled(String)
    /// The provider does not know yet.
    case pending
}

enum PayoutOutcome: Sendable, Hashable {
    /// Of it so much has come back, in minor units.
    case paid(returned: Int = 0)
    case failed(String)
    /// The provider does not know yet.
    case pending
}

enum RefundOutcome: Sendable, Hashable {
    case succeeded
    case failed(String)
    /// The provider does not know yet.
    case pending
}

/// Why an attempt was given up here; also what the payer sees as the reason.
enum CancelReason: String, Sendable, CaseIterable {
    /// The provider never got it.
    case notProcessed = "not_processed"
    /// The payer paid with something else instead.
    case superseded
    /// The payer's further step did not come in time.
    case expired
    /// The bill was withdrawn or replaced by another.
    case billChanged = "bill_changed"

    /// Whether the payer is to be told.
    var isAnnounced: Bool {
        switch self {
        case .notProcessed, .expired: true
        case .superseded, .billChanged: false
        }
    }
}

/// Money that the provider took or gave back.
struct Movement: Sendable, Hashable {
    enum Cause: Sendable, Hashable {
        case payment(PaymentID)
        case refund(RefundID)

        /// Of the ledger's entry about the same.
        var entry: String {
            switch self {
            case .payment(let id): LedgerEntry.capture(id)
            case .refund(let id): LedgerEntry.refund(id)
            }
        }
    }

    /// Nil when it is none of ours.
    let cause: Cause?
    /// The provider's own name of it.
    let reference: String
    /// Positive, also when it was given back.
    let amount: Money
}

struct MovementPage: Sendable, Hashable {
    let items: [Movement]
    let next: String?
}

/// The provider gave no answer: the outcome is unknown, unless it was a question.
struct ProviderUnavailable: Error {
    let detail: String
}
