import Contracts
import Foundation
import Support
import Testing

@testable import Payments

/// The events as payments really publishes them, held against the files that readers decode.
@Suite struct FixtureTests {
    private static let order = BillID("01900000-0000-7000-8000-000000000101")!

    private func billed(_ bench: Bench) async throws {
        var bill = Bill.of(.alice, 12_000, version: 8, id: Self.order)
        bill.product = "valet"
        try await bench.hear(bill)
    }

    @Test func paymentSucceededIsAsItsFixture() async throws {
        let bench = try Bench()
        try await billed(bench)
        _ = try await bench.pay(Self.order)
        let expected = try EventFixtures.read(PaymentSucceeded.self)
        var event = try #require(try await bench.succeeded().last)
        event.payment.id = expected.payment.id
        try EventFixtures.expect(event)
    }

    @Test func paymentDeclinedIsAsItsFixture() async throws {
        let bench = try Bench()
        try await billed(bench)
        _ = try? await bench.pay(Self.order, "pm_card_visa_chargeDeclined")
        let expected = try EventFixtures.read(PaymentDeclined.self)
        var event = try #require(try await bench.declined().last)
        event.payment.id = expected.payment.id
        try EventFixtures.expect(event)
    }

    @Test func paymentRefundedIsAsItsFixture() async throws {
        let bench = try Bench()
        try await billed(bench)
        let payment = try await bench.pay(Self.order)
        _ = try await bench.payments.refund(
            payment.id, RefundBody(amount: 2_000, reason: "a scratch"),
            by: TestPerson.olivia.id, key: nil)
        let expected = try EventFixtures.read(PaymentRefunded.self)
        var event = try #require(try await bench.refunded().last)
        event.refund.id = expected.refund.id
        event.refund.payment = expected.refund.payment
        try EventFixtures.expect(event)
    }

    @Test func tipGivenIsAsItsFixture() async throws {
        let bench = try Bench()
        var bill = Bill.of(.alice, 12_000, version: 8, id: Self.order)
        bill.product = "valet"
        bill.tipped = [TestPerson.victor.id, TestPerson.vera.id]
        try await bench.hear(bill)
        _ = try await bench.pay(Self.order, tip: 2_001)
        let expected = try EventFixtures.read(TipGiven.self)
        var event = try #require(try await bench.tips().last)
        event.payment = expected.payment
        try EventFixtures.expect(event)
    }

    @Test func payoutChangedIsAsItsFixture() async throws {
        let bench = try Bench()
        var bill = Bill.of(nil, version: 8)
        bill.lines = [.of("ride", "Ride", "順風車", 5_400, payee: .bob)]
        try await bench.hear(bill)
        _ = try await bench.pay(bill.id)
        let bob = TestPerson.bob.id
        try await bench.payments.keepAccount(StubProvider.closedAccount, of: bob, key: nil)
        _ = try await bench.payments.payOut(PayoutBody(), to: bob, key: nil)
        let expected = try EventFixtures.read(PayoutChanged.self)
        var event = try #require(try await bench.published(PayoutChanged.self).last)
        (event.payout, event.person) = (expected.payout, expected.person)
        try EventFixtures.expect(event)
    }

    @Test func payoutAccountChangedIsAsItsFixture() async throws {
        let bench = try Bench()
        let bob = TestPerson.bob.id
        _ = try await bench.payments.onboard(bob, PayoutOnboardingBody())
        _ = try await bench.payments.fillInTestAccount(
            TestPayoutAccountBody(bankAccount: "000123456789", isIdentified: false), of: bob)
        var event = try #require(try await bench.published(PayoutAccountChanged.self).last)
        event.person = try EventFixtures.read(PayoutAccountChanged.self).person
        try EventFixtures.expect(event)
    }
}
