import CSV
import Client
import Contracts
import Foundation
import Support
import Testing

/// A bookkeeper's day, on a platform of its own, since it sums everything.
@Suite struct BookJourneyTests {
    @Test func theBookkeeperClosesADayAndExportsItAndTheSumsAgree() async throws {
        let platform = try await TestPlatform.start()
        defer { platform.stop() }
        let world = try await World(platform)
        let pair = try await Pair.meet(in: world)
        let (ada, boss) = (pair.customer.client, world.boss)
        let order = try await pair.handBack()
        let payment = try await ada.payWhenDue(order.id, PayBody(token: "pm_card_visa", tip: 700))
        _ = try await pair.customer.order(order.id, reaches: .finished)
        try await boss(
            PaymentEndpoints.refund(
                payment.id, body: InCurrency(RefundBody(amount: 100, reason: "late"))))

        let day = try #require(
            try await boss(BookEndpoints.bookMonth(asks: MonthQuery())).days.first)
        #expect(day.closedAt == nil)
        try await refused("books.day_not_over") {
            try await boss(BookEndpoints.closeDay(day.day, body: CloseDayBody()))
        }
        let closed = try await boss(
            BookEndpoints.closeDay(day.day, body: CloseDayBody(note: "All agrees", early: true)))
        let sums = try #require(closed.books.currencies.first)
        let net = payment.amount.amount - 100
        #expect(sums.payments.amount == payment.amount)
        #expect(sums.refunds.amount.amount == 100)
        #expect(sums.means.reduce(0) { $0 + $1.closing.amount } == net)

        // The town's currency has cents.
        let total = Decimal(net) / 100
        let payments = try await boss(BookEndpoints.paymentsFile(asks: PaymentSumsQuery()))
        #expect(Self.sum(payments, "amount") == total)
        let documents = try await boss(BookEndpoints.documentsFile(asks: PeriodQuery()))
        #expect(Self.sum(documents, "total") == total)
        let ledger = try await boss(
            BookEndpoints.ledgerFile(
                asks: LedgerFileQuery().with(\.account, "providerClearing")))
        #expect(Self.sum(ledger, "debit") - Self.sum(ledger, "credit") == 0)
        let days = try await boss(BookEndpoints.daysFile(asks: PeriodQuery()))
        #expect(String(decoding: days, as: UTF8.self).contains(day.day))
        #expect(try await boss(BookEndpoints.bookDay(day.day)) == closed)
    }

    /// The sum of a column of decimal numbers.
    private static func sum(_ file: Data, _ column: String) -> Decimal {
        var table = CSVTable(Array(file))
        let index = table.column(column)
        var sum = Decimal(0)
        while table.next() { sum += Decimal(string: table[index]) ?? 0 }
        return sum
    }
}
