import Contracts
import EventBus
import Foundation
import ServiceKit
import Store
import Support
import Testing

@testable import Payments

private let start = TestClock().now

@Suite(.withoutDatabase) struct AttemptTransitionTests {
    /// The rules as they are written down for people: from, events, facts, to, effects.
    static let rules = """
        processing, requiresAction, held | succeeded | wanted | succeeded \
        | settleBill(paid: true), enterCapture, announceSuccess, announceTips
        processing, requiresAction, held | succeeded | not wanted | succeeded \
        | settleBill(paid: false), enterCredit, refundAll
        held | declined, cancelled | - | released | settleBill(paid: false), publishRelease
        processing, requiresAction | declined, cancelled | captureCancelled | released \
        | settleBill(paid: false), publishRelease
        processing, requiresAction | declined | not captureCancelled, wanted | declined \
        | settleBill(paid: false), announceDecline
        processing, requiresAction | declined | not captureCancelled, not wanted | declined \
        | settleBill(paid: false)
        processing, requiresAction | cancelled | not captureCancelled | declined \
        | settleBill(paid: false)
        processing, held | actionRequired | - | requiresAction | awaitStep, scheduleLook
        requiresAction | actionRequired | newSecret | requiresAction | awaitStep, scheduleLook
        processing, requiresAction | authorized | heldOnly | held \
        | setDeadline(518400.0), publishHold, scheduleLook, followBill
        processing | unanswered | - | processing | setDeadline(0.0), hastenLook
        held | billChanged | wanted, due | processing \
        | beginCapture, setDeadline(0.0), scheduleLook
        held | billChanged | not wanted | held | lookNow
        requiresAction | billChanged | not wanted | requiresAction \
        | setDeadline(0.0), scheduleLook
        """

    @Test func theTableInTheCodeIsTheTableOfTheRules() {
        let lines = AttemptTransition.table.map { row in
            let facts = AttemptTransition.Fact.allCases.compactMap { fact in
                row.facts[fact].map { $0 ? fact.rawValue : "not \(fact.rawValue)" }
            }
            return [
                row.from.map(\.rawValue).joined(separator: ", "),
                row.events.map(\.rawValue).joined(separator: ", "),
                facts.isEmpty ? "-" : facts.joined(separator: ", "),
                row.to.rawValue,
                row.effects.map { "\($0)" }.joined(separator: ", "),
            ].joined(separator: " | ")
        }
        #expect(lines == Self.rules.split(separator: "\n").map(String.init))
    }

    /// All subsets of the facts.
    static let factSets: [Set<AttemptTransition.Fact>] =
        AttemptTransition.Fact.allCases.reduce([[]]) { sets, fact in
            sets + sets.map { $0.union([fact]) }
        }

    @Test(arguments: AttemptEvent.Kind.allCases, PaymentStatus.allCases)
    func everyEventStateAndFactsHaveAtMostOneRow(
        _ event: AttemptEvent.Kind, _ status: PaymentStatus
    ) {
        for facts in Self.factSets {
            let rows = AttemptTransition.table.filter { row in
                row.from.contains(status) && row.events.contains(event)
                    && row.facts.allSatisfy { facts.contains($0.key) == $0.value }
            }
            #expect(rows.count <= 1)
            #expect(rows.first == AttemptTransition.row(event, from: status, facts))
            if [.succeeded, .declined, .released].contains(status) { #expect(rows.isEmpty) }
        }
    }

    static let events: [AttemptEvent] =
        [
            .outcome(.succeeded), .outcome(.declined("card_declined")),
            .outcome(.declined("bill_changed")), .outcome(.cancelled("void_invoice")),
            .outcome(.requiresAction(clientSecret: Attempt.secret)),
            .outcome(.requiresAction(clientSecret: "another")), .outcome(.authorized),
            .outcome(.pending), .unanswered, .billChanged,
        ] + CancelReason.allCases.map { .outcome(.cancelled($0.rawValue)) }

    @Test(arguments: events, PaymentStatus.allCases)
    func anEventLeadsWhereItsRowSaysAndChangesNothingWithoutARow(
        _ event: AttemptEvent, _ status: PaymentStatus
    ) {
        let now = start.addingTimeInterval(60)
        for kind in AttemptKind.allCases {
            for newest in NewestBill.allCases {
                let before = Attempt.made(as: kind, in: status)
                let facts = Self.facts(event, before, kind, newest)
                let row = AttemptTransition.row(event.kind, from: status, facts)
                var attempt = before
                let known = Receivable.holding(newest, for: before)
                #expect(attempt.take(event, for: known, at: now) == row)
                guard let row else {
                    #expect(attempt == before)
                    continue
                }
                #expect(attempt.status == row.to)
                #expect(attempt.payment.amount == before.payment.amount)
                #expect(attempt.heldUntil == before.heldUntil)
                #expect(attempt.paidAt == (row.to == .succeeded ? now : nil))
                guard case .outcome(let outcome) = event else {
                    #expect(attempt.payment.clientSecret == before.payment.clientSecret)
                    continue
                }
                switch outcome {
                case .requiresAction(let secret):
                    #expect(attempt.payment.clientSecret == secret)
                    #expect(attempt.payment.declineReason == nil)
                case .declined(let reason), .cancelled(let reason):
                    #expect(attempt.payment.clientSecret == nil)
                    #expect(attempt.payment.declineReason == reason)
                case .succeeded, .authorized, .pending:
                    #expect(attempt.payment.clientSecret == nil)
                    #expect(attempt.payment.declineReason == nil)
                }
            }
        }
    }

    /// The facts by how the attempt and its bill were made.
    static func facts(
        _ event: AttemptEvent, _ attempt: Attempt, _ kind: AttemptKind, _ newest: NewestBill
    ) -> Set<AttemptTransition.Fact> {
        var facts: Set<AttemptTransition.Fact> = []
        if kind == .hold { facts.insert(.heldOnly) }
        // Of a hold a part can be captured; an amount that is captured has to be the bill's.
        let isPartial = kind == .hold && event.kind != .succeeded
        if newest == .same || isPartial && [.toHold, .less].contains(newest) {
            facts.insert(.wanted)
        }
        if [.same, .less, .more].contains(newest) { facts.insert(.due) }
        switch event {
        case .outcome(.declined("bill_changed")), .outcome(.cancelled("bill_changed")):
            if kind == .capture { facts.insert(.captureCancelled) }
        case .outcome(.requiresAction(let secret)):
            if secret != attempt.payment.clientSecret { facts.insert(.newSecret) }
        default: break
        }
        return facts
    }

    @Test func thePayerIsToldOfADeclineButNotOfWhatTheyDidThemselves() {
        let kinds: [(ChargeOutcome, AttemptEvent.Kind)] = [
            (.succeeded, .succeeded), (.declined("card_declined"), .declined),
            (.declined("superseded"), .declined), (.cancelled("not_processed"), .declined),
            (.cancelled("expired"), .declined), (.cancelled("void_invoice"), .declined),
            (.cancelled("superseded"), .cancelled), (.cancelled("bill_changed"), .cancelled),
            (.requiresAction(clientSecret: "secret"), .actionRequired),
            (.authorized, .authorized), (.pending, .pending),
        ]
        for (outcome, kind) in kinds { #expect(AttemptEvent.outcome(outcome).kind == kind) }
    }

    @Test(arguments: PaymentStatus.allCases)
    func onlyWhatSucceededIsRefunded(_ status: PaymentStatus) throws {
        for kind in AttemptKind.allCases {
            var attempt = Attempt.made(as: kind, in: status)
            if status == .succeeded {
                #expect(try attempt.reserveRefund(nil) == attempt.payment.amount)
            } else {
                #expect(throws: Refusal.paymentNotRefundable) { try attempt.reserveRefund(nil) }
            }
        }
    }

    @Test func captureTakesTheAmountAndTheSharesOfTheBill() {
        var bill = NewestBill.less.bill(of: .new())
        bill.lines[0].payee = TestPerson.bob.id
        var attempt = Attempt.made(as: .hold, in: .held)
        attempt.beginCapture(of: bill)
        #expect(attempt.payment.amount == bill.total)
        #expect(attempt.shares == bill.shares)
        #expect(attempt.takenBack == [0])
        #expect(!attempt.isHeldOnly)
    }

    /// The steps as they are written down for people: attempt, outcome at the provider, then the step while the
    /// bill wants the attempt and it has time, when its time is over, and when the bill does not want it.
    static let steps = """
        charge | - | wait | cancel(notProcessed) | wait | cancel(notProcessed)
        charge | pending | wait | wait | wait | wait
        charge | authorized | wait | resume | wait | cancel(billChanged)
        charge requiresAction | authorized | resume | resume | cancel(billChanged) \
        | cancel(billChanged)
        charge | requiresAction | settle | settle | settle | settle
        charge requiresAction | requiresAction | keep | cancel(expired) | cancel(billChanged) \
        | cancel(billChanged)
        charge | succeeded | settle | settle | settle | settle
        charge | declined | settle | settle | settle | settle
        charge | cancelled | settle | settle | settle | settle
        hold | - | wait | cancel(notProcessed) | wait | cancel(notProcessed)
        hold | pending | wait | wait | wait | wait
        hold | authorized | settle | settle | cancel(billChanged) | cancel(billChanged)
        hold requiresAction | authorized | settle | settle | cancel(billChanged) \
        | cancel(billChanged)
        hold held | authorized | settle | cancel(expired) | cancel(billChanged) \
        | cancel(billChanged)
        hold held | requiresAction | settle | settle | settle | settle
        hold requiresAction | requiresAction | keep | cancel(expired) | cancel(billChanged) \
        | cancel(billChanged)
        hold held | cancelled | settle | settle | settle | settle
        capture | - | wait | cancel(notProcessed) | wait | cancel(notProcessed)
        capture | pending | wait | wait | wait | wait
        capture | authorized | capture | capture | cancel(billChanged) | cancel(billChanged)
        capture requiresAction | authorized | capture | capture | cancel(billChanged) \
        | cancel(billChanged)
        capture | succeeded | settle | settle | settle | settle
        """

    @Test(arguments: steps.split(separator: "\n").map(String.init))
    func aLookLeadsToTheStepOfTheRules(_ rule: String) throws {
        let columns = rule.components(separatedBy: " | ")
        let names = columns[0].split(separator: " ").map(String.init)
        let attempt = Attempt.made(
            as: try #require(AttemptKind(rawValue: names[0])),
            in: try #require(PaymentStatus(rawValue: names.count > 1 ? names[1] : "processing")))
        let outcomes: [String: ChargeOutcome] = [
            "pending": .pending, "authorized": .authorized, "succeeded": .succeeded,
            "requiresAction": .requiresAction(clientSecret: Attempt.secret),
            "declined": .declined("card_declined"), "cancelled": .cancelled("expired"),
        ]
        let outcome = outcomes[columns[1]]
        #expect((outcome == nil) == (columns[1] == "-"))
        let found = [(true, false), (true, true), (false, false), (false, true)].map {
            Self.text(attempt.step(after: outcome, isWanted: $0, isOver: $1), outcome)
        }
        #expect(found == Array(columns.dropFirst(2)))
    }

    /// What is settled is what the provider says.
    private static func text(_ step: AttemptStep, _ outcome: ChargeOutcome?) -> String {
        switch step {
        case .wait: "wait"
        case .keep: "keep"
        case .cancel(let reason): "cancel(\(reason))"
        case .capture: "capture"
        case .resume: "resume"
        case .settle(let said): said == outcome ? "settle" : "settle(\(said))"
        }
    }
}

/// What became of a bill while its amount was about to be held.
@Suite struct AttemptEffectTests {
    @Test(arguments: [NewestBill.toHold, .less, .more, .withdrawn])
    func aHoldFollowsTheBillThatChangedBeforeIt(_ newest: NewestBill) async throws {
        let bench = try Bench()
        let now = bench.clock.now
        let begun = Attempt.made(as: .hold, in: .processing)
        let (attempt, lookAt) = try await bench.database.write { transaction in
            var (attempt, known) = (begun, Receivable.holding(newest, for: begun))
            try transaction.bills.insert(known)
            try transaction.attempts.insert(attempt)
            let row = attempt.take(.outcome(.authorized), for: known, at: now)
            try transaction.attempts.carryOut(try #require(row), of: &attempt, for: &known, at: now)
            try transaction.attempts.update(&attempt)
            let look: Date? = try transaction.row(
                "SELECT due_at FROM work WHERE kind = ?", PaymentWork.payment)?.get("due_at")
            return (attempt, look)
        }
        let end = now.addingTimeInterval(PaymentUseCases.holdLimit)
        let held = try await bench.published(PaymentHeld.self)
        #expect(held.map(\.payment.status.known) == [.held])
        #expect(held.map(\.payment.amount) == [begun.payment.amount])
        #expect(held.map(\.until) == [end])
        #expect(attempt.status == (newest == .less ? .processing : .held))
        let holds = try await bench.database.read { try $0.attempts.openHolds() }
        #expect(holds == (newest == .less ? 0 : 1))
        #expect(attempt.payment.amount == .hkd(newest == .less ? 3_000 : 5_000))
        #expect(attempt.heldUntil == (newest == .less ? now : end))
        #expect(lookAt == (newest == .toHold ? end : now))
    }

    @Test func openHoldsAreCountedByAnIndex() async throws {
        let database = try Database(.memory, migrations: PaymentStore.migrations)
        let plan = try await database.read { transaction in
            try transaction.rows("EXPLAIN QUERY PLAN \(AttemptStore.holds)").map {
                try $0.get("detail", as: String.self)
            }
        }
        #expect(plan.count == 1)
        #expect(plan.allSatisfy { $0.contains("INDEX payments_held") })
    }
}

enum AttemptKind: String, CaseIterable, Sendable {
    case charge, hold
    /// A hold that is being captured.
    case capture
}

/// What the newest version of a bill says, of which 50 dollars are being paid.
enum NewestBill: CaseIterable, Sendable {
    case toHold, same, less, more, withdrawn

    func bill(of id: BillID) -> Bill {
        let amount =
            switch self {
            case .toHold, .same, .withdrawn: 5_000
            case .less: 3_000
            case .more: 5_001
            }
        var bill = Bill.of(.alice, amount, version: 2, id: id)
        if self == .toHold { bill.terms = .known(.hold) }
        if self == .withdrawn { bill.state = .known(.withdrawn) }
        return bill
    }
}

extension Receivable {
    /// The bill, claimed by the attempt before its newest version came.
    fileprivate static func holding(_ newest: NewestBill, for attempt: Attempt) -> Receivable {
        var known = Receivable(NewestBill.same.bill(of: attempt.payment.bill))
        _ = known.apply(newest.bill(of: attempt.payment.bill), at: start) { _, _ in nil }
        return known
    }
}

extension Attempt {
    fileprivate static let secret = "secret"

    /// An attempt of 50 dollars in a state, also in one that it can't reach.
    fileprivate static func made(as kind: AttemptKind, in status: PaymentStatus) -> Attempt {
        var bill = NewestBill.same.bill(of: .new())
        if kind != .charge { bill.terms = .known(.hold) }
        var payment = Payment(
            id: .new(), bill: bill.id, amount: bill.total, status: status, createdAt: start)
        if status == .requiresAction { payment.clientSecret = secret }
        var attempt = Attempt(payment, of: bill, reference: "pm_card_visa", heldUntil: start)
        if kind == .capture { attempt.beginCapture(of: bill) }
        return attempt
    }
}
