import Contracts
import EventBus
import Foundation
import Logging
import ServiceKit
import Store

/// Bills and their payment: at most one capture per bill.
///
/// An attempt claims the bill in one transaction, then calls the provider, then settles the bill in a second
/// transaction. If the process dies in between, the stored row shows it. The next request or `PaymentWork`
/// then asks the provider for the outcome, and never charges again under another id.
struct PaymentUseCases: Sendable {
    /// How long a request waits for others.
    struct Patience: Sendable {
        /// For a bill whose event may be late.
        var bill: Duration = .seconds(1)
        /// For the attempt of another request.
        var settled: Duration = .seconds(5)
        /// Seconds for which a request alone handles its payment.
        var hold = PaymentUseCases.hold
    }

    /// How long one request keeps an attempt to itself: longer than any call to a provider takes.
    static let hold: TimeInterval = 15
    /// How long a payer has for a further step, in seconds.
    static let actionLimit: TimeInterval = 3_600
    /// The same for a payer who was absent, and has to see a notice first.
    static let absentActionLimit: TimeInterval = 86_400
    /// How long money may be held, in seconds: somewhat less than the week after which banks release it.
    static let holdLimit: TimeInterval = 6 * 86_400
    /// How often one request tries to claim a bill.
    static let mostClaims = 3
    /// Saved methods that one person can have.
    static let mostMethods = 20

    let database: Database
    var provider: any PaymentProvider
    var clock: ServiceClock
    let logger: Logger
    var patience = Patience()
    /// The products, which answer with their current bills.
    var billers = Owners([])
    /// Nil if the provider sends none.
    var webhooks: StripeWebhooks?
    /// Where people open the apps.
    var appAddress = PaymentsConfig.appAddress
    /// Ledger entries that a reconciliation compares at once.
    var comparedAtOnce = 500
}

// MARK: Paying

/// A payer's request.
struct PaymentDraft: Sendable, Hashable {
    let source: PaymentSource
    /// Minor units of the bill's currency, on top of the bill.
    var tip: Int?
    /// The currency that the payer expects, if given.
    var currency: String?
    /// The payer is not there to confirm the payment.
    var isOffSession = false
}

/// A request with the instrument behind its source.
struct PaymentOffer: Sendable {
    let instrument: Instrument
    let tip: Int?
    let currency: String?
    var isOffSession = false
    /// Only cards have a least amount.
    var means = PaymentMeans.card

    /// The sum of bill and tip, and the shares of the tip.
    func payment(of known: Receivable, at now: Date) throws(Refusal) -> (Payment, [TipShare]) {
        let due = try known.payable()
        if let currency, currency != due.currency {
            throw .paymentCurrencyMismatch.because("Expected: \(due.currency).")
        }
        var total = due
        var tips: [TipShare] = []
        if let tip {
            let payees = known.bill.tipped
            guard !payees.isEmpty, known.bill.terms != .hold else { throw .nobodyToTip }
            total.amount += tip
            tips = Tip.shares(
                of: Money(amount: tip, currency: due.currency), among: payees)
        }
        var payment = Payment(
            id: .new(at: now), bill: known.bill.id, amount: total, status: .processing,
            createdAt: now)
        (payment.brand, payment.last4) = (instrument.brand, instrument.last4)
        payment.tip = tip.map { Money(amount: $0, currency: due.currency) }
        payment.tax = known.addedTax
        guard means != .card || total.isChargeable else { throw .tooSmall(total) }
        return (payment, tips)
    }
}

/// A request's hold on an attempt; what a repeat of the same request gets back.
struct PaymentClaim: Codable, Sendable, Hashable {
    let payment: PaymentID
    /// An earlier request began the attempt; it waits for the payer's further step.
    let resumes: Bool
    /// Tells the request that made the claim from repeats of it.
    let maker: UUID
}

/// Another attempt has the bill.
struct Taken: Error {
    let attempt: Attempt
}

/// The key has no claim yet.
private struct NotClaimed: Error {}

extension PaymentUseCases {
    /// Pays a bill; a repeat under the same key gets the same attempt.
    func pay(
        _ bill: BillID, with draft: PaymentDraft, by payer: PersonID, key: IdempotencyKey?
    ) async throws -> Payment {
        let maker = UUID()
        if let earlier = try await earlierClaim(under: key) {
            return try await conclude(earlier, by: maker)
        }
        try await awaitBill(bill, for: payer)
        // Before the method lookup: the method may have been deleted since it paid.
        if try await database.read({ try $0.bills.find(bill)?.paidBy }) != nil {
            // A request with the same key may have paid it just now.
            guard let earlier = try await earlierClaim(under: key) else {
                throw Refusal.alreadyPaid
            }
            return try await conclude(earlier, by: maker)
        }
        let instrument = try await instrument(draft.source, of: payer)
        for _ in 0..<Self.mostClaims {
            do {
                let offer = PaymentOffer(
                    instrument: instrument, tip: draft.tip, currency: draft.currency,
                    isOffSession: draft.isOffSession)
                let claim = try await claim(bill, with: offer, by: maker, key: key)
                return try await conclude(claim, by: maker)
            } catch let taken as Taken {
                try await clear(taken.attempt)
            }
        }
        throw Refusal.paymentInProgress
    }

    private func earlierClaim(under key: IdempotencyKey?) async throws -> PaymentClaim? {
        guard let key else { return nil }
        do {
            return try await database.write(once: key) { _ in throw NotClaimed() }
        } catch is NotClaimed {
            return nil
        }
    }

    private func instrument(
        _ source: PaymentSource, of payer: PersonID
    ) async throws -> Instrument {
        switch source {
        case .method(let id):
            return try await method(id, of: payer).instrument
        case .token(let token):
            guard let instrument = try await asking({ try await provider.instrument(for: token) })
            else { throw Refusal.paymentTokenUnknown }
            return instrument
        }
    }

    /// Gives the bill to one attempt before anyone is charged.
    private func claim(
        _ id: BillID, with offer: PaymentOffer, by maker: UUID, key: IdempotencyKey?
    ) async throws -> PaymentClaim {
        let now = clock.now
        return try await database.write(once: key) { transaction in
            guard var known = try transaction.bills.find(id) else {
                throw Refusal.billUnknown
            }
            try transaction.requireStanding(of: known.bill.payer)
            let (payment, tips) = try offer.payment(of: known, at: now)
            if let id = known.attempt, let live = try transaction.attempts.find(id) {
                guard live.payment.status == .requiresAction,
                    live.payment.amount == payment.amount, live.payment.tip == payment.tip,
                    live.payment.tax == payment.tax,
                    live.shares == known.bill.shares, live.reference == offer.instrument.reference
                else { throw Taken(attempt: live) }
                // Only the payer can take the step.
                return PaymentClaim(payment: id, resumes: !offer.isOffSession, maker: maker)
            }
            try known.claim(for: payment.id)
            try transaction.attempts.insert(
                Attempt(
                    payment, of: known.bill, reference: offer.instrument.reference, tips: tips,
                    isOffSession: offer.isOffSession,
                    heldUntil: now.addingTimeInterval(patience.hold)))
            try transaction.bills.update(&known)
            return PaymentClaim(payment: payment.id, resumes: false, maker: maker)
        }
    }

    /// Finishes a claimed attempt; `maker` is nil for a request that made no claim.
    func conclude(_ claim: PaymentClaim, by maker: UUID? = nil) async throws -> Payment {
        let attempt = try await attempt(claim.payment)
        let payment: Payment
        switch attempt.status {
        case .succeeded, .declined, .held, .released:
            payment = attempt.payment
        case .requiresAction:
            payment = claim.resumes ? try await resume(attempt) : attempt.payment
        case .processing:
            let isRepeat = claim.maker != maker
            let found = isRepeat ? try await outcome(of: attempt) : nil
            // In a repeat, the request that made the claim may have died before calling the provider. Charging again
            // is safe: the provider charges only once per id.
            payment = if let found { found } else { try await charge(attempt) }
        }
        guard payment.status != .declined else {
            throw Refusal.paymentDeclined.because(payment.declineReason ?? "declined")
        }
        guard try await !self.attempt(payment.id).isReturned else { throw Refusal.billChanged }
        return payment
    }

    private func attempt(_ id: PaymentID) async throws -> Attempt {
        guard let attempt = try await database.read({ try $0.attempts.find(id) }) else {
            throw Refusal.paymentUnknown
        }
        return attempt
    }

    private func charge(_ attempt: Attempt) async throws -> Payment {
        let payment = attempt.payment
        let charge = Charge(
            id: payment.id, bill: payment.bill, payer: attempt.payer,
            amount: payment.amount, reference: attempt.reference, isHold: attempt.isHold,
            isOffSession: attempt.isOffSession ?? false)
        let outcome = try await asking(about: attempt) { try await provider.charge(charge) }
        return try await settled(attempt, as: outcome)
    }

    private func resume(_ attempt: Attempt) async throws -> Payment {
        let id = attempt.payment.id
        let outcome = try await asking(about: attempt) {
            try await provider.resume(id, isHold: attempt.isHold)
        }
        return try await settled(attempt, as: outcome)
    }

    /// Captures the bill's amount from a hold.
    private func capture(_ attempt: Attempt) async throws -> Payment {
        let payment = attempt.payment
        let outcome = try await asking(about: attempt) {
            try await provider.capture(payment.id, payment.amount)
        }
        return try await settled(attempt, as: outcome)
    }

    /// Settles, and throws if the outcome is unknown.
    private func settled(_ attempt: Attempt, as outcome: ChargeOutcome) async throws -> Payment {
        let payment = try await settle(attempt.payment.id, as: outcome)
        guard payment.status != .processing else { throw Refusal.paymentInProgress }
        return payment
    }

    /// The outcome of an attempt by another request, or from before a crash; nil if it is too early to tell.
    private func outcome(of attempt: Attempt) async throws -> Payment? {
        let id = attempt.payment.id
        if attempt.heldUntil > clock.now {
            let settled = try await database.awaiting(
                PaymentStore.settledSignal, within: patience.settled
            ) { transaction -> Payment? in
                try transaction.attempts.find(id).flatMap {
                    $0.payment.status == .processing ? nil : $0.payment
                }
            }
            if let settled { return settled }
        }
        return try await resolve(try await self.attempt(id))
    }

    /// Finishes the attempt that has the bill, if possible, to make way for a new one.
    func clear(_ attempt: Attempt) async throws {
        switch attempt.status {
        case .succeeded, .declined, .released: break
        case .held:
            let isWanted = try await database.read {
                try $0.bills.find(attempt.payment.bill)?.wants(attempt) ?? false
            }
            guard !isWanted else { throw Refusal.alreadyHeld }
            try await cancel(attempt, because: .billChanged)
        case .processing:
            guard try await outcome(of: attempt) != nil else { throw Refusal.paymentInProgress }
        case .requiresAction: try await cancel(attempt, because: .superseded)
        }
    }
}

// MARK: Settling

extension PaymentUseCases {
    /// Asks the provider about an unsettled attempt; nil if it is too early to tell.
    func resolve(_ attempt: Attempt) async throws -> Payment? {
        let payment = attempt.payment
        guard !attempt.isSettled else { return payment }
        let isOver = attempt.heldUntil <= clock.now
        let isWanted = try await database.read { transaction in
            try transaction.bills.find(payment.bill)?.wants(attempt) ?? false
        }
        let outcome = try await asking { try await provider.status(of: payment.id) }
        switch attempt.step(after: outcome, isWanted: isWanted, isOver: isOver) {
        case .wait: return nil
        case .keep: return payment
        case .cancel(let reason): return try await cancel(attempt, because: reason)
        case .capture: return try await capture(attempt)
        case .resume: return try await resume(attempt)
        case .settle(let outcome): return try await settle(payment.id, as: outcome)
        }
    }

    /// Gives an attempt up: from then on, the provider charges nothing under its id.
    @discardableResult
    private func cancel(_ attempt: Attempt, because reason: CancelReason) async throws -> Payment {
        let id = attempt.payment.id
        let outcome = try await asking { try await provider.cancel(id, because: reason) }
        return try await settle(id, as: outcome)
    }

    /// Stores state, ledger and event together. A settled attempt stays as it is.
    private func settle(_ id: PaymentID, as outcome: ChargeOutcome) async throws -> Payment {
        let now = clock.now
        return try await database.write { transaction in
            guard var attempt = try transaction.attempts.find(id) else {
                throw Refusal.paymentUnknown
            }
            guard var known = try transaction.bills.find(attempt.payment.bill) else {
                throw Refusal.billUnknown
            }
            guard let row = attempt.take(.outcome(outcome), for: known, at: now) else {
                return attempt.payment
            }
            let payment = attempt.payment
            try transaction.attempts.carryOut(row, of: &attempt, for: &known, at: now)
            try transaction.attempts.update(&attempt)
            try transaction.bills.update(&known)
            transaction.signal(PaymentStore.settledSignal)
            return payment
        }
    }

    /// Calls the provider; without an answer, other requests may ask about this attempt at once.
    func asking<T: Sendable>(
        about attempt: Attempt? = nil, _ call: () async throws -> T
    ) async throws -> T {
        do {
            return try await call()
        } catch let error as ProviderUnavailable {
            logger.warning(
                "payment provider gave no answer",
                metadata: [
                    "payment": "\(attempt?.payment.id.description ?? "-")",
                    "error": "\(error.detail)",
                ])
            if let attempt { try await release(attempt.payment.id) }
            throw Refusal.paymentProviderUnavailable
        }
    }

    private func release(_ id: PaymentID) async throws {
        let now = clock.now
        _ = try await database.write { transaction in
            guard var attempt = try transaction.attempts.find(id),
                var known = try transaction.bills.find(attempt.payment.bill),
                let row = attempt.take(.unanswered, for: known, at: now)
            else { return false }
            try transaction.attempts.carryOut(row, of: &attempt, for: &known, at: now)
            try transaction.attempts.update(&attempt)
            return true
        }
    }
}

extension AttemptStore {
    /// Carries out the effects of a row in order; the caller stores the attempt and the bill.
    func carryOut(
        _ row: AttemptTransition, of attempt: inout Attempt, for known: inout Receivable,
        at now: Date
    ) throws {
        let (id, product, payer) = (attempt.id, attempt.product, attempt.payer)
        PaymentMetrics.count(row, of: product, in: transaction)
        for effect in row.effects {
            let payment = attempt.payment
            switch effect {
            case .settleBill(let isPaid): known.settle(id, succeeded: isPaid)
            case .enterCapture:
                try transaction.ledger.enterCapture(of: &attempt, for: known, at: now)
            case .enterCredit: try transaction.ledger.enter(.credited(payment), at: now)
            case .refundAll: try refundAll(of: &attempt, by: known.changedBy ?? .house, at: now)
            case .announceSuccess:
                try PaymentNotices.announce(attempt.succeeded, at: now, in: transaction)
            case .announceTips:
                for share in attempt.tips {
                    try PaymentNotices.announce(
                        TipGiven(
                            payment: id, bill: payment.bill, product: product, payer: payer,
                            payee: share.payee, amount: share.amount), at: now, in: transaction)
                }
            case .announceDecline:
                try PaymentNotices.announce(
                    PaymentDeclined(payment: payment, product: product, payer: payer), at: now,
                    in: transaction)
            case .publishHold:
                try transaction.publish(
                    PaymentHeld(
                        payment: payment, product: product, payer: payer,
                        until: attempt.heldUntil), at: now)
            case .publishRelease:
                try transaction.publish(
                    PaymentReleased(
                        payment: payment, product: product, payer: payer,
                        reason: payment.declineReason ?? "released"), at: now)
            case .beginCapture:
                attempt.beginCapture(of: known.bill, addedTax: known.addedTax)
            case .awaitStep:
                attempt.heldUntil = now.addingTimeInterval(attempt.stepLimit)
                try PaymentNotices.announceStep(of: attempt, at: now, in: transaction)
            case .setDeadline(let seconds): attempt.heldUntil = now.addingTimeInterval(seconds)
            case .scheduleLook:
                try transaction.schedule(PaymentWork.payment, id, at: attempt.heldUntil)
            case .lookNow: try transaction.schedule(PaymentWork.payment, id, at: now)
            case .hastenLook: try transaction.hasten(PaymentWork.payment, id, to: now)
            case .followBill:
                if let next = attempt.take(.billChanged, for: known, at: now) {
                    try carryOut(next, of: &attempt, for: &known, at: now)
                }
            }
        }
    }

    /// Refunds money for a withdrawn bill. The refund is stored in the transaction that
    /// enters the money, so exactly one is made, even after a crash.
    private func refundAll(of attempt: inout Attempt, by person: PersonID, at now: Date) throws {
        let refund = Refund(
            id: .new(at: now), payment: attempt.id, bill: attempt.payment.bill,
            amount: try attempt.giveBack(), reason: Refund.billChanged, createdAt: now)
        try transaction.refunds.insert(
            RefundAttempt(refund, of: attempt, by: person, heldUntil: now))
    }
}

extension Refund {
    /// The reason of a refund when a product withdraws or replaces a bill.
    static let billChanged = "The bill was changed while it was being paid."
}
