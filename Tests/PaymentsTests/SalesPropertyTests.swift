import Contracts
import Foundation
import Support
import Testing

@testable import Payments

/// What must stay true of taxes and documents over a thousand random days of sales.
@Suite struct SalesPropertyTests {
    private static let days = 1_000
    private static let rates = [0, 5_000, 7_000, 8_875, 19_000]

    @Test(arguments: [true, false])
    func taxOwedIsTheSumOfTheDocuments(pricesIncludeTax: Bool) async throws {
        let bench = try await DocumentTests.bench(pricesIncludeTax: pricesIncludeTax)
        var dice = PropertyTests.Dice(state: pricesIncludeTax ? 11 : 12)
        var payments: [PaymentID] = []
        for day in 0..<Self.days {
            if day % 50 == 49 {
                try await Self.changeRates(bench, pricesIncludeTax, &dice)
            }
            let order = Self.bill(&dice, at: bench)
            try await bench.hear(order)
            switch Int.random(in: 0..<5, using: &dice) {
            case 0: try await bench.override(order, bill: nil, version: 2)
            case 1:
                payments.append(
                    try await bench.pay(order.id, tip: Int.random(in: 1...500, using: &dice)).id)
            default: payments.append(try await bench.pay(order.id).id)
            }
            if let payment = payments.randomElement(using: &dice) {
                await Self.refund(payment, bench, &dice)
            }
            bench.clock.advance(by: Double.random(in: 43_200...129_600, using: &dice))
        }
        try await check(bench)
        // Once everything is refunded, no tax is owed.
        for payment in payments {
            _ = try? await bench.payments.refund(
                payment, RefundBody(reason: "the end"), by: TestPerson.olivia.id, key: nil)
        }
        try await check(bench)
        let balances = try await bench.balances()
        #expect(balances[.tax] == 0)
        #expect(balances[.providerClearing] == 0)
    }

    private static func bill(_ dice: inout PropertyTests.Dice, at bench: Bench) -> Bill {
        var bill = Bill.of(.alice, Int.random(in: 1_000...20_000, using: &dice), version: 1)
        bill.tipped = [TestPerson.victor.id]
        if Bool.random(using: &dice) {
            let amount = Int.random(in: 1...9_000, using: &dice)
            bill.lines.append(
                .of(
                    "ride", "Ride", "順風車", amount, payee: .bob,
                    commission: Int.random(in: 0...amount, using: &dice)))
        }
        if Bool.random(using: &dice) {
            bill.lines.append(
                .of("food", "Food", "食物", Int.random(in: 1...5_000, using: &dice)))
        }
        if Bool.random(using: &dice) {
            bill.lines.append(.of("points", "Points", "積分", -Int.random(in: 1...500, using: &dice)))
        }
        if Bool.random(using: &dice) {
            bill.pricedAt = bench.clock.now.addingTimeInterval(
                -Double.random(in: 0...200_000, using: &dice))
        }
        return bill
    }

    private static func changeRates(
        _ bench: Bench, _ pricesIncludeTax: Bool, _ dice: inout PropertyTests.Dice
    ) async throws {
        let base = rates.randomElement(using: &dice) ?? 0
        let food = rates.randomElement(using: &dice) ?? 0
        _ = try await bench.payments.putTaxes(
            TaxSettingsBody(
                pricesIncludeTax: pricesIncludeTax,
                rates: [TaxTests.rate(base), TaxTests.rate(food, "Food", kind: "food")]),
            by: TestPerson.olivia.id, ifVersion: .none)
    }

    /// A part, a payee's line or all; what is more than was paid is refused.
    private static func refund(
        _ payment: PaymentID, _ bench: Bench, _ dice: inout PropertyTests.Dice
    ) async {
        let amount = Int.random(in: 1...10_000, using: &dice)
        let bodies = [
            RefundBody(amount: amount, reason: "random"), RefundBody(line: 1, reason: "the ride"),
            RefundBody(amount: amount, line: 1, reason: "the ride"), RefundBody(reason: "all"),
        ]
        guard let body = bodies.randomElement(using: &dice) else { return }
        _ = try? await bench.payments.refund(
            payment, body, by: TestPerson.olivia.id, key: nil)
    }

    private func check(_ bench: Bench) async throws {
        #expect(try await bench.unbalancedEntries() == [])
        let balances = try await bench.balances()
        #expect(balances.values.reduce(0, +) == 0)
        #expect(balances[.billed] == 0)
        #expect(balances[.customerReceivable] == 0)
        let documents: [PaymentDocument] = try await bench.database.read { transaction in
            try transaction.rows("SELECT body FROM documents ORDER BY id").map { try $0.json() }
        }
        #expect(documents.reduce(0) { $0 + $1.tax.amount } == -(balances[.tax] ?? 0))
        #expect(documents.reduce(0) { $0 + $1.total.amount } == balances[.providerClearing])
        for document in documents {
            #expect(document.taxes.reduce(0) { $0 + $1.tax.amount } == document.tax.amount)
            #expect(
                document.charge.amount + (document.addedTax?.amount ?? 0)
                    + (document.tip?.amount ?? 0) == document.total.amount)
            #expect(
                document.lines.reduce(0) { $0 + $1.amount.amount } == document.charge.amount)
        }
        // Receipts and credit notes of at least two years.
        #expect(try await bench.seriesWithoutGaps() >= 4)
    }
}

extension Bench {
    /// Expects that each series of document numbers begins with 1 and has no gap. Returns how many series there are.
    func seriesWithoutGaps() async throws -> Int {
        try await database.read { transaction in
            let series = try transaction.rows(
                """
                SELECT kind, year, COUNT(*) AS n, MIN(sequence) AS low, MAX(sequence) AS high
                FROM documents GROUP BY kind, year
                """)
            for row in series {
                let count: Int = try row.get("n")
                #expect(try row.get("low") == 1)
                #expect(try row.get("high") == count)
            }
            return series.count
        }
    }
}
