import Contracts
import Foundation
import ServiceKit
import Store
import Support
import Testing

@testable import Payments

/// What must stay true of the books over a thousand random days with cards, holds, cash, refunds, disputes, payouts,
/// people who leave, and closings.
@Suite struct BookPropertyTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let currency: String
        let pricesIncludeTax: Bool

        /// Several years in one case; the others show what the currency and the tax change.
        var isLong: Bool { currency == "EUR" && pricesIncludeTax }
        var days: Int { isLong ? 1_000 : 40 }

        var testDescription: String {
            "\(currency), \(pricesIncludeTax ? "with tax" : "tax on top"), \(days) days"
        }
    }

    static let cases = ["EUR", "JPY", "KWD"].flatMap { currency in
        [true, false].map { Case(currency: currency, pricesIncludeTax: $0) }
    }

    @Test(arguments: cases)
    func theBooksAgreeWithDocumentsAndTotals(_ one: Case) async throws {
        let bench = try await DocumentTests.bench(pricesIncludeTax: one.pricesIncludeTax)
        let first = Day(bench.clock.now, in: try Self.berlin)
        var town = BookTown(bench: bench, currency: one.currency)
        try await town.begin()
        var documents: [PaymentDocument] = []
        for day in 1...one.days {
            await town.live()
            guard day.isMultiple(of: one.days / 4) else { continue }
            documents += try await issued(by: bench, after: documents.last)
            try await check(bench, from: first, closed: town.closed, documents)
            try await check(town)
        }
        try await checkStored(bench, town.closed)
        #expect(!town.closed.isEmpty)
        // Not all of it happens in a few days.
        guard one.isLong else { return }
        #expect(town.closed.count > 500)
        #expect(!town.disputes.isEmpty)
        #expect(!town.returned.isEmpty)
        #expect(!town.gone.isEmpty)
        #expect(town.captures > 0)
    }

    private static var berlin: TimeZone {
        get throws { try #require(TimeZone(identifier: "Europe/Berlin")) }
    }

    // MARK: Invariants

    private func check(
        _ bench: Bench, from first: Day, closed: [BookDay], _ documents: [PaymentDocument]
    ) async throws {
        #expect(try await bench.unbalancedEntries() == [])
        let balances = try await bench.balances()
        #expect(balances.values.reduce(0, +) == 0)
        let settled: [LedgerAccount.Kind] = [
            .billed, .customerReceivable, .pending, .customerCredit, .payouts,
        ]
        for kind in settled {
            #expect(balances[kind] ?? 0 == 0, "\(kind)")
        }
        let last = Day(bench.clock.now, in: first.zone)
        let whole = try await bench.database.read { transaction in
            try transaction.books.period(
                in: first.span.lowerBound..<last.span.upperBound, of: first.zone, in: .english)
        }
        let sums = Self.sums(of: whole)
        try await checkDays(bench, closed, first, last, sums)
        try await checkDocuments(documents, bench, balances, sums)
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

    /// The provider's list agrees with the books, day by day and in all. People who left are found no more.
    private func check(_ town: BookTown) async throws {
        #expect(town.differing == [])
        let returned = town.returned.values.reduce(0, +)
        let disputed = town.disputes.values.reduce(0) { $0 + $1.taken + ($1.fee?.amount ?? 0) }
        let (charged, paidOut, plates) = try await town.bench.database.read { transaction in
            (
                try transaction.row(
                    """
                    SELECT CAST(COALESCE(SUM(amount - refunded), 0) AS BIGINT) AS n
                    FROM stub_charges WHERE state = 'succeeded'
                    """)?.get("n", as: Int.self) ?? 0,
                try transaction.row(
                    """
                    SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS n
                    FROM stub_payouts WHERE failure IS NULL
                    """)?.get("n", as: Int.self) ?? 0,
                try transaction.rows(
                    "SELECT DISTINCT word FROM payment_words WHERE word LIKE 'plate%'"
                ).map { try $0.get("word", as: String.self) }
            )
        }
        #expect(
            try await town.bench.balances()[.providerClearing] ?? 0
                == charged - disputed - paidOut + returned)
        #expect(Set(plates) == Set(town.guests.map(\.plate)))
        #expect(Set(plates).isDisjoint(with: town.gone))
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

    /// A period is the sum of its days. Closed ones are known, since they never change.
    private func checkDays(
        _ bench: Bench, _ closed: [BookDay], _ first: Day, _ last: Day, _ whole: [String: Int]
    ) async throws {
        var sums: [String: Int] = [:]
        for day in closed { sums.merge(Self.sums(of: day.books), uniquingKeysWith: +) }
        var day = try closed.last.map { try Day($0.day, in: first.zone).after } ?? first
        while day.span.lowerBound <= last.span.lowerBound {
            let found = try await bench.payments.bookDay(day.text, in: .english)
            #expect(found.closedAt == nil)
            sums.merge(Self.sums(of: found.books), uniquingKeysWith: +)
            day = day.after
        }
        #expect(sums.filter { $0.value != 0 } == whole.filter { $0.value != 0 })
    }

    /// Each closed day is stored as its closing has answered.
    private func checkStored(_ bench: Bench, _ closed: [BookDay]) async throws {
        let stored = try await bench.database.read { transaction in
            try transaction.closings.list(
                BookSpan(nil, nil, in: .gmt), after: "", limit: closed.count + 1)
        }
        #expect(stored.map(\.day) == closed.map(\.day))
        let differing = zip(stored, closed).filter { $0.books != $1.books }
        #expect(differing.map(\.0.day) == [])
    }

    /// Documents after one, which have later ids.
    private func issued(
        by bench: Bench, after last: PaymentDocument?
    ) async throws -> [PaymentDocument] {
        try await bench.database.read { transaction in
            try transaction.rows(
                "SELECT body FROM documents WHERE id > ? ORDER BY id", last?.id.description ?? ""
            ).map { try $0.json() }
        }
    }

    /// - Parameter documents: All that were issued.
    private func checkDocuments(
        _ documents: [PaymentDocument], _ bench: Bench, _ balances: [LedgerAccount.Kind: Int],
        _ sums: [String: Int]
    ) async throws {
        let (stored, taxes) = try await bench.database.read { transaction in
            (
                try transaction.row(
                    """
                    SELECT COUNT(*) AS n, CAST(COALESCE(SUM(total), 0) AS BIGINT) AS total,
                        CAST(COALESCE(SUM(tax), 0) AS BIGINT) AS tax FROM documents
                    """),
                try transaction.row(
                    "SELECT CAST(COALESCE(SUM(tax), 0) AS BIGINT) AS tax FROM document_taxes")?
                    .get("tax", as: Int.self)
            )
        }
        #expect(try stored?.get("n", as: Int.self) == documents.count)
        #expect(
            try stored?.get("total", as: Int.self)
                == documents.reduce(0) { $0 + $1.total.amount })
        let tax = documents.reduce(0) { $0 + $1.tax.amount }
        #expect(tax == -(balances[.tax] ?? 0))
        #expect(tax == taxes)
        #expect(try stored?.get("tax", as: Int.self) == tax)
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
        #expect(try await bench.seriesWithoutGaps() >= 1)
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
                "payouts": one.payouts,
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
