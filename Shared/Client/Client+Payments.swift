import Contracts

extension OpenValetClient {
    public func paymentMethods(
        after: String? = nil, limit: Int? = nil
    ) async throws -> Page<PaymentMethod> {
        try await value(.get("/v1/me/payment-methods").page(after, limit))
    }

    /// Saves what the provider's `token` stands for (card, Apple Pay).
    public func addPaymentMethod(
        token: String, key: RequestKey = .new()
    ) async throws -> PaymentMethod {
        try await value(
            try .post("/v1/me/payment-methods", PaymentTokenBody(token: token), key: key))
    }

    public func removePaymentMethod(_ id: PaymentMethodID) async throws {
        try await done(.delete("/v1/me/payment-methods/\(id)"))
    }

    /// Throws `payment.declined` with the provider's reason.
    @discardableResult
    public func pay(
        _ order: OrderID, _ body: PayBody, key: RequestKey = .new()
    ) async throws -> Payment {
        let call = try Call.post("/v1/orders/\(order)/pay", body, key: key)
        return try await value(call, as: PaymentAnswer.self).payment
    }

    /// Own payments and refunds, newest first.
    public func payments(
        after: String? = nil, limit: Int? = nil
    ) async throws -> Page<PaymentEntry> {
        try await value(.get("/v1/payments").page(after, limit))
    }
}
