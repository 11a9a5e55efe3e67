import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// The messages about payouts and their accounts, each with its event.
enum PayoutNotices {
    /// The screen of payouts, in both apps.
    private static let link = "/payouts"

    static func announce(
        _ attempt: PayoutAttempt, at now: Date, in transaction: Transaction
    ) throws {
        let (payout, person) = (attempt.payout, attempt.person)
        let event = PayoutChanged(payout, to: person)
        try transaction.publish(event, at: now)
        guard let (key, push) = message(about: attempt), try !transaction.isGone(person)
        else { return }
        let words = PaymentNotices.words
        let message = words.message(
            to: .person(person), key,
            [
                "amount": .money(payout.returned ?? payout.amount),
                "reason": .words("payout-problem.\((payout.problem ?? .providerRefused).rawValue)"),
            ], push: push)
        try publish(
            message, payout.id.description, "payout", attempt.version.number,
            [
                "id": .text(payout.id.description), "status": .text(payout.status.rawValue),
            ], of: person, PayoutChanged.self, at: now, transaction)
    }

    /// Nil if the person sees the outcome where they asked for it.
    private static func message(about attempt: PayoutAttempt) -> (key: String, Notice.Push)? {
        switch attempt.payout.status {
        case .failed: ("payout-failed", .soon)
        case .paid where attempt.payout.returned != nil: ("payout-returned", .receipt)
        case .paid where attempt.isScheduled == true: ("payout-sent", .receipt)
        case .paid, .processing: nil
        }
    }

    static func announce(
        _ account: PayoutAccount, of person: PersonID, at now: Date, in transaction: Transaction
    ) throws {
        try transaction.publish(PayoutAccountChanged(person, account.status), at: now)
        let key: String
        switch account.status {
        case .enabled: key = "payout-account-enabled"
        case .restricted: key = "payout-account-restricted"
        case .none: key = "payout-account-lost"
        case .pending: return
        }
        guard try !transaction.isGone(person) else { return }
        let message = PaymentNotices.words.message(to: .person(person), key, push: .receipt)
        try publish(
            message, "payouts:\(person)", "payoutAccount", Int(now.microseconds),
            ["status": .text(account.status.rawValue)], of: person, PayoutAccountChanged.self,
            at: now, transaction)
    }

    private static func publish(
        _ message: Notice.Message, _ subject: String, _ kind: SubjectKind, _ version: Int,
        _ data: [String: JSONValue], of person: PersonID, _ cause: any Event.Type, at now: Date,
        _ transaction: Transaction
    ) throws {
        let state = SubjectState(
            product: "payments", kind: kind, version: version, link: link, data: .object(data),
            about: [person])
        try transaction.publish(
            NoticeIssued(Notice(subject: subject, state: state, cause: cause, [message])), at: now)
    }
}
