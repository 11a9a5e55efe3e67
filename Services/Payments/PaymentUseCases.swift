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

// MARK: Bills

extension PaymentUseCases {
    /// Takes over what an order's event says is due; nil is nothing.
    func owe(_ due: Money?, for order: OrderSnapshot, _ delivery: Delivery) async throws {
        let now = clock.now
        try await database.apply(delivery) { transaction in
            var bill = try transaction.bill(of: order.id) ?? transaction.newBill(for: order)
            let change = bill.owe(due, orderVersion: order.version)
            switch change {
            case .none: break
            case .replaced(let old, let new):
                if let old {
                    try transaction.enter(
                        .withdrawn(old, for: order.id, version: order.version), at: now)
                }
                if let new {
                    try transaction.enter(
                        .billed(new, for: order.id, version: order.version), at: now)
                }
            case .paidAlready(let payment):
                // The order went back to waiting for what it has got: it is told again.
                if let paid = try transaction.attempt(payment) {
                    try transaction.publish(
                        PaymentSucceeded(payment: paid.payment, customer: paid.customer), at: now)
                }
            }
            try transaction.update(bill)
            transaction.signal(PaymentStore.billsSignal)
        }
    }

    /// Remembers whose order it is, so that an early "pay" can be told from a stranger's.
    func know(_ order: OrderSnapshot, _ delivery: Delivery) async throws {
        try await database.apply(delivery) { transaction in
            if try transaction.bill(of: order.id) == nil {
                _ = try transaction.newBill(for: order)
                transaction.signal(PaymentStore.billsSignal)
            }
        }
    }

    /// Waits a moment for a bill that may still be on its way, then refuses.
    func awaitBill(of order: OrderID, for customer: CustomerID) async throws {
        let isReady = try await database.awaiting(
            PaymentStore.billsSignal, within: patience.bill
        ) { transaction -> Bool? in
            guard let bill = try transaction.bill(of: order) else { return nil }
            guard bill.customer == customer else { throw PaymentError.orderUnknown }
            return bill.amount == nil && bill.paidBy == nil ? nil : true
        }
        guard isReady == nil else { return }
        let isKnown = try await database.read { try $0.bill(of: order) != nil }
        throw isKnown ? PaymentError.notDue : PaymentError.orderUnknown
    }
}

extension Transaction {
    fileprivate func newBill(for order: OrderSnapshot) throws -> Bill {
        let bill = Bill(order: order.id, customer: order.customer)
        try insert(bill)
        return bill
    }
}

extension Database {
    /// What `look` finds, now or after one of the signals; nil when the time is over.
    func awaiting<T: Sendable>(
        _ signal: String, within limit: Duration,
        _ look: @escaping @Sendable (Transaction) throws -> T?
    ) async throws -> T? {
        // Listening begins before the first look, so that nothing is missed between the two.
        let stream = signals(signal)
        if let found = try await read(look) { return found }
        return try await withThrowingTaskGroup(of: T?.self) { group in
            group.addTask { [self] in
                for await _ in stream {
                    if let found = try await read(look) { return found }
                }
                return nil
            }
            group.addTask {
                try await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}

// MARK: Paying

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
        _ order: OrderID, with source: PaymentSource, by customer: CustomerID, key: IdempotencyKey?
    ) async throws -> Payment {
        let maker = UUID()
        if let earlier = try await earlierClaim(under: key) {
            return try await conclude(earlier, by: maker)
        }
        try await awaitBill(of: order, for: customer)
        let instrument = try await instrument(source, of: customer)
        for _ in 0..<Self.mostClaims {
            do {
                let claim = try await claim(order, with: instrument, by: maker, key: key)
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
        _ order: OrderID, with instrument: Instrument, by maker: UUID, key: IdempotencyKey?
    ) async throws -> PaymentClaim {
        let now = clock.now
        return try await write(once: key) { transaction in
            guard var bill = try transaction.bill(of: order) else {
                throw PaymentError.orderUnknown
            }
            let amount = try bill.payable()
            if let id = bill.attempt, let live = try transaction.attempt(id) {
                guard live.payment.status == .requiresAction, live.payment.amount == amount,
                    live.reference == instrument.reference
                else { throw Taken(attempt: live) }
                return PaymentClaim(payment: id, resumes: true, maker: maker)
            }
            var payment = Payment(
                id: .new(at: now), order: order, amount: amount, status: .processing,
                createdAt: now)
            (payment.brand, payment.last4) = (instrument.brand, instrument.last4)
            try bill.claim(for: payment.id)
            try transaction.insert(
                Attempt(
                    payment, customer: bill.customer, reference: instrument.reference,
                    heldUntil: now.addingTimeInterval(Self.hold)))
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
            id: payment.id, order: payment.order, amount: payment.amount,
            reference: attempt.reference)
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
        switch try await asking({ try await provider.status(of: payment.id) }) {
        case nil:
            return isOver ? try await cancel(attempt, because: .notProcessed) : nil
        case .pending:
            return nil
        case .requiresAction where payment.status == .requiresAction:
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
            guard attempt.take(outcome) else { return attempt.payment }
            let payment = attempt.payment
            guard var bill = try transaction.bill(of: payment.order) else {
                throw PaymentError.orderUnknown
            }
            switch payment.status {
            case .processing: break
            case .requiresAction:
                attempt.heldUntil = now.addingTimeInterval(Self.actionLimit)
            case .succeeded:
                bill.settle(id, succeeded: true)
                try transaction.enter(.captured(payment), at: now)
                try transaction.publish(
                    PaymentSucceeded(payment: payment, customer: attempt.customer), at: now)
            case .declined:
                bill.settle(id, succeeded: false)
                if outcome.isAnnounced {
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

extension ChargeOutcome {
    /// Whether others are told of an attempt that did not succeed.
    fileprivate var isAnnounced: Bool {
        switch self {
        case .cancelled(let reason): CancelReason(rawValue: reason)?.isAnnounced ?? true
        case .succeeded, .declined, .requiresAction, .pending: true
        }
    }
}
