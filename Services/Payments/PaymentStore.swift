import Contracts
import EventBus
import Foundation
import Store

/// Schema of bills, attempts, refunds, methods and the ledger.
enum PaymentStore {
    /// Fired when a bill was issued or changed.
    static let billsSignal = "bills"
    /// Fired when an attempt or a refund was settled.
    static let settledSignal = "settled"
    /// Fired when an attempt or a refund was left without an answer.
    static let unresolvedSignal = "unresolved"

    static let migrations = [
        Migration(
            "payments-1",
            """
            CREATE TABLE bills (
                order_id TEXT NOT NULL PRIMARY KEY,
                customer_id TEXT NOT NULL,
                version BIGINT NOT NULL,
                body TEXT NOT NULL
            )
            """,
            """
            CREATE TABLE payments (
                id TEXT NOT NULL PRIMARY KEY,
                order_id TEXT NOT NULL REFERENCES bills (order_id),
                customer_id TEXT NOT NULL,
                status TEXT NOT NULL,
                amount BIGINT NOT NULL CHECK (amount > 0),
                refunded BIGINT NOT NULL CHECK (refunded >= 0),
                refunding BIGINT NOT NULL CHECK (refunding >= 0),
                held_until BIGINT NOT NULL,
                version BIGINT NOT NULL,
                body TEXT NOT NULL,
                CHECK (refunded + refunding <= amount)
            )
            """,
            """
            CREATE UNIQUE INDEX payments_one_live ON payments (order_id)
                WHERE status IN ('processing', 'requiresAction', 'succeeded')
            """,
            "CREATE INDEX payments_of_customer ON payments (customer_id, id)",
            """
            CREATE INDEX payments_unsettled ON payments (held_until)
                WHERE status IN ('processing', 'requiresAction')
            """,
            """
            CREATE TABLE refunds (
                id TEXT NOT NULL PRIMARY KEY,
                payment_id TEXT NOT NULL REFERENCES payments (id),
                customer_id TEXT NOT NULL,
                state TEXT NOT NULL,
                held_until BIGINT NOT NULL,
                version BIGINT NOT NULL,
                body TEXT NOT NULL
            )
            """,
            "CREATE INDEX refunds_of_customer ON refunds (customer_id, id)",
            "CREATE INDEX refunds_unsettled ON refunds (held_until) WHERE state = 'processing'",
            """
            CREATE TABLE payment_methods (
                id TEXT NOT NULL PRIMARY KEY,
                customer_id TEXT NOT NULL,
                reference TEXT NOT NULL,
                brand TEXT NOT NULL,
                last4 TEXT NOT NULL
            )
            """,
            "CREATE INDEX payment_methods_of_customer ON payment_methods (customer_id, id)",
            """
            CREATE TABLE ledger (
                entry_id TEXT NOT NULL,
                line BIGINT NOT NULL,
                account TEXT NOT NULL CHECK (account IN
                    ('customerReceivable', 'revenue', 'providerClearing', 'refunds')),
                amount BIGINT NOT NULL CHECK (amount <> 0),
                currency TEXT NOT NULL,
                order_id TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                PRIMARY KEY (entry_id, line)
            )
            """,
            "CREATE INDEX ledger_of_order ON ledger (order_id)",
            "CREATE INDEX ledger_balances ON ledger (account, currency, amount)"),
        // Neither SQL changes a check of a table: the rows move into a new one.
        Migration(
            "payments-2",
            "ALTER TABLE payments ADD COLUMN returned BIGINT NOT NULL DEFAULT 0",
            "DROP INDEX payments_one_live",
            """
            CREATE UNIQUE INDEX payments_one_live ON payments (order_id)
                WHERE returned = 0 AND status IN ('processing', 'requiresAction', 'succeeded')
            """,
            """
            CREATE TABLE ledger_2 (
                entry_id TEXT NOT NULL,
                line BIGINT NOT NULL,
                account TEXT NOT NULL CHECK (account IN
                    ('customerReceivable', 'revenue', 'providerClearing', 'refunds',
                    'tipsPayable', 'customerCredit')),
                amount BIGINT NOT NULL CHECK (amount <> 0),
                currency TEXT NOT NULL,
                order_id TEXT NOT NULL,
                valet_id TEXT,
                created_at BIGINT NOT NULL,
                PRIMARY KEY (entry_id, line)
            )
            """,
            """
            INSERT INTO ledger_2
                (entry_id, line, account, amount, currency, order_id, created_at)
            SELECT entry_id, line, account, amount, currency, order_id, created_at FROM ledger
            """,
            "DROP TABLE ledger",
            "ALTER TABLE ledger_2 RENAME TO ledger",
            "CREATE INDEX ledger_of_order ON ledger (order_id)",
            "CREATE INDEX ledger_balances ON ledger (account, currency, amount)",
            "CREATE INDEX ledger_heads ON ledger (line, created_at, entry_id)",
            "CREATE INDEX ledger_of_valet ON ledger (valet_id, created_at)",
            """
            CREATE TABLE customers (
                id TEXT NOT NULL PRIMARY KEY,
                language TEXT NOT NULL,
                version BIGINT NOT NULL
            )
            """,
            """
            CREATE TABLE chores (
                kind TEXT NOT NULL,
                subject TEXT NOT NULL,
                PRIMARY KEY (kind, subject)
            )
            """,
            """
            CREATE TABLE reconciliations (
                id TEXT NOT NULL PRIMARY KEY,
                day TEXT NOT NULL,
                is_daily BIGINT NOT NULL,
                body TEXT NOT NULL
            )
            """,
            """
            CREATE UNIQUE INDEX reconciliations_daily ON reconciliations (day)
                WHERE is_daily = 1
            """,
            """
            CREATE TABLE webhook_events (
                id TEXT NOT NULL PRIMARY KEY,
                received_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX webhook_events_age ON webhook_events (received_at)"),
    ]
}

/// Somebody else changed the row between its reading and this writing.
struct LostRace: Error, Retriable {
    var isRetriable: Bool { true }
}

extension Row {
    func body<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try Wire.decode(type, from: Data(get("body", as: String.self).utf8))
    }
}

func json(_ value: some Encodable) throws -> String {
    String(decoding: try Wire.encode(value), as: UTF8.self)
}

// MARK: Bills

extension Transaction {
    func bill(of order: OrderID) throws -> Bill? {
        try row("SELECT body FROM bills WHERE order_id = ?", order)?.body()
    }

    func insert(_ bill: Bill) throws {
        try execute(
            "INSERT INTO bills (order_id, customer_id, version, body) VALUES (?, ?, ?, ?)",
            bill.order, bill.customer, bill.version, json(bill))
    }

    func update(_ bill: Bill) throws {
        var next = bill
        next.version += 1
        let changed = try execute(
            "UPDATE bills SET version = ?, body = ? WHERE order_id = ? AND version = ?",
            next.version, json(next), bill.order, bill.version)
        guard changed == 1 else { throw LostRace() }
    }
}

// MARK: Attempts

extension Transaction {
    func attempt(_ id: PaymentID) throws -> Attempt? {
        try row("SELECT body FROM payments WHERE id = ?", id)?.body()
    }

    func insert(_ attempt: Attempt) throws {
        let payment = attempt.payment
        try execute(
            """
            INSERT INTO payments (id, order_id, customer_id, status, amount, refunded, refunding,
                held_until, version, body)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            payment.id, payment.order, attempt.customer, payment.status.rawValue,
            payment.amount.amount, payment.refunded.amount, attempt.refunding, attempt.heldUntil,
            attempt.version, json(attempt))
    }

    func update(_ attempt: Attempt) throws {
        var next = attempt
        next.version += 1
        let changed = try execute(
            """
            UPDATE payments SET status = ?, refunded = ?, refunding = ?, returned = ?,
                held_until = ?, version = ?, body = ?
            WHERE id = ? AND version = ?
            """,
            next.payment.status.rawValue, next.payment.refunded.amount, next.refunding,
            next.isReturned, next.heldUntil, next.version, json(next), next.payment.id,
            attempt.version)
        guard changed == 1 else { throw LostRace() }
    }

    /// Attempts that nobody has settled and whose time is over, oldest first.
    func overdueAttempts(at now: Date, limit: Int) throws -> [Attempt] {
        try rows(
            """
            SELECT body FROM payments
            WHERE status IN ('processing', 'requiresAction') AND held_until <= ?
            ORDER BY held_until LIMIT ?
            """, now, limit
        ).map { try $0.body() }
    }
}

// MARK: Refunds

extension Transaction {
    func refund(_ id: RefundID) throws -> RefundAttempt? {
        try row("SELECT body FROM refunds WHERE id = ?", id)?.body()
    }

    func insert(_ attempt: RefundAttempt) throws {
        try execute(
            """
            INSERT INTO refunds (id, payment_id, customer_id, state, held_until, version, body)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            attempt.refund.id, attempt.refund.payment, attempt.customer, attempt.state.rawValue,
            attempt.heldUntil, attempt.version, json(attempt))
    }

    func update(_ attempt: RefundAttempt) throws {
        var next = attempt
        next.version += 1
        let changed = try execute(
            """
            UPDATE refunds SET state = ?, held_until = ?, version = ?, body = ?
            WHERE id = ? AND version = ?
            """,
            next.state.rawValue, next.heldUntil, next.version, json(next), next.refund.id,
            attempt.version)
        guard changed == 1 else { throw LostRace() }
    }

    func overdueRefunds(at now: Date, limit: Int) throws -> [RefundAttempt] {
        try rows(
            """
            SELECT body FROM refunds WHERE state = 'processing' AND held_until <= ?
            ORDER BY held_until LIMIT ?
            """, now, limit
        ).map { try $0.body() }
    }

    /// Payments and refunds together, newest first; everybody's when no customer is named.
    func entries(of customer: CustomerID?, _ page: PagePosition) throws -> Page<PaymentEntry> {
        let whose = customer == nil ? "" : "customer_id = ? AND"
        let one: [(any SQLConvertible)?] =
            (customer.map { [$0] } ?? []) + [page.before, page.limit + 1]
        let rows = try rows(
            """
            SELECT id, kind, body FROM (
                SELECT id, 'payment' AS kind, body FROM payments
                WHERE \(whose) id < ? ORDER BY id DESC LIMIT ?) AS paid
            UNION ALL
            SELECT id, kind, body FROM (
                SELECT id, 'refund' AS kind, body FROM refunds
                WHERE \(whose) id < ? AND state = 'succeeded' ORDER BY id DESC LIMIT ?) AS refunded
            ORDER BY id DESC LIMIT ?
            """, arguments: one + one + [page.limit + 1])
        return try page.page(of: rows) { row in
            switch try row.get("kind", as: String.self) {
            case "payment": PaymentEntry(payment: try row.body(as: Attempt.self).payment)
            default: PaymentEntry(refund: try row.body(as: RefundAttempt.self).refund)
            }
        }
    }
}

/// Where a page of a list begins that is sorted by id, newest first.
struct PagePosition: Sendable {
    /// Sorts behind every id.
    private static let end = "g"

    let before: String
    let limit: Int

    /// `after` is the last page's last id.
    init<Kind>(after: String?, limit: Int, of kind: Identifier<Kind>.Type) throws(PaymentError) {
        if let after, Identifier<Kind>(after) == nil { throw .cursorInvalid }
        before = after?.lowercased() ?? Self.end
        self.limit = limit
    }

    /// Rows were asked with one more than the limit.
    func page<Item>(of rows: [Row], _ item: (Row) throws -> Item) throws -> Page<Item> {
        let next = rows.count > limit ? try rows[limit - 1].get("id", as: String.self) : nil
        return Page(items: try rows.prefix(limit).map(item), next: next)
    }
}

// MARK: Methods

/// A card that a customer keeps for the next time.
struct SavedMethod: Sendable, Hashable {
    let method: PaymentMethod
    let customer: CustomerID
    let reference: String

    var instrument: Instrument {
        Instrument(reference: reference, brand: method.brand, last4: method.last4)
    }
}

extension Transaction {
    func method(_ id: PaymentMethodID, of customer: CustomerID) throws -> SavedMethod? {
        try row(
            """
            SELECT id, reference, brand, last4 FROM payment_methods
            WHERE id = ? AND customer_id = ?
            """, id, customer
        ).map { try $0.savedMethod(of: customer) }
    }

    func methods(of customer: CustomerID, _ page: PagePosition) throws -> Page<PaymentMethod> {
        let rows = try rows(
            """
            SELECT id, reference, brand, last4 FROM payment_methods
            WHERE customer_id = ? AND id < ? ORDER BY id DESC LIMIT ?
            """, customer, page.before, page.limit + 1)
        return try page.page(of: rows) { try $0.savedMethod(of: customer).method }
    }

    func countMethods(of customer: CustomerID) throws -> Int {
        try row("SELECT COUNT(*) AS n FROM payment_methods WHERE customer_id = ?", customer)?
            .get("n") ?? 0
    }

    func insert(_ saved: SavedMethod) throws {
        try execute(
            """
            INSERT INTO payment_methods (id, customer_id, reference, brand, last4)
            VALUES (?, ?, ?, ?, ?)
            """,
            saved.method.id, saved.customer, saved.reference, saved.method.brand,
            saved.method.last4)
    }

    /// The provider's name of what was deleted; nil when there is none of that id and customer.
    func deleteMethod(_ id: PaymentMethodID, of customer: CustomerID) throws -> String? {
        try row(
            """
            DELETE FROM payment_methods WHERE id = ? AND customer_id = ? RETURNING reference
            """, id, customer)?.get("reference")
    }

    func deleteMethods(of customer: CustomerID) throws {
        try execute("DELETE FROM payment_methods WHERE customer_id = ?", customer)
    }
}

extension Row {
    fileprivate func savedMethod(of customer: CustomerID) throws -> SavedMethod {
        SavedMethod(
            method: PaymentMethod(
                id: try get("id"), brand: try get("brand"), last4: try get("last4")),
            customer: customer, reference: try get("reference"))
    }
}
