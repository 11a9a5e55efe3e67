import Contracts
import Foundation
import ServiceKit
import Store

extension PaymentUseCases {
    /// Sums of the ledger's entries in the span, per currency:
    ///
    /// - charged: what customers paid for bills, with tax and without tips. Money for a bill that no longer exists
    ///   goes back and is not counted.
    /// - tips: what customers paid on top.
    /// - refunded: all refunds of paid bills, with tax, whenever these were paid, including the parts that payees bear.
    /// - payments: the number of paid bills.
    /// - hours: full hours in UTC, by the entry's time.
    /// - rows: with a division, what the platform earned from payments, without tax and tips, and what refunds and lost
    ///   disputes took of it. Those are `revenue` and `refunded` of the books, commission included.
    func revenue(
        in span: TimeSpan, by division: RevenueQuery.Division? = nil
    ) async throws -> RevenueStatistics {
        let (lines, rows) = try await database.read { transaction in
            (
                try transaction.ledger.revenue(in: span),
                try division.map { _ in try transaction.books.revenueRows(in: span) }
            )
        }
        let currencies = Dictionary(grouping: lines, by: \.currency)
        var statistics = RevenueStatistics(
            from: span.from, to: span.to,
            currencies: currencies.sorted { $0.key < $1.key }.map { currency, lines in
                func sum(_ account: LedgerAccount.Kind) -> Money {
                    let amount = lines.filter { $0.account == account }.reduce(0) { $0 + $1.amount }
                    return Money(amount: amount, currency: currency)
                }
                func tips() -> Money {
                    let amount = lines.filter(\.isTip).reduce(0) { $0 + $1.amount }
                    return Money(amount: amount, currency: currency)
                }
                let bills = lines.filter { $0.account == .customerReceivable }
                return RevenueStatistics.Currency(
                    charged: sum(.customerReceivable), tips: tips(),
                    refunded: sum(.refunds), payments: bills.reduce(0) { $0 + $1.count })
            },
            hours: lines.filter { $0.account == .customerReceivable }
                .sorted { ($0.hour, $0.currency) < ($1.hour, $1.currency) }
                .map { line in
                    RevenueStatistics.Hour(
                        startsAt: TimeSpan.start(ofHour: line.hour),
                        charged: Money(amount: line.amount, currency: line.currency))
                })
        statistics.rows = rows
        return statistics
    }
}

/// The sum of one account's lines in one hour.
private struct RevenueLine {
    let account: LedgerAccount.Kind
    let isTip: Bool
    let currency: String
    let hour: Int
    /// Positive, on either side of the ledger.
    let amount: Int
    let count: Int
}

extension LedgerStore {
    private static let microsecondsPerHour = 3_600_000_000

    /// The lines of captures and refunds; a refund's lines all count as `refunds`, less those that failed later. The
    /// index `ledger_heads` finds the heads by time. Entry ids begin with their kind, and `;` sorts right after `:`.
    fileprivate func revenue(in span: TimeSpan) throws -> [RevenueLine] {
        try transaction.rows(
            """
            SELECT CASE WHEN head.entry_id < 'refund:' THEN line.account ELSE 'refunds' END AS side,
                line.is_tip, line.currency,
                head.created_at / \(Self.microsecondsPerHour) AS hour,
                CAST(SUM(CASE WHEN head.entry_id < 'refund:' THEN -line.amount ELSE line.amount END)
                    AS BIGINT) AS total, COUNT(*) AS n
            FROM ledger AS head JOIN ledger AS line ON line.entry_id = head.entry_id
                JOIN accounts ON accounts.id = line.account
            WHERE head.line = 0 AND head.created_at >= ? AND head.created_at < ?
                AND ((head.entry_id >= 'capture:' AND head.entry_id < 'capture;'
                        AND (line.account = 'customerReceivable' OR line.is_tip = 1))
                    OR ((head.entry_id >= 'refund:' AND head.entry_id < 'refund;'
                            OR head.entry_id >= 'refundFailed:' AND head.entry_id < 'refundFailed;')
                        AND accounts.kind NOT IN
                            ('providerClearing', 'cash', 'terminal', 'customerCredit')))
            GROUP BY side, line.is_tip, line.currency, hour
            """, span.from, span.to
        ).map { row in
            let name: String = try row.get("side")
            guard let account = LedgerAccount.Kind(rawValue: String(name.prefix { $0 != ":" }))
            else { throw StoreError(.decoding, "ledger.account") }
            return RevenueLine(
                account: account, isTip: try row.get("is_tip"), currency: try row.get("currency"),
                hour: try row.get("hour"),
                amount: try row.get("total"), count: try row.get("n"))
        }
    }
}
