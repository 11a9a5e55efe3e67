import Contracts
import Foundation
import Synchronization

@testable import Payments

/// The stub behind a network and a process that fail when they are told to.
final class FaultyProvider: PaymentProvider {
    enum Fault: CaseIterable {
        case none
        /// The provider never gets the request.
        case requestLost
        /// The provider does it, and nobody hears of it.
        case answerLost
        /// The process dies before it asks.
        case crashBefore
        /// The process dies before it stores the answer.
        case crashAfter
    }

    struct Crash: Error {}

    private let stub: any PaymentProvider
    /// What was done of what nobody waits for.
    private let heard = Mutex<[Chore]>([])
    private let faults = Mutex<@Sendable () -> Fault>({ .none })
    private let refundOutcome = Mutex<RefundOutcome?>(nil)
    private let disputes = Mutex<[String: ReportedDispute]>([:])
    private let returned = Mutex<[PayoutID: Int]>([:])
    private let whenKept = Mutex<(@Sendable () async throws -> Void)?>(nil)

    init(stub: any PaymentProvider) { self.stub = stub }

    var chores: [Chore] { heard.withLock { $0 } }

    /// From now on every call asks what goes wrong.
    func fail(_ next: @escaping @Sendable () -> Fault) { faults.withLock { $0 = next } }

    /// The next calls fail so, the ones after them do not.
    func failNext(_ next: Fault...) {
        let rest = Counter()
        fail {
            let index = rest.next()
            return index < next.count ? next[index] : .none
        }
    }

    /// From now on refunds come to this; nil for what the stub makes of them.
    func refunds(_ outcome: RefundOutcome?) { refundOutcome.withLock { $0 = outcome } }

    /// A bank disputes a payment, or goes on with that; no event tells of it.
    func report(_ dispute: ReportedDispute) {
        disputes.withLock { $0[dispute.reference] = dispute }
    }

    /// A payee's bank sends a part of a payout back, in minor units.
    func sendBack(_ amount: Int, of payout: PayoutID) {
        returned.withLock { $0[payout] = amount }
    }

    /// What is left of a payout after the part that came back; nil for nothing.
    private func left(_ movement: Movement) -> Movement? {
        guard case .payout(let id) = movement.cause, let back = returned.withLock({ $0[id] }) else {
            return movement
        }
        let left = movement.amount.amount - back
        return left == 0
            ? nil
            : Movement(
                cause: movement.cause, reference: movement.reference,
                amount: Money(amount: left, currency: movement.amount.currency))
    }

    private func reported(_ reference: String) -> ReportedDispute? {
        disputes.withLock { $0[reference] }
    }

    /// From now on this happens when a card is kept, and nobody has stored that yet.
    func afterKeeping(_ body: @escaping @Sendable () async throws -> Void) {
        whenKept.withLock { $0 = body }
    }

    private func call<T>(_ body: () async throws -> T) async throws -> T {
        switch faults.withLock({ $0 })() {
        case .none: return try await body()
        case .requestLost: throw ProviderUnavailable(detail: "request lost")
        case .crashBefore: throw Crash()
        case .answerLost:
            _ = try await body()
            throw ProviderUnavailable(detail: "answer lost")
        case .crashAfter:
            _ = try await body()
            throw Crash()
        }
    }

    func instrument(for token: PaymentToken) async throws -> Instrument? {
        try await stub.instrument(for: token)
    }

    func keep(_ token: PaymentToken, for payer: PersonID) async throws -> KeepOutcome {
        let outcome = try await call { try await stub.keep(token, for: payer) }
        try await whenKept.withLock({ $0 })?()
        return outcome
    }

    func beginSetup(for payer: PersonID) async throws -> String {
        try await call { try await stub.beginSetup(for: payer) }
    }

    func saved(_ reference: String) async throws -> Instrument? {
        try await call { try await stub.saved(reference) }
    }

    func release(_ reference: String) async throws {
        try await call {
            try await stub.release(reference)
            heard.withLock { $0.append(.release(reference)) }
        }
    }

    func forget(_ payer: PersonID) async throws {
        try await call {
            try await stub.forget(payer)
            heard.withLock { $0.append(.forget(payer)) }
        }
    }

    func movements(in span: Range<Date>, after: String?) async throws -> MovementPage {
        try await call {
            let page = try await stub.movements(in: span, after: after)
            return MovementPage(items: page.items.compactMap(left), next: page.next)
        }
    }

    func movement(of cause: Movement.Cause) async throws -> Movement? {
        try await call {
            guard case .dispute(let reference) = cause, let report = reported(reference) else {
                return try await stub.movement(of: cause).flatMap(left)
            }
            let taken = Money(amount: report.taken, currency: report.amount.currency)
            return report.taken == 0
                ? nil : Movement(cause: cause, reference: reference, amount: taken)
        }
    }

    func refunds(of payment: PaymentID) async throws -> [ReportedRefund] {
        try await call { try await stub.refunds(of: payment) }
    }

    func adopt(_ refund: String) async throws -> RefundID {
        try await call { try await stub.adopt(refund) }
    }

    func dispute(_ reference: String) async throws -> ReportedDispute? {
        try await call {
            if let found = reported(reference) { return found }
            return try await stub.dispute(reference)
        }
    }

    func disputes(in span: Range<Date>, after: String?) async throws -> DisputePage {
        try await call {
            let page = try await stub.disputes(in: span, after: after)
            guard after == nil else { return page }
            let found = disputes.withLock { $0.values.filter { span.contains($0.createdAt) } }
            return DisputePage(
                references: found.map(\.reference).sorted() + page.references, next: page.next)
        }
    }

    func failedPayout(_ reference: String) async throws -> FailedPayout? {
        try await call { try await stub.failedPayout(reference) }
    }

    func charge(_ charge: Charge) async throws -> ChargeOutcome {
        try await call { try await stub.charge(charge) }
    }

    func resume(_ payment: PaymentID, isHold: Bool) async throws -> ChargeOutcome {
        try await call { try await stub.resume(payment, isHold: isHold) }
    }

    func capture(_ payment: PaymentID, _ amount: Money) async throws -> ChargeOutcome {
        try await call { try await stub.capture(payment, amount) }
    }

    func isPayoutAccount(_ account: String) -> Bool { stub.isPayoutAccount(account) }

    func openAccount(for person: PersonID, in country: String?) async throws -> String? {
        try await call { try await stub.openAccount(for: person, in: country) }
    }

    func hasOpened(_ account: String, for person: PersonID) async throws -> Bool {
        try await stub.hasOpened(account, for: person)
    }

    func payeeAccount(_ account: String) async throws -> PayeeAccount? {
        try await call { try await stub.payeeAccount(account) }
    }

    func onboardingPage(of account: String, _ pages: ReturnPages) async throws -> PayoutLink? {
        try await call { try await stub.onboardingPage(of: account, pages) }
    }

    func dashboard(of account: String) async throws -> PayoutLink? {
        try await call { try await stub.dashboard(of: account) }
    }

    func takeBack(_ payout: PayoutAttempt) async throws -> PayoutOutcome {
        try await call { try await stub.takeBack(payout) }
    }

    func refusal(of transfer: String, from account: String) async throws -> BankRefusal? {
        try await call { try await stub.refusal(of: transfer, from: account) }
    }

    func fillIn(_ account: String, _ details: TestPayoutAccountBody) async throws -> Bool {
        try await call { try await stub.fillIn(account, details) }
    }

    func payOut(_ payout: PayoutAttempt) async throws -> PayoutOutcome {
        let outcome = try await call { try await stub.payOut(payout) }
        guard case .paid = outcome, let amount = returned.withLock({ $0[payout.id] }) else {
            return outcome
        }
        return .paid(returned: amount)
    }

    func status(of payment: PaymentID) async throws -> ChargeOutcome? {
        try await call { try await stub.status(of: payment) }
    }

    func cancel(_ payment: PaymentID, because reason: CancelReason) async throws -> ChargeOutcome {
        try await call { try await stub.cancel(payment, because: reason) }
    }

    func refund(_ refund: Refund) async throws -> RefundOutcome {
        if let outcome = refundOutcome.withLock({ $0 }) { return outcome }
        return try await call { try await stub.refund(refund) }
    }
}

final class Counter: Sendable {
    private let value = Mutex(0)

    func next() -> Int {
        value.withLock { value in
            defer { value += 1 }
            return value
        }
    }
}
