import Contracts
import EventBus
import Foundation
import Logging
import ServiceKit
import Store

/// Bills, and how they are paid: at most one capture a bill.
///
/// An attempt claims the bill in one transaction, then the provider is asked, then a second
/// transaction settles it. Whoever dies in between leaves a row that says so; the next request or
/// `PaymentWork` asks the provider what became of it, and never charges again under another id.
struct PaymentUseCases: Sendable {
    /// How long a request waits for what others have to bring.
    struct Patience: Sendable {
        /// A bill that may be on its way.
        var bill: Duration = .seconds(1)
        /// Another request's attempt.
        var settled: Duration = .seconds(5)
        /// For so many seconds a payment is its request's alone.
        var hold = PaymentUseCases.hold
    }

    /// How long one request keeps an attempt to itself: longer than any call of a provider takes.
    static let hold: TimeInterval = 15
    /// How long a payer's further step may take.
    static let actionLimit: TimeInterval = 3_600
    /// How long money may be set aside: somewhat less than the week after which a card's bank lets go.
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
    /// Products, which know what somebody owes them.
    var billers = Owners([])
    /// Nil while no provider sends any.
    var webhooks: StripeWebhooks?
    /// Entries of ours that one read of a reconciliation compares.
    var comparedAtOnce = 500
}

// MARK: Paying

/// What somebody asks for when they pay.
struct PaymentDraft: Sendable, Hashable {
    let source: PaymentSource
    /// Minor units of the bill's currency, on top of it.
    var tip: Int?
    /// What the payer takes the bill's currency for, if they say so.
    var currency: String?
}

/// The same, once it is known what stands behind the source.
private struct PaymentOffer: Sendable {
    let instrument: Instrument
    let tip: Int?
    let currency: String?

    /// The bill and the tip together, and what each gets of it.
    func payment(of known: Receivable, at now: Date) throws(Refusal) -> (Payment, [TipShare]) {
        let due = try known.payable()
        if let currency, currency != due.currency {
            throw .paymentCurrencyMismatch.because("expected: \(due.currency)")
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
        return (payment, tips)
    }
}

/// A request's hold on an attempt; what a repeat of the same request gets back.
struct PaymentClaim: Codable, Sendable, Hashable {
    let payment: PaymentID
    /// The attempt was begun by an earlier request and waits for the payer's further step.
    let resumes: Bool
    /// Tells the request that made the claim from its repeats.
    let maker: UUID
}

/// Another attempt is in the way.
private struct Taken: Error {
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
        let instrument = try await instrument(draft.source, of: payer)
        for _ in 0..<Self.mostClaims {
            do {
                let offer = PaymentOffer(
                    instrument: instrument, tip: draft.tip, currency: draft.currency)
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

    /// The bill's one row is given to an attempt before anybody is charged.
    private func claim(
        _ id: BillID, with offer: PaymentOffer, by maker: UUID, key: IdempotencyKey?
    ) async throws -> PaymentClaim {
        let now = clock.now
        return try await database.write(once: key) { transaction in
            guard var known = try transaction.receivable(id) else {
                throw Refusal.billUnknown
            }
            try transaction.requireStanding(of: known.bill.payer)
            let (payment, tips) = try offer.payment(of: known, at: now)
            if let id = known.attempt, let live = try transaction.attempt(id) {
                guard live.payment.status == .requiresAction,
                    live.payment.amount == payment.amount, live.payment.tip == payment.tip,
                    live.shares == known.bill.shares, live.reference == offer.instrument.reference
                else { throw Taken(attempt: live) }
                return PaymentClaim(payment: id, resumes: true, maker: maker)
            }
            try known.claim(for: payment.id)
            try transaction.insert(
                Attempt(
                    payment, of: known.bill, reference: offer.instrument.reference, tips: tips,
                    heldUntil: now.addingTimeInterval(patience.hold)))
            try transaction.update(known)
            return PaymentClaim(payment: payment.id, resumes: false, maker: maker)
        }
    }

    /// Brings a claimed attempt to its answer.
    private func conclude(_ claim: PaymentClaim, by maker: UUID) async throws -> Payment {
        let attempt = try await attempt(claim.payment)
        let payment: Payment
        switch attempt.status {
        case .succeeded, .declined:
            payment = attempt.payment
        case .held, .released:
            payment = attempt.payment
        case .requiresAction:
            payment = claim.resumes ? try await resume(attempt) : attempt.payment
        case .processing:
            let isRepeat = claim.maker != maker
            let found = isRepeat ? try await outcome(of: attempt) : nil
            // Whoever made the claim died before they asked the provider, who takes nothing twice under one id.
            payment = if let found { found } else { try await charge(attempt) }
        }
        guard payment.status != .declined else {
            throw Refusal.paymentDeclined.because(payment.declineReason ?? "declined")
        }
        guard try await !self.attempt(payment.id).isReturned else { throw Refusal.billChanged }
        return payment
    }

    private func attempt(_ id: PaymentID) async throws -> Attempt {
        guard let attempt = try await database.read({ try $0.attempt(id) }) else {
            throw Refusal.paymentUnknown
        }
        return attempt
    }

    private func charge(_ attempt: Attempt) async throws -> Payment {
        let payment = attempt.payment
        let charge = Charge(
            id: payment.id, bill: payment.bill, payer: attempt.payer,
            amount: payment.amount, reference: attempt.reference, isHold: attempt.isHold)
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

    /// Takes what the bill says of what is set aside.
    private func capture(_ attempt: Attempt) async throws -> Payment {
        let payment = attempt.payment
        let outcome = try await asking(about: attempt) {
            try await provider.capture(payment.id, payment.amount)
        }
        return try await settled(attempt, as: outcome)
    }

    /// Settles, and refuses to answer with an attempt of which nobody knows the outcome.
    private func settled(_ attempt: Attempt, as outcome: ChargeOutcome) async throws -> Payment {
        let payment = try await settle(attempt.payment.id, as: outcome)
        guard payment.status != .processing else { throw Refusal.paymentInProgress }
        return payment
    }

    /// What another request, or one before a crash, has made of an attempt; nil when it is too early to tell.
    private func outcome(of attempt: Attempt) async throws -> Payment? {
        let id = attempt.payment.id
        if attempt.heldUntil > clock.now {
            let settled = try await database.awaiting(
                PaymentStore.settledSignal, within: patience.settled
            ) { transaction -> Payment? in
                try transaction.attempt(id).flatMap {
                    $0.payment.status == .processing ? nil : $0.payment
                }
            }
            if let settled { return settled }
        }
        return try await resolve(try await self.attempt(id))
    }

    /// Makes way for a new attempt, if the one in the way can be brought to an end.
    private func clear(_ attempt: Attempt) async throws {
        switch attempt.status {
        case .succeeded, .declined, .released: break
        case .held:
            let isWanted = try await database.read {
                try $0.receivable(attempt.payment.bill)?.wants(attempt) ?? false
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
    /// Asks the provider about an attempt that nobody has settled; nil when it is too early to
    /// tell.
    func resolve(_ attempt: Attempt) async throws -> Payment? {
        let payment = attempt.payment
        switch attempt.status {
        case .succeeded, .declined, .released: return payment
        case .processing, .requiresAction, .held: break
        }
        let isOver = attempt.heldUntil <= clock.now
        let isWanted = try await database.read { transaction in
            try transaction.receivable(payment.bill)?.wants(attempt) ?? false
        }
        switch try await asking({ try await provider.status(of: payment.id) }) {
        case nil:
            return isOver ? try await cancel(attempt, because: .notProcessed) : nil
        case .pending:
            return nil
        case .authorized where attempt.isHold:
            if !isWanted { return try await cancel(attempt, because: .billChanged) }
            if attempt.isCapturing { return try await capture(attempt) }
            return payment.status == .held && isOver
                ? try await cancel(attempt, because: .expired)
                : try await settle(payment.id, as: .authorized)
        case .authorized:
            // Whoever began it may be about to take the money.
            guard isOver || payment.status == .requiresAction else { return nil }
            return isWanted
                ? try await resume(attempt) : try await cancel(attempt, because: .billChanged)
        case .requiresAction where payment.status == .requiresAction:
            if !isWanted { return try await cancel(attempt, because: .billChanged) }
            return isOver ? try await cancel(attempt, because: .expired) : payment
        case let outcome?:
            return try await settle(payment.id, as: outcome)
        }
    }

    /// Gives an attempt up: from now on the provider takes nothing under its id.
    @discardableResult
    private func cancel(_ attempt: Attempt, because reason: CancelReason) async throws -> Payment {
        let id = attempt.payment.id
        let outcome = try await asking { try await provider.cancel(id, because: reason) }
        return try await settle(id, as: outcome)
    }

    /// State, ledger and event together. What is settled stays as it is.
    private func settle(_ id: PaymentID, as outcome: ChargeOutcome) async throws -> Payment {
        let now = clock.now
        return try await database.write { transaction in
            guard var attempt = try transaction.attempt(id) else { throw Refusal.paymentUnknown }
            guard attempt.take(outcome, at: now) else { return attempt.payment }
            let payment = attempt.payment
            guard var known = try transaction.receivable(payment.bill) else {
                throw Refusal.billUnknown
            }
            switch attempt.status {
            case .processing: break
            case .released:
                known.settle(id, succeeded: false)
                try transaction.publish(
                    PaymentReleased(
                        payment: payment, product: attempt.product, payer: attempt.payer,
                        reason: payment.declineReason ?? "released"), at: now)
            case .held: try transaction.hold(&attempt, for: known, at: now)
            case .requiresAction:
                attempt.heldUntil = now.addingTimeInterval(Self.actionLimit)
                try transaction.schedule(PaymentWork.payment, id, at: attempt.heldUntil)
            case .succeeded:
                try transaction.take(&attempt, for: &known, at: now)
            case .declined:
                known.settle(id, succeeded: false)
                if outcome.isAnnounced, known.wants(attempt) {
                    try transaction.announce(
                        PaymentDeclined(
                            payment: payment, product: attempt.product, payer: attempt.payer),
                        at: now)
                }
            }
            try transaction.update(attempt)
            try transaction.update(known)
            transaction.signal(PaymentStore.settledSignal)
            return payment
        }
    }

    /// Asks the provider; when no answer comes, others may ask about this attempt at once.
    private func asking<T: Sendable>(
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
            guard var attempt = try transaction.attempt(id), attempt.payment.status == .processing
            else { return false }
            attempt.heldUntil = now
            try transaction.update(attempt)
            try transaction.hasten(PaymentWork.payment, id, to: now)
            return true
        }
    }
}

extension Transaction {
    /// The money is set aside; it is taken at once when the bill has become due meanwhile.
    fileprivate func hold(_ attempt: inout Attempt, for known: Receivable, at now: Date) throws {
        let id = attempt.payment.id
        attempt.heldUntil = now.addingTimeInterval(PaymentUseCases.holdLimit)
        try publish(
            PaymentHeld(
                payment: attempt.payment, product: attempt.product, payer: attempt.payer,
                until: attempt.heldUntil), at: now)
        if known.wants(attempt) {
            guard known.amount != nil else {
                return try schedule(PaymentWork.payment, id, at: attempt.heldUntil)
            }
            attempt.beginCapture(of: known.bill, at: now)
        }
        try schedule(PaymentWork.payment, id, at: now)
    }

    /// The money is there: it pays the bill, or goes back when the bill is gone.
    ///
    /// The refund is written down together with what it gives back, so there is one and only one,
    /// whoever dies afterwards.
    fileprivate func take(_ attempt: inout Attempt, for known: inout Receivable, at now: Date)
        throws
    {
        let payment = attempt.payment
        guard known.wants(attempt) else {
            known.settle(payment.id, succeeded: false)
            let refund = Refund(
                id: .new(at: now), payment: payment.id, bill: payment.bill,
                amount: try attempt.giveBack(), reason: Refund.billChanged, createdAt: now)
            try enter(.credited(payment), at: now)
            try insert(
                RefundAttempt(
                    refund, of: attempt, by: known.changedBy ?? .house, heldUntil: now))
            return
        }
        known.settle(payment.id, succeeded: true)
        try enter(.captured(attempt), at: now)
        try announce(attempt.succeeded, at: now)
        for share in attempt.tips {
            try announce(
                TipGiven(
                    payment: payment.id, bill: payment.bill, product: attempt.product,
                    payer: attempt.payer, payee: share.payee, amount: share.amount), at: now)
        }
    }
}

extension Refund {
    /// What whoever withdraws or replaces a bill has said by that.
    static let billChanged = "The bill was changed while it was being paid."
}

extension ChargeOutcome {
    /// Whether others are told of an attempt that did not succeed.
    fileprivate var isAnnounced: Bool {
        switch self {
        case .cancelled(let reason): CancelReason(rawValue: reason)?.isAnnounced ?? true
        case .succeeded, .declined, .requiresAction, .authorized, .pending: true
        }
    }
}
