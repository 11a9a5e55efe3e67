import Foundation

public enum PaymentStatus: String, Codable, Sendable, CaseIterable {
    case processing, requiresAction, succeeded, declined
}

public struct Payment: Codable, Sendable, Hashable {
    public var id: PaymentID
    public var order: OrderID
    public var amount: Money
    public var refunded: Money
    public var status: PaymentStatus
    /// The provider's reason, as in `insufficient_funds`.
    @Nullable public var declineReason: String?
    /// What the client needs for a further step, with `requiresAction`.
    @Nullable public var clientSecret: String?
    @Nullable public var brand: String?
    @Nullable public var last4: String?
    public var createdAt: Date

    public init(
        id: PaymentID, order: OrderID, amount: Money, status: PaymentStatus, createdAt: Date
    ) {
        self.id = id
        self.order = order
        self.amount = amount
        self.status = status
        self.createdAt = createdAt
        refunded = .zero(amount.currency)
        (declineReason, clientSecret, brand, last4) = (nil, nil, nil, nil)
    }
}

/// One of the two: a saved method, or a token of the provider.
public struct PayBody: Codable, Sendable {
    public var paymentMethodId: PaymentMethodID?
    public var token: String?

    public init(paymentMethodId: PaymentMethodID? = nil, token: String? = nil) {
        self.paymentMethodId = paymentMethodId
        self.token = token
    }
}

/// Answer of `POST /v1/orders/{id}/pay`.
public struct PaymentAnswer: Codable, Sendable {
    public var payment: Payment
    public init(payment: Payment) { self.payment = payment }
}

public struct PaymentMethod: Codable, Sendable, Hashable {
    public var id: PaymentMethodID
    public var brand: String
    public var last4: String

    public init(id: PaymentMethodID, brand: String, last4: String) {
        self.id = id
        self.brand = brand
        self.last4 = last4
    }
}

public struct PaymentTokenBody: Codable, Sendable {
    public var token: String
    public init(token: String) { self.token = token }
}

/// The whole remaining amount when `amount` is absent.
public struct RefundBody: Codable, Sendable {
    public var amount: Int?
    public var reason: String

    public init(amount: Int? = nil, reason: String) {
        self.amount = amount
        self.reason = reason
    }
}

public struct Refund: Codable, Sendable, Hashable {
    public var id: RefundID
    public var payment: PaymentID
    public var order: OrderID
    public var amount: Money
    public var reason: String
    public var createdAt: Date

    public init(
        id: RefundID, payment: PaymentID, order: OrderID, amount: Money, reason: String,
        createdAt: Date
    ) {
        self.id = id
        self.payment = payment
        self.order = order
        self.amount = amount
        self.reason = reason
        self.createdAt = createdAt
    }
}

/// A line of `GET /v1/payments`: what was paid, or given back.
public struct PaymentEntry: Codable, Sendable, Hashable {
    public enum Kind: String, Codable, Sendable { case payment, refund }

    public var kind: Kind
    @Nullable public var payment: Payment?
    @Nullable public var refund: Refund?
    public var createdAt: Date

    public init(payment: Payment) {
        kind = .payment
        createdAt = payment.createdAt
        self.payment = payment
        refund = nil
    }

    public init(refund: Refund) {
        kind = .refund
        createdAt = refund.createdAt
        payment = nil
        self.refund = refund
    }
}
