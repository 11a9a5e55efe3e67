import Contracts
import EventBus
import Foundation
import Logging
import ServiceKit
import Store

// The ledger, and its reconciliation with the provider's statement.

extension PaymentUseCases {
    /// The most differences that one reconciliation lists; the log has their total.
    static let mostDifferences = 1_000

    /// Reconciles a day, as the company's time zone has it, with the provider's statement.
    func reconcile(
        _ day: String, by person: PersonID?, key: IdempotencyKey?
    ) async throws -> Reconciliation {
        let zone = try await database.read { try $0.company.timeZone() }
        return try await reconcile(Day(day, in: zone), by: person, key: key)
    }

    /// Reconciles a day of the ledger with the provider's statement, and stores every difference.
    func reconcile(
        _ day: Day, by person: PersonID?, key: IdempotencyKey?
    ) async throws -> Reconciliation {
        if let known = try await database.answer(once: key, as: Reconciliation.self) {
            return known
        }
        let now = clock.now
        guard day.span.lowerBound <= now else { throw Refusal.dayInvalid }
        let run = ReconciliationID.new(at: now)
        var comparison = Comparison()
        do {
            try await compare(day, run, &comparison)
        } catch {
            try await forgetSeen(by: run)
            guard let error = error as? ProviderUnavailable else { throw error }
            logger.warning(
                "payment provider gave no answer", metadata: ["error": "\(error.detail)"])
            throw Refusal.paymentProviderUnavailable
        }
        try await forgetSeen(by: run)
        let differing = comparison.differing
        let result = Reconciliation(
            id: run, day: day.text, compared: comparison.compared,
            differences: comparison.differences, madeAt: now)
        if comparison.differing > 0 {
            logger.error(
                "the payment provider's list differs from our ledger",
                metadata: ["day": "\(day.text)", "differences": "\(comparison.differing)"])
        }
        return try await database.write(once: key) { transaction in
            try transaction.reconciliations.insert(result, isDaily: person == nil)
            if differing > 0, person == nil {
                try ProviderAlerts.tell(
                    ProviderAlerted(.recordsDiffer, of: day.text, amount: nil), "records-differ",
                    ["day": .text(day.text)], once: "day:\(day.text)", at: now, in: transaction)
            }
            if let person {
                try transaction.publish(
                    OperatorActed(
                        by: person.as(OperatorID.self), action: "payments.reconcile",
                        subject: result.id.description, reason: day.text, actedAt: now), at: now)
            }
            return result
        }
    }

    func reconciliations(_ page: PageRequest) async throws -> Page<Reconciliation> {
        try await database.read { try $0.reconciliations.page(page) }
    }

    /// Compares the provider's statement page by page, then our entries that are not on it.
    private func compare(
        _ day: Day, _ run: ReconciliationID, _ comparison: inout Comparison
    ) async throws {
        try await followDisputes(in: day.span)
        var after: String?
        repeat {
            let page = try await provider.movements(in: day.span, after: after)
            let items = try await recorded(page.items)
            let differences = try await differences(of: items, run)
            comparison.add(differences, of: items.count)
            after = page.next
        } while after != nil
        var last = ""
        while true {
            let start = last
            let ours = try await database.read {
                try $0.ledger.unseenClearings(
                    in: day.span, by: run, after: start, limit: comparedAtOnce)
            }
            for (entry, amount) in ours {
                // The provider may have moved it on another day, so it is asked for this one.
                guard let cause = Movement.Cause(entry: entry) else { continue }
                let theirs = try await provider.movement(of: cause)
                if theirs == nil, case .refund(let id) = cause, try await isReversed(id) {
                    comparison.add([], of: 1)
                    continue
                }
                let amount = try await here(amount, of: cause)
                let difference = Reconciliation.Difference(
                    theirs == nil ? .missingAtProvider : .amountDiffers, cause,
                    reference: theirs?.reference, here: amount, atProvider: theirs?.amount)
                comparison.add(theirs?.amount == amount ? [] : [difference], of: 1)
            }
            guard ours.count == comparedAtOnce, let next = ours.last?.entry else { return }
            last = next
        }
    }

    /// The amount that the ledger has of a movement; of a dispute or a payout all together, and nil for nothing.
    private func here(_ amount: Money, of cause: Movement.Cause) async throws -> Money? {
        switch cause {
        case .payment, .refund: return amount
        case .payout(let id): return try await database.read { try $0.payouts.find(id)?.moved }
        case .dispute(let reference):
            let record = try await database.read { try $0.disputes.find(reference) }
            guard let record, record.taken != 0 else { return nil }
            return Money(amount: record.taken, currency: record.amount.currency)
        }
    }

    /// Records refunds that were made at the provider. What it lists beside them was never charged.
    private func recorded(_ movements: [Movement]) async throws -> [Movement] {
        var items: [Movement] = []
        for movement in movements {
            guard movement.cause == nil, let payment = movement.payment else {
                items.append(movement)
                continue
            }
            let isKnown = try await database.read { try $0.attempts.find(payment) != nil }
            guard isKnown, try await hasSucceeded(payment) else {
                items.append(movement)
                continue
            }
            guard let id = try await review(payment)[movement.reference] else { continue }
            items.append(
                Movement(
                    cause: .refund(id), reference: movement.reference, amount: movement.amount))
        }
        return items
    }

    /// The movements of a page that differ in the ledger, on any day; marks the page as seen.
    private func differences(
        of movements: [Movement], _ run: ReconciliationID
    ) async throws -> [Reconciliation.Difference] {
        let causes = movements.compactMap(\.cause)
        let entries = causes.map(\.entry)
        let (here, known) = try await database.write { transaction in
            for entry in entries { try transaction.reconciliations.see(entry, in: run) }
            var here = try transaction.ledger.clearings(of: entries)
            for case .payout(let id) in causes {
                here[LedgerEntry.paid(id)] = try transaction.payouts.find(id)?.moved
            }
            return (here, try transaction.ledger.known(among: causes))
        }
        return movements.compactMap { movement in
            guard let cause = movement.cause else {
                return .init(
                    .missingHere, nil, reference: movement.reference, here: nil,
                    atProvider: movement.amount)
            }
            let ours = here[cause.entry]
            guard ours != movement.amount else { return nil }
            let kind: Reconciliation.Difference.Kind =
                ours != nil
                ? .amountDiffers : known.contains(cause.entry) ? .statusDiffers : .missingHere
            return .init(
                kind, cause, reference: movement.reference, here: ours,
                atProvider: movement.amount)
        }
    }

    private func forgetSeen(by run: ReconciliationID) async throws {
        while try await database.write({
            try $0.reconciliations.forgetSeen(by: run, limit: comparedAtOnce)
        }) >= comparedAtOnce {}
    }
}

/// The results of a reconciliation so far.
private struct Comparison {
    private(set) var compared = 0
    private(set) var differing = 0
    private(set) var differences: [Reconciliation.Difference] = []

    mutating func add(_ found: [Reconciliation.Difference], of count: Int) {
        compared += count
        differing += found.count
        differences += found.prefix(PaymentUseCases.mostDifferences - differences.count)
    }
}

extension Reconciliation.Difference {
    fileprivate init(
        _ kind: Kind, _ cause: Movement.Cause?, reference: String?, here: Money?,
        atProvider: Money?
    ) {
        self.init(
            kind: kind, payment: nil, refund: nil, reference: reference, here: here,
            atProvider: atProvider)
        switch cause {
        case .payment(let id): payment = id
        case .refund(let id): refund = id
        case .payout(let id): payout = id
        case .dispute, nil: break
        }
    }
}

extension Movement.Cause {
    /// The cause of a ledger entry; nil if the provider is not involved.
    fileprivate init?(entry: String) {
        let parts = entry.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        switch parts[0] {
        case "capture":
            guard let id = PaymentID(parts[1]) else { return nil }
            self = .payment(id)
        case "refund":
            guard let id = RefundID(parts[1]) else { return nil }
            self = .refund(id)
        case "paid", "unpaid":
            guard let id = PayoutID(String(parts[1].prefix { $0 != ":" })) else { return nil }
            self = .payout(id)
        case "dispute":
            guard let end = parts[1].lastIndex(of: ":") else { return nil }
            self = .dispute(String(parts[1][..<end]))
        default: return nil
        }
    }
}

extension Transaction {
    var reconciliations: ReconciliationStore { ReconciliationStore(transaction: self) }
}

/// Reconciled days, and the entries that a run has seen.
struct ReconciliationStore {
    let transaction: Transaction

    fileprivate func see(_ entry: String, in run: ReconciliationID) throws {
        try transaction.execute(
            "INSERT INTO reconciled (run, entry_id) VALUES (?, ?) ON CONFLICT DO NOTHING", run,
            entry)
    }

    fileprivate func forgetSeen(by run: ReconciliationID, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM reconciled WHERE run = ? AND entry_id IN
                (SELECT entry_id FROM reconciled WHERE run = ? LIMIT ?)
            """, run, run, limit)
    }

    /// Deletes the rows of runs that died; a current run is not touched.
    func sweepSeen(before run: ReconciliationID, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM reconciled WHERE run < ? AND entry_id IN
                (SELECT entry_id FROM reconciled WHERE run < ? LIMIT ?)
            """, run, run, limit)
    }

    func insert(_ reconciliation: Reconciliation, isDaily: Bool) throws {
        // Another process may have been faster with the daily one.
        try transaction.execute(
            """
            INSERT INTO reconciliations (id, day, is_daily, body) VALUES (?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """, reconciliation.id, reconciliation.day, isDaily, Wire.json(reconciliation))
    }

    func page(_ page: PageRequest) throws -> Page<Reconciliation> {
        try transaction.page(page, of: "reconciliations")
    }

    func hasDaily(of day: Day) throws -> Bool {
        try transaction.row(
            "SELECT 1 AS one FROM reconciliations WHERE day = ? AND is_daily = 1", day.text)
            != nil
    }
}

extension PaymentUseCases {
    /// How long after a day's end its movements are settled, in seconds.
    private static let reconciliationMargin: TimeInterval = 3_600

    /// Reconciles the company's last whole day, unless that has been done.
    func reconcileLastDay() async throws {
        let zone = try await database.read { try $0.company.timeZone() }
        let day = Day(clock.now.addingTimeInterval(-Self.reconciliationMargin), in: zone).before
        let isDone = try await database.read { try $0.reconciliations.hasDaily(of: day) }
        let old = ReconciliationID.new(at: clock.now.addingTimeInterval(-Day.length))
        try await database.sweep { try $0.reconciliations.sweepSeen(before: old, limit: $1) }
        if !isDone { _ = try await reconcile(day, by: nil, key: nil) }
    }
}
