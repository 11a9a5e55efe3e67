import Contracts
import EventBus
import Foundation
import HTTPTypes
import Support
import Testing

@testable import Payments

/// The adapter against an API that does what Stripe documents, and fails when it is told to.
@Suite struct StripeTests {
    private func run(
        timeout: Duration = StripeAPI.patience,
        _ body: @Sendable (PretendStripe, Bench) async throws -> Void
    ) async throws {
        let clock = TestClock()
        let stripe = PretendStripe(clock: clock)
        try await stripe.run(timeout: timeout) { settings in
            try await body(stripe, try Bench(clock: clock, stripe: settings))
        }
    }

    @Test func aPaymentIsCreatedConfirmedAndCapturedUnderOurId() async throws {
        try await run { stripe, bench in
            let order = try await bench.billed()
            let payment = try await bench.pay(order.id, tip: 1_000)
            #expect(payment.status == .succeeded)
            #expect(payment.brand == "visa")
            #expect(payment.last4 == "4242")
            #expect(
                stripe.calls.map(\.name) == [
                    "GET /v1/payment_methods/pm_card_visa", "POST /v1/customers",
                    "POST /v1/payment_intents",
                    "POST /v1/payment_intents/pi_1/confirm",
                    "POST /v1/payment_intents/pi_1/capture",
                ])
            let create = try #require(stripe.calls.first { $0.path == "/v1/payment_intents" })
            #expect(
                create.form == [
                    "amount": "13000", "currency": "hkd", "customer": "cus_1",
                    "payment_method": "pm_card_visa", "payment_method_types[]": "card",
                    "capture_method": "manual", "metadata[payment]": payment.id.description,
                    "metadata[bill]": order.id.description,
                ])
            #expect(create.key == payment.id.description)
            #expect(stripe.calls[1].form == ["metadata[customer]": "\(TestPerson.alice.id)"])
            for call in stripe.calls {
                #expect(call.headers[.authorization] == "Bearer sk_test_pretend")
                #expect(call.headers[HTTPField.Name("Stripe-Version")!] == StripeAPI.version)
                let type = call.headers[.contentType]
                if call.method == "POST", !call.form.isEmpty {
                    #expect(type == "application/x-www-form-urlencoded")
                }
            }
            // The customer is known from now on.
            let next = try await bench.billed()
            _ = try await bench.pay(next.id)
            #expect(stripe.state.withLock { $0.customers } == ["cus_1"])
        }
    }

    /// Customer, intent, confirmation and capture, among the calls of a first payment.
    private static let steps = [2, 3, 4, 5]

    private static func fault(at step: Int, _ fault: PretendStripe.Fault) -> [PretendStripe.Fault] {
        Array(repeating: .none, count: step - 1) + [fault]
    }

    @Test(arguments: steps)
    func aTimeOutAfterSendingIsAskedAgainUnderTheSameKey(step: Int) async throws {
        try await run(timeout: PretendStripe.shortTimeout) { stripe, bench in
            let order = try await bench.billed()
            stripe.state.withLock { $0.faults = Self.fault(at: step, .doesAndHangs) }
            #expect(try await bench.pay(order.id).status == .succeeded)
            #expect(stripe.intents.map(\.status) == ["succeeded"])
            let keys = stripe.calls.filter { $0.method == "POST" }.compactMap(\.key)
            #expect(keys.count >= 4)
        }
    }

    @Test(arguments: steps)
    func a500ThenAllIsWell(step: Int) async throws {
        try await run { stripe, bench in
            let order = try await bench.billed()
            stripe.state.withLock { $0.faults = Self.fault(at: step, .refuses(500)) }
            #expect(try await bench.pay(order.id).status == .succeeded)
            #expect(stripe.captured == 1)
        }
    }

    /// It is done at Stripe, and no try brings an answer: asked later, it is found.
    @Test(arguments: steps)
    func anAnswerThatNeverComesIsFoundLater(step: Int) async throws {
        try await run { stripe, bench in
            let order = try await bench.billed()
            stripe.state.withLock { state in
                state.faults =
                    Self.fault(at: step, .doesAndAnswers(500))
                    + Array(repeating: .doesAndAnswers(500), count: StripeAPI.tries - 1)
            }
            await #expect(throws: Refusal.paymentProviderUnavailable) {
                try await bench.pay(order.id)
            }
            bench.clock.advance(by: PaymentUseCases.hold)
            await bench.recover()
            // Found, or given up before anything was taken.
            let isPaid = try await bench.succeeded().count == 1
            #expect(stripe.captured == (isPaid ? 1 : 0))
            if !isPaid {
                #expect(stripe.intents.allSatisfy { $0.status == "canceled" })
                #expect(try await bench.pay(order.id).status == .succeeded)
            }
            #expect(stripe.captured == 1)
            #expect(try await bench.succeeded().count == 1)
            #expect(try await bench.balances()[.providerClearing] == 12_000)
        }
    }

    @Test func whoIsTooFastWaitsAndTriesAgain() async throws {
        try await run { stripe, bench in
            let order = try await bench.billed()
            stripe.state.withLock { state in
                state.faults = Self.fault(
                    at: 3, .refuses(429, [HTTPField.Name("Retry-After")!: "0"]))
            }
            #expect(try await bench.pay(order.id).status == .succeeded)
            #expect(stripe.captured == 1)
        }
    }

    @Test func whatStripeSaysNotToRepeatIsNotRepeated() async throws {
        try await run { stripe, bench in
            let order = try await bench.billed()
            stripe.state.withLock { state in
                state.faults = Self.fault(
                    at: 3, .refuses(500, [HTTPField.Name("Stripe-Should-Retry")!: "false"]))
            }
            await #expect(throws: Refusal.paymentProviderUnavailable) {
                try await bench.pay(order.id)
            }
            #expect(stripe.calls.count { $0.name == "POST /v1/payment_intents" } == 1)
        }
    }

    @Test func aDeclinedCardIsNamedByItsReasonAndItsIntentClosed() async throws {
        try await run { stripe, bench in
            let order = try await bench.billed()
            try await bench.run { caller in
                let problem = try await caller.pay(order.id, "pm_card_visa_chargeDeclined")
                    .refused(402, "payment.declined")
                #expect(problem.detail == "insufficient_funds")
                #expect(stripe.intents.map(\.status) == ["canceled"])
                bench.clock.advance(by: 1)
                try await caller.pay(order.id).expect(200, PaymentAnswer.self)
            }
            #expect(stripe.intents.map(\.status) == ["canceled", "succeeded"])
            #expect(try await bench.declined().count == 1)
        }
    }

    @Test func aWrongKeyChargesNobody() async throws {
        try await run { stripe, bench in
            let order = try await bench.billed()
            stripe.failNext(.refuses(401))
            try await bench.run { caller in
                try await caller.pay(order.id).refused(503, "payment.provider_unavailable")
                try await caller.pay(order.id, "pm_unknown")
                    .refused(422, "payment.token_unknown", field: "token")
            }
            #expect(stripe.intents.isEmpty)
        }
    }

    @Test func aFurtherStepIsTakenUpByTheNextPayment() async throws {
        try await run { stripe, bench in
            let order = try await bench.billed()
            let token = "pm_card_authenticationRequired"
            let first = try await bench.pay(order.id, token)
            #expect(first.status == .requiresAction)
            #expect(first.clientSecret == "pi_1_secret")
            // Not yet done.
            #expect(try await bench.pay(order.id, token).status == .requiresAction)
            stripe.authenticate()
            let second = try await bench.pay(order.id, token)
            #expect(second.id == first.id)
            #expect(second.status == .succeeded)
            #expect(stripe.captured == 1)
        }
    }

    @Test func aStepThatComesAfterTheBillIsGoneTakesNothing() async throws {
        try await run { stripe, bench in
            let order = try await bench.billed()
            _ = try await bench.pay(order.id, "pm_card_authenticationRequired")
            stripe.authenticate()
            try await bench.override(order, bill: nil)
            await bench.recover()
            #expect(stripe.intents.map(\.status) == ["canceled"])
            #expect(try await bench.declined().isEmpty)
            #expect(try await bench.balances()[.customerReceivable] == 0)
        }
    }

    @Test func aStepThatWasGivenUpForAnotherCardTakesNothing() async throws {
        try await run { stripe, bench in
            let order = try await bench.billed()
            _ = try await bench.pay(order.id, "pm_card_authenticationRequired")
            // The further step comes while nobody can say so, and another card pays.
            stripe.failNext(.none, .refuses(500), .refuses(500), .refuses(500))
            await #expect(throws: Refusal.paymentProviderUnavailable) {
                try await bench.pay(order.id)
            }
            stripe.authenticate()
            bench.clock.advance(by: 1)
            #expect(try await bench.pay(order.id).status == .succeeded)
            #expect(stripe.intents.map(\.status) == ["canceled", "succeeded"])
        }
    }

    @Test func aRefundIsAskedForOnceUnderItsId() async throws {
        try await run { stripe, bench in
            let order = try await bench.billed()
            let payment = try await bench.pay(order.id)
            try await bench.run { caller in
                let tries = Array(
                    repeating: PretendStripe.Fault.doesAndAnswers(500), count: StripeAPI.tries)
                stripe.state.withLock { $0.faults = tries }
                try await caller.refund(payment.id, 500, key: "k")
                    .refused(503, "payment.provider_unavailable")
                // Stripe has forgotten the key by then, and its list has not.
                stripe.state.withLock { $0.answers = [:] }
                let refund = try await caller.refund(payment.id, 500, key: "k")
                    .expect(201, Refund.self)
                #expect(stripe.refunds.count == 1)
                #expect(
                    stripe.refunds[0].form == [
                        "payment_intent": "pi_1", "amount": "500",
                        "metadata[refund]": refund.id.description,
                        "metadata[payment]": payment.id.description,
                    ])
                let asked = stripe.calls.filter { $0.name == "POST /v1/refunds" }
                #expect(asked.allSatisfy { $0.key == refund.id.description })
            }
            #expect(try await bench.balances()[.refunds] == 500)
        }
    }

    @Test func cardsAreKeptAndForgottenAtStripeToo() async throws {
        try await run { stripe, bench in
            try await bench.run { caller in
                let path = "/v1/me/payment-methods"
                let body = PaymentTokenBody(token: "pm_card_visa")
                let method = try await caller.call(.post, path, body, as: .alice)
                    .expect(201, PaymentMethod.self)
                #expect(method.last4 == "4242")
                try await caller.call(
                    .post, path, PaymentTokenBody(token: "tok_visa"), as: .alice
                ).expect(201, PaymentMethod.self)
                try await caller.call(
                    .post, path, PaymentTokenBody(token: "pm_card_visa_chargeDeclined"),
                    as: .alice
                ).refused(402, "payment.declined")
                let order = try await bench.billed()
                try await caller.call(
                    .post, "/v1/orders/\(order.id)/pay", PayBody(paymentMethodId: method.id),
                    as: .alice
                ).expect(200, PaymentAnswer.self)
                #expect(stripe.intents[0].form["payment_method"] == "pm_kept_1")
                _ = try await caller.call(.delete, "\(path)/\(method.id)", as: .alice)
            }
            await bench.recover()
            #expect(stripe.calls.last?.name == "POST /v1/payment_methods/pm_kept_1/detach")
            try await bench.hear(
                AccountDeleted(
                    account: TestPerson.alice.id, role: .customer, version: 9,
                    deletedAt: bench.clock.now))
            stripe.failNext(.refuses(503), .refuses(503), .refuses(503))
            await bench.recover()
            #expect(stripe.state.withLock { $0.customers } == ["cus_1"])
            await bench.recover()
            #expect(stripe.state.withLock { $0.customers }.isEmpty)
            #expect(try await bench.database.read { try $0.rows("SELECT kind FROM work") }.isEmpty)
        }
    }

    @Test func everyDifferenceOfADayIsListed() async throws {
        try await run { stripe, bench in
            var payments: [Payment] = []
            for _ in 0..<5 {
                payments.append(try await bench.pay(try await bench.billed().id))
            }
            _ = try await bench.payments.refund(
                payments[0].id, RefundBody(amount: 700, reason: "a scratch"),
                by: TestPerson.olivia.id, key: nil)
            let day = Day(bench.clock.now)
            let clean = try await bench.payments.reconcile(day, by: nil, key: nil)
            #expect(clean.differences.isEmpty)
            #expect(clean.compared == 6)
            let now = Int(bench.clock.now.timeIntervalSince1970)
            stripe.state.withLock { state in
                state.intents[1].status = "canceled"
                state.intents.append(
                    .init(
                        id: "pi_9", form: ["amount": "42", "currency": "hkd"], created: now,
                        status: "succeeded"))
                state.refunds.append(
                    .init(
                        id: "re_9", form: ["amount": "43", "payment_intent": "pi_9"], created: now))
            }
            let found = try await bench.payments.reconcile(
                day, by: TestPerson.olivia.id, key: nil
            ).differences
            #expect(found.count == 3)
            #expect(
                found.contains {
                    $0.kind == .missingAtProvider && $0.payment == payments[1].id
                        && $0.here == .hkd(12_000)
                })
            #expect(
                Set(found.filter { $0.kind == .missingHere }.compactMap(\.reference))
                    == ["ch_pi_9", "re_9"])
        }
    }
}
