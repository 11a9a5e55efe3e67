import Contracts
import Foundation

// Stripe's objects, as far as we need them, with Stripe's names.

struct StripeCustomer: Decodable, Sendable {
    let id: String
}

struct StripePaymentMethod: Decodable, Sendable {
    struct Card: Decodable, Sendable {
        struct Wallet: Decodable, Sendable { let type: String? }

        let brand: String?
        let last4: String?
        let exp_month: Int?
        let exp_year: Int?
        let wallet: Wallet?
    }

    let id: String
    /// Nil if it is not saved for a customer.
    let customer: String?
    let card: Card?

    /// Nil for anything but cards; Apple Pay and Google Pay count as cards.
    func instrument(as reference: String? = nil) -> Instrument? {
        card.map {
            Instrument(
                reference: reference ?? id, brand: $0.brand ?? "card", last4: $0.last4 ?? "",
                expiry: $0.expiry, wallet: $0.wallet?.type)
        }
    }
}

extension StripePaymentMethod.Card {
    fileprivate var expiry: CardExpiry? {
        guard let exp_month, let exp_year else { return nil }
        return CardExpiry(month: exp_month, year: exp_year)
    }
}

struct StripeSetupIntent: Decodable, Sendable {
    let id: String
    let client_secret: String?
}

struct StripeIntent: Decodable, Sendable {
    struct Failure: Decodable, Sendable {
        let code: String?
        let decline_code: String?
        let payment_method: StripePaymentMethod?
    }

    let id: String
    let status: String
    let client_secret: String?
    let cancellation_reason: String?
    let last_payment_error: Failure?
    let metadata: [String: String]?

    /// Nil until it is confirmed: before that, nothing can be charged.
    var outcome: ChargeOutcome? {
        switch status {
        case "succeeded": .succeeded
        case "requires_capture": .authorized
        case "requires_action": .requiresAction(clientSecret: client_secret ?? "")
        case "requires_payment_method" where needsPayer:
            .requiresAction(clientSecret: client_secret ?? "")
        case "requires_payment_method":
            .declined(
                DeclineReason.forPayer(
                    last_payment_error?.decline_code ?? last_payment_error?.code))
        case "canceled": .cancelled(cancellation_reason ?? CancelReason.notProcessed.rawValue)
        case "requires_confirmation": nil
        default: .pending
        }
    }

    /// The bank wants the payer to confirm what was charged in their absence: the intent is confirmed again once they
    /// are there (Stripe, "Save details for future payments", "Start a recovery flow").
    var needsPayer: Bool { last_payment_error?.code == StripeRefusal.authenticationRequired }
}

struct StripeRefund: Decodable, Sendable {
    let id: String
    let status: String?
    let amount: Int
    let currency: String
    let payment_intent: String?
    let failure_reason: String?
    let metadata: [String: String]?

    var outcome: RefundOutcome {
        switch status {
        case "succeeded": .succeeded
        case "failed", "canceled": .failed(failure_reason ?? status ?? "failed")
        default: .pending
        }
    }

    var money: Money { get throws { try StripeAmount(amount, currency).money } }
}

struct StripeCharge: Decodable, Sendable {
    let id: String
    let amount: Int
    let amount_captured: Int?
    let currency: String
    let captured: Bool
    let status: String
    let payment_intent: String?
    let metadata: [String: String]?

    var taken: Money? {
        get throws {
            guard status == "succeeded", captured else { return nil }
            return try StripeAmount(amount_captured ?? amount, currency).money
        }
    }
}

struct StripeList<Item: Decodable & Sendable>: Decodable, Sendable {
    let data: [Item]
    let has_more: Bool
}

struct StripeDispute: Decodable, Sendable {
    struct Evidence: Decodable, Sendable {
        let due_by: Int?
    }

    /// Money that left the balance, or came back; in the currency of the bank account.
    struct Transaction: Decodable, Sendable {
        let amount: Int
        let fee: Int?
        let currency: String
    }

    let id: String
    let status: String
    let amount: Int
    let currency: String
    let payment_intent: String?
    let reason: String?
    let created: Int
    let evidence_details: Evidence?
    let balance_transactions: [Transaction]?

    var stage: DisputeStatus {
        switch status {
        case "won", "prevented": .won
        case "lost": .lost
        case "warning_closed": .closed
        case "under_review": .underReview
        case "needs_response": .needsResponse
        default: .inquiry
        }
    }

    /// Amount that left the balance and has not come back, in units of `currency`.
    private var taken: Int {
        (balance_transactions ?? []).reduce(0) { sum, moved in
            if moved.currency == currency { return sum - moved.amount }
            return sum - moved.amount.signum() * amount
        }
    }

    private var fee: Money? {
        get throws {
            guard let currency = balance_transactions?.first?.currency else { return nil }
            let sum = (balance_transactions ?? []).reduce(0) { $0 + ($1.fee ?? 0) }
            return sum == 0 ? nil : try StripeAmount(sum, currency).money
        }
    }

    func report(of payment: PaymentID) throws -> ReportedDispute {
        ReportedDispute(
            reference: id, payment: payment, amount: try StripeAmount(amount, currency).money,
            status: stage, reason: reason ?? "general",
            evidenceDueAt: evidence_details?.due_by.map {
                Date(timeIntervalSince1970: TimeInterval($0))
            }, createdAt: Date(timeIntervalSince1970: TimeInterval(created)),
            taken: try StripeAmount(taken, currency).money.amount, fee: try fee)
    }
}

/// A payout to a bank: the platform's own, or that of a connected account.
struct StripePayout: Decodable, Sendable {
    let id: String
    let status: String
    let amount: Int
    let currency: String
    let failure_code: String?
}

/// A webhook event; its object may be outdated.
struct StripeEvent: Decodable, Sendable {
    struct Payload: Decodable, Sendable {
        let object: Subject
    }

    struct Subject: Decodable, Sendable {
        let id: String?
        let object: String?
        let metadata: [String: String]?
        /// The payment intent of a refund, a charge or a dispute.
        let payment_intent: String?
    }

    let id: String
    let type: String
    /// The connected account that the event is about; nil for the platform's own.
    let account: String?
    let data: Payload
}
