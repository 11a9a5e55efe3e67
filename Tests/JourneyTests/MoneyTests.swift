import AsyncHTTPClient
import Client
import Contracts
import Crypto
import Foundation
import NIOCore
import Support
import Testing

/// Tips, receipts and books through the gateway; then the same with Stripe behind it.
@Suite(.serialized) struct MoneyTests {
    @Test func aTipAReceiptInBothLanguagesAndTheBooks() async throws {
        let town = try await Town.found()
        let ada = try await town.customer("Ada", .traditionalChinese)
        let pair = Pair(town: town, customer: ada, valet: try await town.valet())
        let order = try await pair.handBack()
        try await refused("payment.receipt_not_ready") {
            // Payments may hear of the bill a moment later.
            _ = try await insisting(past: ["payment.bill_unknown"]) {
                try await ada.client(PaymentEndpoints.receipt(order.id, asks: LanguageQuery()))
            }
        }
        try await refused("request.invalid") {
            try await ada.client.payWhenDue(order.id, PayBody(token: "pm_card_visa", tip: 0))
        }
        let body = PayBody(token: "pm_card_visa", tip: 1_500)
        let payment = try await ada.client.payWhenDue(order.id, body)
        let charge = try #require(order.charge)
        #expect(payment.amount.amount == charge.amount + 1_500)
        #expect(payment.tip == Money(amount: 1_500, currency: charge.currency))
        _ = try await ada.order(order.id, reaches: .finished)
        let told = try await pair.valet.feed(has: TipGiven.type).last {
            $0.event == TipGiven.type
        }
        #expect(told?.text?.contains("15.00") == true)

        let receipt = try await ada.client(
            PaymentEndpoints.receipt(order.id, asks: LanguageQuery()))
        #expect(receipt.paid == payment.amount)
        #expect(receipt.charge == charge)
        #expect(receipt.vehicle?.plate == Someone.car.plate)
        let isChinese = try await eventually {
            try await ada.client.receiptPage(order.id).contains("收據")
        }
        #expect(isChinese)
        let english = try await ada.client.receiptPage(order.id, in: .english)
        #expect(english.contains("Receipt"))
        #expect(english.contains("Tip"))
        #expect(english.contains(order.ticket))
        let stranger = try await town.customer("Bea")
        try await refused("payment.bill_unknown") {
            _ = try await stranger.client(PaymentEndpoints.receipt(order.id, asks: LanguageQuery()))
        }
        try await booksAreInOrder(town.world.boss, order.id, payment)
    }

    private func booksAreInOrder(
        _ boss: OpenValetClient, _ order: OrderID, _ payment: Payment
    ) async throws {
        try await boss(
            PaymentEndpoints.refund(
                payment.id, body: InCurrency(RefundBody(amount: 100, reason: "late"))))
        #expect(
            try await boss(PaymentEndpoints.trialBalance()).lines.reduce(0) { $0 + $1.balance } == 0
        )
        let entries = try await boss(
            PaymentEndpoints.ledgerEntries(
                asks: LedgerQuery().with(\.billId, order.as(BillID.self)))
        ).items
        #expect(Set(entries.map(\.kind)) == ["bill", "capture", "refund"])
        #expect(entries.allSatisfy { $0.postings.reduce(0) { $0 + $1.amount } == 0 })
        let day = String(Wire.text(payment.createdAt).prefix(10))
        let found = try await boss(PaymentEndpoints.reconcile(body: ReconciliationBody(day: day)))
        #expect(found.compared >= 1)
        #expect(!found.differences.contains { $0.payment == payment.id })
        #expect(
            try await boss(PaymentEndpoints.reconciliations()).items.contains { $0.id == found.id })
        try await refused("request.invalid") {
            try await boss(PaymentEndpoints.reconcile(body: ReconciliationBody(day: "2999-01-01")))
        }
    }

    @Test func withStripeBehindIt() async throws {
        let stripe = try await TestStripe.start()
        let system = try await TestPlatform.start([
            "OPENVALET_PAYMENTS_PROVIDER": "stripe",
            "OPENVALET_PAYMENTS_STRIPE_URL": stripe.url,
            "OPENVALET_PAYMENTS_STRIPE_KEY": TestStripe.key,
            "OPENVALET_PAYMENTS_STRIPE_WEBHOOK_SECRET": TestStripe.webhookSecret,
            "OPENVALET_PAYMENTS_STRIPE_PUBLISHABLE_KEY": "pk_test_openvalet",
        ])
        defer { system.stop() }
        let world = try await World(system)
        try await stripe.sendEvents(to: "\(system.baseURL)/v1/webhooks/stripe")
        let pair = try await Pair.meet(in: world)
        let ada = pair.customer.client
        let order = try await pair.handBack()
        // A card without money, then one whose bank wants a further step.
        let poor = try await stripe.paymentMethod(TestStripe.cardWithoutMoney)
        try await refused("payment.declined") {
            try await ada.payWhenDue(order.id, PayBody(token: poor))
        }
        let card = try await stripe.paymentMethod(TestStripe.cardWithStep)
        let payment = try await ada.payWhenDue(order.id, PayBody(token: card, tip: 700))
        #expect(payment.status == .requiresAction)
        let secret = try #require(payment.clientSecret)
        try await stripe.authenticate(secret)
        // Stripe tells us; the customer need not come back.
        let intent = secret.components(separatedBy: "_secret_")[0]
        #expect(try await call(system, intent, secret: "another") == 400)
        #expect(try await call(system, intent, secret: TestStripe.webhookSecret) == 204)
        _ = try await pair.customer.order(order.id, reaches: .finished)
        #expect(try await stripe.status(ofIntent: intent) == "succeeded")
        #expect(
            try await ada(PaymentEndpoints.receipt(order.id, asks: LanguageQuery())).tip?.amount
                == 700)
        try await world.boss(
            PaymentEndpoints.refund(
                payment.id, body: InCurrency(RefundBody(amount: 300, reason: "late"))))
        #expect(
            try await world.boss(PaymentEndpoints.trialBalance()).lines.reduce(0) {
                $0 + $1.balance
            } == 0)
        #expect(!system.log.contains(TestStripe.key), "no key is in a log")
    }

    /// The status of an answer to an event that is signed as Stripe signs.
    private func call(
        _ system: any LocalSystem, _ intent: String, secret: String
    ) async throws -> UInt {
        let body = """
            {"id": "evt_1", "object": "event",
             "type": "payment_intent.amount_capturable_updated",
             "data": { "object": {"id": "\(intent)", "object": "payment_intent"}}}
            """
        let time = Int(Date().timeIntervalSince1970)
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(time).\(body)".utf8), using: SymmetricKey(data: Data(secret.utf8))
        ).map { String(format: "%02x", $0) }.joined()
        var request = HTTPClientRequest(url: "\(system.baseURL)/v1/webhooks/stripe")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json; charset=utf-8")
        request.headers.add(name: "Stripe-Signature", value: "t=\(time),v1=\(code)")
        request.body = .bytes(ByteBuffer(string: body))
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        return answer.status.code
    }
}
