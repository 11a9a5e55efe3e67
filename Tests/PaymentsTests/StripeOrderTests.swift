import Contracts
import Foundation
import Support
import Testing

@testable import Payments

/// Whatever Stripe says in whatever order, twice or days late, the ledger has what Stripe's balance has.
@Suite struct StripeOrderTests {
    private static let steps = 120

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func theLedgerIsStripesBalanceWhateverComesWhen(seed: UInt64) async throws {
        let clock = TestClock()
        let stripe = PretendStripe(clock: clock)
        try await stripe.run { settings in
            let bench = try Bench(clock: clock, stripe: settings)
            try await bench.run { caller in
                var town = Town(
                    desk: .init(stripe: stripe, bench: bench, caller: caller),
                    dice: .init(state: seed))
                for _ in 0..<Self.steps { try await town.step() }
                try await town.end()
            }
        }
    }

    /// Payments, and the events that Stripe has not sent yet.
    private struct Town {
        let desk: StripeReportTests.Desk
        var dice: PropertyTests.Dice
        var late: [(type: String, object: String, kind: String, intent: String)] = []
        var payments: [PaymentID] = []

        mutating func step() async throws {
            desk.bench.clock.advance(by: Double.random(in: 0...20_000, using: &dice))
            switch Int.random(in: 0..<8, using: &dice) {
            case 0, 1: try await pay()
            case 2: await refund()
            case 3: refundInDashboard()
            case 4: dispute()
            case 5: decide()
            case 6: failRefund()
            default: try await hear()
            }
            #expect(try await desk.bench.balances().values.reduce(0, +) == 0)
            #expect(try await desk.bench.unbalancedEntries() == [])
        }

        /// Everything has been said by now, and some of it again.
        mutating func end() async throws {
            late += late
            while !late.isEmpty { try await hear() }
            #expect(try await desk.bench.balances().values.reduce(0, +) == 0)
            #expect(try await desk.bench.balances()[.providerClearing] ?? 0 == desk.stripe.balance)
            for id in payments {
                let known = try await desk.bench.database.read { try $0.attempts.find(id) }
                let attempt = try #require(known)
                #expect(attempt.unreturned >= 0 && attempt.refunding == 0)
                for (share, back) in zip(attempt.shares, attempt.takenBack) {
                    #expect((0...share.amount.amount).contains(back))
                }
            }
            let open = desk.stripe.state.withLock { $0.disputes.contains { $0.keepsShares } }
            if !open { #expect(try await desk.bench.balances()[.frozen] ?? 0 == 0) }
        }

        private mutating func pay() async throws {
            var bill = Bill.of(nil, version: 1)
            bill.lines = [
                .of("base", "Service", "服務", 1_000),
                .of("ride", "Ride", "順風車", 3_001, payee: .bob, commission: 301),
            ]
            try await desk.bench.hear(bill)
            payments.append(try await desk.bench.pay(bill.id).id)
        }

        private mutating func refund() async {
            guard let payment = payments.randomElement(using: &dice) else { return }
            let amount = Int.random(in: 1...4_001, using: &dice)
            // Refused if it is too much, or disputed.
            _ = try? await desk.bench.payments.refund(
                payment, RefundBody(amount: amount, reason: "random"),
                by: TestPerson.olivia.id, key: nil)
        }

        private mutating func refundInDashboard() {
            guard let intent = desk.stripe.intents.randomElement(using: &dice) else { return }
            let isDisputed = desk.stripe.state.withLock { state in
                state.disputes.contains { $0.intent == intent.id }
            }
            let amount = Int.random(in: 1...2_000, using: &dice)
            guard !isDisputed, let id = desk.stripe.refundInDashboard(intent.id, amount) else {
                return
            }
            say(["refund.created", "refund.updated"], id, "refund", intent.id)
            say(["charge.refunded"], "ch_\(intent.id)", "charge", intent.id)
        }

        private mutating func dispute() {
            guard let intent = desk.stripe.intents.randomElement(using: &dice) else { return }
            let rest = desk.stripe.state.withLock { state in
                state.disputes.contains { $0.intent == intent.id }
                    ? 0 : (intent.captured ?? 0) - PretendStripe.refunded(intent, state)
            }
            guard rest > 0 else { return }
            let isInquiry = Bool.random(using: &dice)
            let id = desk.stripe.dispute(
                intent.id, Int.random(in: 1...rest, using: &dice),
                status: isInquiry ? "warning_needs_response" : "needs_response",
                takes: !isInquiry)
            say(
                ["created", "funds_withdrawn"].map { "charge.dispute.\($0)" }, id, "dispute",
                intent.id)
        }

        private mutating func decide() {
            let all = desk.stripe.state.withLock { $0.disputes }
            guard let dispute = all.randomElement(using: &dice) else { return }
            let isInquiry = dispute.movements.isEmpty
            let next = isInquiry ? ["warning_closed"] : ["under_review", "won", "lost"]
            guard !["won", "lost", "warning_closed"].contains(dispute.status) else { return }
            desk.stripe.move(dispute.id, to: next.randomElement(using: &dice) ?? "lost")
            say(
                ["updated", "closed", "funds_reinstated"].map { "charge.dispute.\($0)" },
                dispute.id, "dispute", dispute.intent)
        }

        private mutating func failRefund() {
            let refunds = desk.stripe.refunds.filter { $0.status == "succeeded" }
            guard let refund = refunds.randomElement(using: &dice) else { return }
            desk.stripe.fail(refund: refund.id)
            say(
                ["refund.failed", "refund.updated", "charge.refund.updated"], refund.id, "refund",
                refund.form["payment_intent"] ?? "")
        }

        private mutating func say(
            _ types: [String], _ object: String, _ kind: String, _ intent: String
        ) {
            late += types.map { ($0, object, kind, intent) }
        }

        /// One of the events that wait, whichever.
        private mutating func hear() async throws {
            guard !late.isEmpty else { return }
            let event = late.remove(at: Int.random(in: 0..<late.count, using: &dice))
            #expect(
                try await desk.hear(event.type, event.object, event.kind, intent: event.intent)
                    == 204)
        }
    }
}
