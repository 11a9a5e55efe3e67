import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// The stored answer for repeats of a refund request.
private struct RefundClaim: Codable, Sendable {
    let refund: RefundID
    /// Tells the request that made the claim from repeats of it.
    let maker: UUID
}

extension PaymentUseCases {
    /// Makes a refund. The amount is reserved first, so concurrent refunds never exceed the charge.
    func refund(
        _ payment: PaymentID, _ body: RefundBody, in currency: String? = nil,
        by person: PersonID, key: IdempotencyKey?
    ) async throws -> Refund {
        if let amount = body.amount, !(1...Money.largestAmount).contains(amount) {
            throw Refusal.invalid("amount", "Use 1 to \(Money.largestAmount).")
        }
        let reason = try Check.text(body.reason, "reason", 1...500)
        let (now, maker) = (clock.now, UUID())
        let claim = try await database.write(once: key) { transaction in
            try transaction.requireStanding(of: person)
            guard var attempt = try transaction.attempts.find(payment) else {
                throw Refusal.paymentUnknown
            }
            let known = attempt.payment.amount.currency
            if let currency, currency != known {
                throw Refusal.paymentCurrencyMismatch.because("Expected: \(known).")
            }
            let step = Money.chargeStep(in: known)
            if let amount = body.amount, !amount.isMultiple(of: step) {
                throw Refusal.invalid("amount", "Use a multiple of \(step).")
            }
            let amount = try attempt.reserveRefund(try attempt.refundAmount(body))
            let takenBack = try attempt.takeBack(amount, of: body.line)
            let handOut = try transaction.drawers.handOut(
                amount, of: attempt, body, by: person, at: now)
            let refund = Refund(
                id: .new(at: now), payment: payment, bill: attempt.payment.bill, amount: amount,
                reason: reason, createdAt: now)
            try transaction.attempts.update(&attempt)
            try transaction.refunds.insert(
                RefundAttempt(
                    refund, of: attempt, takenBack: takenBack, by: person,
                    heldUntil: now.addingTimeInterval(Self.hold), handOut: handOut))
            // Handed out is settled: until the ledger has it, the drawer would seem to have the cash.
            if handOut != nil {
                _ = try transaction.refunds.settle(refund.id, as: .succeeded, at: now)
            }
            try transaction.publish(
                OperatorActed(
                    by: person.as(OperatorID.self), action: "payments.refund",
                    subject: payment.description,
                    reason: reason, actedAt: now), at: now)
            return RefundClaim(refund: refund.id, maker: maker)
        }
        guard let attempt = try await database.read({ try $0.refunds.find(claim.refund) }) else {
            throw Refusal.paymentUnknown
        }
        do {
            let settled =
                claim.maker == maker
                ? try await give(attempt) : try await outcome(of: attempt)
            return try settled.answer()
        } catch Refusal.paymentProviderUnavailable {
            throw Refusal.paymentProviderUnavailable.because(Refund.willBeMade)
        }
    }

    /// The outcome of a refund by another request, or from before a crash.
    private func outcome(of attempt: RefundAttempt) async throws -> RefundAttempt {
        if attempt.state == .processing, attempt.heldUntil > clock.now {
            let settled = try await database.awaiting(
                PaymentStore.settledSignal, within: patience.settled
            ) { transaction -> RefundAttempt? in
                try transaction.refunds.find(attempt.refund.id).flatMap {
                    $0.state == .processing ? nil : $0
                }
            }
            if let settled { return settled }
        }
        return try await give(attempt)
    }

    /// Calls the provider, which refunds only once per id, and settles. Refunds that people hand out stay as they are.
    func give(_ attempt: RefundAttempt) async throws -> RefundAttempt {
        guard attempt.state == .processing, attempt.isByHand != true else { return attempt }
        let outcome: RefundOutcome
        do {
            outcome = try await provider.refund(attempt.refund)
        } catch let error as ProviderUnavailable {
            logger.warning(
                "payment provider gave no answer",
                metadata: ["refund": "\(attempt.refund.id)", "error": "\(error.detail)"])
            throw Refusal.paymentProviderUnavailable
        }
        return try await settle(attempt.refund.id, as: outcome)
    }

    private func settle(_ id: RefundID, as outcome: RefundOutcome) async throws -> RefundAttempt {
        let now = clock.now
        return try await database.write { try $0.refunds.settle(id, as: outcome, at: now) }
    }
}

extension RefundStore {
    /// Takes the outcome of a refund with its entry, its credit note and its event; one that is settled stays as it is.
    func settle(_ id: RefundID, as outcome: RefundOutcome, at now: Date) throws -> RefundAttempt {
        guard var attempt = try find(id),
            var charge = try transaction.attempts.find(attempt.refund.payment)
        else { throw Refusal.paymentUnknown }
        guard attempt.take(outcome) else { return attempt }
        charge.settle(attempt)
        if attempt.state == .succeeded {
            try transaction.ledger.enterRefund(&attempt, of: &charge, at: now)
            try PaymentNotices.announce(
                PaymentRefunded(
                    refund: attempt.refund, product: attempt.product, payer: attempt.payer,
                    by: attempt.by), isTold: attempt.isAnnounced == true, at: now,
                in: transaction)
            if attempt.isForeign == true {
                try ProviderAlerts.tellOfRefund(attempt.refund, at: now, in: transaction)
            }
        }
        try update(&attempt)
        try transaction.attempts.update(&charge)
        transaction.signal(PaymentStore.settledSignal)
        return attempt
    }

    /// Refunds that a product requests in its bill: each only once, and never more than was paid in all.
    func giveBack(_ returns: [Bill.Return], of payment: PaymentID, at now: Date) throws {
        for back in returns where try find(back.id) == nil {
            guard var attempt = try transaction.attempts.find(payment),
                back.amount.currency == attempt.payment.amount.currency,
                case let wanted = attempt.refund(for: back.amount).amount, wanted > 0
            else { continue }
            // During a dispute that keeps money, no refund of the payment is possible: it waits for the end.
            if attempt.disputed != nil, try transaction.disputes.hasOpen(of: payment) {
                try transaction.waitingReturns.keep(back, of: payment)
                continue
            }
            let amount = min(wanted, attempt.refundable)
            guard amount > 0 else { continue }
            let reserved = try attempt.reserveRefund(amount)
            let takenBack = try attempt.takeBack(reserved, of: nil)
            let refund = Refund(
                id: back.id, payment: payment, bill: attempt.payment.bill, amount: reserved,
                reason: back.reason, createdAt: now)
            try transaction.attempts.update(&attempt)
            try insert(
                RefundAttempt(
                    refund, of: attempt, takenBack: takenBack, by: .house,
                    isAnnounced: back.isAnnounced, heldUntil: now))
        }
    }
}

extension Attempt {
    /// What goes back for a part of the bill, with the tax that came on top of it.
    fileprivate func refund(for part: Money) -> Money {
        part.refund(of: payment.forBill.amount, tax: payment.tax?.amount ?? 0)
    }
}

extension Refund {
    /// The refund is stored before the provider is called, and is made even if nobody repeats the request.
    static let willBeMade =
        "The refund will be made. Repeat this request only with the same Idempotency-Key; "
        + "without it, it is a second refund."
}

extension RefundAttempt {
    fileprivate func answer() throws(Refusal) -> Refund {
        switch state {
        case .succeeded: refund
        case .processing: throw .paymentInProgress.because(Refund.willBeMade)
        case .failed: throw .refundFailed.because(failure ?? "refused")
        }
    }
}
