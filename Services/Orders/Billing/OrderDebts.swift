import Contracts
import EventBus
import Foundation
import Store

/// An unpaid bill or fee that blocks the customer's next order.
struct Due: Sendable, Equatable {
    var order: OrderID
    var amount: Money
}

extension Transaction {
    var debts: DebtStore { DebtStore(transaction: self) }
}

/// Fees of cancelled orders, kept until they are paid.
struct DebtStore {
    static let migrations = [
        Migration(
            "debts-1",
            """
            CREATE TABLE debts (
                order_id TEXT NOT NULL PRIMARY KEY,
                customer TEXT NOT NULL,
                amount BIGINT NOT NULL,
                currency TEXT NOT NULL,
                raised_at BIGINT NOT NULL)
            """,
            "CREATE INDEX debts_of_customer ON debts (customer, raised_at)")
    ]

    let transaction: Transaction

    func raise(_ event: OrderCancelled, at now: Date) throws {
        guard event.fee.amount > 0 else { return }
        try transaction.execute(
            """
            INSERT INTO debts (order_id, customer, amount, currency, raised_at)
            VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """, event.order.id, event.order.customer, event.fee.amount, event.fee.currency, now)
    }

    /// Returns true if the payment covered a fee.
    func clear(_ event: PaymentSucceeded) throws -> Bool {
        try transaction.execute("DELETE FROM debts WHERE order_id = ?", event.payment.bill) > 0
    }

    func isFeeDue(for order: OrderID) throws -> Bool {
        try transaction.row("SELECT 1 AS one FROM debts WHERE order_id = ?", order) != nil
    }

    /// The bill of an order that is waiting for payment, or the oldest unpaid fee.
    func due(of customer: CustomerID) throws -> Due? {
        if let order = try transaction.orders.unfinished(of: customer) {
            guard order.status == .waitingForPayment, let charge = order.charge else { return nil }
            return Due(order: order.id, amount: charge)
        }
        return try transaction.row(
            """
            SELECT order_id, amount, currency FROM debts WHERE customer = ?
            ORDER BY raised_at LIMIT 1
            """, customer
        ).map(Due.init)
    }

    func all(of customer: CustomerID) throws -> [Due] {
        try transaction.rows(
            "SELECT order_id, amount, currency FROM debts WHERE customer = ?", customer
        ).map(Due.init)
    }
}

extension Due {
    fileprivate init(_ row: Row) throws {
        order = try row.get("order_id")
        amount = Money(amount: try row.get("amount"), currency: try row.get("currency"))
    }
}
