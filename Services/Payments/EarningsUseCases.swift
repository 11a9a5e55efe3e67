import Contracts
import Foundation
import ServiceKit
import Store

extension PaymentUseCases {
    /// Span of the answer when none is named, in seconds.
    static let usualEarnings = 7 * 24 * TimeSpan.hour

    /// What customers gave a valet: it is in the ledger, and refunds leave it as it is.
    func earnings(of valet: ValetID, in span: TimeSpan) async throws -> Earnings {
        try await database.read { transaction in
            Earnings(
                from: span.from, to: span.to, tips: try transaction.sumOfTips(of: valet, in: span),
                items: try transaction.tips(of: valet, in: span, limit: Earnings.mostItems))
        }
    }
}

extension Transaction {
    fileprivate func sumOfTips(of valet: ValetID, in span: TimeSpan) throws -> [Money] {
        try rows(
            """
            SELECT currency, CAST(-SUM(amount) AS BIGINT) AS total FROM ledger
            WHERE valet_id = ? AND account = 'tipsPayable' AND created_at >= ? AND created_at < ?
            GROUP BY currency ORDER BY currency
            """, valet, span.from, span.to
        ).map { Money(amount: try $0.get("total"), currency: try $0.get("currency")) }
    }

    /// What a valet was given, newest first.
    func tips(
        of valet: ValetID, in span: TimeSpan? = nil, limit: Int
    ) throws -> [Earnings.Item] {
        try rows(
            """
            SELECT order_id, amount, currency, created_at FROM ledger
            WHERE valet_id = ? AND account = 'tipsPayable' AND created_at >= ? AND created_at < ?
            ORDER BY created_at DESC, entry_id DESC LIMIT ?
            """, valet, span?.from ?? .distantPast, span?.to ?? .distantFuture, limit
        ).map { row in
            Earnings.Item(
                order: try row.get("order_id"),
                tip: Money(amount: -(try row.get("amount")), currency: try row.get("currency")),
                givenAt: try row.get("created_at"))
        }
    }
}
