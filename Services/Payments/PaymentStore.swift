import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// The schema of bills, attempts, refunds, methods and the ledger.
enum PaymentStore {
    /// Fires when a bill was issued or changed.
    static let billsSignal = "bills"
    /// Fires when an attempt or a refund was settled.
    static let settledSignal = "settled"

    static let bills = DocumentTable<Receivable>("bills")
    static let payments = DocumentTable<Attempt>("payments")
    static let refunds = DocumentTable<RefundAttempt>("refunds")

    static let migrations = [
        people.migration,
        Migration(
            "payments-1",
            """
            CREATE TABLE bills (
                id TEXT NOT NULL PRIMARY KEY,
                product TEXT NOT NULL,
                payer TEXT NOT NULL,
                version BIGINT NOT NULL,
                body TEXT NOT NULL
            )
            """,
            "CREATE INDEX bills_of_payer ON bills (payer, id)",
            """
            CREATE TABLE payments (
                id TEXT NOT NULL PRIMARY KEY,
                bill_id TEXT NOT NULL REFERENCES bills (id),
                payer TEXT NOT NULL,
                status TEXT NOT NULL,
                amount BIGINT NOT NULL CHECK (amount > 0),
                refunded BIGINT NOT NULL CHECK (refunded >= 0),
                refunding BIGINT NOT NULL CHECK (refunding >= 0),
                returned BIGINT NOT NULL,
                version BIGINT NOT NULL,
                body TEXT NOT NULL,
                CHECK (refunded + refunding <= amount)
            )
            """,
            """
            CREATE UNIQUE INDEX payments_one_live ON payments (bill_id)
                WHERE returned = 0 AND status IN
                    ('processing', 'requiresAction', 'held', 'succeeded')
            """,
            "CREATE INDEX payments_of_payer ON payments (payer, id)",
            "CREATE INDEX payments_of_bill ON payments (bill_id, id)",
            """
            CREATE TABLE refunds (
                id TEXT NOT NULL PRIMARY KEY,
                payment_id TEXT NOT NULL REFERENCES payments (id),
                bill_id TEXT NOT NULL,
                payer TEXT NOT NULL,
                state TEXT NOT NULL,
                version BIGINT NOT NULL,
                body TEXT NOT NULL
            )
            """,
            "CREATE INDEX refunds_of_payer ON refunds (payer, id)",
            "CREATE INDEX refunds_of_bill ON refunds (bill_id, id)",
            """
            CREATE TABLE payment_methods (
                id TEXT NOT NULL PRIMARY KEY,
                payer TEXT NOT NULL,
                reference TEXT NOT NULL,
                brand TEXT NOT NULL,
                last4 TEXT NOT NULL
            )
            """,
            "CREATE INDEX payment_methods_of_payer ON payment_methods (payer, id)",
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
            CREATE TABLE reconciled (
                run TEXT NOT NULL,
                entry_id TEXT NOT NULL,
                PRIMARY KEY (run, entry_id)
            )
            """,
            """
            CREATE TABLE webhook_events (
                id TEXT NOT NULL PRIMARY KEY,
                received_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX webhook_events_age ON webhook_events (received_at)"),
        // Of all payments, few are held.
        Migration.addition(
            "payments-2", "CREATE INDEX payments_held ON payments (id) WHERE status = 'held'"),
    ]
}

extension Transaction {
    var bills: BillStore { BillStore(transaction: self) }
    var attempts: AttemptStore { AttemptStore(transaction: self) }
    var refunds: RefundStore { RefundStore(transaction: self) }
}

// MARK: Bills

extension Receivable: Document {
    var id: BillID { bill.id }

    var columns: KeyValuePairs<String, (any SQLConvertible)?> {
        ["product": bill.product.description, "payer": bill.payer]
    }
}

/// The latest bills of products.
struct BillStore {
    /// What `openvalet doctor` compares.
    static let copies = CopiedSet(.bills, "SELECT id, version FROM bills")

    let transaction: Transaction

    func find(_ id: BillID) throws -> Receivable? {
        try PaymentStore.bills.value(of: id, in: transaction)
    }

    func all(of payer: PersonID, after: String?, limit: Int) throws -> [Receivable] {
        try transaction.rows(
            "SELECT body FROM bills WHERE payer = ? AND id > ? ORDER BY id LIMIT ?", payer,
            after ?? "", limit
        ).map { try $0.json() }
    }

    /// The currency of the latest bill, of one payer or of all; nil without a bill.
    func latestCurrency(of payer: PersonID? = nil) throws -> String? {
        let whose = payer == nil ? "" : "WHERE payer = ?"
        let known: Receivable? = try transaction.rows(
            "SELECT body FROM bills \(whose) ORDER BY id DESC LIMIT 1",
            arguments: payer.map { [$0] } ?? []
        ).first?.json()
        return known?.bill.currency
    }

    func insert(_ known: Receivable) throws {
        try PaymentStore.bills.insert(known, in: transaction)
    }

    func update(_ known: inout Receivable) throws {
        known.version.advance()
        try PaymentStore.bills.update(&known, in: transaction)
    }
}

// MARK: Attempts

extension Attempt: Document {
    var id: PaymentID { payment.id }

    var columns: KeyValuePairs<String, (any SQLConvertible)?> {
        [
            "bill_id": payment.bill, "payer": payer, "status": payment.status,
            "amount": payment.amount.amount, "refunded": payment.refunded.amount,
            "refunding": refunding, "returned": isReturned,
        ]
    }
}

/// Attempts to pay bills.
struct AttemptStore {
    let transaction: Transaction

    func find(_ id: PaymentID) throws -> Attempt? {
        try PaymentStore.payments.value(of: id, in: transaction)
    }

    /// The last attempt to pay a bill; nil if there was none.
    func newest(of bill: BillID) throws -> PaymentID? {
        try transaction.row(
            "SELECT id FROM payments WHERE bill_id = ? ORDER BY id DESC LIMIT 1", bill
        )?.get("id")
    }

    func openHolds() throws -> Int {
        try transaction.row(Self.holds)?.get("holds") ?? 0
    }

    /// Without a parameter, so that the index of held payments is used.
    static let holds = "SELECT COUNT(*) AS holds FROM payments WHERE status = 'held'"

    func insert(_ attempt: Attempt) throws {
        try PaymentStore.payments.insert(attempt, in: transaction)
        try transaction.paymentSearch.keep(attempt)
        try transaction.schedule(PaymentWork.payment, attempt.id, at: attempt.heldUntil)
    }

    /// Stores the attempt; a settled one is no longer scheduled for a look.
    func update(_ attempt: inout Attempt) throws {
        attempt.version.advance()
        try PaymentStore.payments.update(&attempt, in: transaction)
        try transaction.paymentSearch.keep(attempt)
        if attempt.isSettled { try transaction.unschedule(PaymentWork.payment, attempt.id) }
    }

    /// Payments and refunds together, newest first; of all payers if none is given.
    func entries(
        of payer: PersonID?, bill: BillID?, _ page: PageRequest
    ) throws -> Page<PaymentEntry> {
        var conditions = Conditions()
        conditions.require("payer = ?", ifPresent: payer)
        conditions.require("bill_id = ?", ifPresent: bill)
        conditions.require("id < ?", try page.below(PaymentID.self))
        let one = conditions.arguments + [page.rows]
        let rows = try transaction.rows(
            """
            SELECT id, kind, body FROM (
                SELECT id, 'payment' AS kind, body FROM payments
                \(conditions.where) ORDER BY id DESC LIMIT ?) AS paid
            UNION ALL
            SELECT id, kind, body FROM (
                SELECT id, 'refund' AS kind, body FROM refunds
                \(conditions.where) AND state = 'succeeded' ORDER BY id DESC LIMIT ?) AS refunded
            ORDER BY id DESC LIMIT ?
            """, arguments: one + one + [page.rows])
        return try page.page(of: rows) { row in
            switch try row.get("kind", as: String.self) {
            case "payment": PaymentEntry(payment: try row.json(as: Attempt.self).payment)
            default: PaymentEntry(refund: try row.json(as: RefundAttempt.self).refund)
            }
        }
    }
}

// MARK: Refunds

extension RefundAttempt: Document {
    var id: RefundID { refund.id }

    var columns: KeyValuePairs<String, (any SQLConvertible)?> {
        [
            "payment_id": refund.payment, "bill_id": refund.bill, "payer": payer,
            "state": state.rawValue,
        ]
    }
}

/// Attempts at refunds.
struct RefundStore {
    let transaction: Transaction

    func find(_ id: RefundID) throws -> RefundAttempt? {
        try PaymentStore.refunds.value(of: id, in: transaction)
    }

    func insert(_ attempt: RefundAttempt) throws {
        try PaymentStore.refunds.insert(attempt, in: transaction)
        try transaction.paymentSearch.keep(attempt)
        if attempt.waitsForHand {
            try awaitHand(attempt.id)
        } else if attempt.isByHand != true {
            try transaction.schedule(PaymentWork.refund, attempt.id, at: attempt.heldUntil)
        }
    }

    func update(_ attempt: inout RefundAttempt) throws {
        attempt.version.advance()
        try PaymentStore.refunds.update(&attempt, in: transaction)
        try transaction.paymentSearch.keep(attempt)
        if attempt.state != .processing {
            try transaction.unschedule(PaymentWork.refund, attempt.id)
        }
    }
}
