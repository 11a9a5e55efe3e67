import Answers
import Contracts
import Crypto
import EventBus
import Foundation
import HTTPTypes
import ServiceKit
import Support
import Testing

@testable import Payments

private let methods = "/v1/me/payment-methods"

extension Caller {
    fileprivate func save(_ token: String, as person: TestPerson = .alice) async throws -> Answer {
        try await call(.post, methods, PaymentTokenBody(token: token), as: person)
    }

    fileprivate func cards(of person: TestPerson = .alice) async throws -> [PaymentMethod] {
        try await call(.get, methods, as: person).expect(200, Page<PaymentMethod>.self).items
    }

    fileprivate func confirm(_ bill: BillID, as person: TestPerson = .alice) async throws -> Answer
    {
        try await call(.post, "/v1/bills/\(bill)/confirm", as: person)
    }
}

extension Bench {
    /// A charge that nobody is there to confirm, as at the exit of a car park.
    fileprivate func payInAbsence(_ bill: BillID, _ token: String) async throws -> Payment {
        try await payments.pay(
            bill,
            with: PaymentDraft(source: .token(try PaymentToken(token)), isOffSession: true),
            by: TestPerson.alice.id, key: nil)
    }
}

/// Saved cards with the built-in provider.
@Suite struct SavedCardTests {
    @Test func aCardHasItsExpiryDateAndADefaultIsListedFirst() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            let visa = try await caller.save("pm_card_visa_exp_0729").expect(
                201, PaymentMethod.self)
            #expect([visa.expiryMonth, visa.expiryYear] == [7, 2_029])
            bench.clock.advance(by: 1)
            let master = try await caller.save("pm_card_mastercard").expect(
                201, PaymentMethod.self)
            #expect(try await caller.cards() == [master, visa])
            let chosen = try await caller.call(.put, "\(methods)/\(visa.id)/default", as: .alice)
                .expect(200, PaymentMethod.self)
            #expect(chosen.isDefault == true && chosen.id == visa.id)
            #expect(try await caller.cards() == [chosen, master])
            // In pages too.
            let first = try await caller.call(.get, "\(methods)?limit=1", as: .alice)
                .expect(200, Page<PaymentMethod>.self)
            let next = try #require(first.next)
            let second = try await caller.call(
                .get, "\(methods)?limit=1&after=\(next)", as: .alice
            ).expect(200, Page<PaymentMethod>.self)
            #expect(first.items + second.items == [chosen, master] && second.next == nil)
            // Another default takes its place, and a removed one leaves none.
            try await caller.call(.put, "\(methods)/\(master.id)/default", as: .alice).expect(
                200, PaymentMethod.self)
            #expect(try await caller.cards().map(\.isDefault) == [true, nil])
            _ = try await caller.call(.delete, "\(methods)/\(master.id)", as: .alice)
            #expect(try await caller.cards() == [visa])
        }
    }

    @Test func nobodyElsesCardBecomesADefault() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            let visa = try await caller.save("pm_card_visa").expect(201, PaymentMethod.self)
            try await caller.call(.put, "\(methods)/\(visa.id)/default", as: .bob)
                .refused(404, "payment.method_unknown", field: "paymentMethodId")
            try await caller.call(.put, "\(methods)/x/default", as: .alice)
                .refused(404, "request.not_found")
            #expect(try await caller.cards() == [visa])
        }
    }

    @Test func anExpiredCardIsMarkedAndDeclined() async throws {
        let bench = try Bench()
        // The test clock stands in January 2026.
        let token = "pm_card_visa_exp_0126"
        let bill = try await bench.billed()
        try await bench.run { caller in
            let visa = try await caller.save(token).expect(201, PaymentMethod.self)
            #expect(visa.isExpired == nil)
            bench.clock.advance(by: 31 * 86_400)
            #expect(try await caller.cards().map(\.isExpired) == [true])
            let declined = try await caller.pay(bill.id, token).refused(402, "payment.declined")
            #expect(declined.detail == "expired_card")
        }
    }

    @Test(.withoutDatabase) func aCardIsGoodUntilItsMonthIsOverEverywhere() throws {
        let card = try #require(CardExpiry(month: 12, year: 2_027))
        let end = try Date("2028-01-01T00:00:00Z", strategy: .iso8601)
        #expect(!card.isPast(at: end.addingTimeInterval(12 * 3_600 - 1)))
        #expect(card.isPast(at: end.addingTimeInterval(12 * 3_600)))
        #expect(CardExpiry(month: 13, year: 2_027) == nil)
        #expect(CardExpiry(month: 0, year: 2_027) == nil)
    }

    @Test func aDeletedAccountLeavesNoCard() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            let visa = try await caller.save("pm_card_visa").expect(201, PaymentMethod.self)
            try await caller.call(.put, "\(methods)/\(visa.id)/default", as: .alice).expect(
                200, PaymentMethod.self)
        }
        try await bench.hear(
            AccountDeleted(
                account: TestPerson.alice.id, role: .customer, version: 3,
                deletedAt: bench.clock.now))
        for table in ["payment_methods", "card_details", "default_cards"] {
            let rows = try await bench.database.read { try $0.rows("SELECT * FROM \(table)") }
            #expect(rows.isEmpty, "\(table)")
        }
    }
}

/// Payments that their payer has to confirm, with the built-in provider.
@Suite struct ConfirmationTests {
    private static let card = "pm_card_authenticationRequired"

    @Test func aPaymentInAbsenceWaitsAndItsPayerIsTold() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        let payment = try await bench.payInAbsence(bill.id, Self.card)
        #expect(payment.status == .requiresAction)
        // A repeat by the product is no confirmation, and tells nothing again.
        #expect(try await bench.payInAbsence(bill.id, Self.card).status == .requiresAction)
        let events = try await bench.published(PaymentActionRequired.self)
        #expect(events.map(\.payment.id) == [payment.id])
        #expect(events.first?.payment.clientSecret == nil)
        let notices = try await outboxEvents(of: NoticeIssued.self, in: bench.database)
            .map(\.notice).filter { $0.cause == PaymentActionRequired.type }
        #expect(notices.map(\.state?.link) == ["/pay/\(bill.id)"])
        let told = notices.flatMap(\.messages)
        #expect(told.map(\.to) == [.person(TestPerson.alice.id)])
        #expect(told.first?.push == .soon)
        #expect(
            told.first?.text?[.english]
                == "Your bank asks you to confirm HK$120.00 for K7-42. Open the app to confirm it or "
                + "to pay with another card.")
        // An hour later it still waits; on another device it is continued.
        bench.clock.advance(by: 2 * PaymentUseCases.actionLimit)
        await bench.recover()
        try await bench.run { caller in
            try await caller.confirm(bill.id, as: .bob).refused(404, "payment.bill_unknown")
            let paid = try await caller.confirm(bill.id).expect(200, PaymentAnswer.self).payment
            #expect(paid.id == payment.id && paid.status == .succeeded)
            // The answer was lost: the repeat says the same.
            #expect(
                try await caller.confirm(bill.id).expect(200, PaymentAnswer.self).payment == paid)
        }
        #expect(try await bench.captures(of: bill.id) == 1)
    }

    @Test func theEventIsAsItsFixture() async throws {
        let bench = try Bench()
        let expected = try EventFixtures.read(PaymentActionRequired.self)
        var bill = Bill.of(.alice, 12_000, version: 8, id: expected.payment.bill)
        bill.product = "valet"
        try await bench.hear(bill)
        _ = try await bench.payInAbsence(bill.id, Self.card)
        var event = try #require(try await bench.published(PaymentActionRequired.self).last)
        event.payment.id = expected.payment.id
        try EventFixtures.expect(event)
    }

    @Test func aPaymentInAbsenceIsGivenUpAfterADay() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        _ = try await bench.payInAbsence(bill.id, Self.card)
        bench.clock.advance(by: PaymentUseCases.absentActionLimit)
        await bench.recover()
        #expect(try await bench.declined().map(\.payment.declineReason) == ["expired"])
        try await bench.run { caller in
            let over = try await caller.confirm(bill.id).refused(402, "payment.declined")
            #expect(over.detail == "expired")
            // The bill is still due.
            #expect(try await caller.pay(bill.id).status == 200)
        }
    }

    @Test func anotherCardTakesThePlaceOfAPaymentThatWaits() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        _ = try await bench.payInAbsence(bill.id, Self.card)
        #expect(try await bench.pay(bill.id).status == .succeeded)
        #expect(try await bench.captures(of: bill.id) == 1)
    }

    @Test func aPayerWhoIsThereIsToldNothing() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        #expect(try await bench.pay(bill.id, Self.card).status == .requiresAction)
        #expect(try await bench.published(PaymentActionRequired.self).isEmpty)
    }

    @Test func onlyThePayerGetsTheSecretOfAConfirmation() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        try await bench.run { caller in
            let payment = try await caller.pay(bill.id, Self.card)
                .expect(200, PaymentAnswer.self).payment
            func seen(by person: TestPerson) async throws -> Payment? {
                try await caller.call(.get, "/v1/bills/\(bill.id)", as: person)
                    .expect(200, BillView.self).payment
            }
            #expect(try await seen(by: .alice) == payment)
            #expect(payment.clientSecret != nil)
            var secretless = payment
            secretless.clientSecret = nil
            #expect(try await seen(by: .olivia) == secretless)
            let listed = try await caller.call(.get, "/v1/payments", as: .olivia)
                .expect(200, Page<PaymentEntry>.self).items
            #expect(listed.map(\.payment) == [secretless])
        }
    }

    @Test func aConfirmationThatFailedDeclinesTheCard() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        let path = "/v1/payment-provider/confirmations"
        try await bench.run { caller in
            let payment = try await caller.pay(bill.id, Self.card)
                .expect(200, PaymentAnswer.self).payment
            let secret = try #require(payment.clientSecret)
            try await caller.call(
                .post, path, TestConfirmation(clientSecret: "stub_x_secret", isConfirmed: false),
                as: nil
            ).refused(404, "request.not_found")
            let failed = TestConfirmation(clientSecret: secret, isConfirmed: false)
            #expect(try await caller.call(.post, path, failed, as: nil).status == 204)
            let declined = try await caller.pay(bill.id, Self.card)
                .refused(402, "payment.declined")
            #expect(declined.detail == StubProvider.authenticationFailed)
            // It does not wait any more.
            try await caller.call(.post, path, failed, as: nil).refused(404, "request.not_found")
            #expect(try await caller.pay(bill.id).status == 200)
        }
        #expect(try await bench.captures(of: bill.id) == 1)
    }

    /// The provider's event was faster than the payer's client.
    @Test func aPaymentThatEndedBeforeItIsContinuedSaysHow() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        try await bench.run { caller in
            try await caller.confirm(bill.id).refused(404, "payment.unknown")
            let payment = try await caller.pay(bill.id, Self.card)
                .expect(200, PaymentAnswer.self).payment
            let failed = TestConfirmation(
                clientSecret: try #require(payment.clientSecret), isConfirmed: false)
            #expect(
                try await caller.call(
                    .post, "/v1/payment-provider/confirmations", failed, as: nil
                ).status == 204)
            let attempt = try #require(try await bench.lastAttempt())
            let ended = try #require(try await bench.payments.resolve(attempt))
            #expect(ended.status == .declined)
            let declined = try await caller.confirm(bill.id).refused(402, "payment.declined")
            #expect(declined.detail == StubProvider.authenticationFailed)
        }
        #expect(try await bench.captures(of: bill.id) == 0)
        #expect(try await bench.declined().count == 1)
    }
}

/// Cards at Stripe: set up, replaced, detached, and charged in their holder's absence.
@Suite struct StripeCardTests {
    private func run(
        _ body: @escaping @Sendable (PretendStripe, Bench, Caller) async throws -> Void
    ) async throws {
        let clock = TestClock()
        let stripe = PretendStripe(clock: clock)
        try await stripe.run { settings in
            let bench = try Bench(clock: clock, stripe: settings)
            try await bench.run { caller in try await body(stripe, bench, caller) }
        }
    }

    @Test func aCardThatWasSetUpIsStoredAndNotAttachedAgain() async throws {
        try await run { stripe, _, caller in
            let setup = try await caller.call(.post, "\(methods)/setup", as: .alice)
                .expect(201, PaymentSetup.self)
            #expect(setup.clientSecret == "seti_1_secret_x")
            #expect(
                stripe.state.withLock { $0.cards.setups } == [
                    ["customer": "cus_1", "usage": "off_session", "payment_method_types[]": "card"]
                ])
            stripe.setUp(
                "pm_set_1",
                .init(customer: "cus_1", last4: "1881", month: 3, year: 2_031, wallet: "apple_pay"))
            let card = try await caller.save("pm_set_1").expect(201, PaymentMethod.self)
            #expect(card.last4 == "1881" && card.wallet == "apple_pay")
            #expect([card.expiryMonth, card.expiryYear] == [3, 2_031])
            #expect(!stripe.calls.contains { $0.path.hasSuffix("/attach") })
            #expect(try await caller.cards() == [card])
        }
    }

    @Test func anotherCustomersCardIsNotSaved() async throws {
        try await run { stripe, _, caller in
            stripe.setUp("pm_set_1", .init(customer: "cus_of_another"))
            try await caller.save("pm_set_1")
                .refused(422, "payment.token_unknown", field: "token")
            #expect(try await caller.cards().isEmpty)
        }
    }

    private func send(
        _ type: String, _ method: String, _ bench: Bench, _ caller: Caller, id: String
    ) async throws -> Int {
        let body = """
            {"id": "\(id)", "type": "\(type)", "object": "event",
            "data": {"object": {"id": "\(method)", "object": "payment_method"}}}
            """
        let time = Int(bench.clock.now.timeIntervalSince1970)
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(time).\(body)".utf8),
            using: SymmetricKey(data: Data("whsec_pretend".utf8)))
        var headers: HTTPFields = [:]
        headers[.stripeSignature] =
            "t=\(time),v1=" + code.map { String(format: "%02x", $0) }.joined()
        let answer = try await caller.call(
            .post, "/v1/webhooks/stripe", raw: body, headers: headers)
        return answer.status
    }

    @Test func aReplacedCardHasItsNewDigitsAndADetachedOneIsGone() async throws {
        try await run { stripe, bench, caller in
            stripe.setUp("pm_set_1", .init(last4: "4242", month: 1, year: 2_030))
            let card = try await caller.save("pm_set_1").expect(201, PaymentMethod.self)
            stripe.setUp("pm_set_1", .init(customer: "cus_1", last4: "9999", month: 8, year: 2_034))
            let updated = "payment_method.automatically_updated"
            #expect(try await send(updated, "pm_set_1", bench, caller, id: "evt_1") == 204)
            let replaced = try #require(try await caller.cards().first)
            #expect(replaced.id == card.id && replaced.last4 == "9999")
            #expect([replaced.expiryMonth, replaced.expiryYear] == [8, 2_034])
            // Stripe is away: the event comes again, and the card stays until then.
            let down = Array(
                repeating: PretendStripe.Fault.refuses(500), count: StripeAPI.tries)
            stripe.state.withLock { $0.faults = down }
            #expect(try await send(updated, "pm_set_1", bench, caller, id: "evt_2") == 503)
            #expect(try await caller.cards() == [replaced])
            stripe.setUp("pm_set_1", .init(customer: nil))
            let detached = "payment_method.detached"
            #expect(try await send(detached, "pm_set_1", bench, caller, id: "evt_3") == 204)
            #expect(try await caller.cards().isEmpty)
            // Cards that are not saved here are none of ours: Stripe isn't asked.
            let calls = stripe.calls.count
            #expect(try await send(updated, "pm_set_9", bench, caller, id: "evt_4") == 204)
            #expect(stripe.calls.count == calls)
        }
    }

    @Test func aCardThatNeedsItsHolderWaitsForThem() async throws {
        try await run { stripe, bench, caller in
            let bill = try await bench.billed()
            stripe.setUp(PretendStripe.confirmedCard, .init(customer: "cus_1"))
            let payment = try await bench.payInAbsence(bill.id, PretendStripe.confirmedCard)
            #expect(payment.status == .requiresAction)
            let confirmations = {
                stripe.calls.filter { $0.path.hasSuffix("/confirm") }.map(\.form)
            }
            #expect(confirmations() == [["off_session": "true"]])
            #expect(stripe.intents.map(\.status) == ["requires_payment_method"])
            // Asked about it, it still waits, and is not lost as a decline.
            let attempt = try #require(try await bench.lastAttempt())
            let looked = try #require(try await bench.payments.resolve(attempt))
            #expect(looked.status == .requiresAction)
            #expect(try await bench.declined().isEmpty)
            // The payer opens the page: now the bank can ask them.
            let asked = try await caller.confirm(bill.id).expect(200, PaymentAnswer.self).payment
            #expect(asked.id == payment.id && asked.status == .requiresAction)
            #expect(asked.clientSecret == "pi_1_secret")
            #expect(confirmations().last == ["payment_method": PretendStripe.confirmedCard])
            stripe.authenticate()
            let paid = try await caller.confirm(bill.id).expect(200, PaymentAnswer.self).payment
            #expect(paid.status == .succeeded)
            #expect(stripe.captured == 1)
        }
    }

    @Test func reasonsThatHelpAThiefAreNotTold() async throws {
        #expect(
            ["fraudulent", "lost_card", "stolen_card", "pickup_card"].allSatisfy {
                DeclineReason.forPayer($0) == "card_declined"
            })
        #expect(DeclineReason.forPayer("insufficient_funds") == "insufficient_funds")
        #expect(DeclineReason.forPayer(nil) == "card_declined")
        try await run { _, _, caller in
            // The bank says that this card was lost.
            let problem = try await caller.save("pm_card_visa_chargeDeclined")
                .refused(402, "payment.declined")
            #expect(problem.detail == "card_declined")
        }
    }
}

@Suite(.withoutDatabase) struct CardSettingsTests {
    private func config(_ more: [String: String]) throws -> PaymentsConfig {
        let settings = [
            "OPENVALET_PAYMENTS_PROVIDER": "stripe", "OPENVALET_PAYMENTS_STRIPE_KEY": "sk_test_1",
            "OPENVALET_PAYMENTS_STRIPE_WEBHOOK_SECRET": "whsec_1",
            "OPENVALET_PAYMENTS_STRIPE_PUBLISHABLE_KEY": "pk_test_1",
        ].merging(more) { $1 }
        return try PaymentsConfig(ConfigValues(settings, keys: PaymentsConfig.keys))
    }

    @Test func theAppsGetThePublishableKeyAndTheScript() throws {
        let info = PaymentProviderInfo(try config([:]))
        #expect(info.publishableKey == "pk_test_1")
        #expect(info.script == "https://js.stripe.com/v3/")
        #expect(info.decimals == ["ISK": 2, "UGX": 2, "MGA": 0])
        let stub = PaymentProviderInfo(.stub)
        #expect(stub.decimals == nil)
        #expect(stub.publishableKey == nil && stub.script == nil)
    }

    @Test(arguments: [
        (["OPENVALET_PAYMENTS_STRIPE_PUBLISHABLE_KEY": ""], "PUBLISHABLE_KEY is missing"),
        (["OPENVALET_PAYMENTS_STRIPE_PUBLISHABLE_KEY": "sk_live_secret"], "begins with pk_"),
        (["OPENVALET_PAYMENTS_STRIPE_PUBLISHABLE_KEY": "rk_live_secret"], "begins with pk_"),
        (["OPENVALET_PAYMENTS_STRIPE_JS": "http://js.example/v3"], "has to be https"),
        (["OPENVALET_PAYMENTS_STRIPE_JS": "https://a;b/v3"], "STRIPE_JS"),
        (["OPENVALET_PAYMENTS_APP_URL": "http://valet.example"], "APP_URL has to be https"),
    ])
    func whatMustNotBeStopsTheStart(more: [String: String], part: String) {
        let error = #expect(throws: ConfigError.self) { try config(more) }
        #expect(error?.description.contains(part) == true)
        #expect(error?.description.contains("secret") != true, "it does not repeat the key")
    }
}
