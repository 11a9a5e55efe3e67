import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// The notifications about people's money, published with each event.
enum PaymentNotices {
    static let words = Catalogue([
        .english: PackageResources.en_json, .traditionalChinese: PackageResources.zh_Hant_json,
    ])

    static func announce(
        _ event: PaymentSucceeded, at now: Date, in transaction: Transaction
    ) throws {
        try transaction.publish(event, at: now)
        try notify(
            event.payer, "payment-succeeded", event.payment.amount,
            push: .receipt, of: event.payment.bill, PaymentSucceeded.self, at: now, transaction)
    }

    static func announce(
        _ event: PaymentDeclined, at now: Date, in transaction: Transaction
    ) throws {
        try transaction.publish(event, at: now)
        try notify(
            event.payer, "payment-declined", event.payment.amount,
            push: .soon, of: event.payment.bill, PaymentDeclined.self, at: now, transaction)
    }

    /// Tells a payer who was absent that their bank asks them to confirm. The event carries no secret.
    static func announceStep(
        of attempt: Attempt, at now: Date, in transaction: Transaction
    ) throws {
        guard attempt.isOffSession == true else { return }
        var payment = attempt.payment
        payment.clientSecret = nil
        try transaction.publish(
            PaymentActionRequired(
                payment: payment, product: attempt.product, payer: attempt.payer), at: now)
        let message = try message(
            to: attempt.payer, "payment-action-required", payment.amount, push: .soon,
            of: transaction.bills.find(payment.bill)?.bill)
        // The payment is a subject of its own, whose link is the page to confirm it.
        let state = SubjectState(
            product: attempt.product, kind: "payment", version: 1,
            link: "/pay/\(payment.bill)", data: .object([:]), about: [])
        try transaction.publish(
            NoticeIssued(
                Notice(
                    subject: payment.id.description, state: state,
                    cause: PaymentActionRequired.self, [message])), at: now)
    }

    /// - Parameter isTold: The product has told the payer.
    static func announce(
        _ event: PaymentRefunded, isTold: Bool, at now: Date, in transaction: Transaction
    ) throws {
        try transaction.publish(event, at: now)
        if isTold {
            // Only makes apps refresh.
            let silent = Notice.Message(to: .person(event.payer))
            return try transaction.publish(
                NoticeIssued(
                    Notice(
                        subject: event.refund.bill.description, cause: PaymentRefunded.self,
                        [silent])), at: now)
        }
        try notify(
            event.payer, "payment-refunded", event.refund.amount,
            push: .receipt, of: event.refund.bill, PaymentRefunded.self, at: now, transaction)
    }

    static func announce(
        _ event: TipGiven, at now: Date, in transaction: Transaction
    ) throws {
        try transaction.publish(event, at: now)
        try notify(
            event.payee, "tip-given", event.amount, push: .receipt,
            of: event.bill, TipGiven.self, at: now, transaction)
    }

    static func announce(
        _ event: RefundFailed, at now: Date, in transaction: Transaction
    ) throws {
        try transaction.publish(event, at: now)
        try notify(
            event.payer, "refund-failed", event.refund.amount,
            push: .soon, of: event.refund.bill, RefundFailed.self, at: now, transaction)
        try tellOperators(
            "operators-refund-failed", of: event.refund.bill, event.refund.amount,
            RefundFailed.self, at: now, transaction)
    }

    static func announce(
        _ event: PaymentDisputed, at now: Date, in transaction: Transaction
    ) throws {
        try transaction.publish(event, at: now)
        let key: String? =
            switch event.dispute.status.known {
            case .inquiry: "dispute-inquiry"
            case .needsResponse: "dispute-opened"
            case .won: "dispute-won"
            case .lost: "dispute-lost"
            case .closed, .underReview, nil: nil
            }
        guard let key else { return }
        try tellOperators(
            key, of: event.dispute.bill, event.dispute.amount, PaymentDisputed.self, at: now,
            transaction)
    }

    /// A line in the feed of operators about the money of a bill.
    static func tellOperators(
        _ key: String, of bill: BillID, _ amount: Money, _ cause: any Event.Type, at now: Date,
        _ transaction: Transaction
    ) throws {
        let ticket = ticket(of: try transaction.bills.find(bill)?.bill)
        let message = words.message(
            to: .operators, key, ["amount": .money(amount), "ticket": ticket], push: .soon)
        try transaction.publish(
            NoticeIssued(Notice(subject: bill.description, cause: cause, [message])), at: now)
    }

    private static func ticket(of bill: Bill?) -> Catalogue.Value {
        bill.map { .text($0.facts.reference) } ?? .words("your-bill")
    }

    private static func notify(
        _ person: PersonID, _ key: String, _ amount: Money, push: Notice.Push, of bill: BillID,
        _ cause: any Event.Type, at now: Date, _ transaction: Transaction
    ) throws {
        let paid = try transaction.bills.find(bill)?.bill
        guard paid?.isGuest != true || person != paid?.payer else { return }
        let message = message(to: person, key, amount, push: push, of: paid)
        try transaction.publish(
            NoticeIssued(Notice(subject: bill.description, cause: cause, [message])), at: now)
    }

    private static func message(
        to person: PersonID, _ key: String, _ amount: Money, push: Notice.Push, of bill: Bill?
    ) -> Notice.Message {
        words.message(
            to: .person(person), key, ["amount": .money(amount), "ticket": ticket(of: bill)],
            push: push)
    }
}
