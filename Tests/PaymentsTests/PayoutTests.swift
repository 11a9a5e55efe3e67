import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import Payments

/// People's balances and their payouts.
@Suite struct PayoutTests {
    /// A bill of 100 dollars, of which 60 are Bob's less a commission of 6. Bob has an account.
    private func shared(_ bench: Bench) async throws -> Bill {
        try await bench.payments.keepAccount("acct_bob", of: TestPerson.bob.id, key: nil)
        bench.clock.advance(by: 1)
        var bill = Bill.of(nil, version: 1)
        bill.lines = [
            .of("fee", "Fee", "費用", 4_000),
            .of("ride", "Ride", "順風車", 6_000, payee: .bob, commission: 600),
        ]
        bill.tipped = [TestPerson.bob.id]
        try await bench.hear(bill)
        return bill
    }

    private func balance(_ bench: Bench, _ query: String = "") async throws -> PayeeBalance {
        try await bench.run { caller in
            try await caller.call(.get, "/v1/me/balance\(query)", as: .bob)
                .expect(200, PayeeBalance.self)
        }
    }

    @Test func aPayeesPartIsPendingUntilItIsPaidAndThenAvailable() async throws {
        let bench = try Bench()
        let bill = try await shared(bench)
        let before = try await balance(bench)
        #expect(before.available == .hkd(0))
        #expect(before.pending == .hkd(5_400))
        _ = try await bench.pay(bill.id, tip: 100)
        let after = try await balance(bench)
        #expect(after.available == .hkd(5_500))
        #expect(after.pending == .hkd(0))
        #expect(
            try await bench.balances() == [
                .customerReceivable: 0, .billed: 0, .revenue: -4_000, .commission: -600,
                .pending: 0, .payable: -5_500, .providerClearing: 10_100,
            ])
        // Tips are earnings; a part of a bill is none.
        #expect(
            try await bench.payments.data(of: TestPerson.bob.id).tips.map(\.tip) == [.hkd(100)])
    }

    @Test func aWithdrawnBillIsPendingForNobody() async throws {
        let bench = try Bench()
        let bill = try await shared(bench)
        try await bench.override(bill, bill: nil)
        #expect(try await balance(bench).pending == .hkd(0))
        #expect(try await bench.balances().values.allSatisfy { $0 == 0 })
    }

    @Test func anEmptyBalanceHasACurrencyOfTheirs() async throws {
        let bench = try Bench()
        func currency() async throws -> String {
            let found = try await balance(bench)
            #expect(found.currencies.isEmpty)
            #expect(found.available == .zero(found.pending.currency) && found.minimum.amount > 0)
            return found.available.currency
        }
        #expect(try await currency() == "EUR")
        _ = try await bench.billed(to: .alice)
        #expect(try await currency() == "HKD")
        // Antarctica has no currency, Norway has.
        for (country, expected) in [("AQ", "HKD"), ("NO", "NOK")] {
            _ = try await bench.database.write {
                try $0.execute("DELETE FROM stub_accounts")
            }
            try await bench.run { caller in
                _ = try await caller.call(
                    .post, "/v1/me/payout-account/onboarding",
                    PayoutOnboardingBody(country: country), as: .bob
                ).expect(201, PayoutLink.self)
                _ = try await caller.call(.get, "/v1/me/payout-account", as: .bob)
                    .expect(200, PayoutAccount.self)
            }
            #expect(try await currency() == expected)
        }
        var own = Bill.of(.bob, 100, version: 1)
        own.currency = "SEK"
        own.lines[0].amount.currency = "SEK"
        try await bench.hear(own)
        #expect(try await currency() == "SEK")
    }

    @Test func severalCurrenciesAreSeveralBalances() async throws {
        let bench = try Bench()
        _ = try await bench.pay(try await shared(bench).id)
        var bill = Bill.of(nil, version: 1)
        bill.currency = "EUR"
        bill.lines = [.of("ride", "Ride", "順風車", 100, payee: .bob)]
        bill.lines[0].amount.currency = "EUR"
        try await bench.hear(bill)
        _ = try await bench.pay(bill.id)
        #expect(try await balance(bench).available == .hkd(5_400))
        #expect(
            try await balance(bench, "?currency=EUR").available
                == Money(amount: 100, currency: "EUR"))
        #expect(try await balance(bench).currencies.map(\.available.currency) == ["EUR", "HKD"])
        _ = try await bench.run { caller in
            try await caller.call(.get, "/v1/me/balance?currency=euro", as: .bob)
                .refused(422, "request.invalid", field: "currency")
        }
    }

    @Test func aPayeeBearsTheRefundOfTheirLineAndMayOweForIt() async throws {
        let bench = try Bench()
        let payment = try await bench.pay(try await shared(bench).id)
        try await bench.run { caller in
            _ = try await caller.call(.post, "/v1/me/payouts", PayoutBody(), as: .bob)
                .expect(201, Payout.self)
            let path = "/v1/admin/payments/\(payment.id)/refunds"
            try await caller.call(
                .post, path, RefundBody(line: 0, reason: "x"), as: .olivia
            ).refused(422, "request.invalid", field: "line")
            try await caller.call(
                .post, path, RefundBody(amount: 6_001, line: 1, reason: "x"), as: .olivia
            ).refused(422, "payment.refund_too_large", field: "amount")
            let half = try await caller.call(
                .post, path, RefundBody(amount: 3_001, line: 1, reason: "x"), as: .olivia
            ).expect(201, Refund.self)
            #expect(half.amount == .hkd(3_001))
            let rest = try await caller.call(
                .post, path, RefundBody(line: 1, reason: "x"), as: .olivia
            ).expect(201, Refund.self)
            #expect(rest.amount == .hkd(2_999))
        }
        // It was paid out already: what they owe shows.
        #expect(try await balance(bench).available == .hkd(-5_400))
        #expect(try await bench.balances()[.commission] == 0)
        #expect(try await bench.balances()[.refunds] ?? 0 == 0)
    }

    @Test func whatGoesBackAsAWholeIsBorneByThoseWhoseItWas() async throws {
        let bench = try Bench()
        let payment = try await bench.pay(try await shared(bench).id, tip: 100)
        try await bench.run { caller in
            try await caller.refund(payment.id, 500).expect(201, Refund.self)
            #expect(try await bench.balances()[.refunds] == 500)
            _ = try await caller.refund(payment.id).expect(201, Refund.self)
        }
        // The tip stays theirs; the fee and what was refunded before is the house's to bear.
        #expect(try await balance(bench).available == .hkd(100))
        #expect(try await bench.balances()[.refunds] == 4_100)
        #expect(try await bench.balances()[.providerClearing] == 0)
    }

    @Test func aRefundThatFailsTakesNothingBack() async throws {
        let bench = try Bench()
        let payment = try await bench.pay(try await shared(bench).id)
        _ = try await bench.database.write {
            try $0.execute("UPDATE stub_charges SET refunded = amount WHERE id = ?", payment.id)
        }
        try await bench.run { caller in
            for _ in 1...2 {
                try await caller.call(
                    .post, "/v1/admin/payments/\(payment.id)/refunds",
                    RefundBody(line: 1, reason: "x"), as: .olivia
                ).refused(422, "payment.refund_failed")
            }
        }
        #expect(try await balance(bench).available == .hkd(5_400))
    }

    @Test func whatIsAvailableIsPaidOutOnceADay() async throws {
        let bench = try Bench()
        _ = try await bench.pay(try await shared(bench).id)
        try await bench.run { caller in
            let path = "/v1/me/payouts"
            let first = try await caller.call(
                .post, path, PayoutBody(amount: 2_000), as: .bob, key: "k"
            ).expect(201, Payout.self)
            #expect(first.status == .paid)
            #expect(first.amount == .hkd(2_000))
            let again = try await caller.call(
                .post, path, PayoutBody(amount: 2_000), as: .bob, key: "k"
            ).expect(201, Payout.self)
            #expect(again == first)
            try await caller.call(.post, path, PayoutBody(), as: .bob)
                .refused(409, "payout.too_soon")
            bench.clock.advance(by: Day.length)
            let rest = try await caller.call(.post, path, PayoutBody(), as: .bob)
                .expect(201, Payout.self)
            #expect(rest.amount == .hkd(3_400))
            let list = try await caller.call(.get, path, as: .bob)
                .expect(200, Page<Payout>.self)
            #expect(list.items == [rest, first])
        }
        #expect(try await balance(bench).available == .hkd(0))
        #expect(try await bench.balances()[.providerClearing] == 10_000 - 5_400)
        #expect(try await bench.balances()[.payouts] == 0)
    }

    @Test func whatCanNotBePaidOutIsRefusedAndChangesNothing() async throws {
        let bench = try Bench()
        _ = try await bench.pay(try await shared(bench).id)
        try await bench.run { caller in
            let path = "/v1/me/payouts"
            for amount in [0, -1, Payouts.least - 1, .max] {
                try await caller.call(.post, path, PayoutBody(amount: amount), as: .bob)
                    .refused(422, "request.invalid", field: "amount")
            }
            try await caller.call(.post, path, PayoutBody(amount: 5_401), as: .bob)
                .refused(422, "payout.too_large", field: "amount")
            try await caller.call(.post, path, PayoutBody(currency: "EUR"), as: .bob)
                .refused(422, "payout.too_large", field: "amount")
            try await caller.call(.post, path, PayoutBody(), as: .alice)
                .refused(422, "payout.too_large", field: "amount")
            try await caller.call(.post, path, PayoutBody(), as: .olivia)
                .refused(403, "auth.role")
            try await caller.call(.post, path, PayoutBody(), as: nil)
                .refused(401, "auth.token_missing")
            try await caller.call(
                .post, "/v1/me/payout-account", PayoutAccountBody(account: ""), as: .bob
            ).refused(422, "request.invalid", field: "account")
        }
        #expect(try await balance(bench).available == .hkd(5_400))
    }

    @Test func whatTheProviderRefusesIsAvailableAgain() async throws {
        let bench = try Bench()
        _ = try await bench.pay(try await shared(bench).id)
        try await bench.run { caller in
            let account = PayoutAccountBody(account: StubProvider.closedAccount)
            #expect(
                try await caller.call(.post, "/v1/me/payout-account", account, as: .bob).status
                    == 204)
            let failed = try await caller.call(.post, "/v1/me/payouts", PayoutBody(), as: .bob)
                .expect(201, Payout.self)
            #expect(failed.status == .failed)
            #expect(failed.reason == "account_closed" && failed.problem == .bankAccountClosed)
            let open = PayoutAccountBody(account: "acct_open")
            _ = try await caller.call(.post, "/v1/me/payout-account", open, as: .bob)
            // What failed does not count as the day's.
            let paid = try await caller.call(.post, "/v1/me/payouts", PayoutBody(), as: .bob)
                .expect(201, Payout.self)
            #expect(paid.status == .paid)
        }
        #expect(try await balance(bench).available == .hkd(0))
        #expect(try await bench.balances()[.payouts] == 0)
    }

    @Test func aLateRepeatSetsNoOlderAccountAgain() async throws {
        let bench = try Bench()
        _ = try await bench.pay(try await shared(bench).id)
        try await bench.run { caller in
            let path = "/v1/me/payout-account"
            for (account, key) in [("acct_1", "k1"), ("acct_2", "k2"), ("acct_1", "k1")] {
                let body = PayoutAccountBody(account: account)
                let answer = try await caller.call(.post, path, body, as: .bob, key: key)
                #expect(answer.status == 204)
            }
        }
        _ = try await bench.payments.payOut(PayoutBody(), to: TestPerson.bob.id, key: nil)
        let account = try await bench.database.read { transaction in
            try transaction.row("SELECT account FROM stub_payouts")?
                .get("account", as: String.self)
        }
        #expect(account == "acct_2")
    }

    @Test(arguments: FaultyProvider.Fault.allCases)
    func howeverItIsInterruptedItIsPaidOutOnce(fault: FaultyProvider.Fault) async throws {
        let bench = try Bench()
        _ = try await bench.pay(try await shared(bench).id)
        bench.provider.failNext(fault)
        _ = try? await bench.payments.payOut(PayoutBody(), to: TestPerson.bob.id, key: nil)
        #expect(try await balance(bench).available == .hkd(0))
        bench.clock.advance(by: PaymentUseCases.hold)
        await bench.recover()
        let found = try await bench.payments.payouts(of: TestPerson.bob.id, PageRequest()).items
        #expect(found.map(\.status) == [.paid])
        let paid = try await bench.database.read { transaction in
            try transaction.rows("SELECT amount FROM stub_payouts").map {
                try $0.get("amount", as: Int.self)
            }
        }
        #expect(paid == [5_400])
        #expect(try await bench.balances()[.payouts] == 0)
    }
}
