import Contracts
import Foundation

/// The events of an attempt.
enum AttemptEvent: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case succeeded
        /// Refused by the provider, or cancelled for a reason that the payer sees.
        case declined
        /// Cancelled for a reason that the payer does not see.
        case cancelled
        case actionRequired, authorized, pending
        case unanswered, billChanged
    }

    /// The provider's answer to a charge, a capture or a status query.
    case outcome(ChargeOutcome)
    /// The provider gave no answer.
    case unanswered
    /// A newer version of the bill, or one from before the hold.
    case billChanged

    var kind: Kind {
        switch self {
        case .outcome(.succeeded): .succeeded
        case .outcome(.declined): .declined
        case .outcome(.cancelled(let reason)):
            CancelReason(rawValue: reason)?.isAnnounced ?? true ? .declined : .cancelled
        case .outcome(.requiresAction): .actionRequired
        case .outcome(.authorized): .authorized
        case .outcome(.pending): .pending
        case .unanswered: .unanswered
        case .billChanged: .billChanged
        }
    }
}

/// One row of the state machine of an attempt.
struct AttemptTransition: Sendable, Hashable {
    /// Conditions of a row besides the status.
    enum Fact: String, Sendable, CaseIterable {
        /// A hold whose capture has not begun.
        case heldOnly
        /// A capture that was cancelled because the bill changed.
        case captureCancelled
        /// The payer's further step has another secret than before.
        case newSecret
        /// The bill still waits for this payment.
        case wanted
        /// The bill has an amount to pay now, and not only to hold.
        case due
    }

    /// The work of a use case after the attempt has taken its new status, in the transaction that stores it.
    enum Effect: Sendable, Hashable {
        /// Frees the bill for another attempt, or marks it as paid.
        case settleBill(paid: Bool)
        /// Ledger entry: the money pays the bill, or becomes the customer's credit.
        case enterCapture, enterCredit
        /// Reserves the whole amount, and stores its refund.
        case refundAll
        /// Events together with the payer's notices.
        case announceSuccess, announceTips, announceDecline
        /// Events alone.
        case publishHold, publishRelease
        /// Takes over the bill's amount and shares, to capture them instead of what is held.
        case beginCapture
        /// Gives the payer time for a further step, and tells a payer who is absent.
        case awaitStep
        /// Seconds from now until others may ask the provider, or give the attempt up.
        case setDeadline(TimeInterval)
        /// `PaymentWork` looks at the attempt at its deadline.
        case scheduleLook
        case lookNow
        /// Moves the first look forward; after a failed one, the scheduled time stays.
        case hastenLook
        /// Takes the event `billChanged`: the bill may have changed before the hold existed.
        case followBill
    }

    let from: [PaymentStatus]
    let events: [AttemptEvent.Kind]
    /// Facts that must hold (true) or must not hold (false); others don't matter.
    let facts: [Fact: Bool]
    let to: PaymentStatus
    let effects: [Effect]

    private static func row(
        _ from: [PaymentStatus], _ events: [AttemptEvent.Kind], when facts: [Fact: Bool] = [:],
        _ to: PaymentStatus, _ effects: [Effect]
    ) -> AttemptTransition {
        AttemptTransition(from: from, events: events, facts: facts, to: to, effects: effects)
    }

    /// The whole machine. Only these rows change the status of an attempt; an event without a row changes nothing.
    static let table: [AttemptTransition] = [
        row(
            [.processing, .requiresAction, .held], [.succeeded], when: [.wanted: true], .succeeded,
            [.settleBill(paid: true), .enterCapture, .announceSuccess, .announceTips]),
        row(
            [.processing, .requiresAction, .held], [.succeeded], when: [.wanted: false], .succeeded,
            [.settleBill(paid: false), .enterCredit, .refundAll]),
        row(
            [.held], [.declined, .cancelled], .released,
            [.settleBill(paid: false), .publishRelease]),
        row(
            [.processing, .requiresAction], [.declined, .cancelled],
            when: [.captureCancelled: true], .released,
            [.settleBill(paid: false), .publishRelease]),
        row(
            [.processing, .requiresAction], [.declined],
            when: [.captureCancelled: false, .wanted: true], .declined,
            [.settleBill(paid: false), .announceDecline]),
        row(
            [.processing, .requiresAction], [.declined],
            when: [.captureCancelled: false, .wanted: false], .declined,
            [.settleBill(paid: false)]),
        row(
            [.processing, .requiresAction], [.cancelled],
            when: [.captureCancelled: false], .declined, [.settleBill(paid: false)]),
        row(
            [.processing, .held], [.actionRequired], .requiresAction,
            [.awaitStep, .scheduleLook]),
        row(
            [.requiresAction], [.actionRequired], when: [.newSecret: true], .requiresAction,
            [.awaitStep, .scheduleLook]),
        row(
            [.processing, .requiresAction], [.authorized], when: [.heldOnly: true], .held,
            [.setDeadline(PaymentUseCases.holdLimit), .publishHold, .scheduleLook, .followBill]),
        row([.processing], [.unanswered], .processing, [.setDeadline(0), .hastenLook]),
        row(
            [.held], [.billChanged], when: [.wanted: true, .due: true], .processing,
            [.beginCapture, .setDeadline(0), .scheduleLook]),
        row([.held], [.billChanged], when: [.wanted: false], .held, [.lookNow]),
        row(
            [.requiresAction], [.billChanged], when: [.wanted: false], .requiresAction,
            [.setDeadline(0), .scheduleLook]),
    ]

    /// The row for an event in a status, if there is one.
    static func row(
        _ event: AttemptEvent.Kind, from status: PaymentStatus, _ facts: Set<Fact>
    ) -> AttemptTransition? {
        table.first { row in
            row.from.contains(status) && row.events.contains(event)
                && row.facts.allSatisfy { facts.contains($0.key) == $0.value }
        }
    }
}

/// The next step for an attempt that is not settled.
enum AttemptStep: Sendable, Hashable {
    /// It is too early to tell.
    case wait
    /// The payer still has time for the further step.
    case keep
    case cancel(CancelReason)
    case capture
    case resume
    case settle(ChargeOutcome)
}

extension Attempt {
    /// The next step, by the provider's status of the attempt; nil if the provider never received it.
    func step(after outcome: ChargeOutcome?, isWanted: Bool, isOver: Bool) -> AttemptStep {
        switch outcome {
        case nil: isOver ? .cancel(.notProcessed) : .wait
        case .pending: .wait
        case .authorized where isHold:
            if !isWanted {
                .cancel(.billChanged)
            } else if isCapturing {
                .capture
            } else {
                status == .held && isOver ? .cancel(.expired) : .settle(.authorized)
            }
        case .authorized where !isOver && status != .requiresAction:
            // The request that began it may be about to capture the money.
            .wait
        case .authorized: isWanted ? .resume : .cancel(.billChanged)
        case .requiresAction where status == .requiresAction:
            if !isWanted { .cancel(.billChanged) } else { isOver ? .cancel(.expired) : .keep }
        case let outcome?: .settle(outcome)
        }
    }
}
