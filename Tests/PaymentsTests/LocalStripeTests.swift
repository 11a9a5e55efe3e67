import Contracts
import Foundation
import Support
import Testing

@testable import Payments

/// The adapter against a real `localstripe`, which tells what is wrong with a request that it does
/// not understand.
@Suite(.serialized) struct LocalStripeTests {
    private func run(_ body: (TestStripe, Bench) async throws -> Void) async throws {
        let stripe = try await TestStripe.start()
        let settings = PaymentsConfig.Stripe(
            url: try #require(URL(string: stripe.url)), key: TestStripe.key,
            webhookSecret: TestStripe.webhookSecret)
        // Its events are signed at the time of day.
        try await body(stripe, try Bench(clock: TestClock(Date()), stripe: settings))
    }

    private func intent(_ bench: Bench, of payment: PaymentID) async throws -> String {
        let store = StripeStore(database: bench.database)
        return try #require(try await store.intent(payment)?.stripeID)
    }

    @Test func aCardIsChargedAndRefunded() async throws {
        try await run { stripe, bench in
            let order = try await bench.billed()
            try await bench.run { caller in
                let payment = try await caller.pay(order.id, tip: 500)
                    .expect(200, PaymentAnswer.self).payment
                #expect(payment.status == .succeeded)
                #expect(payment.last4 == "4242")
                #expect(
                    try await stripe.status(ofIntent: intent(bench, of: payment.id))
                        == "succeeded")
                let part = try await caller.refund(payment.id, 500).expect(201, Refund.self)
                #expect(part.amount == .hkd(500))
                try await caller.refund(payment.id).expect(201, Refund.self)
                try await caller.pay(order.id)
                    .refused(409, "payment.already_paid")
            }
            #expect(try await bench.balances()[.providerClearing] == 0)
            let next = try await bench.billed()
            _ = try await bench.run { caller in
                try await caller.pay(next.id, "pm_nobody_knows")
                    .refused(422, "payment.token_unknown", field: "token")
            }
        }
    }

    @Test func whatIsSetAsideIsCapturedInPartOrCancelled() async throws {
        try await run { stripe, bench in
            for isTaken in [true, false] {
                var bill = Bill.of(12_000, version: 1)
                bill.terms = .known(.hold)
                try await bench.hear(bill)
                let payment = try await bench.pay(bill.id)
                #expect(payment.status == .held)
                let name = try await intent(bench, of: payment.id)
                #expect(try await stripe.status(ofIntent: name) == "requires_capture")
                var next = bill.replaced(by: isTaken ? 7_000 : nil, version: 2)
                next.terms = .known(.now)
                try await bench.hear(next)
                await bench.recover()
                #expect(
                    try await stripe.status(ofIntent: name) == (isTaken ? "succeeded" : "canceled"))
            }
            #expect(try await bench.succeeded().map(\.payment.amount) == [.hkd(7_000)])
            #expect(try await bench.balances()[.providerClearing] == 7_000)
        }
    }

    @Test func aDeclinedCardIsClosedAndAnotherPays() async throws {
        try await run { stripe, bench in
            let poor = try await stripe.paymentMethod(TestStripe.cardWithoutMoney)
            let order = try await bench.billed()
            try await bench.run { caller in
                let problem = try await caller.pay(order.id, poor)
                    .refused(402, "payment.declined")
                #expect(problem.detail == "card_declined")
                let declined = try #require(try await bench.declined().first?.payment.id)
                #expect(
                    try await stripe.status(ofIntent: intent(bench, of: declined)) == "canceled")
                bench.clock.advance(by: 1)
                try await caller.pay(order.id).expect(200, PaymentAnswer.self)
            }
        }
    }

    @Test func aFurtherStepIsTakenAtStripe() async throws {
        try await run { stripe, bench in
            let card = try await stripe.paymentMethod(TestStripe.cardWithStep)
            let order = try await bench.billed()
            let first = try await bench.pay(order.id, card)
            #expect(first.status == .requiresAction)
            try await stripe.authenticate(try #require(first.clientSecret))
            // Nothing is taken before we say so.
            let name = try await intent(bench, of: first.id)
            #expect(try await stripe.status(ofIntent: name) == "requires_capture")
            #expect(try await bench.pay(order.id, card).status == .succeeded)
            #expect(try await stripe.status(ofIntent: name) == "succeeded")
        }
    }

    @Test func aCardIsKeptUsedAndForgotten() async throws {
        try await run { stripe, bench in
            let order = try await bench.billed()
            try await bench.run { caller in
                let path = "/v1/me/payment-methods"
                let kept = try await caller.call(
                    .post, path, PaymentTokenBody(token: "pm_card_visa"), as: .alice
                ).expect(201, PaymentMethod.self)
                try await caller.call(
                    .post, "/v1/orders/\(order.id)/pay", PayBody(paymentMethodId: kept.id),
                    as: .alice
                ).expect(200, PaymentAnswer.self)
                try await caller.call(
                    .post, path, PaymentTokenBody(token: "pm_card_visa_chargeDeclined"),
                    as: .alice
                ).refused(402, "payment.declined")
                _ = try await caller.call(.delete, "\(path)/\(kept.id)", as: .alice)
            }
            try await bench.hear(
                AccountDeleted(
                    account: TestPerson.alice.id, role: .customer, version: 3,
                    deletedAt: bench.clock.now))
            await bench.recover()
            #expect(try await bench.database.read { try $0.rows("SELECT kind FROM work") }.isEmpty)
        }
    }

    @Test func anEventThatStripeSendsSettlesWhatNobodyHeardOf() async throws {
        try await run { stripe, bench in
            let router = try paymentRouter(bench.payments, bench.environment)
            try await withServer(router) { port in
                try await stripe.sendEvents(to: "http://127.0.0.1:\(port)/v1/webhooks/stripe")
                let order = try await bench.billed()
                bench.provider.failNext(.answerLost)
                await #expect(throws: Refusal.paymentProviderUnavailable) {
                    try await bench.pay(order.id)
                }
                let isSettled = try await eventually {
                    try await bench.succeeded().count == 1
                }
                #expect(isSettled)
                #expect(try await bench.balances()[.providerClearing] == 12_000)
            }
        }
    }
}
