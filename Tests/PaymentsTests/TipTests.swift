import Contracts
import Foundation
import Support
import Testing

@testable import Payments

@Suite struct TipTests {
    @Test func aTipComesOnTopAndIsSharedByTheTwoValets() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        let payment = try await bench.run { caller in
            try await caller.pay(order.id, tip: 2_001).expect(200, PaymentAnswer.self).payment
        }
        #expect(payment.amount == .hkd(14_001))
        #expect(payment.tip == .hkd(2_001))
        let tips = try await bench.tips()
        #expect(tips.map(\.payee) == [TestPerson.victor.id, TestPerson.vera.id])
        // The odd cent goes to the one who brought the vehicle back.
        #expect(tips.map(\.amount) == [.hkd(1_000), .hkd(1_001)])
        #expect(tips.allSatisfy { $0.bill == order.id && $0.payment == payment.id })
        #expect(
            try await bench.balances() == [
                .customerReceivable: 0, .billed: 0, .revenue: -12_000,
                .providerClearing: 14_001, .payable: -2_001,
            ])
    }

    @Test func whoDidBothGetsAll() async throws {
        let bench = try Bench()
        let order = try await bench.billed(valets: (.victor, nil))
        _ = try await bench.pay(order.id, tip: 501)
        #expect(try await bench.tips().map(\.amount) == [.hkd(501)])
    }

    @Test(.withoutDatabase) func oneCentIsNotHalved() {
        let shares = Tip.shares(
            of: .hkd(1), among: [TestPerson.victor.id, TestPerson.vera.id])
        #expect(shares == [TipShare(payee: TestPerson.vera.id, amount: .hkd(1))])
    }

    @Test func aTipThatCanNotBeIsRefused() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        let nobodys = try await bench.billed(valets: (nil, nil))
        try await bench.run { caller in
            for tip in [0, -1, Tip.most + 1, .max, .min] {
                try await caller.pay(order.id, tip: tip)
                    .refused(422, "request.invalid", field: "tip")
            }
            try await caller.pay(nobodys.id, tip: 100)
                .refused(409, "payment.nobody_to_tip", field: "tip")
            let path = "/v1/orders/\(order.id)/pay"
            for tip in ["1.5", #""5""#, #"{"amount": 5, "currency": "HKD"}"#] {
                try await caller.call(
                    .post, path, raw: #"{"token": "pm_card_visa", "tip": \#(tip)}"#, as: .alice
                ).refused(400, "request.malformed", field: "tip")
            }
            #expect(try await caller.entries().items.isEmpty)
        }
        #expect(try await bench.tips().isEmpty)
    }

    @Test func anotherCurrencyThanTheBillsIsRefused() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        try await bench.run { caller in
            let path = "/v1/orders/\(order.id)/pay"
            let problem = try await caller.call(
                .post, path, raw: #"{"token": "pm_card_visa", "tip": 5, "currency": "EUR"}"#,
                as: .alice
            ).refused(422, "payment.currency_mismatch", field: "currency")
            #expect(problem.detail == "Expected: HKD.")
            #expect(try await bench.captures(of: order.id) == 0)
            let payment = try await caller.call(
                .post, path, raw: #"{"token": "pm_card_visa", "currency": "HKD"}"#, as: .alice
            ).expect(200, PaymentAnswer.self).payment
            let refunds = "/v1/admin/payments/\(payment.id)/refunds"
            try await caller.call(
                .post, refunds, raw: #"{"reason": "x", "amount": 5, "currency": "USD"}"#,
                as: .olivia
            ).refused(422, "payment.currency_mismatch", field: "currency")
            try await caller.call(
                .post, refunds, raw: #"{"reason": "x", "amount": 5, "currency": "HKD"}"#,
                as: .olivia
            ).expect(201, Refund.self)
        }
        #expect(try await bench.balances()[.refunds] == 5)
    }

    @Test func aFurtherStepBelongsToItsTip() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        let token = "pm_card_authenticationRequired"
        let first = try await bench.pay(order.id, token, tip: 100)
        bench.clock.advance(by: 1)
        let other = try await bench.pay(order.id, token, tip: 200)
        #expect(other.id != first.id)
        let paid = try await bench.pay(order.id, token, tip: 200)
        #expect(paid.id == other.id)
        #expect(paid.status == .succeeded)
        #expect(try await bench.tips().reduce(0) { $0 + $1.amount.amount } == 200)
    }

    @Test func refundsNeverExceedTheChargeAndValetsKeepTheirTips() async throws {
        let bench = try Bench()
        let order = try await bench.billed(10_000)
        let payment = try await bench.pay(order.id, tip: 1_000)
        try await bench.run { caller in
            try await caller.refund(payment.id, 11_001)
                .refused(422, "payment.refund_too_large", field: "amount")
            #expect(
                try await caller.refund(payment.id).expect(201, Refund.self).amount
                    == .hkd(11_000))
        }
        #expect(
            try await bench.balances() == [
                .customerReceivable: 0, .billed: 0, .revenue: -10_000, .providerClearing: 0,
                .refunds: 11_000, .payable: -1_000,
            ])
        let acted = try await bench.acted()
        #expect(acted.map(\.action) == ["payments.refund"])
        #expect(acted.map(\.subject) == [payment.id.description])
        #expect(acted.map(\.reason) == ["a scratch"])
    }
}

/// A bill that an operator waives or replaces while it is being paid.
@Suite struct BillChangeTests {
    private static let faults: [FaultyProvider.Fault] = [.answerLost, .crashAfter]

    /// The money was taken and nobody here knows; meanwhile the bill changes.
    private func lateSuccess(
        _ fault: FaultyProvider.Fault, bill: Int?, tip: Int? = nil
    ) async throws -> (Bench, Bill) {
        let bench = try Bench()
        let order = try await bench.billed()
        bench.provider.failNext(fault)
        _ = try? await bench.pay(order.id, tip: tip)
        try await bench.override(order, bill: bill)
        bench.clock.advance(by: PaymentUseCases.hold)
        return (bench, order)
    }

    @Test(arguments: faults)
    func whatCameForAWaivedBillGoesBackByItself(fault: FaultyProvider.Fault) async throws {
        let (bench, order) = try await lateSuccess(fault, bill: nil, tip: 500)
        for _ in 0..<3 { await bench.recover() }
        let refunds = try await bench.refunded()
        #expect(refunds.map(\.refund.amount) == [.hkd(12_500)])
        #expect(refunds.map(\.by) == [TestPerson.olivia.id])
        // The order is not told that it was paid, and no valet of a tip.
        #expect(try await bench.succeeded().isEmpty)
        #expect(try await bench.tips().isEmpty)
        #expect(
            try await bench.balances() == [
                .customerReceivable: 0, .billed: 0, .providerClearing: 0, .customerCredit: 0,
            ])
        await #expect(throws: Refusal.nothingDue) { try await bench.pay(order.id) }
        try await bench.run { caller in
            let entries = try await caller.entries().items
            #expect(entries.compactMap(\.refund).count == 1)
            #expect(entries.compactMap(\.payment).first?.refunded == .hkd(12_500))
        }
    }

    @Test(arguments: faults)
    func whatCameForAReplacedBillGoesBackAndTheNewOneIsDue(
        fault: FaultyProvider.Fault
    ) async throws {
        let (bench, order) = try await lateSuccess(fault, bill: 7_000)
        for _ in 0..<3 { await bench.recover() }
        #expect(try await bench.refunded().map(\.refund.amount) == [.hkd(12_000)])
        #expect(try await bench.pay(order.id).amount == .hkd(7_000))
        #expect(try await bench.succeeded().map(\.payment.amount) == [.hkd(7_000)])
        #expect(try await bench.balances()[.providerClearing] == 7_000)
        #expect(try await bench.balances()[.customerReceivable] == 0)
    }

    @Test(arguments: faults)
    func whatStillFitsIsApplied(fault: FaultyProvider.Fault) async throws {
        let (bench, order) = try await lateSuccess(fault, bill: nil)
        try await bench.override(order, bill: 12_000, version: 10)
        for _ in 0..<3 { await bench.recover() }
        #expect(try await bench.refunded().isEmpty)
        #expect(try await bench.succeeded().count == 1)
        #expect(try await bench.balances()[.customerReceivable] == 0)
    }

    /// Each call on the way back fails once in each way; still it goes back once.
    @Test(arguments: FaultyProvider.Fault.allCases)
    func theWayBackSurvivesCrashes(fault: FaultyProvider.Fault) async throws {
        for calls in 0..<3 {
            let (bench, _) = try await lateSuccess(.crashAfter, bill: nil)
            let index = Counter()
            bench.provider.fail { index.next() == calls ? fault : .none }
            for _ in 0..<6 {
                await bench.recover()
                bench.clock.advance(by: PaymentUseCases.hold)
            }
            #expect(try await bench.refunded().count == 1)
            #expect(try await bench.balances()[.providerClearing] == 0)
            #expect(try await bench.balances()[.customerCredit] == 0)
            let given = try await bench.database.read { transaction in
                try transaction.row("SELECT COUNT(*) AS n FROM stub_refunds")?
                    .get("n", as: Int.self)
            }
            #expect(given == 1)
        }
    }

    @Test func theOneWhoPaysIsToldThatItGoesBack() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        bench.provider.failNext(.answerLost)
        try await bench.run { caller in
            try await caller.pay(order.id, key: "k")
                .refused(503, "payment.provider_unavailable")
            try await bench.override(order, bill: nil)
            try await caller.pay(order.id, key: "k").refused(409, "payment.bill_changed")
            try await caller.pay(order.id, key: "k").refused(409, "payment.bill_changed")
        }
        await bench.recover()
        #expect(try await bench.refunded().count == 1)
    }

    @Test func anAttemptThatWaitsForTheCustomerIsGivenUpInSilence() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        _ = try await bench.pay(order.id, "pm_card_authenticationRequired")
        try await bench.override(order, bill: nil)
        await bench.recover()
        try await bench.run { caller in
            let payment = try await caller.entries().items.first?.payment
            #expect(payment?.status.known == .declined)
            #expect(payment?.declineReason == "bill_changed")
        }
        #expect(try await bench.declined().isEmpty)
        #expect(try await bench.captures(of: order.id) == 0)
    }

    @Test func aRequestThatNeverArrivedIsNoNewsForAWaivedBill() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        bench.provider.failNext(.requestLost)
        _ = try? await bench.pay(order.id)
        try await bench.override(order, bill: nil)
        await bench.recover()
        #expect(try await bench.declined().isEmpty)
        #expect(try await bench.refunded().isEmpty)
    }
}
