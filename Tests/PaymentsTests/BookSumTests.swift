import CSV
import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import Payments

/// What the books of a day tell apart: what came, what went back, what failed and what was lost.
@Suite struct BookSumTests {
    private let desk = Teller(person: TestPerson.olivia.id, isValet: false)

    private func books(
        _ bench: Bench, in language: Language = .english
    ) async throws -> BookPeriod {
        let zone = try await bench.database.read { try $0.company.timeZone() }
        return try await bench.payments.bookDay(Day(bench.clock.now, in: zone).text, in: language)
            .books
    }

    private func sums(_ bench: Bench) async throws -> BookSums {
        try #require(try await books(bench).currencies.first)
    }

    private func totals(_ bench: Bench) async throws -> PaymentTotals.Currency {
        try #require(try await bench.payments.totals(PaymentSumsQuery()).currencies.first)
    }

    private func refund(
        _ bench: Bench, _ payment: PaymentID, _ body: RefundBody
    ) async throws -> Refund {
        bench.clock.advance(by: 1)
        return try await bench.payments.refund(
            payment, body, by: TestPerson.olivia.id, key: nil)
    }

    // MARK: Refunds

    /// The bank sends a refund back.
    private func fail(_ refund: Refund, _ bench: Bench) async throws {
        bench.clock.advance(by: 1)
        try await bench.database.write {
            _ = try $0.execute(
                "UPDATE stub_refunds SET failure = 'account_closed' WHERE id = ?", refund.id)
        }
        try await bench.payments.review(refund.payment)
    }

    /// A valet's bill, and on it a space of a car park.
    private static func ofTwoPlaces(_ valet: Int, _ parking: Int) -> Bill {
        var bill = Bill.of(.alice, valet, version: 1)
        bill.facts.site = Bill.Site(.area, id: "berlin", name: "Berlin")
        var space = Bill.Line.of("space", "Space", "車位", parking)
        (space.product, space.site) = ("parking", Bill.Site(.carPark, id: "p1", name: "P1"))
        bill.lines.append(space)
        return bill
    }

    @Test func aRefundReducesTheRevenueOfItsProductAndPlace() async throws {
        let bench = try await DocumentTests.bench()
        let bill = Self.ofTwoPlaces(5_950, 2_380)
        try await bench.hear(bill)
        let payment = try await bench.pay(bill.id)
        _ = try await refund(bench, payment.id, RefundBody(reason: "all"))
        let sold = try await sums(bench).sold
        #expect(sold.map(\.siteName) == ["Berlin", "P1"])
        #expect(sold.map(\.revenue) == [.hkd(5_000), .hkd(2_000)])
        #expect(sold.map(\.refunded) == [.hkd(5_000), .hkd(2_000)])
        let found = try await totals(bench)
        #expect(found.tax == .hkd(1_330))
        #expect(found.refundedTax == .hkd(1_330))
    }

    @Test func aRefundThatFailsAfterAllIsToldByItself() async throws {
        let bench = try await DocumentTests.bench()
        let payment = try await bench.pay(try await bench.billed(11_900).id)
        let back = try await refund(bench, payment.id, RefundBody(amount: 1_190, reason: "late"))
        #expect(try await totals(bench).refunded == .hkd(1_190))
        try await fail(back, bench)
        let sums = try await sums(bench)
        #expect(sums.refunds == .init(count: 1, amount: .hkd(1_190)))
        #expect(sums.refundsFailed == .init(count: 1, amount: .hkd(1_190)))
        #expect(sums.sold.map(\.refunded) == [.hkd(0)])
        #expect(sums.taxes.map(\.refunded) == [.hkd(0)])
        #expect(sums.means.map(\.refunded) == [.hkd(0)])
        #expect(sums.means.map(\.other) == [.hkd(0)])
        #expect(sums.means.map(\.closing) == [.hkd(11_900)])
        #expect(try await totals(bench).refunded == .hkd(0))
    }

    @Test func moneyForABillThatIsGoneIsNoSale() async throws {
        let bench = try await DocumentTests.bench()
        let bill = try await bench.billed(11_900)
        bench.provider.failNext(.answerLost)
        _ = try? await bench.pay(bill.id)
        try await bench.override(bill, bill: nil)
        bench.clock.advance(by: PaymentUseCases.hold)
        for _ in 0..<3 { await bench.recover() }
        _ = try await bench.pay(try await bench.billed(2_380).id)
        let sums = try await sums(bench)
        #expect(sums.payments == .init(count: 1, amount: .hkd(2_380)))
        #expect(sums.credited == .hkd(11_900))
        #expect(sums.creditReturned == .hkd(11_900))
        #expect(sums.refunds.amount == .hkd(0))
        let found = try await totals(bench)
        #expect(found.paid == .hkd(2_380) && found.payments == 1)
        #expect(found.refunded == .hkd(0) && found.refunds == 0)
        #expect(found.tax == .hkd(380))
    }

    // MARK: Disputes

    private func report(
        _ bench: Bench, _ payment: Payment, _ status: DisputeStatus, taken: Int, fee: Int?
    ) async throws {
        bench.clock.advance(by: 1)
        bench.provider.report(
            ReportedDispute(
                reference: "dp_\(payment.id)", payment: payment.id, amount: payment.amount,
                status: status, reason: "fraudulent", evidenceDueAt: nil,
                createdAt: bench.clock.now, taken: taken, fee: fee.map { .hkd($0) }))
        try await bench.payments.follow(dispute: "dp_\(payment.id)")
    }

    @Test func disputesAreNoIncome() async throws {
        let bench = try Bench()
        var bill = Bill.of(.alice, 4_000, version: 1)
        bill.lines.append(.of("ride", "Ride", "順風車", 5_000, payee: .bob, commission: 500))
        try await bench.hear(bill)
        let lost = try await bench.pay(bill.id)
        let won = try await bench.pay(try await bench.billed(3_000).id)
        try await report(bench, lost, .needsResponse, taken: 9_000, fee: 1_500)
        let held = try await bench.payments.balances(nil, PageRequest()).items.first {
            $0.person == TestPerson.bob.id
        }?.currencies
        #expect(held?.map(\.frozen) == [.hkd(4_500)])
        #expect(held?.map(\.available) == [.hkd(0)])
        try await report(bench, won, .needsResponse, taken: 3_000, fee: 1_500)
        var sums = try await sums(bench)
        #expect(sums.disputes == .init(count: 2, amount: .hkd(12_000)))
        #expect(sums.disputesLost == .init(count: 0, amount: .hkd(0)))
        #expect(sums.disputeFees == .hkd(3_000))
        try await report(bench, lost, .lost, taken: 9_000, fee: 1_500)
        try await report(bench, won, .won, taken: 0, fee: nil)
        sums = try await self.sums(bench)
        #expect(sums.disputes == .init(count: 2, amount: .hkd(12_000)))
        #expect(sums.disputesReturned == .init(count: 1, amount: .hkd(3_000)))
        #expect(sums.disputesLost == .init(count: 1, amount: .hkd(9_000)))
        #expect(sums.disputeFees == .hkd(1_500))
        #expect(sums.sold.map(\.refunded) == [.hkd(4_000)])
        #expect(sums.sold.map(\.commissionRefunded) == [.hkd(500)])
        #expect(sums.means.map(\.closing) == [.hkd(12_000 - 9_000 - 1_500)])
        #expect(try await bench.balances()[.disputed] == 0)
        #expect(try await bench.balances()[.frozen] == 0)
        #expect(try await bench.unbalancedEntries() == [])
        // A loss that turns out otherwise is taken back.
        try await report(bench, lost, .won, taken: 0, fee: nil)
        sums = try await self.sums(bench)
        #expect(sums.disputesLost == .init(count: 0, amount: .hkd(0)))
        #expect(sums.disputesReturned == .init(count: 2, amount: .hkd(12_000)))
        #expect(sums.sold.map(\.refunded) == [.hkd(0)])
    }

    @Test func aDailyLookThatFindsNothingNewLeavesThePaymentAsItIs() async throws {
        let bench = try Bench()
        let payment = try await bench.pay(try await bench.billed().id)
        try await report(bench, payment, .needsResponse, taken: 12_000, fee: 1_500)
        func attempt() async throws -> Attempt {
            try #require(try await bench.database.read { try $0.attempts.find(payment.id) })
        }
        let before = try await attempt()
        bench.clock.advance(by: Disputes.lookPause)
        await bench.recover()
        #expect(try await attempt() == before)
        #expect(before.disputed == 12_000)
        let next = try await bench.database.read {
            try $0.row("SELECT due_at FROM work WHERE kind = ?", PaymentWork.dispute)?
                .get("due_at", as: Date.self)
        }
        #expect(next == bench.clock.now.addingTimeInterval(Disputes.lookPause))
        // What is new still counts.
        try await report(bench, payment, .won, taken: 0, fee: nil)
        #expect(try await attempt().disputed == nil)
        #expect(
            try await sums(bench).disputesReturned == .init(count: 1, amount: .hkd(12_000)))
    }

    @Test func aLostDisputeReducesTheRevenueOfEachProductAndPlace() async throws {
        let bench = try Bench()
        let bill = Self.ofTwoPlaces(6_000, 2_000)
        try await bench.hear(bill)
        let payment = try await bench.pay(bill.id)
        try await report(bench, payment, .lost, taken: 8_000, fee: nil)
        let sold = try await sums(bench).sold
        #expect(sold.map(\.siteName) == ["Berlin", "P1"])
        #expect(sold.map(\.refunded) == [.hkd(6_000), .hkd(2_000)])
        // It turns out otherwise.
        try await report(bench, payment, .won, taken: 0, fee: nil)
        #expect(try await sums(bench).sold.map(\.refunded) == [.hkd(0), .hkd(0)])
        #expect(try await bench.balances()[.refunds] == 0)
        #expect(try await bench.unbalancedEntries() == [])
    }

    // MARK: Cash

    @Test func aDrawersDifferenceAndARefundByOtherMeansAreTold() async throws {
        let bench = try Bench()
        let (cash, card) = (try await bench.billed(), try await bench.billed(2_000, to: .bob))
        let payments = bench.payments
        let drawer = try await payments.openDrawer(
            OpenDrawerBody(name: "Desk", float: [.hkd(1_000)]), by: desk, key: nil)
        _ = try await payments.receive(cash.id, ReceiveBody(.cash), by: desk, key: nil)
        let byCard = try await payments.receive(card.id, ReceiveBody(.terminal), by: desk, key: nil)
        var body = RefundBody(amount: 500, reason: "a scratch")
        (body.means, body.drawerId) = (.cash, drawer.id)
        _ = try await refund(bench, byCard.payment.id, body)
        _ = try await payments.closeDrawer(
            drawer.id, CloseDrawerBody(counted: [.hkd(12_400)]), by: desk, key: nil)
        let sums = try await sums(bench)
        #expect(sums.cashDifference == .hkd(100))
        let means = sums.means.filter { $0.account != "safe" }
        #expect(Set(means.map(\.refunded)) == [.hkd(500), .hkd(0)])
        #expect(means.first { $0.account == "terminal" }?.refunded == .hkd(0))
        var query = PaymentSumsQuery()
        (query.means, query.kind) = (.cash, .refund)
        #expect(try await payments.totals(query).currencies.map(\.refunded) == [.hkd(500)])
        let notes = try await bench.database.read { transaction in
            try transaction.documents.creditNotes(of: byCard.payment.id)
        }
        #expect(notes.map(\.means) == [.known(.cash)])
    }

    // MARK: Days

    /// With a refund that has failed, and a dispute that is lost.
    @Test func aClosedDayAgreesWithItsStatementTheLedgerAndAllFiles() async throws {
        let bench = try await DocumentTests.bench()
        let paid = try await bench.pay(try await bench.billed(2_380).id)
        let kept = try await bench.pay(try await bench.billed(11_900).id, tip: 500)
        let lost = try await bench.pay(try await bench.billed(5_950).id)
        _ = try await refund(bench, paid.id, RefundBody(amount: 1_190, reason: "late"))
        let back = try await refund(bench, kept.id, RefundBody(amount: 2_380, reason: "late"))
        try await fail(back, bench)
        for status in [DisputeStatus.needsResponse, .lost] {
            try await report(bench, lost, status, taken: 5_950, fee: 1_500)
        }
        let (closed, books) = try await close(bench)
        #expect(books.payments == .init(count: 3, amount: .hkd(20_730)))
        #expect(books.refunds == .init(count: 2, amount: .hkd(3_570)))
        #expect(books.refundsFailed == .init(count: 1, amount: .hkd(2_380)))
        #expect(books.disputes == .init(count: 1, amount: .hkd(5_950)))
        #expect(books.disputesLost == .init(count: 1, amount: .hkd(5_950)))
        #expect(books.taxes == [.init(country: "DE", charged: .hkd(3_230), refunded: .hkd(190))])
        #expect(books.means.map(\.closing) == [.hkd(20_730 - 1_190 - 5_950 - 1_500)])

        let statement = try await bench.payments.statement(
            String(closed.day.prefix(7)), in: .english)
        #expect(statement.books.currencies == closed.books.currencies)
        #expect(statement.books.taxes == closed.books.taxes)
        #expect(statement.books.documents == closed.books.documents)
        var query = PaymentSumsQuery()
        query.state = .succeeded
        let payments = try await bench.payments.paymentsFile(query, in: .english)
        #expect(try await sum(payments, "amount") == 19_540)
        let documents = try await bench.payments.documentsFile(PeriodQuery(), in: .english)
        #expect(try await sum(documents, "total") == 19_540)
        #expect(try await sum(documents, "tax") == 3_040)
        let ledger = try await bench.payments.ledgerFile(LedgerFileQuery(), in: .english)
        for (account, balance) in [
            ("providerClearing", 12_090), ("tax:DE", -3_040), ("disputed", 0),
            ("disputeFees", 1_500), ("refunds:made-up", 6_950),
        ] {
            let debit = try await sum(ledger, "debit", of: account)
            #expect(try await debit - sum(ledger, "credit", of: account) == balance, "\(account)")
        }
        #expect(books.sold.map(\.refunded) == [.hkd(6_950)])
        // The days' file has the lines of the statement, each after its day.
        let days = try await bench.payments.daysFile(PeriodQuery(), in: .english)
        let lines = statement.books.rows(in: .english).map { csvLine([.plain(closed.day)] + $0) }
        #expect(try await text(days).hasSuffix("\r\n" + lines.joined()))
        #expect(lines.contains { $0.contains("Lost disputes,,HKD,59.50,1") })
    }

    /// Compares today with the provider's list tomorrow, and closes it.
    private func close(_ bench: Bench) async throws -> (day: BookDay, books: BookSums) {
        let zone = try await bench.database.read { try $0.company.timeZone() }
        let day = Day(bench.clock.now, in: zone)
        bench.clock.advance(by: Day.length)
        let found = try await bench.payments.reconcile(day, by: nil, key: nil)
        #expect(found.differences == [])
        let closed = try await bench.payments.closeDay(
            day.text, CloseDayBody(), by: TestPerson.olivia.id, in: .english, key: nil)
        return (closed, try #require(closed.books.currencies.first))
    }

    private func text(_ file: RowFile) async throws -> String {
        var text = ""
        try await file.write { text += $0 }
        return text
    }

    /// The sum of a column of amounts, or of its lines of one account, in minor units.
    private func sum(
        _ file: RowFile, _ column: String, of account: String? = nil
    ) async throws -> Int {
        var table = CSVTable(Array(try await text(file).utf8))
        let (index, owner) = (table.column(column), table.column("account"))
        var sum = 0
        while table.next() {
            guard account == nil || table[owner] == account else { continue }
            sum += Int(table[index].replacing(".", with: "")) ?? 0
        }
        return sum
    }

    @Test func aBillOfTheLastReleaseIsSoldWhenItIsPaid() async throws {
        let bench = try Bench()
        let bill = try await DocumentTests.oldBill(bench)
        bench.clock.advance(by: 2 * Day.length)
        _ = try await bench.pay(bill.id)
        #expect(try await sums(bench).sold.map(\.revenue) == [.hkd(12_000)])
        #expect(try await bench.balances()[.revenue] == -12_000)
        #expect(try await bench.unbalancedEntries() == [])
    }

    @Test func aClosedDayTellsOfALaterComparisonInTheReadersLanguage() async throws {
        let bench = try Bench()
        _ = try await bench.pay(try await bench.billed().id)
        let day = Day(bench.clock.now)
        bench.clock.advance(by: Day.length)
        let closed = try await bench.payments.closeDay(
            day.text, CloseDayBody(), by: TestPerson.olivia.id, in: .english, key: nil)
        #expect(closed.reconciliation == nil)
        _ = try await bench.payments.reconcile(day, by: nil, key: nil)
        let shown = try await bench.payments.bookDay(day.text, in: .traditionalChinese)
        #expect(shown.reconciliation?.differences == 0)
        let (before, after) = (closed.books.currencies, shown.books.currencies)
        #expect(
            before.flatMap { $0.means.map(\.closing) }
                == after.flatMap { $0.means.map(\.closing) })
        #expect(
            before.flatMap { $0.means.map(\.name) }
                != after.flatMap { $0.means.map(\.name) })
    }

    // MARK: Currencies

    @Test func taxOnTopOfThreeDecimalsCanBeCharged() async throws {
        let bench = try await DocumentTests.bench(pricesIncludeTax: false)
        var bill = Bill.of(nil, version: 1)
        bill.currency = "KWD"
        bill.lines = [
            Bill.Line(
                kind: "base", text: .of("Service", "服務"),
                amount: Money(amount: 1_230, currency: "KWD"))
        ]
        try await bench.hear(bill)
        let payment = try await bench.pay(bill.id)
        // 19 % are 233.7.
        #expect(payment.amount == Money(amount: 1_460, currency: "KWD"))
        #expect(payment.tax == Money(amount: 230, currency: "KWD"))
    }
}
