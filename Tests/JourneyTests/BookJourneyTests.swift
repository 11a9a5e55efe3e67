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
        try await Self.found(by: boss)
        let order = try await pair.handBack()
        let payment = try await ada.payWhenDue(order.id, PayBody(token: "pm_card_visa", tip: 700))
        _ = try await pair.customer.order(order.id, reaches: .finished)
        try await boss(
            PaymentEndpoints.refund(
                payment.id, body: InCurrency(RefundBody(amount: 100, reason: "late"))))
        let byHand = try await Self.receiveAtTheDesk(in: world)

        let day = try #require(
            try await boss(BookEndpoints.bookMonth(asks: MonthQuery())).days.first)
        #expect(day.closedAt == nil)
        try await refused("books.day_not_over") {
            try await boss(BookEndpoints.closeDay(day.day, body: CloseDayBody()))
        }
        let closed = try await boss(
            BookEndpoints.closeDay(day.day, body: CloseDayBody(note: "All agrees", early: true)))
        let sums = try #require(closed.books.currencies.first)
        let paid = payment.amount.amount + byHand
        let net = paid - 100
        #expect(sums.payments.count == 3)
        #expect(sums.payments.amount.amount == paid)
        #expect(sums.refunds.amount.amount == 100)
        #expect(sums.means.reduce(0) { $0 + $1.closing.amount } == net)

        // The town's currency has cents.
        let total = Decimal(net) / 100
        let payments = try await boss(BookEndpoints.paymentsFile(asks: PaymentSumsQuery()))
        #expect(Self.sum(payments, "amount") == total)
        let documents = try await boss(BookEndpoints.documentsFile(asks: PeriodQuery()))
        #expect(Self.sum(documents, "total") == total)
        let charged = sums.taxes.reduce(0) { $0 + $1.charged.amount }
        // 19 % in each price, without the tip; a half cent of each of the three may be rounded.
        #expect(charged > 0)
        #expect(abs(charged * 119 - (paid - 700) * 19) * 2 <= 3 * 119)
        let tax = charged - sums.taxes.reduce(0) { $0 + $1.refunded.amount }
        #expect(tax < charged)
        #expect(Self.sum(documents, "tax") == Decimal(tax) / 100)
        let ledger = try await boss(
            BookEndpoints.ledgerFile(
                asks: LedgerFileQuery().with(\.account, "providerClearing")))
        #expect(Self.sum(ledger, "debit") - Self.sum(ledger, "credit") == 0)
        let lines = try await boss(PaymentEndpoints.trialBalance()).lines
        #expect(lines.filter { $0.account.hasPrefix("tax") }.reduce(0) { $0 + $1.balance } == -tax)
        let statement = try await boss(
            BookEndpoints.statement(String(day.day.prefix(7)), asks: LanguageQuery()))
        let month = try #require(statement.books.currencies.first)
        #expect(month.payments == sums.payments)
        #expect(month.refunds == sums.refunds)
        #expect(month.taxes == sums.taxes)
        let days = try await boss(BookEndpoints.daysFile(asks: PeriodQuery()))
        #expect(String(decoding: days, as: UTF8.self).contains(day.day))
        #expect(try await boss(BookEndpoints.bookDay(day.day)) == closed)
    }

    /// A company whose prices include 19 % of tax: in every country, since the towns lie at sea, and a bill has the tax
    /// of the nearest one.
    private static func found(by boss: OpenValetClient) async throws {
        try await boss(
            CompanyEndpoints.putCompany(
                body: CompanyBody(
                    name: "Star Parking", address: ["1 Road", "10115 Berlin"], country: "DE",
                    timeZone: "Europe/Berlin")))
        let countries = Locale.Region.isoRegions.map(\.identifier).filter { $0.utf8.count == 2 }
        let rates = countries.map {
            TaxRate(country: $0, name: "VAT", percentThousandths: 19_000)
        }
        try await boss(CompanyEndpoints.putTaxes(body: TaxSettingsBody(rates: rates)))
    }

    /// Two customers pay the operator: one in cash, who gets change, and one by terminal. Returns the sum, which the
    /// counted drawer agrees with.
    private static func receiveAtTheDesk(in world: World) async throws -> Int {
        let drawer = try await world.boss(
            CashEndpoints.openDrawer(body: OpenDrawerBody(name: "Desk")))
        let (cash, change) = try await receive(.cash, 300, in: world)
        #expect(change == 300)
        let (terminal, nothing) = try await receive(.terminal, 0, in: world)
        #expect(nothing == 0)
        let closed = try await world.boss(
            CashEndpoints.closeDrawer(drawer.id, body: CloseDrawerBody(counted: [cash])))
        #expect(closed.differences?.map(\.amount) == [0])
        return cash.amount + terminal.amount
    }

    /// A customer gets their vehicle back, and pays the operator with an amount more than is due.
    private static func receive(
        _ means: PaymentMeans, _ more: Int, in world: World
    ) async throws -> (paid: Money, change: Int) {
        let pair = try await Pair.meet(in: world)
        let order = try await pair.handBack()
        let charge = try #require(order.charge)
        let body = ReceiveBody(means, given: charge.amount + more)
        let received = try await insisting(past: ["payment.bill_unknown", "payment.not_due"]) {
            try await world.boss(
                CashEndpoints.receiveBill(order.id.as(BillID.self), body: InCurrency(body)))
        }
        #expect(received.payment.means == .known(means))
        _ = try await pair.customer.order(order.id, reaches: .finished)
        return (received.payment.amount, received.change.amount)
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
