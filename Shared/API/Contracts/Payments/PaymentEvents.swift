import Foundation

extension Topic {
    public static let payments: Topic = "payments"
}

/// A bill was paid.
public struct PaymentSucceeded: ProductEvent {
    public static let type = "payments.payment-succeeded.v1"
    public static let topic = Topic.payments
    public var payment: Payment
    public var product: Product
    public var payer: PersonID
    /// When it was paid; absent in events of earlier releases.
    public var paidAt: Date?
    public var key: String { payment.bill.description }

    public init(payment: Payment, product: Product, payer: PersonID, paidAt: Date? = nil) {
        self.payment = payment
        self.product = product
        self.payer = payer
        self.paidAt = paidAt
    }
}

/// An attempt to pay a bill failed: the provider declined it, or the payer's further step did not
/// come in time. The payment's `declineReason` says why.
public struct PaymentDeclined: ProductEvent {
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

/// A payment that was begun in the payer's absence waits for the payer to confirm it.
public struct PaymentActionRequired: ProductEvent {
    public static let type = "payments.payment-action-required.v1"
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

/// Money was refunded.
public struct PaymentRefunded: ProductEvent {
    public static let type = "payments.payment-refunded.v1"
    public static let topic = Topic.payments
    public var refund: Refund
    public var product: Product
    public var payer: PersonID
    /// The operator who made the refund; the nil UUID for the platform itself.
    public var by: PersonID
    public var key: String { refund.bill.description }

    public init(refund: Refund, product: Product, payer: PersonID, by: PersonID) {
        self.refund = refund
        self.product = product
        self.payer = payer
        self.by = by
    }
}

/// The amount of a bill with the terms `hold` is held on the payer's card.
public struct PaymentHeld: ProductEvent {
    public static let type = "payments.payment-held.v1"
    public static let topic = Topic.payments
    public var payment: Payment
    public var product: Product
    public var payer: PersonID
    /// The hold is released at this time unless the amount has been charged by then.
    public var until: Date
    public var key: String { payment.bill.description }

    public init(payment: Payment, product: Product, payer: PersonID, until: Date) {
        self.payment = payment
        self.product = product
        self.payer = payer
        self.until = until
    }
}

/// The hold on a payer's card was released, and nothing was charged.
public struct PaymentReleased: ProductEvent {
    public static let type = "payments.payment-released.v1"
    public static let topic = Topic.payments
    public var payment: Payment
    public var product: Product
    public var payer: PersonID
    /// Why it was released, for example `expired` or `bill_changed`.
    public var reason: String
    public var key: String { payment.bill.description }

    public init(payment: Payment, product: Product, payer: PersonID, reason: String) {
        self.payment = payment
        self.product = product
        self.payer = payer
        self.reason = reason
    }
}

/// A payer paid a tip on top of a bill. There is one event for each person who was tipped.
public struct TipGiven: ProductEvent {
    public static let type = "payments.tip-given.v1"
    public static let topic = Topic.payments
    public var payment: PaymentID
    public var bill: BillID
    public var product: Product
    public var payer: PersonID
    /// The person who was tipped.
    public var payee: PersonID
    /// This person's share of the tip.
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
