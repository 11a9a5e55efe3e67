import Contracts
import EventBus
import Foundation
import Store

/// What accounts keeps of an order: who is bound by it, and nothing else.
struct OrderCopy: Sendable {
    /// Seconds that an ended order's copy stays: as long as an event of it may come again.
    static let retention = TimeInterval(Outbox.inboxRetention.components.seconds)
    /// In SQL: it binds nobody.
    static let isSettled = "open = 0 AND (fee_due = 0 OR paid = 1)"

    let id: OrderID
    let customer: CustomerID
    /// Who has the job of the present leg.
    let valet: ValetID?
    let isOpen: Bool
    let version: Int

    init(_ order: OrderSnapshot) {
        id = order.id
        customer = order.customer
        isOpen = !order.status.isEnd
        version = order.version
        valet =
            switch order.status {
            case .droppingOff, .parking: order.dropOffValet
            case .requestingBack, .returningBack: order.returnValet
            case .requested, .parked, .waitingForPayment, .finished, .cancelled, .unfulfilled: nil
            }
    }
}

extension Transaction {
    /// An older version than what is known changes nothing.
    func keep(_ order: OrderCopy, at now: Date) throws {
        try execute(
            """
            INSERT INTO orders (id, customer, valet, open, fee_due, paid, version, changed_at)
            VALUES (?, ?, ?, ?, 0, 0, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                customer = excluded.customer, valet = excluded.valet, open = excluded.open,
                version = excluded.version, changed_at = excluded.changed_at
            WHERE orders.version < excluded.version
            """, order.id, order.customer, order.valet, order.isOpen, order.version, now)
    }

    /// A cancelled order's fee is to be paid.
    func oweFee(_ order: OrderID) throws {
        try execute("UPDATE orders SET fee_due = 1 WHERE id = ?", order)
    }

    /// Its bill is paid, which may be heard of before the bill itself.
    func settle(_ order: OrderID, of customer: CustomerID, at now: Date) throws {
        try execute(
            """
            INSERT INTO orders (id, customer, valet, open, fee_due, paid, version, changed_at)
            VALUES (?, ?, NULL, 0, 0, 1, 0, ?)
            ON CONFLICT (id) DO UPDATE SET paid = 1, changed_at = excluded.changed_at
            """, order, customer, now)
    }

    /// An order that is unfinished or unpaid, and which the person is bound by.
    func bindingOrder(of person: PersonID) throws -> OrderID? {
        try row(
            """
            SELECT id FROM orders
            WHERE customer = ? AND NOT (\(OrderCopy.isSettled)) OR valet = ?
            ORDER BY id DESC LIMIT 1
            """, person, person)?.get("id")
    }

    func forgetOrders(of person: PersonID) throws {
        try execute("DELETE FROM orders WHERE customer = ?", person)
    }
}
