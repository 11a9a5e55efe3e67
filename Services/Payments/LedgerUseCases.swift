import Contracts
import EventBus
import Foundation
import Logging
import ServiceKit
import Store

// The books, and how they are held against the provider's.

extension PaymentUseCases {
    /// Movements of one day that are compared.
    static let mostMovements = 200_000

    func trialBalance() async throws -> TrialBalance {
        let balances = try await database.read { try $0.balances() }
        return TrialBalance(
            lines: balances.map {
                .init(
                    account: $0.account.rawValue, currency: $0.amount.currency,
                    balance: $0.amount.amount)
            }, at: clock.now)
    }

    func ledger(of order: OrderID?, _ page: PageRequest) async throws -> Page<LedgerRecord> {
        let position = try LedgerPosition(after: page.after, limit: page.limit)
        return try await database.read { try $0.ledgerRecords(of: order, position) }
    }

    /// Holds a day of the ledger against the provider's list, and keeps every difference.
    func reconcile(
        _ day: Day, by person: OperatorID?, key: IdempotencyKey?
    ) async throws -> Reconciliation {
        let now = clock.now
        guard day.span.lowerBound <= now else { throw PaymentError.dayInvalid }
        let (compared, differences): (Int, [Reconciliation.Difference])
        do {
            (compared, differences) = try await compare(day)
        } catch let error as ProviderUnavailable {
            logger.warning(
                "payment provider gave no answer", metadata: ["error": "\(error.detail)"])
            throw PaymentError.providerUnavailable
        }
        let result = Reconciliation(
            id: .new(at: now), day: day.text, compared: compared, differences: differences,
            madeAt: now)
        if !differences.isEmpty {
            logger.error(
                "the provider's books differ from ours",
                metadata: ["day": "\(day.text)", "differences": "\(differences.count)"])
        }
        return try await database.write(once: key) { transaction in
            try transaction.insert(result, isDaily: person == nil)
            if let person {
                try transaction.publish(
                    OperatorActed(
                        by: person, action: "payments.reconcile",
                        subject: result.id.description, reason: day.text, actedAt: now), at: now)
            }
            return result
        }
    }

    func reconciliations(_ page: PageRequest) async throws -> Page<Reconciliation> {
        let position = try PagePosition(
            after: page.after, limit: page.limit, of: ReconciliationID.self)
        return try await database.read { try $0.reconciliations(position) }
    }

    private func compare(_ day: Day) async throws -> (Int, [Reconciliation.Difference]) {
        var differences: [Reconciliation.Difference] = []
        var seen: Set<String> = []
        var compared = 0
        var after: String?
        repeat {
            let page = try await provider.movements(in: day.span, after: after)
            compared += page.items.count
            guard compared <= Self.mostMovements else {
                throw ProviderUnavailable(detail: "more movements a day than can be compared")
            }
            for movement in page.items {
                if let cause = movement.cause { seen.insert(cause.entry) }
                if let difference = try await difference(of: movement) {
                    differences.append(difference)
                }
            }
            after = page.next
        } while after != nil
        let ours = try await database.read { try $0.clearings(in: day.span) }
        for (entry, amount) in ours.sorted(by: { $0.key < $1.key }) where !seen.contains(entry) {
            compared += 1
            // The provider may have moved it on another day: it is asked for this one.
            guard let cause = Movement.Cause(entry: entry) else { continue }
            let theirs = try await provider.movement(of: cause)
            guard theirs?.amount != amount else { continue }
            differences.append(
                .init(
                    theirs == nil ? .missingAtProvider : .amountDiffers, cause,
                    reference: theirs?.reference, here: amount, atProvider: theirs?.amount))
        }
        return (compared, differences)
    }

    /// What of the provider's movement the ledger has otherwise, on whatever day.
    private func difference(of movement: Movement) async throws -> Reconciliation.Difference? {
        guard let cause = movement.cause else {
            return .init(
                .missingHere, nil, reference: movement.reference, here: nil,
                atProvider: movement.amount)
        }
        let (here, isKnown) = try await database.read { transaction in
            let isKnown =
                switch cause {
                case .payment(let id): try transaction.attempt(id) != nil
                case .refund(let id): try transaction.refund(id) != nil
                }
            return (try transaction.clearing(of: cause.entry), isKnown)
        }
        guard here != movement.amount else { return nil }
        let kind: Reconciliation.Difference.Kind =
            here != nil ? .amountDiffers : isKnown ? .statusDiffers : .missingHere
        return .init(
            kind, cause, reference: movement.reference, here: here, atProvider: movement.amount)
    }
}

extension Reconciliation.Difference {
    fileprivate init(
        _ kind: Kind, _ cause: Movement.Cause?, reference: String?, here: Money?,
        atProvider: Money?
    ) {
        var (payment, refund): (PaymentID?, RefundID?)
        switch cause {
        case .payment(let id): payment = id
        case .refund(let id): refund = id
        case nil: break
        }
        self.init(
            kind: kind, payment: payment, refund: refund, reference: reference, here: here,
            atProvider: atProvider)
    }
}

extension Movement.Cause {
    /// Of the ledger's entry; nil for one that moves nothing at the provider.
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
        default: return nil
        }
    }
}

extension Transaction {
    func insert(_ reconciliation: Reconciliation, isDaily: Bool) throws {
        // Another process may have been faster with the day's own.
        try execute(
            """
            INSERT INTO reconciliations (id, day, is_daily, body) VALUES (?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """, reconciliation.id, reconciliation.day, isDaily, json(reconciliation))
    }

    func reconciliations(_ page: PagePosition) throws -> Page<Reconciliation> {
        let rows = try rows(
            "SELECT id, body FROM reconciliations WHERE id < ? ORDER BY id DESC LIMIT ?",
            page.before, page.limit + 1)
        return try page.page(of: rows) { try $0.body() }
    }

    func hasDailyReconciliation(of day: Day) throws -> Bool {
        try row("SELECT 1 AS one FROM reconciliations WHERE day = ? AND is_daily = 1", day.text)
            != nil
    }
}

/// A day in UTC.
struct Day: Sendable, Hashable {
    /// In seconds; UTC has no other days for a computer.
    static let length: TimeInterval = 86_400

    /// Since 1970.
    let number: Int

    init(_ date: Date) { number = Int((date.timeIntervalSince1970 / Self.length).rounded(.down)) }

    /// As in `2026-11-21`, and nothing else.
    init(_ text: String) throws(PaymentError) {
        guard text.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil,
            let date = Wire.date("\(text)T00:00:00Z")
        else { throw .dayInvalid }
        self.init(date)
        // A thirtieth of February is read as another day.
        guard self.text == text else { throw .dayInvalid }
    }

    var before: Day { Day(span.lowerBound.addingTimeInterval(-1)) }

    var span: Range<Date> {
        let start = Date(timeIntervalSince1970: Double(number) * Self.length)
        return start..<start.addingTimeInterval(Self.length)
    }

    var text: String { String(Wire.text(span.lowerBound).prefix(10)) }
}

extension PaymentUseCases {
    /// How long after a day's end whatever was under way is settled.
    private static let reconciliationMargin: TimeInterval = 3_600

    /// Reconciles the last whole day, unless that is done.
    func reconcileLastDay() async throws {
        let day = Day(clock.now.addingTimeInterval(-Self.reconciliationMargin)).before
        let isDone = try await database.read { try $0.hasDailyReconciliation(of: day) }
        if !isDone { _ = try await reconcile(day, by: nil, key: nil) }
    }
}
