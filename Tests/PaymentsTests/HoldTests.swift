import Contracts
import Foundation
import Support
import Testing

@testable import Payments

/// Money that is set aside first, and taken when the product says so.
@Suite struct HoldTests {
    /// A bill of 50 dollars to be set aside, 45 of them for Bob.
    private func bill(_ bench: Bench, _ amount: Int = 5_000) async throws -> Bill {
        bench.clock.advance(by: 1)
        var bill = Bill.of(nil, version: 1)
        bill.terms = .known(.hold)
        bill.lines = [.of("spot", "Spot", "車位", amount, payee: .bob, commission: amount / 10)]
        try await bench.hear(bill)
        return bill
    }

    private func captured(_ bill: Bill, _ amount: Int, version: Int = 2) -> Bill {
        var next = bill
        (next.version, next.terms) = (version, .known(.now))
        next.lines = [.of("spot", "Spot", "車位", amount, payee: .bob, commission: amount / 10)]
        return next
    }

    private func held(_ bench: Bench) async throws -> [PaymentHeld] {
        try await outboxEvents(of: PaymentHeld.self, in: bench.database)
    }

    private func released(_ bench: Bench) async throws -> [PaymentReleased] {
        try await outboxEvents(of: PaymentReleased.self, in: bench.database)
    }

    /// State and amount of what the provider has.
    private func atProvider(_ bench: Bench, _ bill: Bill) async throws -> [String] {
        try await bench.database.read { transaction in
            try transaction.rows(
                "SELECT state, amount FROM stub_charges WHERE bill_id = ? ORDER BY id", bill.id
            ).map {
                "\(try $0.get("state", as: String.self)) \(try $0.get("amount", as: Int.self))"
            }
        }
    }

    @Test func whatIsSetAsideIsTakenWhenTheNextVersionSaysNow() async throws {
        let bench = try Bench()
        let bill = try await bill(bench)
        let payment = try await bench.pay(bill.id)
        #expect(payment.status == .held)
        #expect(try await held(bench).map(\.payment) == [payment])
        #expect(try await bench.balances().isEmpty)
        #expect(try await bench.payments.bill(bill.id, for: nil).status == .held)
        await #expect(throws: Refusal.alreadyHeld) { try await bench.pay(bill.id) }
        try await bench.hear(captured(bill, 3_000))
        await bench.recover()
        #expect(try await atProvider(bench, bill) == ["succeeded 3000"])
        #expect(try await bench.succeeded().map(\.payment.amount) == [.hkd(3_000)])
        #expect(
            try await bench.balances() == [
                .customerReceivable: 0, .billed: 0, .pending: 0, .commission: -300,
                .payable: -2_700, .providerClearing: 3_000,
            ])
        #expect(try await bench.payments.bill(bill.id, for: nil).status == .paid)
    }

    @Test(arguments: ["bills", "orders"])
    func whatIsSetAsideIsNotSetAsideAgain(path: String) async throws {
        let bench = try Bench()
        let bill = try await bill(bench)
        _ = try await bench.pay(bill.id)
        try await bench.run { caller in
            _ = try await caller.call(
                .post, "/v1/\(path)/\(bill.id)/pay", PayBody(token: "pm_card_visa"), as: .alice
            ).refused(409, "payment.already_held")
        }
    }

    @Test func whatIsWithdrawnIsReleased() async throws {
        let bench = try Bench()
        let bill = try await bill(bench)
        _ = try await bench.pay(bill.id)
        try await bench.override(bill, bill: nil, version: 2)
        await bench.recover()
        #expect(try await atProvider(bench, bill) == ["cancelled 5000"])
        #expect(try await released(bench).map(\.reason) == ["bill_changed"])
        #expect(try await bench.balances().isEmpty)
        await #expect(throws: Refusal.nothingDue) { try await bench.pay(bill.id) }
    }

    @Test func moreThanIsSetAsideIsNotTaken() async throws {
        let bench = try Bench()
        let bill = try await bill(bench)
        _ = try await bench.pay(bill.id)
        try await bench.hear(captured(bill, 5_001))
        await bench.recover()
        #expect(try await released(bench).count == 1)
        // It is due in full, and paid anew.
        #expect(try await bench.pay(bill.id).amount == .hkd(5_001))
        #expect(try await atProvider(bench, bill) == ["cancelled 5000", "succeeded 5001"])
    }

    @Test func whatNobodyTakesExpiresAndIsTold() async throws {
        let bench = try Bench()
        let bill = try await bill(bench)
        _ = try await bench.pay(bill.id)
        bench.clock.advance(by: PaymentUseCases.holdLimit - 10)
        await bench.recover()
        #expect(try await released(bench).isEmpty)
        bench.clock.advance(by: 10)
        await bench.recover()
        #expect(try await released(bench).map(\.reason) == ["expired"])
        #expect(try await bench.pay(bill.id).status == .held)
    }

    @Test func whatTheBankLetGoIsDueWhenItIsToBeTaken() async throws {
        let bench = try Bench()
        let bill = try await bill(bench)
        _ = try await bench.pay(bill.id)
        _ = try await bench.database.write {
            try $0.execute("UPDATE stub_charges SET state = 'cancelled', reason = 'expired'")
        }
        try await bench.hear(captured(bill, 3_000))
        await bench.recover()
        #expect(try await bench.declined().map(\.payment.declineReason) == ["expired"])
        #expect(try await bench.pay(bill.id).amount == .hkd(3_000))
        #expect(try await bench.balances()[.customerReceivable] == 0)
    }

    @Test func aFurtherStepSetsAsideToo() async throws {
        let bench = try Bench()
        let bill = try await bill(bench)
        let token = "pm_card_authenticationRequired"
        #expect(try await bench.pay(bill.id, token).status == .requiresAction)
        #expect(try await bench.pay(bill.id, token).status == .held)
        #expect(try await atProvider(bench, bill) == ["authorized 5000"])
    }

    @Test func aTipIsNotSetAside() async throws {
        let bench = try Bench()
        let bill = try await bill(bench)
        await #expect(throws: Refusal.nobodyToTip) { try await bench.pay(bill.id, tip: 5) }
    }

    /// Whatever goes wrong at each step, what was set aside is taken once, or let go once.
    @Test(arguments: FaultyProvider.Fault.allCases, [true, false])
    func eachHoldEndsOnce(fault: FaultyProvider.Fault, isTaken: Bool) async throws {
        let bench = try Bench()
        let bill = try await bill(bench)
        bench.provider.failNext(fault)
        _ = try? await bench.pay(bill.id)
        bench.clock.advance(by: PaymentUseCases.hold)
        for _ in 1...2 { await bench.recover() }
        if try await bench.lastAttempt()?.payment.status.known != .held {
            _ = try await bench.pay(bill.id)
        }
        if isTaken {
            try await bench.hear(captured(bill, 3_000))
        } else {
            try await bench.override(bill, bill: nil, version: 2)
        }
        bench.provider.failNext(fault, fault)
        for _ in 1...5 { await bench.recover() }
        let ends = try await atProvider(bench, bill).filter { !$0.hasPrefix("cancelled 0") }
        #expect(ends == [isTaken ? "succeeded 3000" : "cancelled 5000"])
        #expect(try await bench.succeeded().count == (isTaken ? 1 : 0))
        #expect(try await released(bench).count == (isTaken ? 0 : 1))
        #expect(try await bench.balances()[.providerClearing] ?? 0 == (isTaken ? 3_000 : 0))
    }

    @Test func whatBecomesDueWhileItIsBeingSetAsideIsTakenAtOnce() async throws {
        let bench = try Bench()
        let bill = try await bill(bench)
        bench.provider.failNext(.crashAfter)
        _ = try? await bench.pay(bill.id)
        try await bench.hear(captured(bill, 4_000))
        bench.clock.advance(by: PaymentUseCases.hold)
        for _ in 1...3 { await bench.recover() }
        #expect(try await atProvider(bench, bill) == ["succeeded 4000"])
        #expect(try await bench.balances()[.providerClearing] == 4_000)
    }

    @Test func theEventsAreAsTheirFixtures() async throws {
        let bench = try Bench()
        let id = try #require(BillID("01900000-0000-7000-8000-000000000101"))
        var bill = Bill.of(.alice, 12_000, version: 1, id: id)
        (bill.terms, bill.product) = (.known(.hold), "valet")
        try await bench.hear(bill)
        _ = try await bench.pay(id)
        var held = try #require(try await held(bench).last)
        held.payment.id = try EventFixtures.read(PaymentHeld.self).payment.id
        #expect(held == (try EventFixtures.read(PaymentHeld.self)))
        try await bench.override(bill, bill: nil, version: 2)
        await bench.recover()
        var released = try #require(try await released(bench).last)
        released.payment.id = held.payment.id
        #expect(released == (try EventFixtures.read(PaymentReleased.self)))
    }
}
