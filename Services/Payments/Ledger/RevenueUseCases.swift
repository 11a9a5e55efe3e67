import Contracts
import Foundation
import ServiceKit
import Store

extension PaymentUseCases {
    /// By what the ledger says was entered in the span, each currency for itself:
    ///
    /// - charged: what paid bills, tips not among it. Money that came for a bill that was gone, and
    ///   goes back, is none.
    /// - tips: what was given on top, for those who may be tipped.
    /// - refunded: what was given back of paid bills, whenever they were paid.
    /// - payments: bills that were paid.
    /// - an hour: a full one in UTC, by the time of the entry.
    func revenue(in span: TimeSpan) async throws -> RevenueStatistics {
        let lines = try await database.read { try $0.revenue(in: span) }
        let currencies = Dictionary(grouping: lines, by: \.currency)
        return RevenueStatistics(
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
    }
}

/// What the lines of one account in one hour come to.
private struct RevenueLine {
    let account: LedgerAccount.Kind
    let isTip: Bool
    let currency: String
    let hour: Int
    /// Positive, whichever side of the ledger it stands on.
    let amount: Int
    let count: Int
}

extension Transaction {
    private static let microsecondsPerHour = 3_600_000_000

    /// The lines of captures and refunds. Their heads are found by time in `ledger_heads`; the
    /// names of entries begin with their kind, and `;` sorts next after `:`.
    fileprivate func revenue(in span: TimeSpan) throws -> [RevenueLine] {
        try rows(
            """
            SELECT line.account, line.is_tip, line.currency,
                head.created_at / \(Self.microsecondsPerHour) AS hour,
                CAST(SUM(ABS(line.amount)) AS BIGINT) AS total, COUNT(*) AS n
            FROM ledger AS head JOIN ledger AS line ON line.entry_id = head.entry_id
            WHERE head.line = 0 AND head.created_at >= ? AND head.created_at < ?
                AND ((head.entry_id >= 'capture:' AND head.entry_id < 'capture;'
                        AND (line.account = 'customerReceivable' OR line.is_tip = 1))
                    OR (head.entry_id >= 'refund:' AND head.entry_id < 'refund;'
                        AND line.account = 'refunds'))
            GROUP BY line.account, line.is_tip, line.currency, hour
            """, span.from, span.to
        ).map { row in
            let name: String = try row.get("account")
            guard let account = LedgerAccount.Kind(rawValue: String(name.prefix { $0 != ":" }))
            else { throw StoreError(.decoding, "ledger.account") }
            return RevenueLine(
                account: account, isTip: try row.get("is_tip"), currency: try row.get("currency"),
                hour: try row.get("hour"),
                amount: try row.get("total"), count: try row.get("n"))
        }
    }
}
