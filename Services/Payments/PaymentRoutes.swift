import Contracts
import Hummingbird
import ServiceKit

/// HTTP to use case.
struct PaymentRoutes: Sendable {
    let payments: PaymentUseCases

    func add(to router: Router<Context>) {
        router.get("/v1/me/payment-methods", use: methods)
        router.post("/v1/me/payment-methods", use: saveMethod)
        router.delete("/v1/me/payment-methods/:id", use: deleteMethod)
        router.post("/v1/orders/:id/pay", use: pay)
        router.get("/v1/payments", use: entries)
        router.post("/v1/admin/payments/:id/refunds", use: refund)
    }

    @Sendable func methods(_ request: Request, _ context: Context) async throws -> Reply {
        let customer = try context.person(.customer).customer
        return try Reply(.ok, try await payments.methods(of: customer, request.page()))
    }

    @Sendable func saveMethod(_ request: Request, _ context: Context) async throws -> Reply {
        let customer = try context.person(.customer).customer
        let body = try await context.body(PaymentTokenBody.self, of: request)
        let method = try await payments.saveMethod(
            PaymentToken(body.token), of: customer, key: context.idempotency)
        return try Reply(.created, method)
    }

    @Sendable func deleteMethod(_ request: Request, _ context: Context) async throws -> Reply {
        let customer = try context.person(.customer).customer
        try await payments.deleteMethod(context.id("id"), of: customer)
        return .noContent
    }

    @Sendable func pay(_ request: Request, _ context: Context) async throws -> Reply {
        let customer = try context.person(.customer).customer
        let order = try context.id("id", as: OrderID.self)
        let source = try await context.body(PayBody.self, of: request).source()
        let payment = try await payments.pay(
            order, with: source, by: customer, key: context.idempotency)
        return try Reply(.ok, PaymentAnswer(payment: payment))
    }

    @Sendable func entries(_ request: Request, _ context: Context) async throws -> Reply {
        let person = try context.person(.customer, .operator)
        let customer = person.role == .operator ? nil : person.customer
        return try Reply(.ok, try await payments.entries(of: customer, request.page()))
    }

    @Sendable func refund(_ request: Request, _ context: Context) async throws -> Reply {
        let person = try context.person(.operator).operatorID
        let payment = try context.id("id", as: PaymentID.self)
        let body = try await context.body(RefundBody.self, of: request)
        let refund = try await payments.refund(
            payment, body, by: person, key: context.idempotency)
        return try Reply(.created, refund)
    }
}

extension PayBody {
    func source() throws -> PaymentSource {
        switch (paymentMethodId, token) {
        case (let id?, nil): return .method(id)
        case (nil, let token?): return .token(try PaymentToken(token))
        case (nil, nil), (.some, .some): throw PaymentError.oneSourceNeeded
        }
    }
}
