import Contracts
import EventBus
import ServiceKit

/// Scheduled work: finding the outcome of attempts and refunds left unsettled by a crash or a lost
/// answer, and chores in the background.
enum PaymentWork {
    static let payment = "payment"
    static let refund = "refund"
    static let payout = "payout"
    static let dispute = "dispute"
    static let scheduledPayout = "scheduledPayout"
    static let release = "release"
    static let forget = "forget"
    static let forgetBills = "forgetBills"
    static let indexPayments = "indexPayments"
    static let mailDocument = "mailDocument"

    static func queue(_ payments: PaymentUseCases, pauses: WorkQueue.Pauses = .init()) -> WorkQueue
    {
        WorkQueue(
            payments.database, now: { payments.clock.now }, logger: payments.logger,
            pauses: pauses,
            handlers: [
                payment: WorkQueue.until(PaymentID.init, payments.settlePayment),
                refund: WorkQueue.until(RefundID.init, payments.settleRefund),
                payout: WorkQueue.until(PayoutID.init) {
                    try await payments.settlePayout($0).status == .processing ? .again : .done
                },
                dispute: WorkQueue.once({ $0 }) { try await payments.follow(dispute: $0) },
                scheduledPayout: WorkQueue.until(
                    ScheduledPayout.init, payments.payBySchedule),
                release: WorkQueue.once({ $0 }) { try await payments.run(.release($0)) },
                forget: WorkQueue.once(PersonID.init) { try await payments.run(.forget($0)) },
                forgetBills: WorkQueue.once(PersonID.init, payments.forgetBills),
                indexPayments: WorkQueue.once({ $0 }) { _ in try await payments.indexPayments() },
                mailDocument: WorkQueue.once(DocumentID.init, payments.mailDocument),
            ])
    }
}

extension PaymentUseCases {
    fileprivate func settlePayment(_ id: PaymentID) async throws -> WorkQueue.Outcome {
        guard let attempt = try await database.read({ try $0.attempts.find(id) })
        else { return .done }
        _ = try await resolve(attempt)
        let isSettled = try await database.read { try $0.attempts.find(id)?.isSettled ?? true }
        return isSettled ? .done : .again
    }

    fileprivate func settleRefund(_ id: RefundID) async throws -> WorkQueue.Outcome {
        guard let refund = try await database.read({ try $0.refunds.find(id) })
        else { return .done }
        return try await give(refund).state == .processing ? .again : .done
    }
}
