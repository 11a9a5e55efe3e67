import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

// What 1.0.0 leaves undone, if it has run on this database meanwhile: during an upgrade, or after a step back. Once
// 1.0.0 is two releases back, this file goes.

extension PaymentUseCases {
    /// Batches per call; the next call does the rest.
    private static let mostBatches = 1_000

    /// Runs at the start; a repeat changes nothing.
    func completeWorkOfTheLastRelease() async throws {
        let now = clock.now
        try await forEach({ try $0.forgotten(Self.batch) }) { gone, transaction in
            try forget(gone.person, version: gone.version, at: now, in: transaction)
        }
        try await forEach({ try $0.unearned(Self.batch) }) { payment, transaction in
            try transaction.lastRelease.earn(payment, at: now)
        }
        guard try await database.read({ try $0.lastRelease.isAnyPaymentMissing() }) else { return }
        try await database.write { transaction in
            try transaction.schedule(PaymentWork.indexPayments, "payments", at: now)
        }
    }

    /// Changes what is found until nothing is. It is looked for in transactions that only read: they see whole tables,
    /// and must not conflict with payments.
    private func forEach<Found: Sendable>(
        _ find: @escaping @Sendable (LastRelease) throws -> [Found],
        _ change: @escaping @Sendable (Found, Transaction) throws -> Void
    ) async throws {
        for _ in 0..<Self.mostBatches {
            let found = try await database.read { try find($0.lastRelease) }
            guard !found.isEmpty else { return }
            try await database.write { transaction in
                for item in found { try change(item, transaction) }
            }
        }
    }
}

extension Transaction {
    var lastRelease: LastRelease { LastRelease(transaction: self) }
}

/// Traces of 1.0.0 in this release's tables.
struct LastRelease {
    struct Gone: Sendable {
        let person: PersonID
        let version: Int
    }

    let transaction: Transaction

    /// Payers whose accounts are deleted: 1.0.0 marks only the copy that it knows.
    func forgotten(_ limit: Int) throws -> [Gone] {
        try transaction.rows(
            """
            SELECT people.id AS id, people.version AS version
            FROM payers JOIN people ON people.id = payers.id
            WHERE payers.body IS NOT NULL AND people.body IS NULL ORDER BY people.id LIMIT ?
            """, limit
        ).map { Gone(person: try $0.get("id"), version: try $0.get("version")) }
    }

    /// Payments that 1.0.0 received for bills that this release has entered. 1.0.0 earns with the bill; here,
    /// money is earned with the payment.
    func unearned(_ limit: Int) throws -> [PaymentID] {
        try transaction.rows(
            """
            SELECT payments.id AS id FROM ledger JOIN payments ON payments.bill_id = ledger.bill_id
            WHERE ledger.account >= 'billed:' AND ledger.account < 'billed;'
                AND payments.status = 'succeeded' AND payments.returned = 0
            GROUP BY payments.id HAVING SUM(ledger.amount) <> 0 ORDER BY payments.id LIMIT ?
            """, limit
        ).map { try $0.get("id") }
    }

    func earn(_ id: PaymentID, at now: Date) throws {
        guard let attempt = try transaction.attempts.find(id),
            let bill = try transaction.bills.find(attempt.payment.bill)?.bill
        else { throw StoreError(.other, "a payment without its bill") }
        let standing = try transaction.ledger.standing(for: bill.id)
        try transaction.ledger.enter(
            LedgerEntry(
                id: "earned:\(id)", bill: bill.id,
                lines: bill.earnings(with: nil, insteadOf: standing)), at: now)
    }

    /// Whether a payment or refund is not in the search, or in another state: 1.0.0 doesn't write there.
    func isAnyPaymentMissing() throws -> Bool {
        try transaction.row(
            """
            SELECT id FROM (
                SELECT id, status AS state FROM payments
                UNION ALL SELECT id, state FROM refunds) AS made
            WHERE NOT EXISTS (
                SELECT 1 FROM payment_search
                WHERE payment_search.id = made.id AND payment_search.state = made.state)
            LIMIT 1
            """) != nil
    }
}
