import Answers
import Contracts
import EventBus
import Foundation
import ServiceKit
import Support
import Testing

@testable import Payments

/// Days in the company's zone, and their closing.
@Suite struct BookDayTests {
    @Test(
        .withoutDatabase,
        arguments: [
            ("2026-03-29", "Europe/Berlin", 23), ("2026-10-25", "Europe/Berlin", 25),
            ("2026-10-26", "Europe/Berlin", 24), ("2026-03-29", "UTC", 24),
            ("2026-11-30", "Asia/Hong_Kong", 24), ("2026-10-04", "Australia/Lord_Howe", 23),
        ])
    func aDayHasTheHoursThatItsZoneGivesIt(day: String, zone: String, hours: Int) throws {
        let found = try Day(day, in: #require(TimeZone(identifier: zone)))
        let length = found.span.upperBound.timeIntervalSince(found.span.lowerBound)
        // Lord Howe Island moves its clocks by half an hour.
        #expect(Int((length / 3_600).rounded(.down)) == hours)
        #expect(found.text == day)
        #expect(Day(found.span.lowerBound, in: found.zone) == found)
        #expect(Day(found.span.upperBound.addingTimeInterval(-1), in: found.zone) == found)
        #expect(Day(found.span.upperBound, in: found.zone).before == found)
    }

    @Test(.withoutDatabase, arguments: ["2026-02-30", "2026-13-01", "2026-1-5", "today", ""])
    func whatIsNoDayIsRefused(text: String) {
        #expect(throws: Refusal.self) { try Day(text, in: .gmt) }
    }

    @Test(.withoutDatabase) func aDayThatAZoneHasSkippedIsRefused() throws {
        let zone = try #require(TimeZone(identifier: "Pacific/Apia"))
        #expect(throws: Refusal.self) { try Day("2011-12-30", in: zone) }
    }

    @Test func theDaysAreThoseOfTheCompany() async throws {
        let bench = try Bench()
        try await bench.enterCompany(in: "Asia/Hong_Kong")
        // 23:30 and 00:30 in Hong Kong, which are the same day in UTC.
        bench.clock.advance(by: 7.5 * 3_600)
        _ = try await bench.pay(try await bench.billed().id)
        bench.clock.advance(by: 3_600)
        _ = try await bench.pay(try await bench.billed().id)
        let zone = try #require(TimeZone(identifier: "Asia/Hong_Kong"))
        let day = Day(bench.clock.now, in: zone)
        #expect(day.text == "2026-01-06")
        let book = try await bench.payments.bookDay(day.text, in: .english)
        #expect(book.books.from == day.span.lowerBound)
        #expect(book.books.until == day.span.upperBound)
        #expect(book.books.timeZone == "Asia/Hong_Kong")
        #expect(book.books.currencies.map(\.payments.count) == [1])
        let month = try await bench.payments.bookMonth(nil)
        #expect(month.days.first?.day == day.text)
        try await bench.run { caller in
            for text in [day.before.text, day.text] {
                let span = "?from=\(text)&to=\(text)"
                #expect(try await caller.entries(span, as: .olivia).items.count == 1)
                // What is due, and its payment.
                let entries = try await caller.call(
                    .get, "/v1/admin/ledger/entries\(span)", as: .olivia
                ).expect(200, Page<LedgerRecord>.self).items
                #expect(entries.count == 2)
                let found = try await caller.call(
                    .post, "/v1/admin/reconciliations", ReconciliationBody(day: text), as: .olivia
                ).expect(201, Reconciliation.self)
                #expect(found.compared == 1)
                #expect(found.differences.isEmpty)
            }
        }
    }

    @Test func theLastDayToReconcileIsThatOfTheCompany() async throws {
        let bench = try Bench()
        try await bench.enterCompany(in: "Asia/Hong_Kong")
        _ = try await bench.pay(try await bench.billed().id)
        // 01:30 in Hong Kong, where the next day has begun, and 17:30 in UTC.
        bench.clock.advance(by: 9.5 * 3_600)
        try await bench.payments.reconcileLastDay()
        let found = try await bench.payments.reconciliations(PageRequest()).items
        #expect(found.map(\.day) == ["2026-01-05"])
        #expect(found.map(\.compared) == [1])
    }

    @Test func aDaysSumsAreThoseOfItsPayments() async throws {
        let bench = try Bench()
        let payment = try await bench.pay(try await bench.billed(12_000).id, tip: 1_000)
        _ = try await bench.pay(try await bench.billed(5_000).id)
        let day = Day(bench.clock.now).text
        try await bench.run { caller in
            bench.clock.advance(by: 1)
            try await caller.refund(payment.id, 2_000).expect(201, Refund.self)
            let found = try await caller.call(.get, "/v1/admin/days/\(day)", as: .olivia)
                .expect(200, BookDay.self)
            let sums = try #require(found.books.currencies.first)
            #expect(sums.payments == .init(count: 2, amount: .hkd(18_000)))
            #expect(sums.sold.map(\.revenue) == [.hkd(17_000)])
            #expect(sums.tips == .hkd(1_000))
            #expect(sums.refunds == .init(count: 1, amount: .hkd(2_000)))
            let means = try #require(sums.means.first)
            #expect(means.account == "providerClearing")
            #expect(means.opening == .hkd(0))
            #expect(means.received == .hkd(18_000))
            #expect(means.closing == .hkd(16_000))
            let totals = try await caller.call(.get, "/v1/admin/payments/totals", as: .olivia)
                .expect(200, PaymentTotals.self).currencies
            #expect(totals.map(\.paid) == [sums.payments.amount])
            #expect(totals.map(\.refunded) == [sums.refunds.amount])
            #expect(found.books.documents.map(\.count).reduce(0, +) == 3)
        }
    }

    @Test func theStatementHasItsSumsAsAPageAndAsAFile() async throws {
        let bench = try Bench()
        let payment = try await bench.pay(try await bench.billed(12_000).id, tip: 1_000)
        _ = try await bench.pay(try await bench.billed(5_000).id)
        let month = Day(bench.clock.now).month
        try await bench.run { caller in
            bench.clock.advance(by: 1)
            try await caller.refund(payment.id, 2_000).expect(201, Refund.self)
            func statement(_ type: String) async throws -> Answer {
                try await caller.call(
                    .get, "/v1/admin/statements/\(month)?language=en", as: .olivia,
                    headers: [.accept: type])
            }
            let page = try await statement("text/html")
            #expect(page.status == 200)
            #expect(page.headers[.contentType] == "text/html; charset=utf-8")
            let html = String(decoding: page.data, as: UTF8.self)
            // Paid, sold, refunded, and what the provider has by now.
            for sum in ["180.00", "170.00", "20.00", "160.00"] {
                #expect(html.contains(sum), "\(sum)")
            }
            let file = try await statement("text/csv")
            #expect(file.status == 200)
            let text = String(decoding: file.data, as: UTF8.self)
            for sum in ["180.00,2", "170.00,", "20.00,1", "160.00,"] {
                #expect(text.contains(",HKD,\(sum)\r\n"), "\(sum)")
            }
        }
    }

    @Test func aHoldIsNoRevenue() async throws {
        let bench = try Bench()
        var bill = Bill.of(.alice, 12_000, version: 1)
        bill.terms = .known(.hold)
        try await bench.hear(bill)
        #expect(try await bench.pay(bill.id).status == .held)
        let day = try await bench.payments.bookDay(Day(bench.clock.now).text, in: .english)
        #expect(day.books.currencies.allSatisfy { $0.sold.isEmpty && $0.payments.count == 0 })
    }

    @Test func aClosedDayNeverChanges() async throws {
        let bench = try Bench()
        _ = try await bench.pay(try await bench.billed().id)
        let day = Day(bench.clock.now)
        let paidAt = bench.clock.now
        bench.clock.advance(by: Day.length)
        try await bench.run { caller in
            let path = "/v1/admin/days/\(day.text)"
            let closed = try await caller.call(
                .post, "\(path)/close", CloseDayBody(note: "All agrees"), as: .olivia
            ).expect(201, BookDay.self)
            #expect(closed.closedAt == bench.clock.now)
            #expect(closed.closedBy == TestPerson.olivia.id)
            // An entry that carries the time of that day belongs to what follows.
            let entry = try LedgerEntry.transfer(
                .hkd(700), "late:1", nil, .payouts, .providerClearing)
            try await bench.database.write { try $0.ledger.enter(entry, at: paidAt) }
            let again = try await caller.call(.get, path, as: .olivia).expect(200, BookDay.self)
            #expect(again == closed)
            let next = try await bench.payments.bookDay(
                Day(bench.clock.now).text, in: .english)
            let means = try #require(next.books.currencies.first?.means.first)
            #expect(means.opening == closed.books.currencies.first?.means.first?.closing)
            #expect(means.other == .hkd(700))
            try await caller.call(.post, "\(path)/close", CloseDayBody(), as: .olivia)
                .refused(409, "books.day_closed")
        }
        #expect(try await bench.acted().map(\.action) == ["payments.close-day"])
    }

    @Test func todayIsClosedOnlyWithAConfirmationAndTheRestIsTomorrows() async throws {
        let bench = try Bench()
        _ = try await bench.pay(try await bench.billed().id)
        let day = Day(bench.clock.now).text
        bench.clock.advance(by: 60)
        try await bench.run { caller in
            let path = "/v1/admin/days/\(day)/close"
            try await caller.call(.post, path, CloseDayBody(), as: .olivia)
                .refused(409, "books.day_not_over")
            let closed = try await caller.call(
                .post, path, CloseDayBody(early: true), as: .olivia
            ).expect(201, BookDay.self)
            #expect(closed.books.until == bench.clock.now)
            bench.clock.advance(by: 60)
            _ = try await bench.pay(try await bench.billed(3_000).id)
            #expect(try await bench.payments.bookDay(day, in: .english) == closed)
            bench.clock.advance(by: Day.length)
            let next = try await bench.payments.bookDay(
                Day(bench.clock.now).text, in: .english)
            #expect(next.books.from == closed.books.until)
            #expect(next.books.currencies.first?.payments.amount == .hkd(3_000))
        }
    }

    @Test func daysAreClosedInTurn() async throws {
        let bench = try Bench()
        var days: [String] = []
        for _ in 0..<3 {
            _ = try await bench.pay(try await bench.billed().id)
            days.append(Day(bench.clock.now).text)
            bench.clock.advance(by: Day.length)
        }
        let known = days
        try await bench.run { caller in
            func close(_ day: String) async throws -> Answer {
                try await caller.call(
                    .post, "/v1/admin/days/\(day)/close", CloseDayBody(), as: .olivia)
            }
            try await close(known[0]).expect(201, BookDay.self)
            try await close(known[2]).refused(409, "books.earlier_day_open")
            try await close(known[1]).expect(201, BookDay.self)
            try await close(known[2]).expect(201, BookDay.self)
            try await close("2026-01-01").refused(409, "books.earlier_day_open")
        }
    }

    @Test func operatorsOnlyAndOnlyDaysThatHaveBegun() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            for path in [
                "/v1/admin/days", "/v1/admin/days/2026-01-05", "/v1/admin/statements/2026-01",
                "/v1/admin/balances", "/v1/admin/payments/totals", "/v1/admin/ledger/accounts",
                "/v1/admin/exports/payments", "/v1/admin/exports/ledger",
                "/v1/admin/exports/documents", "/v1/admin/exports/balances",
                "/v1/admin/exports/days",
            ] {
                try await caller.call(.get, path, as: .alice).refused(403, "auth.role")
                try await caller.call(.get, path, as: nil).refused(401, "auth.token_missing")
            }
            for day in ["2027-01-01", "2026-02-30", "x"] {
                try await caller.call(.get, "/v1/admin/days/\(day)", as: .olivia)
                    .refused(404, "books.day_unknown")
                try await caller.call(
                    .post, "/v1/admin/days/\(day)/close", CloseDayBody(), as: .olivia
                ).refused(404, "books.day_unknown")
            }
            for month in ["2027-01", "2026-13", "x"] {
                try await caller.call(.get, "/v1/admin/statements/\(month)", as: .olivia)
                    .refused(404, "books.month_unknown")
                try await caller.call(.get, "/v1/admin/days?month=\(month)", as: .olivia)
                    .refused(422, "request.invalid", field: "month")
            }
            try await caller.call(
                .get, "/v1/admin/payments/totals?from=2026-01-06&to=2026-01-05", as: .olivia
            ).refused(422, "request.invalid", field: "to")
            try await caller.call(.get, "/v1/payments?from=2026-02-30", as: .olivia)
                .refused(422, "request.invalid", field: "from")
        }
    }
}

extension Bench {
    /// Enters a company whose books have the days of a zone.
    func enterCompany(in zone: String) async throws {
        let body = CompanyBody(
            name: "Harbour Parking", address: ["1 Queen's Road"], country: "HK", timeZone: zone)
        let record = CompanyRecord(
            version: 1, body: body, logo: nil, by: TestPerson.olivia.id, changedAt: clock.now)
        try await database.write { try $0.company.insert(record, CompanyPages()) }
    }
}
