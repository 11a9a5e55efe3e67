import Contracts
import EventBus
import Foundation
import Logging
import ServiceKit
import Store

/// Bills, and how they are paid: at most one capture an order.
///
/// An attempt claims the bill in one transaction, then the provider is asked, then a second
/// transaction settles it. Whoever dies in between leaves a row that says so; the next request or
/// `PaymentRecovery` asks the provider what became of it, and never charges again under another id.
struct PaymentUseCases: Sendable {
    /// How long a request waits for what others have to bring.
    struct Patience: Sendable {
        /// A bill that may be on its way.
        var bill: Duration = .seconds(1)
        /// Another request's attempt.
        var settled: Duration = .seconds(5)
    }

    /// How long one request keeps an attempt to itself: longer than any call of a provider takes.
    static let hold: TimeInterval = 15
    /// How long a customer's further step may take.
    static let actionLimit: TimeInterval = 3_600
    /// How often one request tries to claim a bill.
    static let mostClaims = 3
    /// How often a transaction is tried that lost a race.
    static let mostTries = 3
    /// Saved methods that one customer can have.
    static let mostMethods = 20

    let database: Database
    let provider: any PaymentProvider
    let clock: HouseClock
    let logger: Logger
    var patience = Patience()
    /// Nil while no provider sends any.
    var webhooks: StripeWebhooks?

    /// Runs a transaction anew when somebody else was faster.
    func write<T: Codable & Sendable>(
        once key: IdempotencyKey? = nil, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        for _ in 1..<Self.mostTries {
            do { return try await database.write(once: key, body) } catch is LostRace {}
        }
        return try await database.write(once: key, body)
    }
}

// MARK: Paying

/// What a customer asks for when they pay.
struct PaymentWish: Sendable, Hashable {
    let source: PaymentSource
    /// Minor units of the bill's currency, on top of it.
    var tip: Int?
    /// What the customer takes the bill's currency for, if they say so.
    var currency: String?
}

/// The same, once it is known what stands behind the source.
private struct PaymentOffer: Sendable {
    let instrument: Instrument
    let tip: Int?
    let currency: String?

    /// The bill and the tip together, and what each valet gets of it.
    func payment(of bill: Bill, at now: Date) throws(PaymentError) -> (Payment, [TipShare]) {
        let due = try bill.payable()
        if let currency, currency != due.currency {
            throw .currencyMismatch(expected: due.currency)
        }
        var total = due
        var tips: [TipShare] = []
        if let tip {
            let valets = bill.facts?.valets ?? []
            guard !valets.isEmpty else { throw .nobodyToTip }
            total.amount += tip
            tips = Tip.shares(
                of: Money(amount: tip, currency: due.currency), among: valets)
        }
        var payment = Payment(
            id: .new(at: now), order: bill.order, amount: total, status: .processing,
            createdAt: now)
        (payment.brand, payment.last4) = (instrument.brand, instrument.last4)
        payment.tip = tip.map { Money(amount: $0, currency: due.currency) }
        return (payment, tips)
    }
}

/// A request's hold on an attempt; what a repeat of the same request gets back.
struct PaymentClaim: Codable, Sendable, Hashable {
    let payment: PaymentID
    /// The attempt was begun by an earlier request and waits for the customer's further step.
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
    /// Pays an order; a repeat under the same key gets the same attempt.
    func pay(
        _ order: OrderID, with wish: PaymentWish, by customer: CustomerID, key: IdempotencyKey?
    ) async throws -> Payment {
        let maker = UUID()
        if let earlier = try await earlierClaim(under: key) {
            return try await conclude(earlier, by: maker)
        }
        try await awaitBill(of: order, for: customer)
        let instrument = try await instrument(wish.source, of: customer)
        for _ in 0..<Self.mostClaims {
            do {
                let offer = PaymentOffer(
                    instrument: instrument, tip: wish.tip, currency: wish.currency)
                let claim = try await claim(order, with: offer, by: maker, key: key)
                return try await conclude(claim, by: maker)
            } catch let taken as Taken {
                try await clear(taken.attempt)
            }
        }
        throw PaymentError.inProgress
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
        _ source: PaymentSource, of customer: CustomerID
    ) async throws -> Instrument {
        switch source {
        case .method(let id):
            guard let saved = try await database.read({ try $0.method(id, of: customer) }) else {
                throw PaymentError.methodUnknown
            }
            return saved.instrument
        case .token(let token):
            guard let instrument = try await asking({ try await provider.instrument(for: token) })
            else { throw PaymentError.tokenUnknown }
            return instrument
        }
    }

    /// The bill's one row is given to an attempt before anybody is charged.
    private func claim(
        _ order: OrderID, with offer: PaymentOffer, by maker: UUID, key: IdempotencyKey?
    ) async throws -> PaymentClaim {
        let now = clock.now
        return try await write(once: key) { transaction in
            guard var bill = try transaction.bill(of: order) else {
                throw PaymentError.orderUnknown
            }
            let (payment, tips) = try offer.payment(of: bill, at: now)
            if let id = bill.attempt, let live = try transaction.attempt(id) {
                guard live.payment.status == .requiresAction,
                    live.payment.amount == payment.amount, live.payment.tip == payment.tip,
                    live.reference == offer.instrument.reference
                else { throw Taken(attempt: live) }
                return PaymentClaim(payment: id, resumes: true, maker: maker)
            }
            try bill.claim(for: payment.id)
            try transaction.insert(
                Attempt(
                    payment, customer: bill.customer, reference: offer.instrument.reference,
                    tips: tips, heldUntil: now.addingTimeInterval(Self.hold)))
            try transaction.update(bill)
            return PaymentClaim(payment: payment.id, resumes: false, maker: maker)
        }
    }

    /// Brings a claimed attempt to its answer.
    private func conclude(_ claim: PaymentClaim, by maker: UUID) async throws -> Payment {
        let attempt = try await attempt(claim.payment)
        let payment: Payment
        switch attempt.payment.status {
        case .succeeded, .declined:
            payment = attempt.payment
        case .requiresAction:
            payment = claim.resumes ? try await resume(attempt) : attempt.payment
        case .processing:
            payment =
                claim.maker == maker ? try await charge(attempt) : try await outcome(of: attempt)
        }
        guard payment.status != .declined else {
            throw PaymentError.declined(reason: payment.declineReason ?? "declined")
        }
        guard try await !self.attempt(payment.id).isReturned else { throw PaymentError.billChanged }
        return payment
    }

    private func attempt(_ id: PaymentID) async throws -> Attempt {
        guard let attempt = try await database.read({ try $0.attempt(id) }) else {
            throw PaymentError.unknown
        }
        return attempt
    }

    private func charge(_ attempt: Attempt) async throws -> Payment {
        let payment = attempt.payment
        let charge = Charge(
            id: payment.id, order: payment.order, customer: attempt.customer,
            amount: payment.amount, reference: attempt.reference)
        let outcome = try await asking(about: attempt) { try await provider.charge(charge) }
        return try await settled(attempt, as: outcome)
    }

    private func resume(_ attempt: Attempt) async throws -> Payment {
        let id = attempt.payment.id
        let outcome = try await asking(about: attempt) { try await provider.resume(id) }
        return try await settled(attempt, as: outcome)
    }

    /// Settles, and refuses to answer with an attempt of which nobody knows the outcome.
    private func settled(_ attempt: Attempt, as outcome: ChargeOutcome) async throws -> Payment {
        let payment = try await settle(attempt.payment.id, as: outcome)
        guard payment.status != .processing else { throw PaymentError.inProgress }
        return payment
    }

    /// What another request, or one before a crash, has made of an attempt.
    private func outcome(of attempt: Attempt) async throws -> Payment {
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
        guard let payment = try await resolve(try await self.attempt(id)) else {
            throw PaymentError.inProgress
        }
        return payment
    }

    /// Makes way for a new attempt, if the one in the way can be brought to an end.
    private func clear(_ attempt: Attempt) async throws {
        switch attempt.payment.status {
        case .succeeded, .declined: break
        case .processing: _ = try await outcome(of: attempt)
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
        switch payment.status {
        case .succeeded, .declined: return payment
        case .processing, .requiresAction: break
        }
        let isOver = attempt.heldUntil <= clock.now
        let isWanted = try await database.read { transaction in
            try transaction.bill(of: payment.order)?.wants(payment) ?? false
        }
        switch try await asking({ try await provider.status(of: payment.id) }) {
        case nil:
            return isOver ? try await cancel(attempt, because: .notProcessed) : nil
        case .pending:
            return nil
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
        return try await write { transaction in
            guard var attempt = try transaction.attempt(id) else { throw PaymentError.unknown }
            guard attempt.take(outcome, at: now) else { return attempt.payment }
            let payment = attempt.payment
            guard var bill = try transaction.bill(of: payment.order) else {
                throw PaymentError.orderUnknown
            }
            switch payment.status {
            case .processing: break
            case .requiresAction:
                attempt.heldUntil = now.addingTimeInterval(Self.actionLimit)
            case .succeeded:
                try transaction.take(&attempt, for: &bill, at: now)
            case .declined:
                bill.settle(id, succeeded: false)
                if outcome.isAnnounced, bill.wants(payment) {
                    try transaction.publish(
                        PaymentDeclined(payment: payment, customer: attempt.customer), at: now)
                }
            }
            try transaction.update(attempt)
            try transaction.update(bill)
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
            throw PaymentError.providerUnavailable
        }
    }

    private func release(_ id: PaymentID) async throws {
        let now = clock.now
        _ = try await write { transaction in
            guard var attempt = try transaction.attempt(id), attempt.payment.status == .processing
            else { return false }
            attempt.heldUntil = now
            try transaction.update(attempt)
            transaction.signal(PaymentStore.unresolvedSignal)
            return true
        }
    }
}

extension Transaction {
    /// The money is there: it pays the bill, or goes back when the bill is gone.
    ///
    /// The refund is written down together with what it gives back, so there is one and only one,
    /// whoever dies afterwards.
    fileprivate func take(_ attempt: inout Attempt, for bill: inout Bill, at now: Date) throws {
        let payment = attempt.payment
        guard bill.wants(payment) else {
            bill.settle(payment.id, succeeded: false)
            let refund = Refund(
                id: .new(at: now), payment: payment.id, order: payment.order,
                amount: try attempt.giveBack(), reason: Refund.billChanged, createdAt: now)
            try enter(.credited(payment), at: now)
            try insert(
                RefundAttempt(
                    refund, customer: attempt.customer, by: bill.changedBy ?? .house,
                    heldUntil: now))
            signal(PaymentStore.unresolvedSignal)
            return
        }
        bill.settle(payment.id, succeeded: true)
        try enter(.captured(attempt), at: now)
        try publish(PaymentSucceeded(payment: payment, customer: attempt.customer), at: now)
        for share in attempt.tips ?? [] {
            try publish(
                TipGiven(
                    payment: payment.id, order: payment.order, customer: attempt.customer,
                    valet: share.valet, amount: share.amount), at: now)
        }
    }
}

extension Refund {
    /// What an operator who waives or replaces a bill has said by that.
    static let billChanged = "The bill was changed while it was being paid."
}

extension OperatorID {
    /// Nobody in particular: the house itself.
    static let house = OperatorID(
        uuid: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
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
