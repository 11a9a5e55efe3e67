import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

// Refunds that the provider tells of by itself: those that fail after they succeeded, and those made at the provider.

extension PaymentUseCases {
    /// Takes over what the provider has refunded of a payment. Returns our ids by the provider's.
    @discardableResult
    func review(_ payment: PaymentID) async throws -> [String: RefundID] {
        guard try await hasSucceeded(payment) else { return [:] }
        var ids: [String: RefundID] = [:]
        for report in try await asking({ try await provider.refunds(of: payment) }) {
            ids[report.reference] = try await take(report, of: payment)
        }
        return ids
    }

    /// Nil if there is nothing to record.
    private func take(_ report: ReportedRefund, of payment: PaymentID) async throws -> RefundID? {
        if let id = report.refund, let known = try await refund(id), known.refund.payment == payment
        {
            try await take(report, as: known)
            return id
        }
        if case .failed = report.outcome { return nil }
        let id = try await asking { try await provider.adopt(report.reference) }
        if try await refund(id) == nil { try await record(report, as: id, of: payment) }
        if let known = try await refund(id) { try await take(report, as: known) }
        return id
    }

    private func take(_ report: ReportedRefund, as known: RefundAttempt) async throws {
        switch (known.state, report.outcome) {
        case (.processing, _): _ = try await give(known)
        case (.succeeded, .failed(let reason)): try await reverse(known.refund.id, because: reason)
        case (.succeeded, _), (.failed, _): break
        }
    }

    private func refund(_ id: RefundID) async throws -> RefundAttempt? {
        try await database.read { try $0.refunds.find(id) }
    }

    /// Stores a refund that was made at the provider. Refunds of ours that wait for the provider's answer are settled
    /// first: those that it refuses make room.
    private func record(
        _ report: ReportedRefund, as id: RefundID, of payment: PaymentID
    ) async throws {
        let pending = try await database.read { try $0.refunds.pending(of: payment) }
        for attempt in pending { _ = try await give(attempt) }
        let now = clock.now
        try await database.write { transaction in
            guard try transaction.refunds.find(id) == nil,
                var charge = try transaction.attempts.find(payment)
            else { return }
            guard report.amount.currency == charge.payment.amount.currency,
                charge.reserveReported(report.amount.amount)
            else { throw Refusal.paymentInProgress }
            let takenBack = try charge.takeBack(report.amount, of: nil)
            let refund = Refund(
                id: id, payment: payment, bill: charge.payment.bill, amount: report.amount,
                reason: Refund.madeAtProvider, createdAt: now)
            try transaction.attempts.update(&charge)
            try transaction.refunds.insert(
                RefundAttempt(
                    refund, of: charge, takenBack: takenBack, by: .house, isForeign: true,
                    heldUntil: now))
        }
    }

    /// A refund that had succeeded has failed: its entry is reversed, and the money refundable again.
    private func reverse(_ id: RefundID, because reason: String) async throws {
        let now = clock.now
        try await database.write { transaction in
            guard var attempt = try transaction.refunds.find(id),
                var charge = try transaction.attempts.find(attempt.refund.payment),
                attempt.reverse(reason)
            else { return }
            charge.reverse(attempt)
            try transaction.ledger.enterFailure(of: attempt, of: &charge, at: now)
            try PaymentNotices.announce(
                RefundFailed(
                    refund: attempt.refund, product: attempt.product, payer: attempt.payer,
                    reason: reason), at: now, in: transaction)
            try transaction.refunds.update(&attempt)
            try transaction.attempts.update(&charge)
        }
    }

    /// Whether a refund has failed after it had succeeded; asks the provider unless that is known.
    func isReversed(_ id: RefundID) async throws -> Bool {
        if let known = try await refund(id), known.state == .succeeded {
            try await review(known.refund.payment)
        }
        return try await database.read { try $0.ledger.hasEntry(LedgerEntry.refundFailed(id)) }
    }
}

extension RefundStore {
    fileprivate func pending(of payment: PaymentID) throws -> [RefundAttempt] {
        try transaction.rows(
            "SELECT body FROM refunds WHERE payment_id = ? AND state = 'processing' ORDER BY id",
            payment
        ).map { try $0.json() }
    }
}

extension Refund {
    /// The reason of a refund that was made at the provider, and not here.
    static let madeAtProvider = "Made at the payment provider."
}
