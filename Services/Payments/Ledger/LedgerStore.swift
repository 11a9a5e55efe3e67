import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

// Rows of the ledger are never changed.

extension Transaction {
    var ledger: LedgerStore { LedgerStore(transaction: self) }
}

/// The ledger.
struct LedgerStore {
    let transaction: Transaction

    static let migrations = [
        Migration(
            "ledger-1",
            """
            CREATE TABLE accounts (
                id TEXT NOT NULL PRIMARY KEY,
                kind TEXT NOT NULL,
                owner TEXT
            )
            """,
            """
            CREATE TABLE ledger (
                entry_id TEXT NOT NULL,
                line BIGINT NOT NULL,
                account TEXT NOT NULL REFERENCES accounts (id),
                amount BIGINT NOT NULL CHECK (amount <> 0),
                currency TEXT NOT NULL,
                bill_id TEXT,
                is_tip BIGINT NOT NULL,
                created_at BIGINT NOT NULL,
                PRIMARY KEY (entry_id, line)
            )
            """,
            "CREATE INDEX ledger_of_bill ON ledger (bill_id)",
            "CREATE INDEX ledger_balances ON ledger (account, currency, amount)",
            "CREATE INDEX ledger_of_account ON ledger (account, created_at, entry_id)",
            "CREATE INDEX ledger_heads ON ledger (line, created_at, entry_id)")
    ]

    /// Writes an entry and reads it back: one that does not sum to zero rolls the transaction back. A day that is
    /// closed gets no entries.
    func enter(_ entry: LedgerEntry, at time: Date) throws {
        let time = try entryTime(time)
        // All in one order, so that two transactions never wait for each other.
        let accounts = Set(entry.lines.map(\.account)).sorted { $0.id < $1.id }
        try transaction.execute(
            """
            INSERT INTO accounts (id, kind, owner) VALUES \(marks(accounts.count, columns: 3))
            ON CONFLICT DO NOTHING
            """, arguments: accounts.flatMap { [$0.id, $0.kind.rawValue, $0.owner] })
        let lines = entry.lines.enumerated().flatMap { index, line -> [(any SQLConvertible)?] in
            [
                entry.id, index, line.account.id, line.amount.amount, line.amount.currency,
                entry.bill, line.isTip, time,
            ]
        }
        try transaction.execute(
            """
            INSERT INTO ledger
                (entry_id, line, account, amount, currency, bill_id, is_tip, created_at)
            VALUES \(marks(entry.lines.count, columns: 8))
            """, arguments: lines)
        let unbalanced = try transaction.rows(
            """
            SELECT currency FROM ledger WHERE entry_id = ?
            GROUP BY currency HAVING SUM(amount) <> 0
            """, entry.id)
        guard unbalanced.isEmpty else { throw LedgerError.unbalanced(entry: entry.id) }
    }

    /// Question marks for so many rows of values.
    private func marks(_ rows: Int, columns: Int) -> String {
        Array(repeating: "(\(transaction.marks(columns)))", count: rows).joined(separator: ", ")
    }

    /// Enters the opposite of an entry.
    func reverse(_ entry: String, as id: String, at time: Date) throws {
        let lines = try transaction.execute(
            """
            INSERT INTO ledger
                (entry_id, line, account, amount, currency, bill_id, is_tip, created_at)
            SELECT ?, line, account, -amount, currency, bill_id, is_tip, CAST(? AS BIGINT)
            FROM ledger WHERE entry_id = ?
            """, id, try entryTime(time), entry)
        guard lines >= 2 else { throw LedgerError.unbalanced(entry: id) }
    }

    func hasEntry(_ id: String) throws -> Bool {
        try transaction.row("SELECT 1 AS one FROM ledger WHERE entry_id = ? AND line = 0", id)
            != nil
    }

    /// Balances by currency; those of people are summed, and those of a product's sites.
    func balances(of bill: BillID? = nil) throws -> [Balance] {
        let whose = bill == nil ? "" : "WHERE bill_id = ?"
        let people = LedgerAccount.Kind.peopleValues
        let rows = try transaction.rows(
            """
            SELECT kind, name, currency, CAST(SUM(amount) AS BIGINT) AS total FROM (
                SELECT accounts.kind AS kind, ledger.currency AS currency, ledger.amount AS amount,
                    CASE WHEN accounts.kind IN (\(transaction.marks(people.count)))
                        THEN accounts.kind ELSE accounts.id END AS name
                FROM ledger JOIN accounts ON accounts.id = ledger.account \(whose)) AS lines
            GROUP BY kind, name, currency ORDER BY name, currency
            """, arguments: people + (bill.map { [$0] } ?? []))
        var balances: [Balance] = []
        for row in rows {
            let name = try row.get("name", as: String.self).prefix { $0 != "/" }
            let balance = Balance(
                kind: try row.accountKind(), name: String(name),
                amount: Money(amount: try row.get("total"), currency: try row.get("currency")))
            let known = balances.firstIndex {
                $0.name == balance.name && $0.amount.currency == balance.amount.currency
            }
            if let known {
                balances[known].amount.amount += balance.amount.amount
            } else {
                balances.append(balance)
            }
        }
        return balances
    }

    /// The postings of a bill while it is due, as they were entered.
    func standing(for bill: BillID) throws -> [LedgerEntry.Line] {
        try transaction.rows(
            """
            SELECT accounts.kind AS kind, accounts.owner AS owner, ledger.currency AS currency,
                CAST(SUM(ledger.amount) AS BIGINT) AS total
            FROM ledger JOIN accounts ON accounts.id = ledger.account
            WHERE ledger.bill_id = ?
                AND ((ledger.entry_id >= 'bill:' AND ledger.entry_id < 'bill;')
                    OR (ledger.entry_id >= 'void:' AND ledger.entry_id < 'void;'))
            GROUP BY accounts.kind, accounts.owner, ledger.currency
            HAVING SUM(ledger.amount) <> 0
            ORDER BY accounts.kind, accounts.owner
            """, bill
        ).map { row in
            LedgerEntry.Line(
                account: .stored(try row.accountKind(), try row.getIfPresent("owner")),
                amount: Money(amount: try row.get("total"), currency: try row.get("currency")))
        }
    }

    /// The sum of all lines by currency, which is zero.
    func sums() throws -> [Money] {
        try transaction.rows(
            """
            SELECT currency, CAST(SUM(amount) AS BIGINT) AS total FROM ledger
            GROUP BY currency ORDER BY currency
            """
        ).map { Money(amount: try $0.get("total"), currency: try $0.get("currency")) }
    }

    /// The balance of one account by currency; a liability is negative.
    func balance(of account: LedgerAccount) throws -> [Money] {
        try transaction.rows(
            """
            SELECT currency, CAST(SUM(amount) AS BIGINT) AS total FROM ledger WHERE account = ?
            GROUP BY currency ORDER BY currency
            """, account.id
        ).map { Money(amount: try $0.get("total"), currency: try $0.get("currency")) }
    }

    func records(_ entries: [String]) throws -> [String: LedgerRecord] {
        guard !entries.isEmpty else { return [:] }
        let rows = try transaction.rows(
            """
            SELECT entry_id, account, amount, currency, bill_id, created_at FROM ledger
            WHERE entry_id IN (\(transaction.marks(entries.count))) ORDER BY entry_id, line
            """, arguments: entries)
        var records: [String: LedgerRecord] = [:]
        for row in rows {
            let entry: String = try row.get("entry_id")
            let posting = LedgerRecord.Posting(
                account: try row.get("account"), amount: try row.get("amount"),
                currency: try row.get("currency"))
            var record =
                try records[entry]
                ?? LedgerRecord(
                    id: entry, kind: String(entry.prefix { $0 != ":" }),
                    bill: try row.getIfPresent("bill_id", as: BillID.self), postings: [],
                    enteredAt: try row.get("created_at"))
            record.postings.append(posting)
            records[entry] = record
        }
        return records
    }

    /// The provider's movements by the ledger within a span that a reconciliation has not seen:
    /// positive amounts by entry, in the entries' order.
    func unseenClearings(
        in span: Range<Date>, by run: ReconciliationID, after: String, limit: Int
    ) throws -> [(entry: String, amount: Money)] {
        try transaction.rows(
            """
            SELECT ledger.entry_id, ledger.amount, ledger.currency FROM ledger
            LEFT JOIN reconciled
                ON reconciled.run = ? AND reconciled.entry_id = ledger.entry_id
            WHERE ledger.account = 'providerClearing' AND ledger.created_at >= ?
                AND ledger.created_at < ? AND ledger.entry_id > ? AND reconciled.entry_id IS NULL
            ORDER BY ledger.entry_id LIMIT ?
            """, run, span.lowerBound, span.upperBound, after, limit
        ).map { (try $0.get("entry_id"), try $0.clearing()) }
    }

    /// The ledger's amounts of the provider's movements, on any day.
    func clearings(of entries: [String]) throws -> [String: Money] {
        guard !entries.isEmpty else { return [:] }
        let rows = try transaction.rows(
            """
            SELECT entry_id, amount, currency FROM ledger
            WHERE account = 'providerClearing' AND entry_id IN (\(transaction.marks(entries.count)))
            """, arguments: entries)
        return Dictionary(
            try rows.map { (try $0.get("entry_id"), try $0.clearing()) }
        ) { first, _ in first }
    }

    /// Which of these payments, refunds and payouts are ours, in any state.
    func known(among causes: [Movement.Cause]) throws -> Set<String> {
        let payments = causes.compactMap { cause in
            if case .payment(let id) = cause { id } else { nil }
        }
        let refunds = causes.compactMap { cause in
            if case .refund(let id) = cause { id } else { nil }
        }
        let payouts = causes.compactMap { cause in
            if case .payout(let id) = cause { id } else { nil }
        }
        let found =
            try ids(payments.map(\.description), in: "payments").compactMap {
                PaymentID($0).map(LedgerEntry.capture)
            }
            + ids(refunds.map(\.description), in: "refunds").compactMap {
                RefundID($0).map(LedgerEntry.refund)
            }
            + ids(payouts.map(\.description), in: "payouts").compactMap {
                PayoutID($0).map(LedgerEntry.paid)
            }
        return Set(found)
    }

    private func ids(_ ids: [String], in table: String) throws -> [String] {
        guard !ids.isEmpty else { return [] }
        return try transaction.rows(
            "SELECT id FROM \(table) WHERE id IN (\(transaction.marks(ids.count)))", arguments: ids
        ).map { try $0.get("id") }
    }
}

extension Row {
    fileprivate func accountKind() throws -> LedgerAccount.Kind {
        guard let kind = LedgerAccount.Kind(rawValue: try get("kind")) else {
            throw StoreError(.decoding, "accounts.kind")
        }
        return kind
    }

    fileprivate func clearing() throws -> Money {
        Money(amount: abs(try get("amount", as: Int.self)), currency: try get("currency"))
    }
}

/// An entry's position as a cursor: its time in microseconds, and its id.
struct LedgerPosition: Sendable, LosslessStringConvertible {
    let enteredAt: Date
    let entry: String

    /// After every entry.
    static let end = LedgerPosition(enteredAt: .distantFuture, entry: "")

    private init(enteredAt: Date, entry: String) {
        (self.enteredAt, self.entry) = (enteredAt, entry)
    }

    init(_ row: Row) throws {
        (enteredAt, entry) = (try row.get("created_at"), try row.get("entry_id"))
    }

    init?(_ text: String) {
        let parts = text.split(separator: "_", maxSplits: 1)
        guard parts.count == 2, let time = Int64(parts[0]),
            let enteredAt = Date(sqlValue: .integer(time))
        else { return nil }
        self.init(enteredAt: enteredAt, entry: String(parts[1]))
    }

    var description: String { "\(enteredAt.microseconds)_\(entry)" }
}
