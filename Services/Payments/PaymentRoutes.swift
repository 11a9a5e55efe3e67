import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import ServiceKit

/// Maps HTTP requests to use cases.
struct PaymentRoutes: Sendable {
    let payments: PaymentUseCases
    let page: ReceiptPage
    let provider: PaymentProviderInfo

    func add(to router: Router<Context>) {
        addBills(to: router)
        addPayers(to: router)
        addPayees(to: router)
        addOperators(to: router)
        addDisputes(to: router)
        PayoutRoutes(payments: payments).add(to: router)
        router.on(PaymentEndpoints.stripeWebhook.taking(Bytes.self)) {
            try await payments.receive(
                $0.bytes(), signature: $0.request.headers[.stripeSignature])
        }
        CompanyRoutes(payments: payments).add(to: router)
        router.personalData { try await payments.data(of: $0) }
    }

    /// A bill has the id of the thing that is paid for; clients of the first product use its own path.
    private func addBills(to router: Router<Context>) {
        router.on(PaymentEndpoints.bill) {
            try await payments.bill($0.id(), for: $0.person.ownOnly)
        }
        for endpoint in [PaymentEndpoints.payBill, PaymentEndpoints.pay] {
            router.on(endpoint) {
                let payment = try await payments.pay(
                    $0.id(), with: $0.body.draft(), by: $0.person.person, key: $0.idempotency)
                return PaymentAnswer(payment: payment)
            }
        }
        // The bill leads to an attempt that a dead request has left.
        router.on(InternalEndpoints.payBill) { call in
            let body = PayBody(paymentMethodId: call.body.paymentMethodId, token: call.body.token)
            let draft = PaymentDraft(
                source: try body.source(), isOffSession: call.body.isOffSession ?? false)
            return PaymentAnswer(
                payment: try await payments.pay(
                    call.id(), with: draft, by: call.body.payer, key: nil))
        }
        router.on(InternalEndpoints.billPayment) {
            try await payments.settlement(of: $0.id())
        }
        router.on(InternalEndpoints.billCharge) { try await payments.charge(of: $0.body) }
        router.on(InternalEndpoints.billAttempt) {
            PaymentAnswer(payment: try await payments.attempt(of: $0.id()))
        }
        router.on(InternalEndpoints.resumeBill) {
            PaymentAnswer(payment: try await payments.resume($0.id()))
        }
        router.on(PaymentEndpoints.billReceipt.giving(Bytes.self), use: receipt)
        router.on(PaymentEndpoints.receipt.giving(Bytes.self), use: receipt)
    }

    /// A receipt as JSON, or as a page for clients that prefer HTML.
    private func receipt(_ call: Call<LanguageQuery>) async throws -> Response {
        let receipt = try await payments.receipt(
            of: call.id(), for: call.person.ownOnly, in: call.query.language)
        if call.request.preferred(of: [.html, .json], else: .json) == .html {
            return page.response(
                try await payments.sheet(of: receipt, in: call.query.language),
                logo: try await payments.logoAddress(of: receipt.receipt.seller))
        }
        return try Reply(receipt, headers: [.vary: "Accept"])
            .response(from: call.request, context: call.context)
    }

    private func addPayers(to router: Router<Context>) {
        router.on(PaymentEndpoints.paymentMethods) {
            try await payments.methods(of: $0.person.person, $0.page)
        }
        router.on(PaymentEndpoints.savePaymentMethod) {
            try await payments.saveMethod(
                PaymentToken($0.body.token), of: $0.person.person, key: $0.idempotency)
        }
        router.on(PaymentEndpoints.deletePaymentMethod) {
            try await payments.deleteMethod($0.id(), of: $0.person.person)
        }
        router.on(InternalEndpoints.paymentMethod) {
            try await payments.method($0.id(), of: $0.query.payer).method
        }
        router.on(PaymentEndpoints.payments) { call in
            guard let person = try call.person.ownOnly else {
                return try await payments.entries(call.query, call.page, in: call.language)
            }
            return try await payments.entries(of: person, bill: call.query.bill, call.page)
        }
        router.on(PaymentEndpoints.paymentProvider) { _ in provider }
    }

    private func addPayees(to router: Router<Context>) {
        router.on(PaymentEndpoints.earnings) {
            let span = try TimeSpan(
                $0.query, usual: PaymentUseCases.usualEarnings, at: payments.clock.now)
            return try await payments.earnings(of: $0.person.person, in: span)
        }
        router.on(PaymentEndpoints.balance) { call in
            let currency = try call.query.currency.map(Check.currency)
            return try await payments.balance(of: call.person.person, in: currency)
        }
        router.on(PaymentEndpoints.payouts) {
            try await payments.payouts(of: $0.person.person, $0.page)
        }
        router.on(PaymentEndpoints.payOut) {
            _ = try $0.body.currency.map(Check.currency)
            return try await payments.payOut(
                $0.body, to: $0.person.person, key: $0.idempotency)
        }
        router.on(PaymentEndpoints.savePayoutAccount) {
            try await payments.keepAccount(
                $0.body.account, of: $0.person.person, key: $0.idempotency)
        }
    }

    private func addOperators(to router: Router<Context>) {
        // The default span is one day.
        router.on(PaymentEndpoints.revenueStatistics) {
            try await payments.revenue(
                in: TimeSpan(
                    SpanQuery(from: $0.query.from, to: $0.query.to), usual: 24 * TimeSpan.hour,
                    at: payments.clock.now), by: $0.query.by)
        }
        router.on(PaymentEndpoints.refund) {
            try await payments.refund(
                $0.id(), $0.body.body, in: $0.body.currency, by: $0.person.person,
                key: $0.idempotency)
        }
        router.on(PaymentEndpoints.reconcile) {
            try await payments.reconcile(
                $0.body.day, by: $0.person.person, key: $0.idempotency)
        }
        router.on(PaymentEndpoints.reconciliations) {
            try await payments.reconciliations($0.page)
        }
    }
}

extension InCurrency<PayBody> {
    func draft() throws -> PaymentDraft {
        if let tip = body.tip, !(1...Tip.most).contains(tip) { throw Refusal.tipInvalid }
        return PaymentDraft(source: try body.source(), tip: body.tip, currency: currency)
    }
}

extension PayBody {
    func source() throws -> PaymentSource {
        switch (paymentMethodId, token) {
        case (let id?, nil): return .method(id)
        case (nil, let token?): return .token(try PaymentToken(token))
        case (nil, nil), (.some, .some):
            throw Refusal.invalid("paymentMethodId", "Send either `paymentMethodId` or `token`.")
        }
    }
}

extension Check {
    fileprivate static func currency(_ text: String) throws -> String {
        guard text.wholeMatch(of: /[A-Z]{3}/) != nil else {
            throw Refusal.invalid("currency", "Use three capital letters, for example EUR.")
        }
        return text
    }
}

extension Identity {
    /// The person whose data the caller may see; nil for operators, who may see everybody's.
    var ownOnly: PersonID? { isOperator ? nil : person }
}
extension HTTPField.Name {
    static let stripeSignature = Self("Stripe-Signature")!
}
