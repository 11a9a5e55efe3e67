import Contracts

/// Who moves the money: a company on the other side of a network.
///
/// Every call that changes something is named by an id of ours, and the provider does it at most
/// once for one id however often it is asked. So an answer that got lost is found again by asking,
/// never by charging anew.
protocol PaymentProvider: Sendable {
    /// What stands behind a token; nil when the provider does not know it.
    func instrument(for token: PaymentToken) async throws -> Instrument?

    /// Takes the money, or says why not.
    func charge(_ charge: Charge) async throws -> ChargeOutcome

    /// Goes on after the customer's further step.
    func resume(_ payment: PaymentID) async throws -> ChargeOutcome

    /// What became of a charge; nil when the provider never heard of it.
    func status(of payment: PaymentID) async throws -> ChargeOutcome?

    /// Makes sure that nothing is taken under this id from now on, also when the charge is still on
    /// its way. Answers what holds: `cancelled`, or `succeeded` when it was too late.
    func cancel(_ payment: PaymentID, because reason: CancelReason) async throws -> ChargeOutcome

    /// Gives money back.
    func refund(_ refund: Refund) async throws -> RefundOutcome
}

/// A card, as far as it may be known here.
struct Instrument: Codable, Sendable, Hashable {
    /// What the provider wants to hear when it is charged.
    let reference: String
    let brand: String
    let last4: String
}

struct Charge: Sendable, Hashable {
    let id: PaymentID
    let order: OrderID
    let amount: Money
    let reference: String
}

enum ChargeOutcome: Sendable, Hashable {
    case succeeded
    /// With the provider's reason, as in `card_declined`.
    case declined(String)
    /// The customer has to do something with this secret first.
    case requiresAction(clientSecret: String)
    case cancelled(String)
    /// The provider does not know yet.
    case pending
}

enum RefundOutcome: Sendable, Hashable {
    case succeeded
    case failed(String)
}

/// Why an attempt was given up here; also what the customer sees as the reason.
enum CancelReason: String, Sendable, CaseIterable {
    /// The provider never got it.
    case notProcessed = "not_processed"
    /// The customer paid with something else instead.
    case superseded
    /// The customer's further step did not come in time.
    case expired

    /// Whether the customer is to be told.
    var isAnnounced: Bool {
        switch self {
        case .notProcessed, .expired: true
        case .superseded: false
        }
    }
}

/// The provider gave no answer: the outcome is unknown, unless it was a question.
struct ProviderUnavailable: Error {
    let detail: String
}
