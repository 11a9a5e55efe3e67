import Contracts
import Crypto
import Foundation
import HTTPTypes
import ServiceKit
import Support
import Testing

@testable import Payments

/// Connected accounts against an API that does what Stripe documents.
@Suite struct ConnectTests {
    private static let bob = TestPerson.bob.id
    private static let secret = "whsec_connect"

    private func run(
        _ body: @escaping @Sendable (PretendStripe, Bench, Caller) async throws -> Void
    ) async throws {
        let clock = TestClock()
        let stripe = PretendStripe(clock: clock)
        try await stripe.run { settings in
            var settings = settings
            settings.connectSecret = Self.secret
            let bench = try Bench(clock: clock, stripe: settings)
            try await bench.run { caller in try await body(stripe, bench, caller) }
        }
    }

    private func earned(_ bench: Bench) async throws {
        bench.clock.advance(by: 1)
        var bill = Bill.of(nil, version: 1)
        bill.lines = [.of("ride", "Ride", "順風車", 5_000, payee: .bob)]
        try await bench.hear(bill)
        _ = try await bench.pay(bill.id)
    }

    /// Stripe's name of Bob's account.
    private func onboard(_ bench: Bench, _ stripe: PretendStripe) async throws -> String {
        _ = try await bench.payments.onboard(Self.bob, PayoutOnboardingBody())
        let account = try #require(stripe.accounts.last?.id)
        stripe.complete(account)
        #expect(try await bench.payments.payoutAccount(of: Self.bob).status == .enabled)
        return account
    }

    private func send(
        _ id: String, _ type: String, of account: String?, _ object: String, _ bench: Bench,
        _ caller: Caller
    ) async throws {
        let of = account.map { #""account": "\#($0)","# } ?? ""
        let body = #"{"id": "\#(id)", "type": "\#(type)", \#(of) "data": {"object": \#(object)}}"#
        let time = Int(bench.clock.now.timeIntervalSince1970)
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(time).\(body)".utf8), using: SymmetricKey(data: Data(Self.secret.utf8))
        ).map { String(format: "%02x", $0) }.joined()
        let answer = try await caller.call(
            .post, "/v1/webhooks/stripe", raw: body,
            headers: [.stripeSignature: "t=\(time),v1=\(code)"])
        #expect(answer.status == 204)
    }

    @Test func aSellerIsOnboardedByStripesPageAndPaidOut() async throws {
        try await run { stripe, bench, caller in
            try await earned(bench)
            let path = "/v1/me/payout-account"
            let link = try await caller.call(
                .post, "\(path)/onboarding", PayoutOnboardingBody(country: "FI"), as: .bob
            ).expect(201, PayoutLink.self)
            #expect(link.url == "https://pretend/setup/1")
            #expect(link.expiresAt.map { $0 > bench.clock.now } == true)
            let made = try #require(stripe.calls.first { $0.name == "POST /v1/accounts" })
            #expect(
                made.form == [
                    "type": "express", "country": "FI",
                    "capabilities[transfers][requested]": "true",
                    "metadata[person]": Self.bob.description,
                ])
            let page = try #require(stripe.calls.first { $0.name == "POST /v1/account_links" })
            #expect(page.form["return_url"] == "http://localhost:8080/#/payouts/return")
            #expect(page.form["refresh_url"] == "http://localhost:8080/#/payouts/refresh")
            let begun = try await caller.call(.get, path, as: .bob).expect(200, PayoutAccount.self)
            #expect(begun.status == .pending && !begun.hasDashboard)
            #expect(begun.requirements.map(\.kind) == [.bankAccount, .birthDate])
            try await caller.call(.post, "/v1/me/payouts", PayoutBody(), as: .bob)
                .refused(409, "payout.account_restricted")
            // The second page is of the same account.
            _ = try await caller.call(
                .post, "\(path)/onboarding", PayoutOnboardingBody(app: .valet), as: .bob
            ).expect(201, PayoutLink.self)
            #expect(stripe.accounts.count { $0.form["type"] == "express" } == 1)
            #expect(
                stripe.calls.last { $0.name == "POST /v1/account_links" }?.form["return_url"]
                    == "http://localhost:8080/valet#/payouts/return")
            stripe.complete(try #require(stripe.accounts.last?.id))
            let done = try await caller.call(.get, path, as: .bob).expect(200, PayoutAccount.self)
            #expect(done.status == .enabled && done.last4 == "6789" && done.country == "FI")
            let payout = try await caller.call(.post, "/v1/me/payouts", PayoutBody(), as: .bob)
                .expect(201, Payout.self)
            #expect(payout.status == .paid && payout.last4 == "6789")
            let dashboard = try await caller.call(.post, "\(path)/dashboard", as: .bob)
                .expect(201, PayoutLink.self)
            #expect(dashboard.url.hasPrefix("https://pretend/express/"))
            try await caller.call(
                .put, "\(path)/test", TestPayoutAccountBody(bankAccount: "0001"), as: .bob
            ).refused(404, "request.not_found")
        }
    }

    @Test(arguments: [0, 1])
    func anAccountIsOpenedOnceHoweverTheAnswerIsLost(days: Int) async throws {
        try await run { stripe, bench, caller in
            stripe.state.withLock {
                $0.faultsByName["POST /v1/accounts"] = .doesAndAnswers(500)
            }
            await #expect(throws: Refusal.paymentProviderUnavailable) {
                try await bench.payments.onboard(Self.bob, PayoutOnboardingBody())
            }
            stripe.state.withLock { state in
                state.faultsByName = [:]
                // Stripe has forgotten the key.
                if days > 0 { state.answers = [:] }
            }
            bench.clock.advance(by: Double(days) * Day.length)
            _ = try await bench.payments.onboard(Self.bob, PayoutOnboardingBody())
            #expect(stripe.accounts.count { $0.form["type"] == "express" } == 1)
        }
    }

    @Test func anAccountIsOpenedInTheCompanysCountry() async throws {
        try await run { stripe, bench, caller in
            _ = try await bench.payments.putCompany(
                CompanyBody(
                    name: "OpenValet", address: ["Street 1"], country: "DE",
                    timeZone: "Europe/Berlin"),
                by: Self.bob, ifVersion: .none)
            _ = try await bench.payments.onboard(Self.bob, PayoutOnboardingBody())
            let made = stripe.calls.filter { $0.name == "POST /v1/accounts" }
            #expect(made.map { $0.form["country"] } == ["DE"])
        }
    }

    @Test func whatStripeRefusesToOpenIsRefusedAndMayBeTriedOtherwise() async throws {
        try await run { _, bench, caller in
            await #expect(throws: Refusal.payoutAccountRefused) {
                try await bench.payments.onboard(Self.bob, PayoutOnboardingBody(country: "AQ"))
            }
            bench.clock.advance(by: 1)
            _ = try await bench.payments.onboard(Self.bob, PayoutOnboardingBody(country: "FI"))
        }
    }

    @Test func anEventMakesUsReadTheAccount() async throws {
        try await run { stripe, bench, caller in
            try await earned(bench)
            let account = try await onboard(bench, stripe)
            let deadline = Int(bench.clock.now.timeIntervalSince1970) + 86_400
            stripe.change(account) {
                $0.pastDue = ["individual.verification.document"]
                $0.currentlyDue = ["individual.verification.document", "tos_acceptance.date"]
                ($0.disabledReason, $0.deadline) = ("requirements.past_due", deadline)
            }
            bench.clock.advance(by: 1)
            let object = #"{"id": "\#(account)", "object": "account", "payouts_enabled": true}"#
            try await send("evt_1", "account.updated", of: account, object, bench, caller)
            let known = try await bench.database.read { try $0.payouts.account(of: Self.bob)?.view }
            let due = Date(timeIntervalSince1970: Double(deadline))
            #expect(known?.status == .restricted)
            #expect(
                known?.requirements == [
                    .init(.identityDocument, dueAt: due, isOverdue: true),
                    .init(.terms, dueAt: due),
                ])
            await #expect(throws: Refusal.payoutAccountRestricted) {
                try await bench.payments.payOut(PayoutBody(), to: Self.bob, key: nil)
            }
            // Of others' accounts nothing is known, and nothing is asked.
            let calls = stripe.calls.count
            try await send(
                "evt_2", "account.updated", of: "acct_other",
                #"{"id": "acct_other", "object": "account"}"#, bench, caller)
            #expect(stripe.calls.count == calls)
            stripe.close(account)
            bench.clock.advance(by: 1)
            try await send(
                "evt_3", "account.application.deauthorized", of: account,
                #"{"id": "ca_1", "object": "application"}"#, bench, caller)
            #expect(try await bench.payments.payoutAccount(of: Self.bob) == PayoutAccount(.none))
            let statuses = try await outboxEvents(of: PayoutAccountChanged.self, in: bench.database)
                .map(\.status)
            // Enabled, restricted, and gone.
            #expect(statuses == [.known(.enabled), .known(.restricted), .known(.none)])
            // They may begin anew.
            _ = try await onboard(bench, stripe)
        }
    }

    @Test func whatTheBankRefusesIsTakenBackAndAvailableAgain() async throws {
        try await run { stripe, bench, caller in
            try await earned(bench)
            let account = try await onboard(bench, stripe)
            let first = try await bench.payments.payOut(
                PayoutBody(amount: 2_000), to: Self.bob, key: nil)
            bench.clock.advance(by: Day.length)
            let second = try await bench.payments.payOut(PayoutBody(), to: Self.bob, key: nil)
            let arrived = stripe.payToBank(account, failure: nil)
            let transfer = stripe.payToBank(account, failure: "account_closed")
            // That it failed is not believed of one that was paid.
            for (id, name) in [("evt_1", arrived), ("evt_2", transfer), ("evt_3", transfer)] {
                try await send(
                    id, "payout.failed", of: account, #"{"id": "\#(name)", "object": "payout"}"#,
                    bench, caller)
                let available = name == arrived ? 0 : 5_000
                #expect(
                    try await bench.payments.balance(of: Self.bob, in: "HKD").available
                        == .hkd(available))
            }
            let found = try await bench.payments.payouts(of: Self.bob, .init()).items
            #expect(found.map(\.id) == [second.id, first.id])
            #expect(found.allSatisfy { $0.status == .failed && $0.problem == .bankAccountClosed })
            let reversals = stripe.calls.filter { $0.path.hasSuffix("/reversals") }
            #expect(reversals.count == 2)
            #expect(try await bench.balances().values.reduce(0, +) == 0)
            #expect(try await bench.balances()[.payouts] == 0)
            let notices = try await outboxEvents(of: NoticeIssued.self, in: bench.database)
                .map(\.notice).filter { $0.cause == PayoutChanged.type }
            #expect(notices.count == 2)
        }
    }

    @Test func whatTheBankRefusesIsTakenBackLaterIfStripeIsAway() async throws {
        try await run { stripe, bench, caller in
            try await earned(bench)
            let account = try await onboard(bench, stripe)
            _ = try await bench.payments.payOut(PayoutBody(), to: Self.bob, key: nil)
            let transfer = stripe.payToBank(account, failure: "declined")
            let path = "POST /v1/transfers/tr_1/reversals"
            stripe.state.withLock { $0.faultsByName[path] = .doesAndAnswers(500) }
            await #expect(throws: Refusal.paymentProviderUnavailable) {
                try await bench.payments.hear(transfer, from: account)
            }
            stripe.state.withLock { $0.faultsByName = [:] }
            await bench.recover()
            let found = try await bench.payments.payouts(of: Self.bob, .init()).items
            #expect(found.map(\.status) == [.failed])
            #expect(found.map(\.problem) == [.bankRefused])
            #expect(try await bench.balances()[.payable] == -5_000)
        }
    }

    @Test func nobodyGetsThePagesOfAnothersAccount() async throws {
        try await run { stripe, bench, caller in
            let account = try await onboard(bench, stripe)
            let alice = TestPerson.alice.id
            try await bench.payments.keepAccount(account, of: alice, key: nil)
            let seen = try await bench.payments.payoutAccount(of: alice)
            #expect(seen.status == .enabled && seen.last4 == nil && seen.country == nil)
            await #expect(throws: Refusal.payoutDashboardMissing) {
                try await bench.payments.payoutDashboard(of: alice)
            }
            #expect(!stripe.calls.contains { $0.path.hasSuffix("/login_links") })
            // Their own onboarding is of an account of theirs.
            _ = try await bench.payments.onboard(alice, PayoutOnboardingBody())
            let page = stripe.calls.last { $0.name == "POST /v1/account_links" }
            #expect(page?.form["account"] != account)
        }
    }

    @Test func whatIsNotEnabledGetsNoTransferEvenIfWeThoughtSo() async throws {
        try await run { stripe, bench, caller in
            try await earned(bench)
            let account = try await onboard(bench, stripe)
            stripe.change(account) { $0.disabledReason = "rejected.fraud" }
            let made = try await bench.payments.payOut(PayoutBody(), to: Self.bob, key: nil)
            #expect(made.status == .failed && made.problem == .accountUnusable)
            #expect(try await bench.balances()[.payable] == -5_000)
        }
    }

    @Test(
        .withoutDatabase,
        arguments: [
            ("external_account", .bankAccount), ("individual.dob.day", .birthDate),
            ("individual.address.city", .address), ("individual.id_number", .idNumber),
            ("individual.verification.document", .identityDocument), ("individual.email", .contact),
            ("person_1.first_name", .name), ("business_profile.url", .business),
            ("tos_acceptance.ip", .terms), ("a.new.thing", .other),
        ] as [(String, PayoutRequirement)])
    func stripesFieldsHaveAKind(_ field: String, _ kind: PayoutRequirement) {
        #expect(PayoutRequirement(field: field) == kind)
    }
}
