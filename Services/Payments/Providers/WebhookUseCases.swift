import Contracts
import Foundation
import ServiceKit
import Store

extension PaymentUseCases {
    /// How long an event's id is kept: longer than a provider repeats it. Stripe repeats it for three days.
    static let webhookRetention: TimeInterval = 7 * 86_400

    /// Uses a webhook only as a hint to ask the provider, since its content may be outdated or out of order.
    ///
    /// The event's id is stored after its effect, so that a failed event is sent again.
    func receive(_ body: Data, signature: String?) async throws {
        guard let webhooks else { throw Refusal.notFound }
        let now = clock.now
        let event = try webhooks.open(body, signature: signature, at: now)
        guard try await database.read({ try !$0.webhookEvents.has(event.id) }) else { return }
        switch try await webhooks.subject(of: event) {
        case .payment(let id):
            if let attempt = try await database.read({ try $0.attempts.find(id) }) {
                _ = try await resolve(attempt)
            }
        case .refund(let id):
            if let refund = try await database.read({ try $0.refunds.find(id) }) {
                _ = try await give(refund)
                try await review(refund.refund.payment)
            }
        case .refunds(let payment): try await review(payment)
        case .dispute(let reference): try await follow(dispute: reference)
        case .bankPayout(let reference): try await tellOfPayout(reference)
        case .payout(let id):
            if try await database.read({ try $0.payouts.find(id) }) != nil {
                _ = try await settlePayout(id)
            }
        case .card(let reference): try await refreshCards(reference)
        case .account(let account): try await hear(account)
        case .bankTransfer(let id, let account): try await hear(id, from: account)
        case nil: break
        }
        try await database.write { try $0.webhookEvents.keep(event.id, at: now) }
    }

    func sweepWebhookEvents() async throws {
        let now = clock.now
        try await database.write { try $0.webhookEvents.sweep(at: now) }
    }
}

extension Transaction {
    var webhookEvents: WebhookEventStore { WebhookEventStore(transaction: self) }
}

/// Ids of received events.
struct WebhookEventStore {
    let transaction: Transaction

    func has(_ id: String) throws -> Bool {
        try transaction.row("SELECT 1 AS one FROM webhook_events WHERE id = ?", id) != nil
    }

    func keep(_ id: String, at now: Date) throws {
        try transaction.execute(
            "INSERT INTO webhook_events (id, received_at) VALUES (?, ?) ON CONFLICT DO NOTHING",
            id, now)
    }

    func sweep(at now: Date) throws {
        try transaction.execute(
            "DELETE FROM webhook_events WHERE received_at < ?",
            now.addingTimeInterval(-PaymentUseCases.webhookRetention))
    }
}
