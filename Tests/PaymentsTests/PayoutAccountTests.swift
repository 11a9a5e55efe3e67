import Contracts
import EventBus
import Foundation
import ServiceKit
import Support
import Testing

@testable import Payments

/// Accounts for payouts with the built-in provider, and the operator's rules.
@Suite struct PayoutAccountTests {
    private static let account = "/v1/me/payout-account"
    private static let rules = "/v1/admin/payout-rules"

    /// 54 dollars are Bob's.
    private func earned(_ bench: Bench, currency: String = "HKD") async throws {
        bench.clock.advance(by: 1)
        var bill = Bill.of(nil, version: 1)
        bill.currency = currency
        bill.lines = [.of("ride", "Ride", "順風車", 5_400, payee: .bob)]
        bill.lines[0].amount.currency = currency
        try await bench.hear(bill)
        _ = try await bench.pay(bill.id)
    }

    private func onboard(
        _ caller: Caller, bank: String = "000123456789", isIdentified: Bool = true
    ) async throws -> PayoutAccount {
        let link = try await caller.call(
            .post, "\(Self.account)/onboarding", PayoutOnboardingBody(), as: .bob
        ).expect(201, PayoutLink.self)
        #expect(link.url == "#/payouts/test")
        return try await caller.call(
            .put, "\(Self.account)/test",
            TestPayoutAccountBody(bankAccount: bank, isIdentified: isIdentified), as: .bob
        ).expect(200, PayoutAccount.self)
    }

    private func told(_ bench: Bench) async throws -> [String?] {
        try await outboxEvents(of: NoticeIssued.self, in: bench.database).map(\.notice)
            .filter {
                [PayoutChanged.type, PayoutAccountChanged.type].contains($0.cause)
            }.flatMap(\.messages).map { $0.title?[.english] }
    }

    @Test func aPersonNamesABankAndIsPaidOut() async throws {
        let bench = try Bench()
        try await earned(bench)
        try await bench.run { caller in
            let none = try await caller.call(.get, Self.account, as: .bob)
                .expect(200, PayoutAccount.self)
            #expect(none == PayoutAccount(.none))
            try await caller.call(.post, "/v1/me/payouts", PayoutBody(), as: .bob)
                .refused(409, "payout.account_missing")
            try await caller.call(.post, "\(Self.account)/dashboard", as: .bob)
                .refused(409, "payout.account_missing")
            _ = try await caller.call(
                .post, "\(Self.account)/onboarding", PayoutOnboardingBody(), as: .bob
            ).expect(201, PayoutLink.self)
            // They have left the page: nothing can be paid out, and they may go on later.
            let left = try await caller.call(.get, Self.account, as: .bob)
                .expect(200, PayoutAccount.self)
            #expect(left.status == .pending)
            #expect(left.requirements.map(\.kind) == [.bankAccount, .name, .terms])
            try await caller.call(.post, "/v1/me/payouts", PayoutBody(), as: .bob)
                .refused(409, "payout.account_restricted")
            let done = try await onboard(caller)
            #expect(done.status == .enabled && done.last4 == "6789" && done.requirements == [])
            let payout = try await caller.call(.post, "/v1/me/payouts", PayoutBody(), as: .bob)
                .expect(201, Payout.self)
            #expect(payout.status == .paid && payout.last4 == "6789")
            let page = try await caller.call(.post, "\(Self.account)/dashboard", as: .bob)
                .expect(201, PayoutLink.self)
            #expect(page.url == "#/payouts/test")
        }
        #expect(try await told(bench) == ["Payouts are ready"])
        let accounts = try await bench.database.read {
            try $0.rows("SELECT name FROM stub_accounts").count
        }
        #expect(accounts == 1)
    }

    @Test func withoutAnIdentityNothingIsPaidOutUntilItIsProven() async throws {
        let bench = try Bench()
        try await earned(bench)
        try await bench.run { caller in
            let restricted = try await onboard(caller, isIdentified: false)
            let deadline = bench.clock.now.addingTimeInterval(StubProvider.identification)
            #expect(restricted.status == .restricted)
            #expect(restricted.requirements == [.init(.identityDocument, dueAt: deadline)])
            try await caller.call(.post, "/v1/me/payouts", PayoutBody(), as: .bob)
                .refused(409, "payout.account_restricted")
            bench.clock.advance(by: StubProvider.identification + 1)
            let overdue = try await caller.call(.get, Self.account, as: .bob)
                .expect(200, PayoutAccount.self)
            #expect(overdue.requirements.map(\.isOverdue) == [true])
            #expect(try await onboard(caller).status == .enabled)
        }
        #expect(
            try await told(bench) == ["Details missing for payouts", "Payouts are ready"])
    }

    @Test func aBankThatRefusesIsSaidWithANextStep() async throws {
        let bench = try Bench()
        try await earned(bench)
        try await bench.run { caller in
            _ = try await onboard(caller, bank: StubProvider.closedBank)
            let failed = try await caller.call(.post, "/v1/me/payouts", PayoutBody(), as: .bob)
                .expect(201, Payout.self)
            #expect(failed.status == .failed && failed.problem == .bankAccountClosed)
            _ = try await onboard(caller)
            let paid = try await caller.call(.post, "/v1/me/payouts", PayoutBody(), as: .bob)
                .expect(201, Payout.self)
            #expect(paid.status == .paid && paid.amount == failed.amount)
        }
        let notice = try await outboxEvents(of: NoticeIssued.self, in: bench.database)
            .map(\.notice).first { $0.cause == PayoutChanged.type }
        #expect(
            notice?.messages.first?.text?[.english]
                == """
                We couldn’t pay out HK$54.00: the bank account is closed or doesn’t exist. \
                Open Payouts to enter another one. The amount is in your balance again.
                """)
        #expect(notice?.state?.link == "/payouts")
        #expect(try await bench.balances()[.payouts] == 0)
    }

    @Test func whatCanNotBeOnboardedIsRefused() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            for number in ["", "12", "12a45", String(repeating: "1", count: 35)] {
                try await caller.call(
                    .put, "\(Self.account)/test", TestPayoutAccountBody(bankAccount: number),
                    as: .bob
                ).refused(422, "request.invalid", field: "bankAccount")
            }
            try await caller.call(
                .put, "\(Self.account)/test", TestPayoutAccountBody(bankAccount: "0001"), as: .bob
            ).refused(409, "payout.account_missing")
            try await caller.call(
                .post, "\(Self.account)/onboarding", PayoutOnboardingBody(country: "Finland"),
                as: .bob
            ).refused(422, "request.invalid", field: "country")
            try await caller.call(
                .post, "\(Self.account)/onboarding", PayoutOnboardingBody(), as: .olivia
            ).refused(403, "auth.role")
            // An account that they have named themselves has no page here, but can be replaced.
            _ = try await caller.call(
                .post, Self.account, PayoutAccountBody(account: "acct_own"), as: .bob)
            try await caller.call(.post, "\(Self.account)/dashboard", as: .bob)
                .refused(409, "payout.no_dashboard")
            try await caller.call(
                .put, "\(Self.account)/test", TestPayoutAccountBody(bankAccount: "0001"), as: .bob
            ).refused(409, "payout.account_missing")
            #expect(try await onboard(caller).status == .enabled)
        }
    }

    @Test func nobodySeesOrChangesTheAccountOfAnother() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            #expect(try await onboard(caller).last4 == "6789")
            let name = try #require(
                try await bench.database.read {
                    try $0.payouts.account(of: TestPerson.bob.id)?.name
                })
            let body = PayoutAccountBody(account: name)
            #expect(try await caller.call(.post, Self.account, body, as: .alice).status == 204)
            let seen = try await caller.call(.get, Self.account, as: .alice)
                .expect(200, PayoutAccount.self)
            #expect(seen.last4 == nil && seen.country == nil && !seen.hasDashboard)
            try await caller.call(.post, "\(Self.account)/dashboard", as: .alice)
                .refused(409, "payout.no_dashboard")
            try await caller.call(
                .put, "\(Self.account)/test", TestPayoutAccountBody(bankAccount: "0001"),
                as: .alice
            ).refused(409, "payout.account_missing")
            let own = try await caller.call(.get, Self.account, as: .bob)
                .expect(200, PayoutAccount.self)
            #expect(own.last4 == "6789")
        }
    }

    @Test func whatTheProviderDoesNotAnswerIsAsItWas() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            _ = try await onboard(caller, isIdentified: false)
            bench.provider.fail { .requestLost }
            let known = try await caller.call(.get, Self.account, as: .bob)
                .expect(200, PayoutAccount.self)
            #expect(known.status == .restricted)
            try await caller.call(
                .post, "\(Self.account)/onboarding", PayoutOnboardingBody(), as: .bob
            ).refused(503, "payment.provider_unavailable")
            bench.provider.fail { .none }
            #expect(try await onboard(caller).status == .enabled)
        }
    }

    @Test func whatIsDisputedIsNotPaidOutMeanwhile() async throws {
        let bench = try Bench()
        try await earned(bench)
        let bob = TestPerson.bob.id
        try await bench.payments.keepAccount("acct_bob", of: bob, key: nil)
        try await bench.database.write { transaction in
            try transaction.ledger.enter(
                .transfer(.hkd(2_400), "dispute:x", nil, .frozen(bob), .payable(bob)),
                at: bench.clock.now)
        }
        let balance = try await bench.payments.balance(of: bob, in: nil)
        #expect(balance.available == .hkd(3_000))
        #expect(balance.currencies.first?.frozen == .hkd(2_400))
        let tooMuch = Refusal.payoutTooLarge.because("Available: 3000 HKD, least: 1000.")
        await #expect(throws: tooMuch) {
            try await bench.payments.payOut(PayoutBody(amount: 3_001), to: bob, key: nil)
        }
        #expect(
            try await bench.payments.payOut(PayoutBody(), to: bob, key: nil).amount == .hkd(3_000))
    }

    @Test func operatorsSeeThePayoutsOfAll() async throws {
        let bench = try Bench()
        try await earned(bench)
        let bob = TestPerson.bob.id
        try await bench.payments.keepAccount("acct_bob", of: bob, key: nil)
        let account = TestPerson.bob.account(createdAt: bench.clock.now)
        try await bench.hear(AccountChanged(account: account, suspended: false, version: 1))
        let made = try await bench.payments.payOut(PayoutBody(amount: 2_000), to: bob, key: nil)
        let name = "\(account.firstName) \(account.lastName)"
        try await bench.run { caller in
            for (query, count) in [
                ("", 1), ("?status=paid", 1), ("?status=failed", 0), ("?person=\(bob)", 1),
                ("?person=\(TestPerson.alice.id)&status=paid", 0),
                ("?q=\(account.firstName.percentEncoded)", 1), ("?q=nobody", 0),
            ] {
                let found = try await caller.call(
                    .get, "/v1/admin/payouts\(query)", as: .olivia
                ).expect(200, Page<PayoutEntry>.self)
                #expect(found.items.count == count)
                #expect(
                    found.items.allSatisfy {
                        $0
                            == PayoutEntry(
                                person: bob, name: name, payout: made, account: "acct_bob")
                    })
            }
            try await caller.call(.get, "/v1/admin/payouts", as: .bob).refused(403, "auth.role")
        }
    }

    // MARK: Rules

    @Test func rulesAreVersionedAndAudited() async throws {
        let bench = try Bench()
        let weekly = PayoutRules(
            minimums: [.hkd(2_000)], schedule: .init(.weekly, weekday: 1))
        try await bench.run { caller in
            let first = try await caller.call(.get, Self.rules, as: .olivia)
                .expect(200, PayoutRulesVersion.self)
            #expect(first == PayoutRulesVersion(PayoutRules()))
            let next = try await caller.call(.put, Self.rules, weekly, as: .olivia)
                .expect(200, PayoutRulesVersion.self)
            #expect(next.rules == weekly && next.version == 1)
            #expect(next.changedBy == TestPerson.olivia.id)
            try await caller.call(
                .put, Self.rules, PayoutRules(), as: .olivia, headers: [.ifMatch: "\"0\""]
            ).refused(412, "request.precondition_failed")
            _ = try await caller.call(.put, Self.rules, PayoutRules(), as: .olivia)
                .expect(200, PayoutRulesVersion.self)
            let all = try await caller.call(.get, "\(Self.rules)/versions?limit=1", as: .olivia)
                .expect(200, Page<PayoutRulesVersion>.self)
            #expect(all.items.map(\.version) == [2])
            let rest = try await caller.call(
                .get, "\(Self.rules)/versions?after=\(all.next ?? "")", as: .olivia
            ).expect(200, Page<PayoutRulesVersion>.self)
            #expect(rest.items.map(\.rules) == [weekly])
            try await caller.call(.put, Self.rules, weekly, as: .bob).refused(403, "auth.role")
        }
        #expect(
            try await bench.acted().map(\.action)
                == ["payments.set-payout-rules", "payments.set-payout-rules"])
    }

    @Test func rulesThatMakeNoSenseAreRefusedAndChangeNothing() async throws {
        let bench = try Bench()
        let wrong: [(PayoutRules, String)] = [
            (PayoutRules(minimums: [.hkd(0)]), "minimums"),
            (PayoutRules(minimums: [.hkd(1), .hkd(2)]), "minimums"),
            (PayoutRules(minimums: [Money(amount: 1, currency: "eur")]), "minimums"),
            (PayoutRules(schedule: .init(.daily, weekday: 1)), "schedule"),
            (PayoutRules(schedule: .init(.none, day: 1)), "schedule"),
            (PayoutRules(schedule: .init(.weekly)), "schedule.weekday"),
            (PayoutRules(schedule: .init(.weekly, weekday: 8)), "schedule.weekday"),
            (PayoutRules(schedule: .init(.monthly, day: 29)), "schedule.day"),
            (PayoutRules(schedule: .init(.monthly, weekday: 1, day: 1)), "schedule.day"),
        ]
        try await bench.run { caller in
            for (rules, field) in wrong {
                try await caller.call(.put, Self.rules, rules, as: .olivia)
                    .refused(422, "request.invalid", field: field)
            }
        }
        #expect(try await bench.payments.payoutRules().version == 0)
        #expect(try await bench.acted().isEmpty)
    }

    @Test func theMinimumOfACurrencyHolds() async throws {
        let bench = try Bench()
        try await earned(bench)
        let bob = TestPerson.bob.id
        try await bench.payments.keepAccount("acct_bob", of: bob, key: nil)
        func minimum(_ amount: Int) async throws {
            _ = try await bench.payments.setPayoutRules(
                PayoutRules(minimums: [.hkd(amount)]), ifVersion: .none,
                by: TestPerson.olivia.id)
        }
        try await minimum(5_401)
        #expect(try await bench.payments.balance(of: bob, in: nil).minimum == .hkd(5_401))
        let tooLittle = Refusal.payoutTooLarge.because("Available: 5400 HKD, least: 5401.")
        await #expect(throws: tooLittle) {
            try await bench.payments.payOut(PayoutBody(), to: bob, key: nil)
        }
        try await minimum(1)
        let small = try await bench.payments.payOut(PayoutBody(amount: 1), to: bob, key: nil)
        #expect(small.amount == .hkd(1))
    }
}
