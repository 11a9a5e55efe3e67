import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import ServiceKit

/// HTTP to use case.
struct PaymentRoutes: Sendable {
    /// Largest event of a webhook, in bytes; Stripe's are a few thousand.
    static let largestEvent = 256 * 1_024

    let payments: PaymentUseCases
    let page: ReceiptPage
    let provider: PaymentProviderInfo

    func add(to router: Router<Context>) {
        router.on(PaymentEndpoints.paymentMethods, use: methods)
        router.on(PaymentEndpoints.savePaymentMethod, use: saveMethod)
        router.on(PaymentEndpoints.deletePaymentMethod, use: deleteMethod)
        router.on(PaymentEndpoints.bill, use: bill)
        router.on(PaymentEndpoints.payBill, use: pay)
        router.on(PaymentEndpoints.billReceipt, use: receipt)
        // What is paid for has its bill's id; clients of the first product name it by its own path.
        router.on(PaymentEndpoints.pay, use: pay)
        router.on(PaymentEndpoints.receipt, use: receipt)
        router.on(PaymentEndpoints.payments, use: entries)
        router.on(PaymentEndpoints.earnings, use: earnings)
        router.on(PaymentEndpoints.balance, use: balance)
        router.on(PaymentEndpoints.payouts, use: payouts)
        router.on(PaymentEndpoints.payOut, use: payOut)
        router.on(PaymentEndpoints.savePayoutAccount, use: keepAccount)
        router.on(PaymentEndpoints.stripeWebhook, use: webhook)
        router.on(PaymentEndpoints.paymentProvider, use: providerInfo)
        router.on(PaymentEndpoints.revenueStatistics, use: revenue)
        router.on(PaymentEndpoints.refund, use: refund)
        router.on(PaymentEndpoints.trialBalance, use: trialBalance)
        router.on(PaymentEndpoints.ledgerEntries, use: ledger)
        router.on(PaymentEndpoints.reconcile, use: reconcile)
        router.on(PaymentEndpoints.reconciliations, use: reconciliations)
        router.personalData { try await payments.data(of: $0) }
    }

    @Sendable func methods(_ request: Request, _ context: Context) async throws -> Reply {
        let payer = try context.person().person
        return try Reply(.ok, try await payments.methods(of: payer, request.page()))
    }

    @Sendable func saveMethod(_ request: Request, _ context: Context) async throws -> Reply {
        let payer = try context.person().person
        let body = try await context.body(PaymentTokenBody.self, of: request)
        let method = try await payments.saveMethod(
            PaymentToken(body.token), of: payer, key: context.idempotency)
        return try Reply(.created, method)
    }

    @Sendable func deleteMethod(_ request: Request, _ context: Context) async throws -> Reply {
        let payer = try context.person().person
        try await payments.deleteMethod(context.id("id"), of: payer)
        return .noContent
    }

    @Sendable func pay(_ request: Request, _ context: Context) async throws -> Reply {
        let payer = try context.person().person
        let bill = try context.id("id", as: BillID.self)
        let draft = try await context.body(InCurrency<PayBody>.self, of: request).draft()
        let payment = try await payments.pay(
            bill, with: draft, by: payer, key: context.idempotency)
        return try Reply(.ok, PaymentAnswer(payment: payment))
    }

    @Sendable func bill(_ request: Request, _ context: Context) async throws -> Reply {
        let person = try context.person()
        return try Reply(
            .ok, try await payments.bill(context.id("id"), for: person.ownOnly))
    }

    @Sendable func receipt(_ request: Request, _ context: Context) async throws -> Response {
        let person = try context.person()
        var language: Language?
        if let text = request.query("language") {
            language = Language.spoken(text)
            if language == nil { throw PaymentError.languageInvalid }
        }
        let receipt = try await payments.receipt(
            of: try context.id("id"), for: person.ownOnly, in: language)
        if request.prefersHTML { return page.response(receipt.receipt, receipt.details) }
        return try Reply(.ok, receipt, headers: [.vary: "Accept"])
            .response(from: request, context: context)
    }

    @Sendable func entries(_ request: Request, _ context: Context) async throws -> Reply {
        let person = try context.person()
        let bill = try request.id("bill", as: BillID.self, "This is no bill's id.")
        return try Reply(
            .ok, try await payments.entries(of: person.ownOnly, bill: bill, request.page()))
    }

    @Sendable func earnings(_ request: Request, _ context: Context) async throws -> Reply {
        let payee = try context.person().person
        let span = try TimeSpan(
            request, usual: PaymentUseCases.usualEarnings, at: payments.clock.now)
        return try Reply(.ok, try await payments.earnings(of: payee, in: span))
    }

    @Sendable func balance(_ request: Request, _ context: Context) async throws -> Reply {
        let person = try context.person().person
        let currency = request.query("currency")
        if let currency { try Check.currency(currency) }
        return try Reply(.ok, try await payments.balance(of: person, in: currency))
    }

    @Sendable func payouts(_ request: Request, _ context: Context) async throws -> Reply {
        let person = try context.person().person
        return try Reply(.ok, try await payments.payouts(of: person, request.page()))
    }

    @Sendable func payOut(_ request: Request, _ context: Context) async throws -> Reply {
        let person = try context.person().person
        let body = try await context.body(PayoutBody.self, of: request)
        if let currency = body.currency { try Check.currency(currency) }
        return try Reply(
            .created, try await payments.payOut(body, to: person, key: context.idempotency))
    }

    @Sendable func keepAccount(_ request: Request, _ context: Context) async throws -> Reply {
        let person = try context.person().person
        let body = try await context.body(PayoutAccountBody.self, of: request)
        try await payments.keepAccount(body.account, of: person)
        return .noContent
    }

    @Sendable func providerInfo(_ request: Request, _ context: Context) async throws -> Reply {
        try Reply(.ok, provider)
    }

    /// A day, unless a span is named.
    @Sendable func revenue(_ request: Request, _ context: Context) async throws -> Reply {
        let span = try TimeSpan(request, usual: 24 * TimeSpan.hour, at: payments.clock.now)
        return try Reply(.ok, try await payments.revenue(in: span))
    }

    @Sendable func webhook(_ request: Request, _ context: Context) async throws -> Reply {
        let body = try await request.collect(limit: Self.largestEvent)
        try await payments.receive(
            Data(body.readableBytesView), signature: request.headers[.stripeSignature])
        return .noContent
    }

    @Sendable func refund(_ request: Request, _ context: Context) async throws -> Reply {
        let person = try context.person().person
        let payment = try context.id("id", as: PaymentID.self)
        let body = try await context.body(InCurrency<RefundBody>.self, of: request)
        let refund = try await payments.refund(
            payment, body.body, in: body.currency, by: person, key: context.idempotency)
        return try Reply(.created, refund)
    }

    @Sendable func trialBalance(_ request: Request, _ context: Context) async throws -> Reply {
        return try Reply(.ok, try await payments.trialBalance())
    }

    @Sendable func ledger(_ request: Request, _ context: Context) async throws -> Reply {
        let bill =
            try request.id("billId", as: BillID.self, "This is no bill's id.")
            ?? request.id("orderId", as: BillID.self, "This is no order's id.")
        return try Reply(.ok, try await payments.ledger(of: bill, request.page()))
    }

    @Sendable func reconcile(_ request: Request, _ context: Context) async throws -> Reply {
        let person = try context.person().person
        let body = try await context.body(ReconciliationBody.self, of: request)
        let result = try await payments.reconcile(
            Day(body.day), by: person, key: context.idempotency)
        return try Reply(.created, result)
    }

    @Sendable func reconciliations(_ request: Request, _ context: Context) async throws -> Reply {
        return try Reply(.ok, try await payments.reconciliations(request.page()))
    }
}

extension InCurrency<PayBody> {
    func draft() throws -> PaymentDraft {
        if let tip = body.tip, !(1...Tip.most).contains(tip) { throw PaymentError.tipInvalid }
        return PaymentDraft(source: try body.source(), tip: body.tip, currency: currency)
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

extension Check {
    fileprivate static func currency(_ text: String) throws {
        guard text.wholeMatch(of: /[A-Z]{3}/) != nil else {
            throw InvalidRequest("currency", "Three capital letters, as in HKD.")
        }
    }
}

extension Identity {
    /// Whose things they may see: nil for everybody's.
    fileprivate var ownOnly: PersonID? { isOperator ? nil : person }
}

extension Request {
    fileprivate func id<Kind>(
        _ name: String, as kind: Identifier<Kind>.Type, _ complaint: String
    ) throws -> Identifier<Kind>? {
        guard let text = query(name) else { return nil }
        guard let id = Identifier<Kind>(text) else { throw InvalidRequest(name, complaint) }
        return id
    }

    /// Whether a page is named before data in `Accept`, or with more weight (RFC 9110 §12.5.1).
    fileprivate var prefersHTML: Bool {
        var weights: [String: Double] = [:]
        for value in headers[values: .accept] {
            for part in value.split(separator: ",") {
                let words = part.split(separator: ";").map {
                    $0.trimmingCharacters(in: .whitespaces).lowercased()
                }
                let weight = words.first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
                if let name = words.first { weights[name] = weight ?? 1 }
            }
        }
        let html = weights["text/html"] ?? weights["text/*"] ?? 0
        return html > 0 && html >= weights["application/json"] ?? 0
    }
}

extension HTTPField.Name {
    static let stripeSignature = Self("Stripe-Signature")!
}
