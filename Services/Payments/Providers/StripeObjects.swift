import Contracts
import Foundation

// Stripe's objects, as far as we need them, with Stripe's names.

struct StripeCustomer: Decodable, Sendable {
    let id: String
}

struct StripePaymentMethod: Decodable, Sendable {
    struct Card: Decodable, Sendable {
        let brand: String?
        let last4: String?
    }

    let id: String
    let card: Card?

    /// Nil for anything but cards; Apple Pay and Google Pay count as cards.
    func instrument(as reference: String? = nil) -> Instrument? {
        card.map {
            Instrument(
                reference: reference ?? id, brand: $0.brand ?? "card", last4: $0.last4 ?? "")
        }
    }
}

struct StripeIntent: Decodable, Sendable {
    struct Failure: Decodable, Sendable {
        let code: String?
        let decline_code: String?
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
        case "requires_payment_method":
            .declined(last_payment_error?.decline_code ?? last_payment_error?.code ?? "declined")
        case "canceled": .cancelled(cancellation_reason ?? CancelReason.notProcessed.rawValue)
        case "requires_confirmation": nil
        default: .pending
        }
    }
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

    var movement: Movement? {
        guard outcome == .succeeded else { return nil }
        return Movement(
            cause: metadata?[StripeProvider.refundKey].flatMap(RefundID.init).map { .refund($0) },
            reference: id, amount: Money(amount: amount, currency: currency.uppercased()))
    }
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
        guard status == "succeeded", captured else { return nil }
        return Money(amount: amount_captured ?? amount, currency: currency.uppercased())
    }
}

struct StripeList<Item: Decodable & Sendable>: Decodable, Sendable {
    let data: [Item]
    let has_more: Bool
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
    }

    let id: String
    let type: String
    let data: Payload
}
