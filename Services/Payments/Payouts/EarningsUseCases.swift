import Contracts
import Foundation
import ServiceKit
import Store

extension PaymentUseCases {
    /// The default span in seconds.
    static let usualEarnings = 7 * 24 * TimeSpan.hour

    /// A person's tips, from the ledger; refunds don't change them.
    func earnings(of person: PersonID, in span: TimeSpan) async throws -> Earnings {
        try await database.read { transaction in
            Earnings(
                from: span.from, to: span.to,
                tips: try transaction.ledger.sumOfTips(of: person, in: span),
                items: try transaction.ledger.tips(of: person, in: span, limit: Earnings.mostItems))
        }
    }
}

extension LedgerStore {
    fileprivate func sumOfTips(of person: PersonID, in span: TimeSpan) throws -> [Money] {
        try transaction.rows(
            """
            SELECT currency, CAST(-SUM(amount) AS BIGINT) AS total FROM ledger
            WHERE account = ? AND is_tip = 1 AND created_at >= ? AND created_at < ?
            GROUP BY currency ORDER BY currency
            """, LedgerAccount.payable(person).id, span.from, span.to
        ).map { Money(amount: try $0.get("total"), currency: try $0.get("currency")) }
    }

    /// A person's tips, newest first.
    func tips(
        of person: PersonID, in span: TimeSpan? = nil, limit: Int
    ) throws -> [Earnings.Item] {
        try transaction.rows(
            """
            SELECT bill_id, amount, currency, created_at FROM ledger
            WHERE account = ? AND is_tip = 1 AND created_at >= ? AND created_at < ?
            ORDER BY created_at DESC, entry_id DESC LIMIT ?
            """, LedgerAccount.payable(person).id, span?.from ?? .distantPast,
            span?.to ?? .distantFuture, limit
        ).map { row in
            Earnings.Item(
                bill: try row.get("bill_id"),
                tip: Money(amount: -(try row.get("amount")), currency: try row.get("currency")),
                givenAt: try row.get("created_at"))
        }
    }
}
