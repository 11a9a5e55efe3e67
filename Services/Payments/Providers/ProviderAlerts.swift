import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// Alerts to operators about what the provider does by itself; each once, however often the provider says so.
enum ProviderAlerts {
    static let migrations = [
        Migration.addition(
            "provider-alerts-1",
            """
            CREATE TABLE provider_alerts (
                id TEXT NOT NULL PRIMARY KEY,
                told_at BIGINT NOT NULL
            )
            """)
    ]

    static func tellOfRefund(_ refund: Refund, at now: Date, in transaction: Transaction) throws {
        let event = ProviderAlerted(
            .refundMade, of: refund.id.description, amount: refund.amount)
        try transaction.publish(event, at: now)
        try PaymentNotices.tellOperators(
            "refund-made", of: refund.bill, refund.amount, ProviderAlerted.self, at: now,
            transaction)
    }

    /// A payout to a person may have come back, in whole or in part.
    static func tellOfReturn(_ payout: Payout, at now: Date, in transaction: Transaction) throws {
        let all = payout.status == .failed ? payout.amount : nil
        guard let amount = all ?? payout.returned, amount.amount > 0 else { return }
        try tell(
            ProviderAlerted(.transferReversed, of: payout.id.description, amount: amount),
            "transfer-reversed", ["amount": .money(amount)],
            once: "transfer:\(payout.id):\(amount.amount)", at: now, in: transaction)
    }

    /// - Parameter id: What is told once.
    static func tell(
        _ event: ProviderAlerted, _ key: String, _ values: [String: Catalogue.Value],
        once id: String, at now: Date, in transaction: Transaction
    ) throws {
        let isNew = try transaction.execute(
            "INSERT INTO provider_alerts (id, told_at) VALUES (?, ?) ON CONFLICT DO NOTHING", id,
            now)
        guard isNew == 1 else { return }
        try transaction.publish(event, at: now)
        let message = PaymentNotices.words.message(to: .operators, key, values, push: .soon)
        try transaction.publish(
            NoticeIssued(Notice(subject: event.subject, cause: ProviderAlerted.self, [message])),
            at: now)
    }
}

extension PaymentUseCases {
    /// A payout to the platform's own bank has failed.
    func tellOfPayout(_ reference: String) async throws {
        guard let failed = try await asking({ try await provider.failedPayout(reference) }) else {
            return
        }
        let now = clock.now
        try await database.write { transaction in
            try ProviderAlerts.tell(
                ProviderAlerted(.payoutFailed, of: reference, amount: failed.amount),
                "bank-payout-failed", ["amount": .money(failed.amount)],
                once: "payout:\(reference)", at: now, in: transaction)
        }
    }
}
