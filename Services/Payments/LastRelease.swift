import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

// What 1.0.0 leaves undone, if it has run on this database meanwhile: during an upgrade, or after a step back. Once
// 1.0.0 is two releases back, this file goes.

extension PaymentUseCases {
    /// Runs at the start; a repeat changes nothing.
    func completeWorkOfTheLastRelease() async throws {
        try await forgetPayersOfTheLastRelease()
        let now = clock.now
        try await database.sweep(batch: Self.batch) { transaction, limit in
            try transaction.ledger.earnForTheLastRelease(limit, at: now)
        }
        try await database.write { try $0.paymentSearch.indexForTheLastRelease(at: now) }
    }

    /// 1.0.0 doesn't know of payers when it reads that an account was deleted.
    private func forgetPayersOfTheLastRelease() async throws {
        let now = clock.now
        try await database.sweep(batch: Self.batch) { transaction, limit in
            let rows = try transaction.rows(
                """
                SELECT people.id AS id, people.version AS version
                FROM payers JOIN people ON people.id = payers.id
                WHERE payers.body IS NOT NULL AND people.body IS NULL ORDER BY people.id LIMIT ?
                """, limit)
            for row in rows {
                try forget(row.get("id"), version: row.get("version"), at: now, in: transaction)
            }
            return rows.count
        }
    }
}

extension LedgerStore {
    /// Enters the earnings of bills that this release has billed and 1.0.0 was paid for: it earns when it bills.
    /// Returns their number.
    fileprivate func earnForTheLastRelease(_ limit: Int, at now: Date) throws -> Int {
        let paid: [PaymentID] = try transaction.rows(
            """
            SELECT payments.id AS id FROM ledger JOIN payments ON payments.bill_id = ledger.bill_id
            WHERE ledger.account >= 'billed:' AND ledger.account < 'billed;'
                AND payments.status = 'succeeded' AND payments.returned = 0
            GROUP BY payments.id HAVING SUM(ledger.amount) <> 0 ORDER BY payments.id LIMIT ?
            """, limit
        ).map { try $0.get("id") }
        for id in paid {
            guard let attempt = try transaction.attempts.find(id),
                let bill = try transaction.bills.find(attempt.payment.bill)?.bill
            else { throw StoreError(.other, "a payment without its bill") }
            let earnings = bill.earnings(with: nil, insteadOf: try standing(for: bill.id))
            try enter(LedgerEntry(id: "earned:\(id)", bill: bill.id, lines: earnings), at: now)
        }
        return paid.count
    }
}

extension PaymentSearch {
    /// Has payments and refunds indexed again if 1.0.0 has made or settled some.
    fileprivate func indexForTheLastRelease(at now: Date) throws {
        let missing = try transaction.row(
            """
            SELECT id FROM (
                SELECT id, status AS state FROM payments
                UNION ALL SELECT id, state FROM refunds) AS made
            WHERE NOT EXISTS (
                SELECT 1 FROM payment_search
                WHERE payment_search.id = made.id AND payment_search.state = made.state)
            LIMIT 1
            """)
        if missing != nil {
            try transaction.schedule(PaymentWork.indexPayments, "payments", at: now)
        }
    }
}
