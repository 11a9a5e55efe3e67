import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import Payments

/// Payouts that the operator's schedule makes.
@Suite struct PayoutScheduleTests {
    private static func time(_ text: String) -> Date { Wire.date(text) ?? .distantPast }

    /// 2026-11-30 is a Monday.
    @Test(
        .withoutDatabase,
        arguments: [
            (.init(.none), "2026-11-30T03:00:00Z", nil, nil),
            (.init(.daily), "2026-11-30T03:59:59Z", "2026-11-30", "2026-11-29"),
            (.init(.daily), "2026-11-30T04:00:00Z", "2026-12-01", "2026-11-30"),
            (.init(.weekly, weekday: 1), "2026-11-30T04:00:00Z", "2026-12-07", "2026-11-30"),
            (.init(.weekly, weekday: 7), "2026-11-30T12:00:00Z", "2026-12-06", "2026-11-29"),
            (.init(.monthly, day: 1), "2026-11-30T12:00:00Z", "2026-12-01", "2026-11-01"),
            (.init(.monthly, day: 28), "2027-01-29T12:00:00Z", "2027-02-28", "2027-01-28"),
            (.init(.monthly, day: 28), "2027-03-01T12:00:00Z", "2027-03-28", "2027-02-28"),
        ] as [(PayoutRules.Schedule, String, String?, String?)])
    func aScheduleHasANextAndALastDay(
        _ schedule: PayoutRules.Schedule, _ now: String, _ next: String?, _ last: String?
    ) {
        #expect(schedule.next(after: Self.time(now)) == next.map { Self.time("\($0)T04:00:00Z") })
        #expect(schedule.last(at: Self.time(now)) == last.map { Self.time("\($0)T04:00:00Z") })
    }

    private func earned(
        _ bench: Bench, _ amount: Int = 5_000, _ currency: String = "HKD"
    ) async throws {
        bench.clock.advance(by: 1)
        var bill = Bill.of(nil, version: 1)
        bill.currency = currency
        bill.lines = [.of("ride", "Ride", "順風車", amount, payee: .bob)]
        bill.lines[0].amount.currency = currency
        try await bench.hear(bill)
        _ = try await bench.pay(bill.id)
    }

    private func daily(_ bench: Bench) async throws {
        _ = try await bench.payments.setPayoutRules(
            PayoutRules(schedule: .init(.daily)), ifVersion: .none, by: TestPerson.olivia.id)
    }

    /// The clock moves to the next day of the schedule, and what is due is done.
    private func nextDay(_ bench: Bench) async throws {
        let schedule = try await bench.payments.payoutRules().rules.schedule
        let next = try #require(schedule.next(after: bench.clock.now))
        bench.clock.advance(by: next.timeIntervalSince(bench.clock.now))
        try await bench.payments.planPayouts()
        await bench.recover()
    }

    private func payouts(_ bench: Bench) async throws -> [Money] {
        try await bench.payments.payouts(of: TestPerson.bob.id, .init()).items.map(\.amount)
    }

    @Test func onItsDayBalancesArePaidOutOnce() async throws {
        let bench = try Bench()
        let bob = TestPerson.bob.id
        try await bench.payments.keepAccount("acct_bob", of: bob, key: nil)
        try await earned(bench)
        try await bench.payments.planPayouts()
        await bench.recover()
        #expect(try await payouts(bench) == [])
        // The last day of a new schedule is not made up for.
        try await daily(bench)
        try await bench.payments.planPayouts()
        await bench.recover()
        #expect(try await payouts(bench) == [])
        let next = try #require(try await bench.payments.balance(of: bob, in: nil).next)
        #expect(next.amount == .hkd(5_000) && next.at > bench.clock.now)
        try await nextDay(bench)
        #expect(try await payouts(bench) == [.hkd(5_000)])
        #expect(try await bench.payments.balance(of: bob, in: nil).next == nil)
        // What comes in on the same day waits for the next one, however often it is looked.
        try await earned(bench)
        try await bench.payments.planPayouts()
        await bench.recover()
        #expect(try await payouts(bench).count == 1)
        try await nextDay(bench)
        #expect(try await payouts(bench) == [.hkd(5_000), .hkd(5_000)])
        let titles = try await outboxEvents(of: NoticeIssued.self, in: bench.database)
            .map(\.notice).filter { $0.cause == PayoutChanged.type }
            .flatMap(\.messages).map { $0.title?[.english] }
        #expect(titles == ["Payout on its way", "Payout on its way"])
        #expect(try await bench.balances()[.payouts] == 0)
    }

    @Test func tooLittleOrNoAccountIsNotPaidOut() async throws {
        let bench = try Bench()
        try await daily(bench)
        try await earned(bench, Payouts.least - 1)
        try await bench.payments.keepAccount("acct_bob", of: TestPerson.bob.id, key: nil)
        var tipped = Bill.of(.alice, 5_000, version: 1)
        tipped.tipped = [TestPerson.victor.id]
        try await bench.hear(tipped)
        _ = try await bench.pay(tipped.id, tip: 2_000)
        try await nextDay(bench)
        let all = try await bench.payments.payouts(PayoutsQuery())
        #expect(all.items.isEmpty)
    }

    @Test func severalCurrenciesArePaidOutOnSeveralDays() async throws {
        let bench = try Bench()
        try await bench.payments.keepAccount("acct_bob", of: TestPerson.bob.id, key: nil)
        _ = try await bench.payments.setPayoutRules(
            PayoutRules(schedule: .init(.monthly, day: 1)), ifVersion: .none,
            by: TestPerson.olivia.id)
        try await earned(bench, 2_000, "EUR")
        try await earned(bench, 5_000)
        try await nextDay(bench)
        #expect(try await payouts(bench) == [.hkd(5_000)])
        bench.clock.advance(by: Day.length)
        await bench.recover()
        #expect(
            try await payouts(bench) == [Money(amount: 2_000, currency: "EUR"), .hkd(5_000)])
    }

    /// The process died after the payout was made, and before the work was done.
    @Test func aPayoutThatIsPlannedOnceIsMadeOnce() async throws {
        let bench = try Bench()
        try await bench.payments.keepAccount("acct_bob", of: TestPerson.bob.id, key: nil)
        try await daily(bench)
        try await earned(bench)
        let planned = ScheduledPayout(TestPerson.bob.id, "HKD")
        _ = try await bench.payments.payBySchedule(planned)
        try await earned(bench)
        _ = try await bench.payments.payBySchedule(planned)
        #expect(try await payouts(bench) == [.hkd(5_000)])
        func waiting() async throws -> Int {
            try await bench.database.read {
                try $0.rows(
                    "SELECT 1 AS one FROM work WHERE kind = ?", PaymentWork.scheduledPayout
                ).count
            }
        }
        #expect(try await waiting() == 0)
        // Another currency waits for tomorrow.
        try await earned(bench, 2_000, "EUR")
        _ = try await bench.payments.payBySchedule(ScheduledPayout(TestPerson.bob.id, "EUR"))
        #expect(try await payouts(bench) == [.hkd(5_000)])
        #expect(try await waiting() == 1)
    }

    @Test func anAccountThatBecameCompleteIsSeenWithoutAnEvent() async throws {
        let bench = try Bench()
        let bob = TestPerson.bob.id
        try await daily(bench)
        try await earned(bench)
        _ = try await bench.payments.onboard(bob, PayoutOnboardingBody())
        #expect(try await bench.payments.payoutAccount(of: bob).status == .pending)
        let name = try #require(
            try await bench.database.read { try $0.payouts.account(of: bob)?.name })
        _ = try await bench.provider.fillIn(
            name, TestPayoutAccountBody(bankAccount: "000123456789"))
        try await nextDay(bench)
        #expect(try await payouts(bench) == [.hkd(5_000)])
    }
}
