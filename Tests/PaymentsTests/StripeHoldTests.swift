import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import Payments

/// Holds and payouts against an API that does what Stripe documents, and fails when it is told to.
@Suite struct StripeHoldTests {
    private func run(
        timeout: Duration = StripeAPI.patience,
        _ body: @Sendable (PretendStripe, Bench) async throws -> Void
    ) async throws {
        let clock = TestClock()
        let stripe = PretendStripe(clock: clock)
        try await stripe.run(timeout: timeout) { settings in
            try await body(stripe, try Bench(clock: clock, stripe: settings))
        }
    }

    private func held(_ bench: Bench) async throws -> Bill {
        var bill = Bill.of(12_000, version: 1)
        bill.terms = .known(.hold)
        try await bench.hear(bill)
        #expect(try await bench.pay(bill.id).status == .held)
        return bill
    }

    private func due(_ bill: Bill, _ amount: Int) -> Bill {
        var next = bill.replaced(by: amount, version: 2)
        next.terms = .known(.now)
        return next
    }

    @Test func aPartOfWhatIsSetAsideIsCaptured() async throws {
        try await run { stripe, bench in
            let bill = try await held(bench)
            #expect(stripe.intents.map(\.status) == ["requires_capture"])
            try await bench.hear(due(bill, 7_000))
            await bench.recover()
            #expect(stripe.intents.map(\.captured) == [7_000])
            #expect(try await bench.succeeded().map(\.payment.amount) == [.hkd(7_000)])
            let found = try await bench.payments.reconcile(
                Day(bench.clock.now), by: nil, key: nil)
            #expect(found.differences.isEmpty)
            #expect(found.compared == 1)
        }
    }

    @Test func whatIsWithdrawnIsCancelled() async throws {
        try await run { stripe, bench in
            let bill = try await held(bench)
            try await bench.override(bill, bill: nil, version: 2)
            await bench.recover()
            #expect(stripe.intents.map(\.status) == ["canceled"])
        }
    }

    /// The question what it is, then the capture.
    @Test(arguments: [1, 2], [0, 1, 2])
    func howeverACaptureIsInterruptedItIsTakenOnce(step: Int, kind: Int) async throws {
        let faults: [PretendStripe.Fault] = [.refuses(503), .doesAndAnswers(500), .doesAndHangs]
        let fault = faults[kind]
        try await run(timeout: fault.timeout) { stripe, bench in
            let bill = try await held(bench)
            try await bench.hear(due(bill, 7_000))
            let before = Array(repeating: PretendStripe.Fault.none, count: step - 1)
            stripe.state.withLock { $0.faults = before + [fault] }
            for _ in 1...3 { await bench.recover() }
            #expect(stripe.intents.map(\.captured) == [7_000])
            #expect(try await bench.succeeded().count == 1)
            #expect(try await bench.balances()[.providerClearing] == 7_000)
        }
    }

    @Test func whatTheBankLetGoIsDueAgain() async throws {
        try await run { stripe, bench in
            let bill = try await held(bench)
            stripe.state.withLock { $0.intents[0].status = "canceled" }
            try await bench.hear(due(bill, 7_000))
            await bench.recover()
            #expect(try await bench.declined().count == 1)
            #expect(try await bench.pay(bill.id).amount == .hkd(7_000))
        }
    }

    private func payee(_ bench: Bench) async throws {
        var bill = Bill.of(nil, version: 1)
        bill.lines = [.of("ride", "Ride", "順風車", 5_000, payee: .bob)]
        try await bench.hear(bill)
        _ = try await bench.pay(bill.id)
    }

    @Test func aPayoutIsATransferToTheirOwnAccount() async throws {
        try await run { stripe, bench in
            try await payee(bench)
            let bob = TestPerson.bob.id
            await #expect(throws: Refusal.payoutAccountMissing) {
                try await bench.payments.payOut(PayoutBody(), to: bob, key: nil)
            }
            for account in ["", "bob", "acct_", "acct_1/../x"] {
                await #expect(throws: Refusal.payoutAccountInvalid) {
                    try await bench.payments.keepAccount(account, of: bob, key: nil)
                }
            }
            try await bench.payments.keepAccount("acct_1", of: bob, key: nil)
            let made = try await bench.payments.payOut(PayoutBody(), to: bob, key: nil)
            #expect(made.status == .paid)
            let transfer = try #require(stripe.state.withLock { $0.transfers.first })
            #expect(
                transfer.form == [
                    "amount": "5000", "currency": "hkd", "destination": "acct_1",
                    "transfer_group": made.id.description,
                    "metadata[payout]": made.id.description,
                ])
        }
    }

    @Test func payoutsAreComparedWithTheTransfers() async throws {
        try await run { stripe, bench in
            let made = try await paidOut(bench)
            let day = Day(bench.clock.now)
            func differences() async throws -> [Reconciliation.Difference] {
                try await bench.payments.reconcile(day, by: nil, key: nil).differences
            }
            #expect(try await differences() == [])
            // A part has come back without an event, and somebody has made a transfer at Stripe.
            let now = Int(bench.clock.now.timeIntervalSince1970)
            stripe.state.withLock { state in
                state.transfers[0].reversed = 1_000
                state.transfers.append(
                    .init(id: "tr_9", form: ["amount": "42", "currency": "hkd"], created: now))
            }
            let found = try await differences()
            #expect(found.count == 2)
            let differing = found.first { $0.kind == .amountDiffers }
            #expect(differing?.payout == made.id)
            #expect(differing?.here == .hkd(5_000) && differing?.atProvider == .hkd(4_000))
            #expect(found.first { $0.kind == .missingHere }?.reference == "tr_9")
            _ = try await bench.payments.settlePayout(made.id)
            #expect(try await differences().map(\.reference) == ["tr_9"])
        }
    }

    @Test(arguments: [0, 1, 2])
    func aLostAnswerIsFoundAndNothingIsPaidTwice(kind: Int) async throws {
        let faults: [PretendStripe.Fault] = [.refuses(503), .doesAndAnswers(500), .doesAndHangs]
        let fault = faults[kind]
        try await run(timeout: fault.timeout) { stripe, bench in
            try await payee(bench)
            let bob = TestPerson.bob.id
            try await bench.payments.keepAccount("acct_1", of: bob, key: nil)
            stripe.state.withLock { $0.faults = [.none] + Array(repeating: fault, count: 3) }
            let made = try await bench.payments.payOut(PayoutBody(), to: bob, key: nil)
            bench.clock.advance(by: PaymentUseCases.hold)
            await bench.recover()
            #expect(stripe.state.withLock { $0.transfers.count } == 1)
            let found = try await bench.payments.payouts(of: bob, .init()).items
            #expect(found.map(\.id) == [made.id])
            #expect(found.map(\.status) == [.paid])
        }
    }

    /// 5,000 of a payee's, paid out.
    private func paidOut(_ bench: Bench) async throws -> Payout {
        try await payee(bench)
        try await bench.payments.keepAccount("acct_1", of: TestPerson.bob.id, key: nil)
        let made = try await bench.payments.payOut(PayoutBody(), to: TestPerson.bob.id, key: nil)
        #expect(made.status == .paid)
        return made
    }

    private func expectReturned(_ payout: Payout, _ bench: Bench) async throws {
        let bob = TestPerson.bob.id
        let found = try #require(try await bench.payments.payouts(of: bob, .init()).items.first)
        #expect(found.id == payout.id)
        #expect(found.status == .failed)
        #expect(found.reason == "reversed")
        #expect(found.returned == nil)
        #expect(try await bench.payments.balance(of: bob, in: nil).available == .hkd(5_000))
        let balances = try await bench.balances()
        #expect(balances[.payouts] == 0)
        #expect(balances[.providerClearing] == 5_000)
        #expect(balances.values.reduce(0, +) == 0)
        #expect(try await works(bench) == 0)
    }

    @Test func whatComesBackInPartsIsOwedAgainOnce() async throws {
        try await run { stripe, bench in
            let made = try await paidOut(bench)
            let bob = TestPerson.bob.id
            // So much in all by now; the same twice, and an answer that is older than the last.
            for (amount, owed) in [(1_200, 1_200), (1_200, 1_200), (3_000, 3_000), (1_200, 3_000)] {
                stripe.reverseTransfers(amount)
                let found = try await bench.payments.settlePayout(made.id)
                #expect(found.status == .paid)
                #expect(found.returned == .hkd(owed))
                #expect(try await bench.payments.balance(of: bob, in: nil).available == .hkd(owed))
                let balances = try await bench.balances()
                #expect(balances[.providerClearing] == owed)
                #expect(balances[.payouts] == 0)
                #expect(balances.values.reduce(0, +) == 0)
            }
            // The rest comes back, too.
            stripe.reverseTransfers()
            bench.clock.advance(by: Payouts.lookPause)
            await bench.recover()
            try await expectReturned(made, bench)
        }
    }

    @Test func whatHasComeBackInPartWhenItIsFirstHeardOfIsOwedAgain() async throws {
        try await run { stripe, bench in
            try await payee(bench)
            let bob = TestPerson.bob.id
            try await bench.payments.keepAccount("acct_1", of: bob, key: nil)
            // It is paid, and no answer says so.
            stripe.state.withLock {
                $0.faultsByName["POST /v1/transfers"] = .doesAndAnswers(500)
            }
            let made = try await bench.payments.payOut(PayoutBody(), to: bob, key: nil)
            #expect(made.status == .processing)
            stripe.reverseTransfers(2_000)
            bench.clock.advance(by: PaymentUseCases.hold)
            await bench.recover()
            let found = try await bench.payments.payouts(of: bob, .init()).items
            #expect(found.map(\.returned) == [.hkd(2_000)])
            #expect(try await bench.payments.balance(of: bob, in: nil).available == .hkd(2_000))
            #expect(try await bench.balances().values.reduce(0, +) == 0)
        }
    }

    private func works(_ bench: Bench) async throws -> Int {
        try await bench.database.read {
            try $0.rows("SELECT 1 AS one FROM work WHERE kind = ?", PaymentWork.payout).count
        }
    }

    @Test(arguments: [1, 28])
    func aPayoutThatComesBackUnannouncedIsAvailableAgain(days: Int) async throws {
        try await run { stripe, bench in
            let made = try await paidOut(bench)
            for _ in 0..<days {
                bench.clock.advance(by: Payouts.lookPause)
                await bench.recover()
            }
            #expect(try await works(bench) == 1)
            #expect(try await bench.published(ProviderAlerted.self).isEmpty)
            stripe.reverseTransfers()
            for _ in 1...2 {
                bench.clock.advance(by: Payouts.lookPause)
                await bench.recover()
            }
            try await expectReturned(made, bench)
            // Operators hear of it as of one that an event tells of.
            let alerts = try await bench.published(ProviderAlerted.self)
            #expect(alerts.map(\.kind) == [.known(.transferReversed)])
            #expect(alerts.map(\.amount) == [made.amount])
        }
    }

    @Test func aPayoutThatStaysIsAskedForOnceADayAndNotForEver() async throws {
        try await run { stripe, bench in
            _ = try await paidOut(bench)
            let before = stripe.calls.count
            for _ in 0..<40 {
                bench.clock.advance(by: Payouts.lookPause)
                for _ in 1...3 { await bench.recover() }
            }
            #expect(stripe.calls.count - before == 29)
            #expect(try await works(bench) == 0)
            #expect(try await bench.balances()[.payable] == 0)
        }
    }

    @Test func whatWasPaidIsNotPaidAgainWhateverStripeKnows() async throws {
        try await run { stripe, bench in
            _ = try await paidOut(bench)
            stripe.state.withLock { $0.transfers = [] }
            bench.clock.advance(by: Payouts.lookPause)
            await bench.recover()
            #expect(stripe.state.withLock { $0.transfers.isEmpty })
            #expect(try await works(bench) == 1)
        }
    }

    @Test func aRefusedLookSaysNothingOfAPayout() async throws {
        try await run { stripe, bench in
            let made = try await paidOut(bench)
            stripe.failNext(.refuses(400))
            bench.clock.advance(by: Payouts.lookPause)
            await bench.recover()
            let bob = TestPerson.bob.id
            let found = try await bench.payments.payouts(of: bob, .init()).items
            #expect(found.map(\.id) == [made.id])
            #expect(found.map(\.status) == [.paid])
            #expect(try await bench.balances()[.payable] == 0)
            // Looked at again: what comes back later is found.
            stripe.reverseTransfers()
            bench.clock.advance(by: Payouts.lookPause)
            await bench.recover()
            try await expectReturned(made, bench)
        }
    }

    @Test func whatStripeRefusesIsAvailableAgain() async throws {
        try await run { _, bench in
            try await payee(bench)
            let bob = TestPerson.bob.id
            try await bench.payments.keepAccount("acct_closed", of: bob, key: nil)
            let made = try await bench.payments.payOut(PayoutBody(), to: bob, key: nil)
            #expect(made.status == .failed)
            #expect(try await bench.payments.balance(of: bob, in: nil).available == .hkd(5_000))
        }
    }
}
