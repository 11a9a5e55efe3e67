import Contracts
import Foundation

extension OpenValetClient {
    public func paymentMethods(
        after: String? = nil, limit: Int? = nil
    ) async throws -> Page<PaymentMethod> {
        try await value(
            PaymentEndpoints.paymentMethods(asks: PageQuery(after: after, limit: limit)))
    }

    /// Saves what the provider's `token` stands for (card, Apple Pay).
    public func addPaymentMethod(
        token: String, key: RequestKey = .new()
    ) async throws -> PaymentMethod {
        try await value(
            PaymentEndpoints.savePaymentMethod(
                body: PaymentTokenBody(token: token), key: key))
    }

    public func removePaymentMethod(_ id: PaymentMethodID) async throws {
        try await done(PaymentEndpoints.deletePaymentMethod(id))
    }

    /// Throws `payment.declined` with the provider's reason.
    @discardableResult
    public func pay(
        _ order: OrderID, _ body: PayBody, key: RequestKey = .new()
    ) async throws -> Payment {
        try await value(PaymentEndpoints.pay(order, body: InCurrency(body), key: key)).payment
    }

    /// What is owed for one thing of a product.
    public func bill(_ id: BillID) async throws -> BillView {
        try await value(PaymentEndpoints.bill(id))
    }

    /// Throws `payment.declined` with the provider's reason.
    @discardableResult
    public func pay(
        bill: BillID, _ body: PayBody, key: RequestKey = .new()
    ) async throws -> Payment {
        try await value(PaymentEndpoints.payBill(bill, body: InCurrency(body), key: key)).payment
    }

    /// What an order cost and how it was paid, in the customer's language unless another is named.
    public func receipt(_ order: OrderID, in language: Language? = nil) async throws -> Receipt {
        try await value(
            PaymentEndpoints.receipt(order, asks: LanguageQuery(language)))
    }

    /// The same as a page to show or print.
    public func receiptPage(
        _ order: OrderID, in language: Language? = nil
    ) async throws -> String {
        var call = try PaymentEndpoints.receipt(order, asks: LanguageQuery(language))
        call.request.accept = "text/html, application/problem+json"
        return String(decoding: try await send(call.request).body, as: UTF8.self)
    }

    /// Own payments and refunds, newest first; of one bill, or of all.
    public func payments(
        of bill: BillID? = nil, after: String? = nil, limit: Int? = nil
    ) async throws -> Page<PaymentEntry> {
        try await value(
            PaymentEndpoints.payments(
                asks: PaymentsQuery().with(\.bill, bill).page(after: after, limit: limit)))
    }

    /// What the house owes to who is signed in.
    public func balance(in currency: String? = nil) async throws -> PayeeBalance {
        try await value(PaymentEndpoints.balance(asks: BalanceQuery(in: currency)))
    }

    /// Where own payouts go from now on, by the provider's name of it.
    public func setPayoutAccount(_ account: String, key: RequestKey = .new()) async throws {
        try await done(
            PaymentEndpoints.savePayoutAccount(
                body: PayoutAccountBody(account: account), key: key))
    }

    /// Asks for what is available; throws `payout.too_soon` after the day's first.
    public func payOut(
        _ body: PayoutBody = PayoutBody(), key: RequestKey = .new()
    ) async throws -> Payout {
        try await value(PaymentEndpoints.payOut(body: body, key: key))
    }

    public func payouts(after: String? = nil, limit: Int? = nil) async throws -> Page<Payout> {
        try await value(PaymentEndpoints.payouts(asks: PageQuery(after: after, limit: limit)))
    }

    /// Who moves the money, and which cards it can be tried out with.
    public func paymentProvider() async throws -> PaymentProviderInfo {
        try await value(PaymentEndpoints.paymentProvider())
    }

    /// A valet's own tips; the week before now when nothing is said.
    public func earnings(from: Date? = nil, to: Date? = nil) async throws -> Earnings {
        try await value(PaymentEndpoints.earnings(asks: SpanQuery(from: from, to: to)))
    }
}
