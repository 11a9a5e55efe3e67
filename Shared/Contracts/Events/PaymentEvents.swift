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
