import Contracts
import EventBus
import Foundation
import Store

// Rows of the ledger are written and read, never changed.

extension Transaction {
    /// Writes an entry, and reads it back: what does not sum to zero ends the transaction.
    func enter(_ entry: LedgerEntry, at time: Date) throws {
        for (index, line) in entry.lines.enumerated() {
            try execute(
                """
                INSERT INTO ledger
                    (entry_id, line, account, amount, currency, order_id, valet_id, created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                entry.id, index, line.account.rawValue, line.amount.amount, line.amount.currency,
                entry.order, line.valet, time)
        }
        let unbalanced = try rows(
            """
            SELECT currency FROM ledger WHERE entry_id = ?
            GROUP BY currency HAVING SUM(amount) <> 0
            """, entry.id)
        guard unbalanced.isEmpty else { throw LedgerError.unbalanced(entry: entry.id) }
    }

    /// What each account holds, by currency.
    func balances(of order: OrderID? = nil) throws -> [Balance] {
        let whose = order == nil ? "" : "WHERE order_id = ?"
        return try rows(
            """
            SELECT account, currency, CAST(SUM(amount) AS BIGINT) AS total FROM ledger \(whose)
            GROUP BY account, currency ORDER BY account, currency
            """, arguments: order.map { [$0] } ?? []
        ).map { row in
            guard let account = LedgerEntry.Account(rawValue: try row.get("account")) else {
                throw StoreError(.decoding, "ledger.account")
            }
            return Balance(
                account: account,
                amount: Money(amount: try row.get("total"), currency: try row.get("currency")))
        }
    }

    /// Entries whose lines do not sum to zero: there must never be one.
    func unbalancedEntries(limit: Int) throws -> [String] {
        try rows(
            """
            SELECT entry_id FROM ledger GROUP BY entry_id, currency HAVING SUM(amount) <> 0 LIMIT ?
            """, limit
        ).map { try $0.get("entry_id") }
    }

    /// Entries newest first, of one order or of all.
    func ledgerRecords(of order: OrderID?, _ page: LedgerPosition) throws -> Page<LedgerRecord> {
        let whose = order == nil ? "" : "order_id = ? AND"
        let heads = try rows(
            """
            SELECT entry_id, created_at FROM ledger
            WHERE line = 0 AND \(whose)
                (created_at < ? OR (created_at = ? AND entry_id < ?))
            ORDER BY created_at DESC, entry_id DESC LIMIT ?
            """,
            arguments: (order.map { [$0] } ?? [])
                + [page.before, page.before, page.entry, page.limit + 1])
        let items = try heads.prefix(page.limit).map { try ledgerRecord($0.get("entry_id")) }
        let next = try heads.count > page.limit ? LedgerPosition.cursor(heads[page.limit - 1]) : nil
        return Page(items: items, next: next)
    }

    private func ledgerRecord(_ entry: String) throws -> LedgerRecord {
        let rows = try rows(
            """
            SELECT account, amount, currency, order_id, created_at FROM ledger
            WHERE entry_id = ? ORDER BY line
            """, entry)
        guard let first = rows.first else { throw StoreError(.decoding, "ledger.entry_id") }
        return LedgerRecord(
            id: entry, kind: String(entry.prefix { $0 != ":" }),
            order: try first.get("order_id", as: OrderID.self),
            postings: try rows.map { row in
                LedgerRecord.Posting(
                    account: try row.get("account"), amount: try row.get("amount"),
                    currency: try row.get("currency"))
            }, enteredAt: try first.get("created_at"))
    }

    /// What the ledger says that the provider moved within a span: amounts by entry, positive.
    func clearings(in span: Range<Date>) throws -> [String: Money] {
        let rows = try rows(
            """
            SELECT entry_id, amount, currency FROM ledger
            WHERE account = 'providerClearing' AND created_at >= ? AND created_at < ?
            """, span.lowerBound, span.upperBound)
        return Dictionary(
            try rows.map { (try $0.get("entry_id"), try $0.clearing()) }
        ) { first, _ in first }
    }

    func clearing(of entry: String) throws -> Money? {
        try row(
            """
            SELECT amount, currency FROM ledger
            WHERE account = 'providerClearing' AND entry_id = ?
            """, entry
        ).map { try $0.clearing() }
    }
}

extension Row {
    fileprivate func clearing() throws -> Money {
        Money(amount: abs(try get("amount", as: Int.self)), currency: try get("currency"))
    }
}

/// Where a page of the ledger begins; the cursor is the last entry's time in microseconds and id.
struct LedgerPosition: Sendable {
    let before: Date
    let entry: String
    let limit: Int

    init(after: String?, limit: Int) throws(PaymentError) {
        self.limit = limit
        guard let after else {
            (before, entry) = (.distantFuture, "")
            return
        }
        let parts = after.split(separator: "_", maxSplits: 1)
        guard parts.count == 2, let micros = Int64(parts[0]),
            let date = Date(sqlValue: .integer(micros))
        else { throw .cursorInvalid }
        (before, entry) = (date, String(parts[1]))
    }

    static func cursor(_ row: Row) throws -> String {
        "\(try row.get("created_at", as: Int64.self))_\(try row.get("entry_id", as: String.self))"
    }
}
