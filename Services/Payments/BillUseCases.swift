import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

// What orders owe.

extension PaymentUseCases {
    /// Takes over what an order's event says is due; nil is nothing.
    func owe(_ due: Due, for order: OrderSnapshot, _ delivery: Delivery) async throws {
        try due.check()
        let now = clock.now
        try await database.apply(delivery) { transaction in
            var bill = try transaction.bill(of: order.id) ?? transaction.newBill(for: order)
            let change = bill.owe(due, for: order)
            switch change {
            case .none: break
            case .replaced(let old, let new):
                if let old {
                    try transaction.enter(
                        .withdrawn(old, for: order.id, version: order.version), at: now)
                }
                if let new {
                    try transaction.enter(
                        .billed(new, for: order.id, version: order.version), at: now)
                }
                try transaction.hasten(bill, at: now)
            case .paidAlready(let payment):
                // The order went back to waiting for what it has got: it is told again.
                if let paid = try transaction.attempt(payment) {
                    try transaction.publish(
                        PaymentSucceeded(payment: paid.payment, customer: paid.customer), at: now)
                }
            }
            try transaction.update(bill)
            transaction.signal(PaymentStore.billsSignal)
        }
    }

    /// Remembers whose order it is, so that an early "pay" can be told from a stranger's.
    func know(_ order: OrderSnapshot, _ delivery: Delivery) async throws {
        try await database.apply(delivery) { transaction in
            if try transaction.bill(of: order.id) == nil {
                _ = try transaction.newBill(for: order)
                transaction.signal(PaymentStore.billsSignal)
            }
        }
    }

    /// Waits a moment for a bill that may still be on its way, then refuses.
    func awaitBill(of order: OrderID, for customer: CustomerID) async throws {
        let isReady = try await database.awaiting(
            PaymentStore.billsSignal, within: patience.bill
        ) { transaction -> Bool? in
            guard let bill = try transaction.bill(of: order) else { return nil }
            guard bill.customer == customer else { throw PaymentError.orderUnknown }
            return bill.amount == nil && bill.paidBy == nil ? nil : true
        }
        guard isReady == nil else { return }
        let isKnown = try await database.read { try $0.bill(of: order) != nil }
        throw isKnown ? PaymentError.notDue : PaymentError.orderUnknown
    }
}

extension Transaction {
    /// An attempt that waits for the customer, and pays what is no longer due, is given up soon.
    fileprivate func hasten(_ bill: Bill, at now: Date) throws {
        guard let id = bill.attempt, var attempt = try attempt(id),
            attempt.payment.status == .requiresAction, !bill.wants(attempt.payment)
        else { return }
        attempt.heldUntil = now
        try update(attempt)
        signal(PaymentStore.unresolvedSignal)
    }

    fileprivate func newBill(for order: OrderSnapshot) throws -> Bill {
        let bill = Bill(order: order.id, customer: order.customer)
        try insert(bill)
        return bill
    }
}
