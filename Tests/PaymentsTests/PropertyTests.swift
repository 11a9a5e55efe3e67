import Contracts
import EventBus
import Foundation
import Support
import Synchronization
import Testing

@testable import Payments

/// What must stay true of money, whatever happens in whatever order.
@Suite struct PropertyTests {
    /// SplitMix64: the same operations on every machine.
    struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    enum Operation: CaseIterable {
        case bill, overrideBill, waive, pay, payWithTip, payTogether, payAgain, payWhileChanged
        case refund, refundTogether, recover
    }

    static let operations = 1_000
    static let tokens = [
        "pm_card_visa", "pm_card_mastercard", "pm_card_visa_chargeDeclined",
        "pm_card_authenticationRequired",
    ]

    @Test(arguments: [1, 2, 3] as [UInt64])
    func moneyIsNeitherMadeNorLost(seed: UInt64) async throws {
        let bench = try Bench()
        var dice = Dice(state: seed)
        let faults = Mutex(Dice(state: seed &+ 1_000))
        var orders = [Bill.of(.alice, nil, version: 1)]
        for step in 0..<Self.operations {
            bench.provider.fail {
                faults.withLock { dice in
                    Bool.random(using: &dice)
                        ? .none : FaultyProvider.Fault.allCases.randomElement(using: &dice) ?? .none
                }
            }
            let operation = Operation.allCases.randomElement(using: &dice) ?? .pay
            await Self.perform(operation, step, bench, &orders, &dice)
            bench.clock.advance(by: Double.random(in: 0...10, using: &dice))
            if step % 100 == 99 { try await check(bench, orders, isSettled: false) }
        }
        bench.provider.fail { .none }
        // Twice: what a crash has left may turn out to wait for the customer, who has an hour again.
        for _ in 1...2 {
            bench.clock.advance(by: PaymentUseCases.holdLimit + 1)
            for _ in 0...orders.count { await bench.recover() }
        }
        try await check(bench, orders, isSettled: true)
    }

    /// What an operation throws is its own business: refusals and crashes are part of the game.
    private static func perform(
        _ operation: Operation, _ step: Int, _ bench: Bench, _ orders: inout [Bill],
        _ dice: inout Dice
    ) async {
        let index = Int.random(in: 0..<orders.count, using: &dice)
        let token = tokens.randomElement(using: &dice) ?? "pm_card_visa"
        let amount = Int.random(in: 1...20_000, using: &dice)
        let order = orders[index].id
        switch operation {
        case .bill:
            var bill = Bill.of(.alice, amount, version: 8)
            bill.tipped = [TestPerson.victor.id]
            if Bool.random(using: &dice) { bill.tipped.append(TestPerson.vera.id) }
            if Bool.random(using: &dice) {
                // A part of it is somebody else's.
                bill.lines.append(
                    .of("ride", "Ride", "順風車", 1_001, payee: .bob, commission: amount % 1_001))
            }
            // Some promise something beside, or take back such a promise.
            if Bool.random(using: &dice) {
                bill.rewards = (0..<2).map { _ in
                    Bill.Reward(
                        id: .new(at: bench.clock.now),
                        amount: Money(amount: amount % 300 - 301, currency: bill.currency))
                }
            }
            // Some are set aside first; a later version takes a part of them, or all.
            if Int.random(in: 0..<3, using: &dice) == 0 { bill.terms = .known(.hold) }
            orders.append(bill)
            try? await bench.hear(bill)
        case .overrideBill, .waive:
            orders[index].version += 1
            if Bool.random(using: &dice) { orders[index].terms = .known(.now) }
            try? await bench.override(
                orders[index], bill: operation == .waive ? nil : amount,
                version: orders[index].version)
        case .pay:
            _ = try? await bench.pay(order, token)
        case .payWithTip:
            _ = try? await bench.pay(order, token, tip: amount % 500 + 1)
        case .payWhileChanged:
            orders[index].version += 1
            let changed = orders[index]
            let bill = Bool.random(using: &dice) ? amount : nil
            await withTaskGroup(of: Void.self) { group in
                group.addTask { _ = try? await bench.pay(order, token, tip: 7) }
                group.addTask {
                    try? await bench.override(changed, bill: bill, version: changed.version)
                }
            }
        case .payTogether:
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { _ = try? await bench.pay(order, token) } }
            }
        case .payAgain:
            for _ in 0..<3 { _ = try? await bench.pay(order, token, key: "key-\(step)") }
        case .refund:
            await refund(order, amount, bench)
        case .refundTogether:
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { await refund(order, amount, bench) } }
            }
        case .recover:
            await bench.recover()
        }
    }

    private static func refund(_ order: BillID, _ amount: Int, _ bench: Bench) async {
        let known = try? await bench.database.read { try $0.bills.find(order) }
        guard let payment = known?.paidBy else { return }
        _ = try? await bench.payments.refund(
            payment, RefundBody(amount: amount, reason: "random"),
            by: TestPerson.olivia.id, key: nil)
    }

    private func check(_ bench: Bench, _ orders: [Bill], isSettled: Bool) async throws {
        #expect(try await bench.balances().values.reduce(0, +) == 0)
        #expect(try await bench.unbalancedEntries() == [])
        try await bench.database.read { transaction in
            let doubles = try transaction.rows(
                """
                SELECT bill_id FROM payments WHERE status = 'succeeded' AND returned = 0
                GROUP BY bill_id HAVING COUNT(*) > 1
                """)
            #expect(doubles.isEmpty)
            let excess = try transaction.rows("SELECT id FROM stub_charges WHERE refunded > amount")
            #expect(excess.isEmpty)
            guard isSettled else { return }
            // Both sides' books agree, and nothing is left open.
            let open = try transaction.rows(
                """
                SELECT id FROM payments WHERE status IN ('processing', 'requiresAction', 'held')
                UNION ALL SELECT id FROM refunds WHERE state = 'processing'
                """)
            #expect(open.isEmpty)
            let different = try transaction.rows(
                """
                SELECT p.status, p.amount, p.refunded, s.state AS stub_state,
                    s.amount AS stub_amount, s.refunded AS stub_refunded, s.reason
                FROM payments AS p LEFT JOIN stub_charges AS s ON s.id = p.id
                WHERE (p.status = 'succeeded') <> (COALESCE(s.state, '') = 'succeeded')
                    OR (p.status = 'succeeded'
                        AND (p.amount <> s.amount OR p.refunded <> s.refunded))
                """)
            #expect(different.isEmpty)
            let taken: Int? = try transaction.row(
                """
                SELECT SUM(amount - refunded) AS taken FROM stub_charges WHERE state = 'succeeded'
                """)?.getIfPresent("taken")
            let balances = try transaction.ledger.balances()
            let clearing = balances.first { $0.kind == .providerClearing }
            #expect(clearing?.amount.amount == taken)
            // What came for a bill that was gone has gone back, all of it and once.
            let credit = balances.first { $0.kind == .customerCredit }
            #expect(credit?.amount.amount ?? 0 == 0)
            let kept = try transaction.rows(
                "SELECT id FROM payments WHERE returned = 1 AND refunded <> amount")
            #expect(kept.isEmpty)
            // The dice did enter all the rooms.
            let captures = try transaction.row("SELECT COUNT(*) AS n FROM stub_charges")
            #expect(try captures?.get("n") ?? 0 > 50)
        }
        guard isSettled else { return }
        let told = try await bench.succeeded().map(\.payment.id)
        let captured = try await bench.database.read { transaction in
            try transaction.rows(
                "SELECT id FROM payments WHERE status = 'succeeded' AND returned = 0"
            )
            .map { try $0.get("id", as: PaymentID.self) }
        }
        #expect(Set(told) == Set(captured))
        // What is owed to payers beside is what bills have said, each once, as often as they are told.
        let promised = orders.flatMap { $0.rewards ?? [] }.reduce(0) { $0 + $1.amount.amount }
        let owed = try await bench.database.read { transaction in
            try transaction.ledger.balance(of: .reward(TestPerson.alice.id)).reduce(0) {
                $0 + $1.amount
            }
        }
        #expect(owed == -promised)
        let tips = try await bench.tips().reduce(0) { $0 + $1.amount.amount }
        let ledgerTips = try await bench.database.read { transaction in
            try transaction.row("SELECT SUM(amount) AS n FROM ledger WHERE is_tip = 1")?.get(
                "n", as: Int.self)
        }
        #expect(ledgerTips == -tips)
        #expect(tips > 0)
        // The provider's list and the ledger agree on every day.
        bench.clock.advance(by: 1)
        let today = Day(bench.clock.now)
        for day in [today, today.before] {
            let found = try await bench.payments.reconcile(day, by: nil, key: nil)
            #expect(found.differences.isEmpty)
        }
    }
}
