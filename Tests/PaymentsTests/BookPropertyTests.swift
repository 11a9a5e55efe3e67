import Contracts
import Foundation
import ServiceKit
import Store
import Support
import Testing

@testable import Payments

/// What must stay true of the books over hundreds of random days with cards, cash, refunds, disputes and closings.
@Suite struct BookPropertyTests {
    private static let days = 200

    struct Case: Sendable, CustomTestStringConvertible {
        let currency: String
        let pricesIncludeTax: Bool

        var testDescription: String {
            "\(currency), \(pricesIncludeTax ? "with tax" : "tax on top")"
        }
    }

    static let cases = ["EUR", "JPY", "KWD"].flatMap { currency in
        [true, false].map { Case(currency: currency, pricesIncludeTax: $0) }
    }

    @Test(arguments: cases)
    func theBooksAgreeWithDocumentsAndTotals(_ one: Case) async throws {
        let bench = try await DocumentTests.bench(pricesIncludeTax: one.pricesIncludeTax)
        let first = Day(bench.clock.now, in: try Self.berlin)
        var town = Town(bench: bench, currency: one.currency)
        try await town.begin()
        for day in 1...Self.days {
            await town.live()
            if day % 50 == 0 { try await check(bench, from: first, closed: town.closed) }
        }
        #expect(town.closed.count > 100)
        #expect(!town.disputes.isEmpty)
    }

    private static var berlin: TimeZone {
        get throws { try #require(TimeZone(identifier: "Europe/Berlin")) }
    }

    // MARK: Invariants

    private func check(_ bench: Bench, from first: Day, closed: [BookDay]) async throws {
        #expect(try await bench.unbalancedEntries() == [])
        let balances = try await bench.balances()
        #expect(balances.values.reduce(0, +) == 0)
        for kind in [LedgerAccount.Kind.billed, .customerReceivable, .pending, .customerCredit] {
            #expect(balances[kind] ?? 0 == 0, "\(kind)")
        }
        let last = Day(bench.clock.now, in: first.zone)
        let whole = try await bench.database.read { transaction in
            try transaction.books.period(
                in: first.span.lowerBound..<last.span.upperBound, of: first.zone, in: .english)
        }
        let sums = Self.sums(of: whole)
        try await checkDays(bench, first, last, sums)
        try await checkDocuments(bench, balances, sums)
        try await checkTotals(bench, sums)
        // Cash comes from payers, goes back to them, or is missing.
        let cash = [LedgerAccount.Kind.cash, .safe, .cashDifference]
        let (received, refunded) = Self.cash(of: whole)
        #expect(cash.reduce(0) { $0 + (balances[$1] ?? 0) } == received - refunded)
        #expect(sums["cashDifference"] == balances[.cashDifference] ?? 0)
        #expect(
            sums["disputes", default: 0] - sums["disputesReturned", default: 0]
                - sums["disputesLost", default: 0] == balances[.disputed] ?? 0)
        #expect(sums["disputeFees"] == balances[.disputeFees] ?? 0)
        for (day, next) in zip(closed, closed.dropFirst()) { try check(day, next) }
    }

    /// Each day begins with what the day before has ended with.
    private func check(_ day: BookDay, _ next: BookDay) throws {
        let ends = Self.means(of: day.books) { $0.closing.amount }
        let begins = Self.means(of: next.books) { $0.opening.amount }
        for account in Set(ends.keys).union(begins.keys) {
            #expect(ends[account] ?? 0 == begins[account] ?? 0, "\(day.day) \(account)")
        }
        #expect(day.books.until == next.books.from)
    }

    /// A period is the sum of its days.
    private func checkDays(
        _ bench: Bench, _ first: Day, _ last: Day, _ whole: [String: Int]
    ) async throws {
        var sums: [String: Int] = [:]
        var day = first
        while day.span.lowerBound <= last.span.lowerBound {
            let found = try await bench.payments.bookDay(day.text, in: .english)
            sums.merge(Self.sums(of: found.books), uniquingKeysWith: +)
            day = day.after
        }
        #expect(sums.filter { $0.value != 0 } == whole.filter { $0.value != 0 })
    }

    private func checkDocuments(
        _ bench: Bench, _ balances: [LedgerAccount.Kind: Int], _ sums: [String: Int]
    ) async throws {
        let (documents, taxes) = try await bench.database.read { transaction in
            (
                try transaction.rows("SELECT body FROM documents").map {
                    try $0.json(as: PaymentDocument.self)
                },
                try transaction.row(
                    "SELECT CAST(COALESCE(SUM(tax), 0) AS BIGINT) AS tax FROM document_taxes")?
                    .get("tax", as: Int.self)
            )
        }
        let tax = documents.reduce(0) { $0 + $1.tax.amount }
        #expect(tax == -(balances[.tax] ?? 0))
        #expect(tax == taxes)
        #expect(tax == sums["taxCharged", default: 0] - sums["taxRefunded", default: 0])
        #expect(
            documents.reduce(0) { $0 + $1.total.amount }
                == sums["payments", default: 0] - sums["refunds", default: 0]
                + sums["refundsFailed", default: 0])
        func count(_ kind: PaymentDocument.Kind) -> Int {
            documents.filter { $0.kind == kind }.count
        }
        #expect(count(.receipt) == sums["payments count"])
        #expect(count(.creditNote) == sums["refunds count"])
        #expect(count(.cancellation) == sums["refundsFailed count"])
        for kind in PaymentDocument.Kind.allCases {
            #expect(Set(documents.filter { $0.kind == kind }.map(\.number)).count == count(kind))
        }
    }

    private func checkTotals(_ bench: Bench, _ sums: [String: Int]) async throws {
        let found = try #require(
            try await bench.payments.totals(PaymentSumsQuery()).currencies.first)
        #expect(found.paid.amount == sums["payments"])
        #expect(
            found.refunded.amount
                == sums["refunds", default: 0] - sums["refundsFailed", default: 0])
        #expect(found.tips.amount == sums["tips"])
        #expect(found.tax.amount == sums["taxCharged"])
        #expect(found.refundedTax.amount == sums["taxRefunded"])
    }

    // MARK: Sums

    /// All numbers of the books by name; balances at the beginning and the end aside.
    private static func sums(of books: BookPeriod) -> [String: Int] {
        var sums: [String: Int] = [:]
        for one in books.currencies {
            let counts = [
                "payments": one.payments, "refunds": one.refunds,
                "refundsFailed": one.refundsFailed, "disputes": one.disputes,
                "disputesReturned": one.disputesReturned, "disputesLost": one.disputesLost,
            ]
            for (name, count) in counts {
                sums[name, default: 0] += count.amount.amount
                sums["\(name) count", default: 0] += count.count
            }
            sums["tips", default: 0] += one.tips.amount
            sums["shares", default: 0] += one.shares.amount
            sums["disputeFees", default: 0] += one.disputeFees.amount
            sums["cashDifference", default: 0] += one.cashDifference.amount
            for tax in one.taxes {
                sums["taxCharged", default: 0] += tax.charged.amount
                sums["taxRefunded", default: 0] += tax.refunded.amount
            }
            for sold in one.sold {
                let name = "\(sold.product)/\(sold.site ?? "")"
                sums["\(name) revenue", default: 0] += sold.revenue.amount
                sums["\(name) refunded", default: 0] += sold.refunded.amount
                sums["\(name) commission", default: 0] +=
                    sold.commission.amount - sold.commissionRefunded.amount
            }
        }
        for (account, moved) in means(of: books, { $0.closing.amount - $0.opening.amount }) {
            sums[account] = moved
        }
        return sums
    }

    private static func means(
        of books: BookPeriod, _ value: (BookSums.Means) -> Int
    ) -> [String: Int] {
        Dictionary(
            books.currencies.flatMap(\.means).map { ($0.account, value($0)) },
            uniquingKeysWith: +)
    }

    private static func cash(of books: BookPeriod) -> (received: Int, refunded: Int) {
        let drawers = books.currencies.flatMap(\.means).filter { $0.account.hasPrefix("cash:") }
        return (
            drawers.reduce(0) { $0 + $1.received.amount },
            drawers.reduce(0) { $0 + $1.refunded.amount }
        )
    }
}

/// People who pay, and a desk that works with it. What is refused is part of the game.
private struct Town {
    let bench: Bench
    let currency: String
    /// Closed days in turn.
    private(set) var closed: [BookDay] = []
    /// Reports of disputes, by the payment.
    private(set) var disputes: [PaymentID: ReportedDispute] = [:]
    private var dice = PropertyTests.Dice(state: 29)
    private var payments: [Payment] = []
    private var drawer: DrawerID?
    private var next: Day?

    private let desk = Teller(person: TestPerson.olivia.id, isValet: false)

    init(bench: Bench, currency: String) { (self.bench, self.currency) = (bench, currency) }

    mutating func begin() async throws {
        let zone = try await bench.database.read { try $0.company.timeZone() }
        next = Day(bench.clock.now, in: zone)
        await openDrawer()
    }

    mutating func live() async {
        await sell()
        switch Int.random(in: 0..<8, using: &dice) {
        case 0, 1: await refund()
        case 2: await failRefund()
        case 3: await dispute()
        case 4: await decide()
        case 5: await count()
        default: break
        }
        bench.clock.advance(by: Double.random(in: 43_200...129_600, using: &dice))
        await bench.recover()
        if Int.random(in: 0..<5, using: &dice) == 0 { await close() }
    }

    /// Multiples of ten, which every currency can charge.
    private mutating func amount(_ range: ClosedRange<Int>) -> Money {
        Money(amount: Int.random(in: range, using: &dice) * 10, currency: currency)
    }

    private mutating func sell() async {
        var bill = Bill.of(nil, version: 1)
        bill.currency = currency
        bill.tipped = [TestPerson.victor.id]
        bill.lines = [
            Bill.Line(kind: "base", text: .of("Service", "服務"), amount: amount(100...2_000))
        ]
        if Bool.random(using: &dice) {
            let price = amount(10...900)
            let commission = Money(
                amount: Int.random(in: 0...price.amount, using: &dice), currency: currency)
            bill.lines.append(
                Bill.Line(
                    kind: "ride", text: .of("Ride", "順風車"), amount: price,
                    payee: TestPerson.bob.id, commission: commission))
        }
        if Bool.random(using: &dice) {
            bill.facts.site = Bill.Site(.area, id: "berlin", name: "Berlin")
        }
        try? await bench.hear(bill)
        switch Int.random(in: 0..<10, using: &dice) {
        case 0:
            bill.version = 2
            bill.state = .known(.withdrawn)
            try? await bench.hear(bill)
        case 1, 2, 3: await receive(bill.id, .cash)
        case 4: await receive(bill.id, .terminal)
        default:
            let tip = Bool.random(using: &dice) ? amount(1...50).amount : nil
            if let payment = try? await bench.pay(bill.id, tip: tip) { payments.append(payment) }
        }
    }

    private mutating func receive(_ bill: BillID, _ means: PaymentMeans) async {
        let body = ReceiveBody(means, drawerId: means == .cash ? drawer : nil)
        let found = try? await bench.payments.receive(bill, body, by: desk, key: nil)
        if let found { payments.append(found.payment) }
    }

    private mutating func refund() async {
        guard let payment = payments.randomElement(using: &dice) else { return }
        var body = RefundBody(
            amount: Bool.random(using: &dice) ? amount(1...1_000).amount : nil, reason: "random")
        if payment.means?.known ?? .card != .card {
            body.means = Bool.random(using: &dice) ? .cash : .terminal
            body.drawerId = body.means == .cash ? drawer : nil
        }
        _ = try? await bench.payments.refund(
            payment.id, body, by: TestPerson.olivia.id, key: nil)
    }

    /// A bank sends a refund back, days after it has succeeded.
    private mutating func failRefund() async {
        let known = try? await bench.database.read { transaction in
            try transaction.rows("SELECT id FROM stub_refunds WHERE failure IS NULL ORDER BY id")
                .map { try $0.get("id", as: RefundID.self) }
        }
        guard let refund = known?.randomElement(using: &dice),
            let found = try? await bench.database.read({ try $0.refunds.find(refund) })
        else { return }
        let payment = found.refund.payment
        _ = try? await bench.database.write { transaction in
            try transaction.execute(
                "UPDATE stub_refunds SET failure = 'account_closed' WHERE id = ?", refund)
            return try transaction.execute(
                "UPDATE stub_charges SET refunded = refunded - ? WHERE id = ?",
                found.refund.amount.amount, payment)
        }
        _ = try? await bench.payments.review(payment)
    }

    // MARK: Disputes

    private mutating func dispute() async {
        let cards = payments.filter {
            $0.means?.known ?? .card == .card && disputes[$0.id] == nil
        }
        guard let payment = cards.randomElement(using: &dice),
            let attempt = try? await bench.database.read({ try $0.attempts.find(payment.id) }),
            attempt.unreturned > 0
        else { return }
        let isInquiry = Bool.random(using: &dice)
        await report(
            ReportedDispute(
                reference: "dp_\(payment.id)", payment: payment.id,
                amount: Money(amount: attempt.unreturned, currency: currency),
                status: isInquiry ? .inquiry : .needsResponse, reason: "fraudulent",
                evidenceDueAt: nil, createdAt: bench.clock.now,
                taken: isInquiry ? 0 : attempt.unreturned, fee: isInquiry ? nil : fee))
    }

    private var fee: Money { Money(amount: 1_500, currency: currency) }

    private mutating func decide() async {
        let open = disputes.values.filter(\.status.isOpen)
            .sorted { $0.reference < $1.reference }
        guard let one = open.randomElement(using: &dice) else { return }
        let isLost = one.status != .inquiry && Bool.random(using: &dice)
        let status: DisputeStatus = one.status == .inquiry ? .closed : isLost ? .lost : .won
        await report(
            ReportedDispute(
                reference: one.reference, payment: one.payment, amount: one.amount, status: status,
                reason: one.reason, evidenceDueAt: nil, createdAt: one.createdAt,
                taken: isLost ? one.taken : 0, fee: isLost ? one.fee : nil))
    }

    private mutating func report(_ dispute: ReportedDispute) async {
        disputes[dispute.payment] = dispute
        bench.provider.report(dispute)
        try? await bench.payments.follow(dispute: dispute.reference)
    }

    // MARK: Desk

    private mutating func openDrawer() async {
        let body = OpenDrawerBody(
            name: "Desk", float: [Money(amount: 10_000, currency: currency)])
        drawer = try? await bench.payments.openDrawer(body, by: desk, key: nil).id
    }

    /// Counts the drawer, with a difference, and opens another.
    private mutating func count() async {
        guard let drawer,
            let there = try? await bench.database.read({ try $0.drawers.balance(of: drawer) })
        else { return }
        let difference = Int.random(in: -500...500, using: &dice)
        let counted = there.map {
            Money(amount: max(0, $0.amount + difference), currency: $0.currency)
        }
        _ = try? await bench.payments.closeDrawer(
            drawer, CloseDrawerBody(counted: counted), by: desk, key: nil)
        await openDrawer()
    }

    /// Closes all days that are over.
    private mutating func close() async {
        while let day = next, day.span.upperBound <= bench.clock.now {
            let made = try? await bench.payments.closeDay(
                day.text, CloseDayBody(), by: TestPerson.olivia.id, in: .english, key: nil)
            guard let made else { return }
            closed.append(made)
            next = day.after
        }
    }
}
