import Contracts
import EventBus
import ServiceKit

/// What is done when its time has come: finding out what became of attempts and refunds that nobody
/// has settled, after a crash or a lost answer, and what nobody waits for.
enum PaymentWork {
    static let payment = "payment"
    static let refund = "refund"
    static let payout = "payout"
    static let release = "release"
    static let forget = "forget"
    static let forgetBills = "forgetBills"

    static func queue(_ payments: PaymentUseCases, pauses: WorkQueue.Pauses = .init()) -> WorkQueue
    {
        WorkQueue(
            payments.database, now: { payments.clock.now }, logger: payments.logger,
            pauses: pauses,
            handlers: [
                payment: { subject in try await payments.settlePayment(subject) },
                refund: { subject in try await payments.settleRefund(subject) },
                payout: { subject in
                    guard let id = PayoutID(subject) else { return .done }
                    return try await payments.settlePayout(id).status == .processing
                        ? .again : .done
                },
                release: { reference in
                    try await payments.run(.release(reference))
                    return .done
                },
                forget: { subject in
                    if let person = PersonID(subject) { try await payments.run(.forget(person)) }
                    return .done
                },
                forgetBills: { subject in
                    if let person = PersonID(subject) {
                        try await payments.forgetBills(of: person)
                    }
                    return .done
                },
            ])
    }
}

extension PaymentUseCases {
    fileprivate func settlePayment(_ subject: String) async throws -> WorkQueue.Outcome {
        guard let id = PaymentID(subject),
            let attempt = try await database.read({ try $0.attempts.find(id) })
        else { return .done }
        _ = try await resolve(attempt)
        let isSettled = try await database.read { try $0.attempts.find(id)?.isSettled ?? true }
        return isSettled ? .done : .again
    }

    fileprivate func settleRefund(_ subject: String) async throws -> WorkQueue.Outcome {
        guard let id = RefundID(subject),
            let refund = try await database.read({ try $0.refunds.find(id) })
        else { return .done }
        return try await give(refund).state == .processing ? .again : .done
    }
}
