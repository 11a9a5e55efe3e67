import Foundation

extension Topic {
    public static let payments: Topic = "payments"
}

public struct PaymentSucceeded: Event {
    public static let type = "payments.payment-succeeded.v1"
    public static let topic = Topic.payments
    public var payment: Payment
    public var product: Product
    public var payer: PersonID
    /// Absent in what an earlier release has said.
    public var paidAt: Date?
    public var key: String { payment.bill.description }

    public init(payment: Payment, product: Product, payer: PersonID, paidAt: Date? = nil) {
        self.payment = payment
        self.product = product
        self.payer = payer
        self.paidAt = paidAt
    }
}

public struct PaymentDeclined: Event {
    public static let type = "payments.payment-declined.v1"
    public static let topic = Topic.payments
    public var payment: Payment
    public var product: Product
    public var payer: PersonID
    public var key: String { payment.bill.description }

    public init(payment: Payment, product: Product, payer: PersonID) {
        self.payment = payment
        self.product = product
        self.payer = payer
    }
}

public struct PaymentRefunded: Event {
    public static let type = "payments.payment-refunded.v1"
    public static let topic = Topic.payments
    public var refund: Refund
    public var product: Product
    public var payer: PersonID
    /// The operator; the nil UUID is the house itself.
    public var by: PersonID
    public var key: String { refund.bill.description }

    public init(refund: Refund, product: Product, payer: PersonID, by: PersonID) {
        self.refund = refund
        self.product = product
        self.payer = payer
        self.by = by
    }
}

/// The amount of a bill with terms `hold` is set aside at the payer's bank.
public struct PaymentHeld: Event {
    public static let type = "payments.payment-held.v1"
    public static let topic = Topic.payments
    public var payment: Payment
    public var product: Product
    public var payer: PersonID
    /// It is given up then, when it has not been taken before.
    public var until: Date
    public var key: String { payment.bill.description }

    public init(payment: Payment, product: Product, payer: PersonID, until: Date) {
        self.payment = payment
        self.product = product
        self.payer = payer
        self.until = until
    }
}

/// What was set aside is the payer's again, and nothing was taken.
public struct PaymentReleased: Event {
    public static let type = "payments.payment-released.v1"
    public static let topic = Topic.payments
    public var payment: Payment
    public var product: Product
    public var payer: PersonID
    /// As in `expired` or `bill_changed`.
    public var reason: String
    public var key: String { payment.bill.description }

    public init(payment: Payment, product: Product, payer: PersonID, reason: String) {
        self.payment = payment
        self.product = product
        self.payer = payer
        self.reason = reason
    }
}

/// A payer gave more than the bill, for those who may be tipped.
public struct TipGiven: Event {
    public static let type = "payments.tip-given.v1"
    public static let topic = Topic.payments
    public var payment: PaymentID
    public var bill: BillID
    public var product: Product
    public var payer: PersonID
    public var payee: PersonID
    /// This payee's part.
    public var amount: Money
    public var key: String { bill.description }

    public init(
        payment: PaymentID, bill: BillID, product: Product, payer: PersonID, payee: PersonID,
        amount: Money
    ) {
        self.payment = payment
        self.bill = bill
        self.product = product
        self.payer = payer
        self.payee = payee
        self.amount = amount
    }
}
