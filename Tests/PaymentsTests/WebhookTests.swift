import Answers
import Contracts
import Crypto
import Foundation
import HTTPTypes
import NIOCore
import Support
import Testing

@testable import Payments

/// Stripe's calls: who signed them, and what is made of them.
@Suite struct WebhookTests {
    private static let secret = "whsec_pretend"

    private static func event(
        _ type: String = "payment_intent.succeeded", id: String = "evt_1", object: String = "pi_1"
    ) -> String {
        let kind = object.hasPrefix("re") ? "refund" : "payment_intent"
        return """
            {"id": "\(id)", "type": "\(type)", "object": "event",
            "data": {"object": {"id": "\(object)", "object": "\(kind)", "status": "anything"}}}
            """
    }

    private static func signature(
        _ body: String, at date: Date, secret: String = WebhookTests.secret
    ) -> String {
        let time = Int(date.timeIntervalSince1970)
        return "t=\(time),v1=\(hmac("\(time).\(body)", secret))"
    }

    private static func hmac(_ text: String, _ secret: String) -> String {
        HMAC<SHA256>.authenticationCode(
            for: Data(text.utf8), using: SymmetricKey(data: Data(secret.utf8))
        ).map { String(format: "%02x", $0) }.joined()
    }

    private func send(_ caller: Caller, _ body: String, _ signature: String?) async throws -> Answer
    {
        var headers: HTTPFields = [:]
        headers[.stripeSignature] = signature
        return try await caller.call(
            .post, "/v1/webhooks/stripe", raw: body, headers: headers)
    }

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

    @Test func aHintMakesUsAskAndSettles() async throws {
        try await run { stripe, bench, caller in
            let order = try await bench.billed()
            _ = try await bench.pay(order.id, "pm_card_authenticationRequired")
            let body = Self.event("payment_intent.amount_capturable_updated")
            // It comes before the step is done: what it says is not believed.
            let early = Self.signature(body, at: bench.clock.now)
            #expect(try await send(caller, body, early).status == 204)
            #expect(try await bench.succeeded().isEmpty)
            stripe.authenticate()
            // The same event again changes nothing, another one does.
            #expect(try await send(caller, body, early).status == 204)
            #expect(try await bench.succeeded().isEmpty)
            for id in ["evt_2", "evt_2", "evt_3"] {
                let body = Self.event(id: id)
                let signature = Self.signature(body, at: bench.clock.now)
                #expect(try await send(caller, body, signature).status == 204)
            }
            #expect(try await bench.succeeded().count == 1)
            #expect(stripe.captured == 1)
            // An old one that says otherwise comes last.
            let late = Self.event("payment_intent.payment_failed", id: "evt_0")
            let signature = Self.signature(late, at: bench.clock.now)
            #expect(try await send(caller, late, signature).status == 204)
            #expect(try await bench.succeeded().count == 1)
            #expect(try await bench.declined().isEmpty)
        }
    }

    @Test func anEventWhoseEffectFailedIsHeardWhenItComesAgain() async throws {
        try await run { stripe, bench, caller in
            let order = try await bench.billed()
            _ = try await bench.pay(order.id, "pm_card_authenticationRequired")
            stripe.authenticate()
            let body = Self.event()
            let signature = Self.signature(body, at: bench.clock.now)
            stripe.failNext(.refuses(500), .refuses(500), .refuses(500))
            try await send(caller, body, signature)
                .refused(503, "payment.provider_unavailable")
            #expect(try await send(caller, body, signature).status == 204)
            #expect(try await bench.succeeded().count == 1)
        }
    }

    @Test func anEventOfACaptureThatIsNotDoneYetIsHeardWhenItComesAgain() async throws {
        try await run { stripe, bench, caller in
            var bill = Bill.of(12_000, version: 1)
            bill.terms = .known(.hold)
            try await bench.hear(bill)
            #expect(try await bench.pay(bill.id).status == .held)
            (bill.version, bill.terms) = (2, .known(.now))
            try await bench.hear(bill)
            let body = Self.event("payment_intent.amount_capturable_updated")
            let signature = Self.signature(body, at: bench.clock.now)
            // The capture is refused, and the intent still waits for it.
            stripe.failNext(.none, .refuses(400))
            try await send(caller, body, signature).refused(409, "payment.in_progress")
            #expect(stripe.captured == 0)
            #expect(try await send(caller, body, signature).status == 204)
            #expect(stripe.captured == 1)
            #expect(try await bench.succeeded().count == 1)
        }
    }

    @Test func aTransferThatIsReversedIsOwedAgain() async throws {
        try await run { stripe, bench, caller in
            let bob = TestPerson.bob.id
            var bill = Bill.of(nil, version: 1)
            bill.lines = [.of("ride", "Ride", "順風車", 5_000, payee: .bob)]
            try await bench.hear(bill)
            _ = try await bench.pay(bill.id)
            try await bench.payments.keepAccount("acct_1", of: bob, key: nil)
            let made = try await bench.payments.payOut(PayoutBody(), to: bob, key: nil)
            func reversed(_ id: String, of payout: PayoutID) async throws {
                let body = """
                    {"id": "\(id)", "type": "transfer.reversed", "object": "event", "data": {"object":
                    {"id": "tr_1", "object": "transfer", "metadata": {"payout": "\(payout)"}}}}
                    """
                let signature = Self.signature(body, at: bench.clock.now)
                #expect(try await send(caller, body, signature).status == 204)
            }
            // What it says is not believed, and of others' transfers nothing is known.
            try await reversed("evt_1", of: made.id)
            try await reversed("evt_2", of: .new())
            #expect(try await bench.balances()[.payable] == 0)
            stripe.reverseTransfers(2_000)
            try await reversed("evt_3", of: made.id)
            try await reversed("evt_4", of: made.id)
            #expect(try await bench.payments.balance(of: bob, in: nil).available == .hkd(2_000))
            stripe.reverseTransfers()
            try await reversed("evt_5", of: made.id)
            try await reversed("evt_6", of: made.id)
            let found = try await bench.payments.payouts(of: bob, .init()).items
            #expect(found.map(\.status) == [.failed])
            #expect(try await bench.payments.balance(of: bob, in: nil).available == .hkd(5_000))
            #expect(try await bench.balances().values.reduce(0, +) == 0)
        }
    }

    @Test func whatConcernsNobodyIsTakenAndIgnored() async throws {
        try await run { stripe, bench, caller in
            let bodies = [
                Self.event("customer.created"), Self.event(id: "evt_2", object: "pi_of_others"),
                Self.event("refund.updated", id: "evt_3", object: "re_of_others"),
                #"{"id": "evt_4", "type": "a.new.thing", "data": {"object": {}}}"#,
            ]
            for body in bodies {
                let signature = Self.signature(body, at: bench.clock.now)
                let answer = try await send(caller, body, signature)
                #expect(answer.status == 204)
            }
            #expect(stripe.calls.isEmpty)
        }
    }

    @Test func aSignatureThatDoesNotHoldIsRefused() async throws {
        try await run { _, bench, caller in
            let (body, now) = (Self.event(), bench.clock.now)
            let good = Self.signature(body, at: now)
            let time = Int(now.timeIntervalSince1970)
            let code = Self.hmac("\(time).\(body)", Self.secret)
            let wrong: [String?] = [
                nil, "", "v1=\(code)", "t=\(time)", "t=\(time),v1=", "t=\(time),v1=zz",
                "t=\(time),v0=\(code)", "t=\(time + 1),v1=\(code)", "t=x,v1=\(code)",
                "t=nan,v1=\(code)", "t=\(time),v1=\(code)00",
                Self.signature(body, at: now, secret: "another"),
                Self.signature(body + " ", at: now),
                Self.signature(body, at: now.addingTimeInterval(-301)),
                Self.signature(body, at: now.addingTimeInterval(301)),
            ]
            for signature in wrong {
                try await send(caller, body, signature).refused(400, "payment.webhook_signature")
            }
            let right = [
                good, "t=\(time),v1=00,v1=\(code)", "t=\(time), v1=\(code),v0=abc",
                Self.signature(body, at: now.addingTimeInterval(-299)),
                Self.signature(body, at: now.addingTimeInterval(299)),
            ]
            for signature in right {
                #expect(try await send(caller, body, signature).status == 204)
            }
        }
    }

    @Test func whatIsSignedAndNoEventIsRefused() async throws {
        try await run { _, bench, caller in
            for body in ["{", "[]", #"{"id": 5}"#] {
                let signature = Self.signature(body, at: bench.clock.now)
                try await send(caller, body, signature).refused(400, "request.malformed")
            }
            let long = String(repeating: " ", count: BodyLimit.webhook + 1)
            try await send(caller, long, Self.signature(long, at: bench.clock.now))
                .refused(413, "request.too_large")
        }
    }

    @Test func withoutStripeThereIsNoSuchAddress() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            let body = Self.event()
            try await send(caller, body, Self.signature(body, at: bench.clock.now))
                .refused(404, "request.not_found")
        }
    }

    @Test func oldEventsAreForgotten() async throws {
        try await run { _, bench, caller in
            let body = Self.event("customer.created")
            _ = try await send(caller, body, Self.signature(body, at: bench.clock.now))
            #expect(try await bench.database.read { try $0.webhookEvents.has("evt_1") })
            bench.clock.advance(by: PaymentUseCases.webhookRetention + 1)
            try await bench.payments.sweepWebhookEvents()
            #expect(try await bench.database.read { try !$0.webhookEvents.has("evt_1") })
        }
    }
}
