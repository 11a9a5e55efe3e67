import Foundation

public struct PaymentSucceeded: Event {
    public static let type = "payments.payment-succeeded.v1"
    public static let topic = Topic.payments
    public var payment: Payment
    public var customer: CustomerID
    public var key: String { payment.order.description }

    public init(payment: Payment, customer: CustomerID) {
        self.payment = payment
        self.customer = customer
    }
}

public struct PaymentDeclined: Event {
    public static let type = "payments.payment-declined.v1"
    public static let topic = Topic.payments
    public var payment: Payment
    public var customer: CustomerID
    public var key: String { payment.order.description }

    public init(payment: Payment, customer: CustomerID) {
        self.payment = payment
        self.customer = customer
    }
}

public struct PaymentRefunded: Event {
    public static let type = "payments.payment-refunded.v1"
    public static let topic = Topic.payments
    public var refund: Refund
    public var customer: CustomerID
    public var by: OperatorID
    public var key: String { refund.order.description }

    public init(refund: Refund, customer: CustomerID, by: OperatorID) {
        self.refund = refund
        self.customer = customer
        self.by = by
    }
}

/// A customer paid more than the bill, for the valets.
public struct TipGiven: Event {
    public static let type = "payments.tip-given.v1"
    public static let topic = Topic.payments
    public var payment: PaymentID
    public var order: OrderID
    public var customer: CustomerID
    public var valet: ValetID
    /// This valet's part.
    public var amount: Money
    public var key: String { order.description }

    public init(
        payment: PaymentID, order: OrderID, customer: CustomerID, valet: ValetID, amount: Money
    ) {
        self.payment = payment
        self.order = order
        self.customer = customer
        self.valet = valet
        self.amount = amount
    }
}
