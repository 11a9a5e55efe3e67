import Contracts
import Foundation

// Reports from the provider on payments, refunds and disputes, whoever caused them.

/// A refund as the provider has it now.
struct ReportedRefund: Sendable, Hashable {
    /// The provider's own id.
    let reference: String
    /// Our id, if the refund is known here; it may be of another payment.
    let refund: RefundID?
    let amount: Money
    let outcome: RefundOutcome
}

/// A dispute as the provider has it now.
struct ReportedDispute: Sendable, Hashable {
    /// The provider's own id.
    let reference: String
    let payment: PaymentID
    let amount: Money
    let status: DisputeStatus
    /// The bank's reason in the provider's words.
    let reason: String
    let evidenceDueAt: Date?
    let createdAt: Date
    /// Amount that has left the platform's balance and not come back, in minor units of the amount.
    let taken: Int
    /// The provider's fee, less what came back of it; nil for none.
    let fee: Money?
}

/// A payout to the platform's bank that failed.
struct FailedPayout: Sendable, Hashable {
    let amount: Money
    /// The provider's reason, for example `account_closed`.
    let reason: String
}

/// References of disputes, page by page.
struct DisputePage: Sendable, Hashable {
    let references: [String]
    let next: String?
}
