import Contracts
import EventBus
import Foundation
import ServiceKit
import Support
import Testing

@testable import Payments

/// What operators see of the books, and what people see of themselves.
@Suite struct BookTests {
    @Test func theTrialBalanceSumsToZero() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        _ = try await bench.pay(order.id, tip: 100)
        try await bench.run { caller in
            let found = try await caller.call(.get, "/v1/admin/ledger/trial-balance", as: .olivia)
                .expect(200, TrialBalance.self)
            #expect(found.lines.reduce(0) { $0 + $1.balance } == 0)
            #expect(found.lines.contains { $0.account == "payable" && $0.balance == -100 })
            #expect(found.lines.allSatisfy { $0.currency == "HKD" })
        }
    }

    @Test func entriesArePagedAndOfOneOrderWhenAsked() async throws {
        let bench = try Bench()
        var orders: [BillID] = []
        for _ in 0..<3 {
            let order = try await bench.billed()
            _ = try await bench.pay(order.id, tip: 3)
            orders.append(order.id)
        }
        let known = orders
        try await bench.run { caller in
            var (found, after): ([LedgerRecord], String?) = ([], nil)
            repeat {
                let cursor = after.map { "&after=\($0)" } ?? ""
                let page = try await caller.call(
                    .get, "/v1/admin/ledger/entries?limit=2\(cursor)", as: .olivia
                ).expect(200, Page<LedgerRecord>.self)
                found += page.items
                after = page.next
            } while after != nil
            #expect(found.count == 6)
            #expect(Set(found.map(\.id)).count == 6)
            #expect(found.map(\.enteredAt) == found.map(\.enteredAt).sorted(by: >))
            #expect(found.allSatisfy { $0.postings.reduce(0) { $0 + $1.amount } == 0 })
            let own = try await caller.call(
                .get, "/v1/admin/ledger/entries?orderId=\(known[1])", as: .olivia
            ).expect(200, Page<LedgerRecord>.self).items
            #expect(Set(own.map(\.kind)) == ["capture", "bill"])
            #expect(own.allSatisfy { $0.bill == known[1] })
        }
    }

    @Test func aDifferenceShows() async throws {
        let bench = try Bench()
        var payments: [Payment] = []
        for _ in 0..<4 { payments.append(try await bench.pay(try await bench.billed().id)) }
        let lost = payments
        // One amount differs, one the provider never had, one it took and nobody knows here.
        _ = try await bench.database.write { transaction in
            try transaction.execute(
                "UPDATE stub_charges SET amount = amount + 1 WHERE id = ?", lost[0].id)
            try transaction.execute("DELETE FROM stub_charges WHERE id = ?", lost[1].id)
            try transaction.execute(
                "UPDATE stub_charges SET id = ? WHERE id = ?", PaymentID.new(), lost[2].id)
        }
        let waiting = try await bench.billed()
        bench.provider.failNext(.answerLost)
        _ = try? await bench.pay(waiting.id)
        let day = Day(bench.clock.now).text
        try await bench.run { caller in
            let path = "/v1/admin/reconciliations"
            let body = ReconciliationBody(day: day)
            let made = try await caller.call(.post, path, body, as: .olivia, key: "k")
                .expect(201, Reconciliation.self)
            #expect(made.day == day)
            #expect(
                made.differences.map(\.kind.rawValue).sorted() == [
                    "amountDiffers", "missingAtProvider", "missingAtProvider", "missingHere",
                    "statusDiffers",
                ])
            let amount = made.differences.first { $0.kind == .amountDiffers }
            #expect(amount?.payment == lost[0].id)
            #expect(amount?.here == .hkd(12_000))
            #expect(amount?.atProvider == .hkd(12_001))
            let again = try await caller.call(.post, path, body, as: .olivia, key: "k")
                .expect(201, Reconciliation.self)
            #expect(again == made)
            let list = try await caller.call(.get, path, as: .olivia)
                .expect(200, Page<Reconciliation>.self)
            #expect(list.items == [made])
        }
        let acted = try await bench.acted()
        #expect(acted.map(\.action) == ["payments.reconcile"])
        #expect(acted.map(\.by) == [TestPerson.olivia.operatorID])
    }

    @Test func payoutsAreComparedAsWell() async throws {
        let bench = try Bench()
        var bill = Bill.of(nil, version: 1)
        bill.lines = [.of("ride", "Ride", "順風車", 5_000, payee: .bob)]
        try await bench.hear(bill)
        _ = try await bench.pay(bill.id)
        let bob = TestPerson.bob.id
        try await bench.payments.keepAccount("acct_bob", of: bob, key: nil)
        let made = try await bench.payments.payOut(PayoutBody(), to: bob, key: nil)
        let day = Day(bench.clock.now)
        let clean = try await bench.payments.reconcile(day, by: nil, key: nil)
        #expect(clean.differences.isEmpty && clean.compared == 2)
        try await bench.database.write { _ = try $0.execute("DELETE FROM stub_payouts") }
        let found = try await bench.payments.reconcile(day, by: nil, key: nil).differences
        #expect(found.map(\.kind) == [.missingAtProvider])
        #expect(found.map(\.payout) == [made.id])
        #expect(found.map(\.here) == [.hkd(5_000)])
    }

    @Test func whatWasSettledOnTheNextDayIsNoDifference() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        bench.provider.failNext(.crashAfter)
        _ = try? await bench.pay(order.id)
        let day = Day(bench.clock.now)
        bench.clock.advance(by: Day.length)
        await bench.recover()
        for day in [day, Day(bench.clock.now)] {
            let found = try await bench.payments.reconcile(day, by: nil, key: nil)
            #expect(found.differences.isEmpty)
            #expect(found.compared == 1)
        }
    }

    @Test func moreThanOneReadTakesIsComparedToTheLast() async throws {
        let bench = try Bench()
        for _ in 0..<5 { _ = try await bench.pay(try await bench.billed().id) }
        _ = try await bench.database.write { try $0.execute("DELETE FROM stub_charges") }
        var payments = bench.payments
        payments.comparedAtOnce = 2
        let found = try await payments.reconcile(Day(bench.clock.now), by: nil, key: nil)
        #expect(found.compared == 5)
        #expect(
            found.differences.map(\.kind.rawValue)
                == Array(repeating: "missingAtProvider", count: 5))
    }

    @Test func aRepeatUnderTheSameKeyNeedsNoProvider() async throws {
        let bench = try Bench()
        _ = try await bench.pay(try await bench.billed().id)
        let body = ReconciliationBody(day: Day(bench.clock.now).text)
        try await bench.run { caller in
            let path = "/v1/admin/reconciliations"
            let first = try await caller.call(.post, path, body, as: .olivia, key: "k")
            try first.expect(201, Reconciliation.self)
            bench.provider.failNext(.requestLost)
            let second = try await caller.call(.post, path, body, as: .olivia, key: "k")
            #expect(second.data == first.data)
        }
    }

    @Test func eachDayIsReconciledOnceByItself() async throws {
        let bench = try Bench()
        bench.provider.failNext(.requestLost)
        await #expect(throws: (any Error).self) { try await bench.payments.reconcileLastDay() }
        for _ in 0..<2 { try await bench.payments.reconcileLastDay() }
        bench.clock.advance(by: Day.length)
        try await bench.payments.reconcileLastDay()
        let found = try await bench.payments.reconciliations(PageRequest()).items
        #expect(found.map(\.day) == ["2026-01-05", "2026-01-04"])
    }

    @Test func operatorsOnlyAndNoNonsense() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            for path in [
                "/v1/admin/ledger/trial-balance", "/v1/admin/ledger/entries",
                "/v1/admin/reconciliations",
            ] {
                try await caller.call(.get, path, as: .alice).refused(403, "auth.role")
                try await caller.call(.get, path, as: nil).refused(401, "auth.token_missing")
            }
            let body = ReconciliationBody(day: "2026-01-05")
            try await caller.call(.post, "/v1/admin/reconciliations", body, as: .victor)
                .refused(403, "auth.role")
            for day in ["", "today", "2026-13-01", "2026-02-30", "2026-1-5", "2027-01-01"] {
                try await caller.call(
                    .post, "/v1/admin/reconciliations", ReconciliationBody(day: day), as: .olivia
                ).refused(422, "request.invalid", field: "day")
            }
            try await caller.call(.get, "/v1/admin/ledger/entries?orderId=7", as: .olivia)
                .refused(422, "request.invalid", field: "orderId")
            for cursor in ["x", "1", "x_y"] {
                try await caller.call(
                    .get, "/v1/admin/ledger/entries?after=\(cursor)", as: .olivia
                ).refused(422, "request.invalid", field: "after")
            }
            bench.provider.failNext(.requestLost)
            try await caller.call(.post, "/v1/admin/reconciliations", body, as: .olivia)
                .refused(503, "payment.provider_unavailable")
        }
    }

    @Test func whoIsGoneKeepsNoCardAndTheLedgerStays() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        try await bench.run { caller in
            _ = try await caller.call(
                .post, "/v1/me/payment-methods", PaymentTokenBody(token: "pm_card_visa"),
                as: .alice)
            _ = try await caller.call(
                .post, "/v1/me/payment-methods", PaymentTokenBody(token: "pm_card_visa"),
                as: .bob)
            try await caller.pay(order.id).expect(200, PaymentAnswer.self)
        }
        let gone = AccountDeleted(
            account: TestPerson.alice.id, role: .customer, version: 5, deletedAt: bench.clock.now)
        try await bench.hear(gone)
        try await bench.hear(gone)
        let chinese = TestPerson.alice.account(
            language: .traditionalChinese, createdAt: bench.clock.now)
        try await bench.hear(AccountChanged(account: chinese, suspended: false, version: 4))
        bench.provider.failNext(.requestLost)
        for _ in 0..<3 { await bench.recover() }
        #expect(bench.provider.chores == [.forget(TestPerson.alice.id)])
        let left = try await bench.payments.data(of: TestPerson.alice.id)
        #expect(left.paymentMethods.isEmpty)
        #expect(left.language == nil)
        #expect(left.payments.count == 1)
        #expect(try await bench.balances()[.providerClearing] == 12_000)
        #expect(
            try await bench.payments.methods(
                of: TestPerson.bob.id, PageRequest()
            ).items.count == 1)
    }

    @Test func aServiceMayAskForAPersonsDataAndNobodyElse() async throws {
        let bench = try Bench()
        let order = try await bench.billed()
        _ = try await bench.pay(order.id, tip: 100)
        let valet = try await bench.payments.data(of: TestPerson.vera.id)
        #expect(valet.tips.map(\.tip) == [.hkd(50)])
        #expect(valet.payments.isEmpty)
        try await bench.run { caller in
            let path = "/internal/people/\(TestPerson.alice.id)"
            try await caller.call(.get, path, as: nil).refused(401, "auth.token_missing")
            let asPerson = try await caller.call(.get, path, as: .alice)
            #expect(asPerson.status == 401)
        }
    }

    @Test(
        .withoutDatabase,
        arguments: [
            (["OPENVALET_PAYMENTS_PROVIDER": "paypal"], "neither"),
            (["OPENVALET_PAYMENTS_PROVIDER": "stripe"], "STRIPE_KEY is missing"),
            (
                ["OPENVALET_PAYMENTS_PROVIDER": "stripe", "OPENVALET_PAYMENTS_STRIPE_KEY": "sk"],
                "WEBHOOK_SECRET is missing"
            ),
            (["OPENVALET_PAYMENTS_STRIPE_URL": "ftp://x"], "http"),
            (["OPENVALET_PAYMENTS_BILLERS": "orders"], "BILLERS"),
            (["OPENVALET_PAYMENTS_BILLERS": "orders=ftp://x"], "BILLERS"),
            (
                [
                    "OPENVALET_PAYMENTS_PROVIDER": "stripe", "OPENVALET_PAYMENTS_STRIPE_KEY": "sk",
                    "OPENVALET_PAYMENTS_STRIPE_WEBHOOK_SECRET": "s",
                    "OPENVALET_PAYMENTS_STRIPE_URL": "http://stripe.example",
                ], "https"
            ),
        ])
    func aConfigurationThatCanNotBeStopsTheStart(
        environment: [String: String], part: String
    ) throws {
        let error = #expect(throws: ConfigError.self) {
            try PaymentsConfig(ConfigValues(environment, keys: PaymentsConfig.keys))
        }
        #expect(error?.description.contains(part) == true)
    }
}
