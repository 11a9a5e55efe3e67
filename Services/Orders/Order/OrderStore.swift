import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// Orders in SQL. Two unique indexes prevent races: one unfinished order per customer, and one active job per valet.
struct OrderStore {
    static let migrations = [
        Migration(
            "orders-1",
            """
            CREATE TABLE orders (
                id TEXT NOT NULL PRIMARY KEY,
                version BIGINT NOT NULL,
                status TEXT NOT NULL,
                ticket TEXT NOT NULL,
                customer TEXT NOT NULL,
                service_area TEXT NOT NULL,
                drop_off_valet TEXT,
                return_valet TEXT,
                active_valet TEXT,
                created_at BIGINT NOT NULL,
                ended_at BIGINT,
                overdue_at BIGINT,
                answer_due_at BIGINT,
                wake_at BIGINT,
                matched_at BIGINT,
                is_ahead BIGINT NOT NULL,
                offers_made BIGINT NOT NULL,
                offers_accepted BIGINT NOT NULL,
                body TEXT NOT NULL)
            """,
            "CREATE UNIQUE INDEX orders_one_unfinished ON orders (customer) WHERE ended_at IS NULL",
            """
            CREATE UNIQUE INDEX orders_one_active_job ON orders (active_valet)
                WHERE active_valet IS NOT NULL
            """,
            "CREATE UNIQUE INDEX orders_ticket ON orders (ticket) WHERE ended_at IS NULL",
            "CREATE INDEX orders_of_customer ON orders (customer, id)",
            """
            CREATE INDEX orders_of_drop_off_valet ON orders (drop_off_valet, id)
                WHERE drop_off_valet IS NOT NULL
            """,
            """
            CREATE INDEX orders_of_return_valet ON orders (return_valet, id)
                WHERE return_valet IS NOT NULL
            """,
            "CREATE INDEX orders_by_status ON orders (status, id)",
            """
            CREATE INDEX orders_overdue ON orders (overdue_at)
                WHERE overdue_at IS NOT NULL
            """,
            """
            CREATE INDEX orders_answer_due ON orders (answer_due_at)
                WHERE answer_due_at IS NOT NULL
            """,
            "CREATE INDEX orders_wake ON orders (wake_at) WHERE wake_at IS NOT NULL",
            """
            CREATE INDEX orders_statistics ON orders (
                created_at, status, matched_at, is_ahead, offers_made, offers_accepted)
            """)
    ]

    /// Fires when the order has changed.
    static func signal(_ id: OrderID) -> String { "order:\(id)" }

    let transaction: Transaction
}

/// The owner of the orders in a list.
enum OrderOwner: Sendable {
    /// A person's orders as a customer, as a valet, or both.
    case person(PersonID, as: Roles)
    case everybody
}

extension Transaction {
    var orders: OrderStore { OrderStore(transaction: self) }
}

extension OrderStore {
    func find(_ id: OrderID) throws -> Order? {
        try transaction.row("SELECT body FROM orders WHERE id = ?", id).map(Order.init)
    }

    func unfinished(of customer: CustomerID) throws -> Order? {
        try transaction.row(
            "SELECT body FROM orders WHERE customer = ? AND ended_at IS NULL", customer
        ).map(Order.init)
    }

    /// The order that keeps a valet from any other job: theirs, or offered to them.
    func engaging(_ valet: ValetID) throws -> Order? {
        try transaction.row("SELECT body FROM orders WHERE active_valet = ?", valet).map(Order.init)
    }

    func activeJob(of valet: ValetID) throws -> Order? {
        let order = try engaging(valet)
        return order?.activeValet == valet ? order : nil
    }

    func isTicketInUse(_ ticket: String) throws -> Bool {
        try transaction.row(
            "SELECT 1 AS one FROM orders WHERE ticket = ? AND ended_at IS NULL", ticket) != nil
    }

    /// Newest first. UUIDv7 sorts by time, so the last id of a page is a stable cursor.
    func all(
        of owner: OrderOwner, _ status: OrderStatus?, after: OrderID?, limit: Int
    ) throws -> [Order] {
        var conditions = Conditions()
        switch owner {
        case .person(let id, let roles):
            var columns: [String] = []
            if roles.contains(.customer) { columns.append("customer") }
            if roles.contains(.valet) { columns += ["drop_off_valet", "return_valet"] }
            let owned = columns.map { "\($0) = ?" }.joined(separator: " OR ")
            conditions.require(
                columns.isEmpty ? "1 = 0" : "(\(owned))", arguments: columns.map { _ in id })
        case .everybody:
            break
        }
        conditions.require("status = ?", ifPresent: status)
        conditions.require("id < ?", ifPresent: after)
        return try transaction.rows(
            "SELECT body FROM orders \(conditions.where) ORDER BY id DESC LIMIT ?",
            arguments: conditions.arguments + [limit]
        ).map(Order.init)
    }

    func insert(_ order: Order, _ limits: OrderLimits) throws {
        try transaction.execute(
            """
            INSERT INTO orders (
                status, drop_off_valet, return_valet, active_valet, ended_at, overdue_at,
                answer_due_at, wake_at, version, body, matched_at, offers_made, offers_accepted,
                id, ticket, customer, service_area, created_at, is_ahead)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            arguments: try order.changingColumns(limits) + [
                order.id, order.ticket, order.customer, order.serviceArea, order.createdAt,
                order.schedule != nil,
            ])
        transaction.signal(Self.signal(order.id))
    }

    /// Updates an order once per read; throws `LostRace` if the stored version has changed since.
    ///
    /// When its customer's account is deleted, an order is stored without personal data.
    func update(_ order: Order, _ limits: OrderLimits) throws {
        var order = order
        if order.isEnded, try transaction.people.isForgotten(order.customer) {
            _ = order.forgetCustomer()
        }
        let changed = try transaction.execute(
            """
            UPDATE orders SET
                status = ?, drop_off_valet = ?, return_valet = ?, active_valet = ?, ended_at = ?,
                overdue_at = ?, answer_due_at = ?, wake_at = ?, version = ?, body = ?,
                matched_at = COALESCE(matched_at, ?), offers_made = ?, offers_accepted = ?
            WHERE id = ? AND version = ?
            """, arguments: try order.changingColumns(limits) + [order.id, order.version.stored])
        guard changed == 1 else { throw LostRace() }
        try transaction.alerts.resolve(of: order)
        try transaction.tasks.keep(of: order)
        transaction.signal(Self.signal(order.id))
    }

    /// Publishes an event of an order and stores its consequences: custody, debts and alerts.
    func publish(_ event: any OrderEvent, _ chain: CustodyChain, at now: Date) throws {
        try transaction.publish(event, at: now)
        try publishBill(after: event, at: now)
        try OrderNotice.announce(event, at: now, in: transaction)
        if let fact = event.custodyFact(at: now) {
            try transaction.custody.append(fact, to: event.order.id, chain, at: now)
        }
        if let event = event as? OrderCancelled { try transaction.debts.raise(event, at: now) }
        try publishEngagement(after: event, at: now)
        transaction.afterCommit { OrderMetrics.count(event, at: now) }
        switch event {
        case let event as OrderOverdue:
            try transaction.alerts.raise(.overdue, of: event.order, event.limitSeconds, at: now)
        case let event as OrderNeedsOperator:
            try transaction.alerts.raise(event.cause.required("cause"), of: event.order, 0, at: now)
        default: break
        }
    }

    /// Orders that have exceeded their state's time without an alert, longest first.
    func overdue(at now: Date, limit: Int) throws -> [OrderID] {
        try transaction.rows(
            "SELECT id FROM orders WHERE overdue_at <= ? ORDER BY overdue_at LIMIT ?", now, limit
        ).map { try $0.get("id") }
    }

    /// Orders whose wake time has come, longest first.
    func toWake(at now: Date, limit: Int) throws -> [OrderID] {
        try transaction.rows(
            "SELECT id FROM orders WHERE wake_at <= ? ORDER BY wake_at LIMIT ?", now, limit
        ).map { try $0.get("id") }
    }

    /// Postpones an order's due work without reading the order.
    func postpone(_ id: OrderID, until time: Date, at now: Date) throws {
        for column in ["overdue_at", "wake_at", "answer_due_at"] {
            try transaction.execute(
                "UPDATE orders SET \(column) = ? WHERE id = ? AND \(column) <= ?", time, id, now)
        }
    }

    /// Orders that wait for an answer from matching, longest first.
    func unanswered(at now: Date, limit: Int) throws -> [OrderID] {
        try transaction.rows(
            "SELECT id FROM orders WHERE answer_due_at <= ? ORDER BY answer_due_at LIMIT ?", now,
            limit
        ).map { try $0.get("id") }
    }
}

extension Order {
    init(_ row: Row) throws {
        let body: String = try row.get("body")
        self = try JSONDecoder().decode(Order.self, from: Data(body.utf8))
    }

    /// In the column order of `insert` and `update`.
    fileprivate func changingColumns(_ limits: OrderLimits) throws -> [(any SQLConvertible)?] {
        let overdueAt =
            isOverdueTold || isAhead
            ? nil
            : limits.stateSeconds[status].map { statusSince.addingTimeInterval(Double($0)) }
        let answerDueAt = askedAt?.addingTimeInterval(Double(limits.matchAnswerSeconds))
        // Not the wire's encoder: its dates are rounded to milliseconds.
        let body = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
        return [
            status, dropOffValet, returnValet, engagedValet, endedAt, overdueAt, answerDueAt,
            wakeAt, version.number, body, assignedAt, offers.made, offers.accepted,
        ]
    }
}
