import Answers
import Contracts
import Crypto
import Foundation
import HTTPTypes
import Support
import Testing

@testable import Payments

/// What Stripe says by itself: failed refunds, refunds in the dashboard, disputes, and payouts that fail.
@Suite struct StripeReportTests {
    struct Desk: Sendable {
        let stripe: PretendStripe
        let bench: Bench
        let caller: Caller

        /// An event about an object, which has a new id unless given.
        func hear(
            _ type: String, _ object: String, _ kind: String, intent: String? = nil,
            id: String = UUID().uuidString
        ) async throws -> Int {
            let intent = intent.map { #", "payment_intent": "\#($0)""# } ?? ""
            let body = """
                {"id": "evt_\(id)", "type": "\(type)", "object": "event",
                "data": {"object": {"id": "\(object)", "object": "\(kind)", "metadata": {}\(intent)}}}
                """
            let time = Int(bench.clock.now.timeIntervalSince1970)
            let code = HMAC<SHA256>.authenticationCode(
                for: Data("\(time).\(body)".utf8),
                using: SymmetricKey(data: Data("whsec_pretend".utf8))
            ).map { String(format: "%02x", $0) }.joined()
            var headers: HTTPFields = [:]
            headers[HTTPField.Name("Stripe-Signature")!] = "t=\(time),v1=\(code)"
            return try await caller.call(
                .post, "/v1/webhooks/stripe", raw: body, headers: headers
            ).status
        }

        func payment(_ id: PaymentID) async throws -> Payment {
            let known = try await bench.database.read { try $0.attempts.find(id) }
            return try #require(known).payment
        }

        func told() async throws -> [Notice.Message] {
            try await outboxEvents(of: NoticeIssued.self, in: bench.database)
                .flatMap(\.notice.messages).filter { $0.to == .operators }
        }

        func expectSound() async throws {
            let day = Day(bench.clock.now)
            let found = try await bench.payments.reconcile(day, by: nil, key: nil)
            #expect(found.differences == [])
            #expect(try await bench.balances().values.reduce(0, +) == 0)
            #expect(try await bench.unbalancedEntries() == [])
            #expect(try await bench.balances()[.providerClearing] ?? 0 == stripe.balance)
        }
    }

    private func run(_ body: @escaping @Sendable (Desk) async throws -> Void) async throws {
        let clock = TestClock()
        let stripe = PretendStripe(clock: clock)
        try await stripe.run { settings in
            let bench = try Bench(clock: clock, stripe: settings)
            try await bench.run { caller in
                try await body(Desk(stripe: stripe, bench: bench, caller: caller))
            }
        }
    }

    private static let failures = ["refund.failed", "refund.updated", "charge.refund.updated"]

    @Test(arguments: failures)
    func aRefundThatFailsLaterIsTakenBack(type: String) async throws {
        try await run { desk in
            let payment = try await desk.bench.pay(try await desk.bench.billed(1_500).id)
            let refund = try await desk.bench.payments.refund(
                payment.id, RefundBody(amount: 1_500, reason: "a scratch"),
                by: TestPerson.olivia.id, key: nil)
            #expect(try await desk.payment(payment.id).refunded == .hkd(1_500))
            desk.stripe.fail(refund: "re_1")
            for _ in 1...2 {
                #expect(try await desk.hear(type, "re_1", "refund", intent: "pi_1") == 204)
            }
            #expect(try await desk.payment(payment.id).refunded == .hkd(0))
            let failed = try await desk.bench.published(RefundFailed.self)
            #expect(failed.map(\.refund.id) == [refund.id])
            #expect(failed.map(\.reason) == ["expired_or_canceled_card"])
            #expect(try await desk.told().count == 1)
            try await desk.expectSound()
            // It can be refunded again.
            _ = try await desk.bench.payments.refund(
                payment.id, RefundBody(amount: 1_500, reason: "again"),
                by: TestPerson.olivia.id, key: nil)
            #expect(try await desk.payment(payment.id).refunded == .hkd(1_500))
            try await desk.expectSound()
        }
    }

    @Test func aFailedRefundThatNoEventTellsOfIsFoundByTheDailyComparison() async throws {
        try await run { desk in
            let payment = try await desk.bench.pay(try await desk.bench.billed(1_500).id)
            _ = try await desk.bench.payments.refund(
                payment.id, RefundBody(amount: 700, reason: "a scratch"),
                by: TestPerson.olivia.id, key: nil)
            desk.stripe.fail(refund: "re_1")
            try await desk.expectSound()
            #expect(try await desk.payment(payment.id).refunded == .hkd(0))
        }
    }

    @Test func aPayeeGetsTheShareOfAFailedRefundBack() async throws {
        try await run { desk in
            var bill = Bill.of(nil, version: 1)
            bill.lines = [.of("ride", "Ride", "順風車", 5_000, payee: .bob, commission: 500)]
            try await desk.bench.hear(bill)
            let payment = try await desk.bench.pay(bill.id)
            _ = try await desk.bench.payments.refund(
                payment.id, RefundBody(line: 0, reason: "late"), by: TestPerson.olivia.id, key: nil)
            #expect(try await desk.bench.balances()[.payable] == 0)
            desk.stripe.fail(refund: "re_1")
            _ = try await desk.hear("refund.failed", "re_1", "refund", intent: "pi_1")
            #expect(try await desk.bench.balances()[.payable] == -4_500)
            try await desk.expectSound()
        }
    }

    @Test(arguments: [
        ("refund.created", "refund"), ("refund.updated", "refund"), ("charge.refunded", "charge"),
    ])
    func aRefundInTheDashboardIsRecordedOnce(type: String, kind: String) async throws {
        try await run { desk in
            let payment = try await desk.bench.pay(try await desk.bench.billed(1_500).id)
            let name = try #require(desk.stripe.refundInDashboard("pi_1", 1_000))
            let object = kind == "charge" ? "ch_pi_1" : name
            for _ in 1...3 {
                #expect(try await desk.hear(type, object, kind, intent: "pi_1") == 204)
            }
            #expect(try await desk.payment(payment.id).refunded == .hkd(1_000))
            let refunds = try await desk.bench.refunded()
            #expect(refunds.map(\.refund.reason) == [Refund.madeAtProvider])
            #expect(refunds.map(\.by) == [.house])
            #expect(try await desk.told().count == 1)
            try await desk.caller.refund(payment.id, 501)
                .refused(422, "payment.refund_too_large", field: "amount")
            try await desk.expectSound()
            // The bank does not take it: the same again.
            desk.stripe.fail(refund: name)
            _ = try await desk.hear("refund.failed", name, "refund", intent: "pi_1")
            #expect(try await desk.payment(payment.id).refunded == .hkd(0))
            try await desk.expectSound()
        }
    }

    @Test func aRefundInTheDashboardWithTheNameOfAnotherIsOneOfItsOwn() async throws {
        try await run { desk in
            let payment = try await desk.bench.pay(try await desk.bench.billed(1_500).id)
            let ours = try await desk.bench.payments.refund(
                payment.id, RefundBody(amount: 500, reason: "a scratch"),
                by: TestPerson.olivia.id, key: nil)
            let other = try #require(
                desk.stripe.refundInDashboard("pi_1", 500, of: ours.id.description))
            #expect(try await desk.hear("refund.created", other, "refund", intent: "pi_1") == 204)
            #expect(try await desk.payment(payment.id).refunded == .hkd(1_000))
            try await desk.expectSound()
        }
    }

    @Test func aRefundInTheDashboardIsFoundByTheDailyComparison() async throws {
        try await run { desk in
            let payment = try await desk.bench.pay(try await desk.bench.billed(1_500).id)
            #expect(desk.stripe.refundInDashboard("pi_1", 300) != nil)
            try await desk.expectSound()
            #expect(try await desk.payment(payment.id).refunded == .hkd(300))
        }
    }

    @Test func aRefundThatWaitsMakesRoomForOneInTheDashboard() async throws {
        try await run { desk in
            let payment = try await desk.bench.pay(try await desk.bench.billed(1_500).id)
            desk.stripe.state.withLock { $0.faultsByName["POST /v1/refunds"] = .refuses(500) }
            try await desk.caller.refund(payment.id, 1_000, key: "k")
                .refused(503, "payment.provider_unavailable")
            let other = try #require(desk.stripe.refundInDashboard("pi_1", 1_200))
            desk.stripe.state.withLock { $0.faultsByName = [:] }
            #expect(try await desk.hear("refund.created", other, "refund", intent: "pi_1") == 204)
            #expect(try await desk.payment(payment.id).refunded == .hkd(1_200))
            try await desk.expectSound()
        }
    }

    /// HK$120.00 were held, of which HK$70.00 are taken.
    private func partlyTaken(_ desk: Desk) async throws -> Payment {
        var bill = Bill.of(12_000, version: 1)
        bill.terms = .known(.hold)
        try await desk.bench.hear(bill)
        let payment = try await desk.bench.pay(bill.id)
        (bill.version, bill.terms) = (2, .known(.now))
        bill.lines = [.of("base", "Service", "服務", 7_000)]
        try await desk.bench.hear(bill)
        await desk.bench.recover()
        return payment
    }

    @Test func aRefundAsLargeAsTheRestOfAHoldIsFoundByTheDailyComparison() async throws {
        try await run { desk in
            let payment = try await partlyTaken(desk)
            #expect(desk.stripe.refundInDashboard("pi_1", 5_000) != nil)
            try await desk.expectSound()
            #expect(try await desk.payment(payment.id).refunded == .hkd(5_000))
        }
    }

    @Test func theRestOfAHoldIsNoRefund() async throws {
        try await run { desk in
            let payment = try await partlyTaken(desk)
            #expect(try await desk.hear("refund.created", "re_1", "refund", intent: "pi_1") == 204)
            #expect(try await desk.payment(payment.id).refunded == .hkd(0))
            // One of the same amount in the dashboard is.
            let other = try #require(desk.stripe.refundInDashboard("pi_1", 5_000))
            #expect(try await desk.hear("refund.created", other, "refund", intent: "pi_1") == 204)
            #expect(try await desk.payment(payment.id).refunded == .hkd(5_000))
            try await desk.expectSound()
        }
    }

    // MARK: Disputes

    private func ride(_ desk: Desk) async throws -> Payment {
        var bill = Bill.of(nil, version: 1)
        bill.lines = [.of("ride", "Ride", "順風車", 5_000, payee: .bob, commission: 500)]
        try await desk.bench.hear(bill)
        return try await desk.bench.pay(bill.id)
    }

    private func disputes(_ desk: Desk, _ query: String = "") async throws -> [Dispute] {
        try await desk.caller.call(.get, "/v1/admin/disputes\(query)", as: .olivia)
            .expect(200, Page<Dispute>.self).items
    }

    @Test func aDisputeThatIsLostIsBorneAsARefund() async throws {
        try await run { desk in
            let payment = try await ride(desk)
            let name = desk.stripe.dispute("pi_1")
            for type in ["created", "funds_withdrawn", "created"] {
                #expect(
                    try await desk.hear("charge.dispute.\(type)", name, "dispute", intent: "pi_1")
                        == 204)
            }
            var balances = try await desk.bench.balances()
            #expect(balances[.disputed] == 5_000 && balances[.disputeFees] == 1_500)
            #expect(balances[.frozen] == -4_500 && balances[.payable] == 0)
            #expect(try await disputes(desk, "?state=open").map(\.reference) == [name])
            #expect(try await disputes(desk).first?.evidenceDueAt != nil)
            try await desk.caller.refund(payment.id, 1)
                .refused(422, "payment.refund_too_large", field: "amount")
            try await desk.expectSound()
            desk.stripe.move(name, to: "lost")
            #expect(
                try await desk.hear("charge.dispute.closed", name, "dispute", intent: "pi_1") == 204
            )
            balances = try await desk.bench.balances()
            #expect(balances[.disputed] == 0 && balances[.frozen] == 0 && balances[.payable] == 0)
            #expect(try await disputes(desk, "?state=open").isEmpty)
            #expect(try await disputes(desk, "?state=closed").map(\.status) == [.known(.lost)])
            #expect(try await desk.told().count == 2)
            try await desk.expectSound()
        }
    }

    @Test func aDisputeThatIsWonReturnsEverything() async throws {
        try await run { desk in
            let payment = try await ride(desk)
            let before = try await desk.bench.balances().filter { $0.value != 0 }
            let name = desk.stripe.dispute("pi_1")
            _ = try await desk.hear("charge.dispute.created", name, "dispute", intent: "pi_1")
            desk.stripe.move(name, to: "won")
            _ = try await desk.hear("charge.dispute.closed", name, "dispute", intent: "pi_1")
            _ = try await desk.hear(
                "charge.dispute.funds_reinstated", name, "dispute", intent: "pi_1")
            #expect(try await desk.bench.balances().filter { $0.value != 0 } == before)
            try await desk.caller.refund(payment.id, 5_000).expect(201, Refund.self)
            try await desk.expectSound()
        }
    }

    @Test func anInquiryFreezesTheShareAndTakesNothing() async throws {
        try await run { desk in
            let payment = try await ride(desk)
            let name = desk.stripe.dispute(
                "pi_1", status: "warning_needs_response", takes: false)
            _ = try await desk.hear("charge.dispute.created", name, "dispute", intent: "pi_1")
            let balances = try await desk.bench.balances()
            #expect(balances[.frozen] == -4_500 && balances[.disputed] ?? 0 == 0)
            // It can be answered by a refund, and ends by it.
            try await desk.caller.refund(payment.id).expect(201, Refund.self)
            desk.stripe.move(name, to: "warning_closed")
            _ = try await desk.hear("charge.dispute.closed", name, "dispute", intent: "pi_1")
            #expect(try await desk.bench.balances()[.frozen] == 0)
            #expect(try await desk.bench.balances()[.payable] == 0)
            try await desk.expectSound()
        }
    }

    @Test func aDisputeOfAPartLeavesTheRestRefundable() async throws {
        try await run { desk in
            let payment = try await desk.bench.pay(try await desk.bench.billed(1_500).id)
            let name = desk.stripe.dispute("pi_1", 1_000)
            _ = try await desk.hear("charge.dispute.created", name, "dispute", intent: "pi_1")
            try await desk.caller.refund(payment.id, 501)
                .refused(422, "payment.refund_too_large", field: "amount")
            try await desk.expectSound()
        }
    }

    @Test(arguments: [("won", 1_500, 1_500), ("won", 500, 1_500), ("lost", 1_500, 0)])
    func aRefundThatAProductAsksForWaitsForTheEndOfADispute(
        end: String, disputed: Int, refunded: Int
    ) async throws {
        try await run { desk in
            var bill = try await desk.bench.billed(1_500)
            let payment = try await desk.bench.pay(bill.id)
            let name = desk.stripe.dispute("pi_1", disputed)
            _ = try await desk.hear("charge.dispute.created", name, "dispute", intent: "pi_1")
            bill.returns = [.init(id: .new(), amount: .hkd(1_500), reason: "cancelled")]
            for _ in 1...2 {
                bill.version += 1
                try await desk.bench.hear(bill)
            }
            await desk.bench.recover()
            #expect(try await desk.payment(payment.id).refunded == .hkd(0))
            desk.stripe.move(name, to: end)
            _ = try await desk.hear("charge.dispute.closed", name, "dispute", intent: "pi_1")
            await desk.bench.recover()
            #expect(try await desk.payment(payment.id).refunded == .hkd(refunded))
            #expect(try await desk.bench.refunded().count == (refunded > 0 ? 1 : 0))
            try await desk.expectSound()
        }
    }

    @Test func aDisputeThatNoEventTellsOfIsFoundByTheDailyComparison() async throws {
        try await run { desk in
            _ = try await ride(desk)
            let name = desk.stripe.dispute("pi_1")
            try await desk.expectSound()
            // And its end by the daily look.
            desk.stripe.move(name, to: "won")
            desk.bench.clock.advance(by: Disputes.lookPause)
            await desk.bench.recover()
            #expect(try await disputes(desk).map(\.status) == [.known(.won)])
            try await desk.expectSound()
        }
    }

    @Test func aDisputeOfOthersIsIgnored() async throws {
        try await run { desk in
            #expect(
                try await desk.hear("charge.dispute.created", "du_9", "dispute", intent: "pi_9")
                    == 204)
            #expect(desk.stripe.calls.isEmpty)
            #expect(try await desk.hear("charge.dispute.created", "du_9", "dispute") == 204)
            #expect(try await disputes(desk).isEmpty)
            try await desk.caller.call(.get, "/v1/admin/disputes", as: .alice)
                .refused(403, "auth.role")
        }
    }

    // MARK: Payouts

    @Test func aPayoutToTheBankThatFailedIsToldOnce() async throws {
        try await run { desk in
            desk.stripe.state.withLock {
                $0.payouts["po_1"] = """
                    {"id": "po_1", "status": "failed", "amount": 90000, "currency": "hkd",
                    "failure_code": "account_closed"}
                    """
            }
            for _ in 1...2 {
                #expect(try await desk.hear("payout.failed", "po_1", "payout") == 204)
            }
            #expect(try await desk.hear("payout.paid", "po_1", "payout") == 204)
            let alerts = try await desk.bench.published(ProviderAlerted.self)
            #expect(alerts.map(\.kind) == [.known(.payoutFailed)])
            #expect(alerts.map(\.amount) == [.hkd(90_000)])
        }
    }

    // MARK: Amounts

    @Test(arguments: [
        ("EUR", 20), ("EUR", 49), ("GBP", 29), ("HKD", 300), ("JPY", 49), ("KWD", 1_234),
    ])
    func whatNoCardCanBeChargedIsRefusedWithoutAskingStripe(
        currency: String, amount: Int
    ) async throws {
        try await run { desk in
            var bill = Bill.of(nil, version: 1)
            bill.currency = currency
            bill.lines = [
                Bill.Line(
                    kind: "base", text: .of("Service", "服務"),
                    amount: Money(amount: amount, currency: currency))
            ]
            try await desk.bench.hear(bill)
            try await desk.caller.pay(bill.id).refused(422, "payment.amount_too_small")
            #expect(desk.stripe.intents.isEmpty)
        }
    }

    @Test(arguments: [
        ("UGX", 5_000, "500000"), ("ISK", 1_500, "150000"), ("KWD", 1_230, "1230"),
        ("EUR", 50, "50"), ("MGA", 500_000, "5000"),
    ])
    func aChargeAndItsRefundAreInStripesUnits(
        currency: String, amount: Int, sent: String
    ) async throws {
        try await run { desk in
            var bill = Bill.of(nil, version: 1)
            bill.currency = currency
            let money = Money(amount: amount, currency: currency)
            bill.lines = [Bill.Line(kind: "base", text: .of("Service", "服務"), amount: money)]
            try await desk.bench.hear(bill)
            let payment = try await desk.bench.pay(bill.id)
            #expect(desk.stripe.intents.map { $0.form["amount"] } == [sent])
            let day = Day(desk.bench.clock.now)
            #expect(
                try await desk.bench.payments.reconcile(day, by: nil, key: nil).differences == [])
            _ = try await desk.bench.payments.refund(
                payment.id, RefundBody(reason: "a scratch"), by: TestPerson.olivia.id, key: nil)
            #expect(desk.stripe.refunds.map { $0.form["amount"] } == [sent])
            #expect(
                try await desk.bench.payments.reconcile(day, by: nil, key: nil).differences == [])
        }
    }
}
