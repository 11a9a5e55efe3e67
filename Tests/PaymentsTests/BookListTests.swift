import CSV
import Contracts
import EventBus
import Foundation
import ServiceKit
import Support
import Testing

@testable import Payments

/// Searches, names and files of the books.
@Suite struct BookListTests {
    @Test(
        .withoutDatabase,
        arguments: [
            ("12.50", ["12.5"]), ("12,50", ["12.5"]), ("€12.50", ["12.5"]), ("12.50 EUR", ["12.5"]),
            ("HK$1,200", ["1200", "1.2"]), ("1,200.50", ["1200.5"]), ("1.200,50", ["1200.5"]),
            ("1 200.5", ["1200.5"]), ("1'200", ["1200"]), ("-12.00", ["12"]), ("12", ["12"]),
            ("0.05", ["0.05"]), ("1,234,567", ["1234567"]), ("1.2345", []), ("abc", []), ("", []),
            ("K7-42", []),
        ])
    func anAmountIsReadAsPeopleWriteIt(text: String, amounts: [String]) {
        #expect(SearchTerms.amounts(text) == amounts)
    }

    @Test(
        .withoutDatabase,
        arguments: [
            (1_250, "HKD", "12.50"), (-5, "EUR", "-0.05"), (500, "JPY", "500"),
            (12_500, "KWD", "12.500"), (0, "EUR", "0.00"),
        ])
    func anAmountInAFileIsADecimalNumber(amount: Int, currency: String, text: String) {
        #expect(Money(amount: amount, currency: currency).decimal == text)
    }

    @Test(
        .withoutDatabase,
        arguments: [
            ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "\"'\t=1\""), ("\r=1", "\"'\r=1\""), ("\n=1", "\"'\n=1\""), (" =1", "' =1"),
            ("＝1", "'＝1"), ("＠x", "'＠x"), ("=A1,\"x\"", "\"'=A1,\"\"x\"\"\""),
            ("plain", "plain"), ("a=b", "a=b"), ("", ""),
        ])
    func aTextIsNoFormulaInASpreadsheet(text: String, field: String) {
        let found = CSVCell.text(text).field
        // A tab alone needs no quotes.
        #expect(found == field || "\"\(found)\"" == field)
        #expect(CSVCell.plain("-12.50").field == "-12.50")
    }

    @Test func aPaymentIsFoundByAllThatItIsKnownBy() async throws {
        let bench = try Bench()
        try await bench.hear(
            AccountChanged(
                account: TestPerson.alice.account(createdAt: bench.clock.now), suspended: false,
                version: 1))
        bench.clock.advance(by: 1)
        var bill = Bill.of(.alice, 12_350, version: 1)
        bill.facts.reference = "ZX-81"
        bill.facts.details = [
            .init(label: .of("Vehicle", "車輛"), value: "AB 1234 · red", isPersonal: true)
        ]
        try await bench.hear(bill)
        let payment = try await bench.pay(bill.id)
        let other = try await bench.billed(9_900, to: .bob)
        _ = try await bench.pay(other.id, by: .bob)
        let known = try #require(
            try await bench.database.read {
                try payers.value(of: TestPerson.alice.id, in: $0)
            })
        let number = try #require(
            try await bench.database.read { try $0.books.numbers(of: payment.id).first })
        let texts = [
            "ZX-81", "zx81", "zx", "AB1234", "ab 1234", "123.50", "HK$123,5", number,
            payment.id.description, known.firstName, known.lastName, known.phone,
            String(known.phone.suffix(8)), "\(known.firstName) zx",
        ]
        let path = "/v1/payments?q="
        try await bench.run { caller in
            for text in texts {
                let found = try await caller.call(.get, path + text.percentEncoded, as: .olivia)
                    .expect(200, Page<PaymentEntry>.self).items
                #expect(found.compactMap(\.payment?.id) == [payment.id], "\(text)")
            }
            for text in ["zx-82", "124", "%", "_", "\"", "👍", "AB12345", "zx nobody"] {
                let found = try await caller.call(.get, path + text.percentEncoded, as: .olivia)
                    .expect(200, Page<PaymentEntry>.self).items
                #expect(found.isEmpty, "\(text)")
            }
            let entry = try #require(try await caller.entries("?q=zx81", as: .olivia).items.first)
            #expect(entry.payerName == known.name)
            #expect(entry.reference == "ZX-81")
            #expect(entry.enteredAt == bench.clock.now.addingTimeInterval(-1))
            // Customers see neither names nor other people's payments.
            let own = try await caller.entries("?q=nothing", as: .alice).items
            #expect(own.count == 1 && own.allSatisfy { $0.payerName == nil })
        }
        try await bench.hear(
            AccountDeleted(
                account: TestPerson.alice.id, role: .customer, version: 2,
                deletedAt: bench.clock.now))
        for _ in 0..<3 { await bench.recover() }
        try await bench.run { caller in
            for text in ["AB1234", known.firstName, known.phone] {
                let found = try await caller.call(.get, path + text.percentEncoded, as: .olivia)
                    .expect(200, Page<PaymentEntry>.self).items
                #expect(found.isEmpty, "\(text)")
            }
            #expect(try await caller.entries("?q=ZX-81", as: .olivia).items.count == 1)
        }
    }

    @Test func aGuestsPaymentIsFoundByThePlateThatNobodyIsShown() async throws {
        let bench = try Bench()
        var bill = Bill.of(.alice, 1_000, version: 1)
        (bill.isGuest, bill.facts.plates) = (true, ["XYZ 77"])
        let id = bill.id
        try await bench.hear(bill)
        let payment = try await bench.pay(id)
        try await bench.run { caller in
            for text in ["xyz77", "XYZ%2077"] {
                let found = try await caller.entries("?q=\(text)", as: .olivia).items
                #expect(found.compactMap(\.payment?.id) == [payment.id], "\(text)")
            }
            for path in ["", "/receipt"] {
                let shown = try await caller.call(
                    .get, "/v1/bills/\(id)\(path)", as: .alice)
                #expect(shown.status == 200)
                #expect(!shown.text.contains("XYZ"))
            }
        }
        let documents = try await bench.database.read {
            try $0.rows("SELECT body FROM documents").map { try $0.get("body", as: String.self) }
        }
        #expect(documents.count == 1 && documents.allSatisfy { !$0.contains("XYZ") })
    }

    /// The bill comes once more when its payer is gone, and before their other data is.
    @Test func aPlateIsForgottenWhateverComesFirst() async throws {
        let bench = try Bench()
        var bill = Bill.of(.alice, 1_000, version: 1)
        bill.facts.details = [
            .init(label: .of("Vehicle", "車輛"), value: "AB 1234", isPersonal: true)
        ]
        try await bench.hear(bill)
        _ = try await bench.pay(bill.id)
        try await bench.hear(
            AccountDeleted(
                account: TestPerson.alice.id, role: .customer, version: 2,
                deletedAt: bench.clock.now))
        bill.version = 2
        try await bench.hear(bill)
        for _ in 0..<3 { await bench.recover() }
        try await bench.run { caller in
            let byPlate = try await caller.entries("?q=AB1234", as: .olivia).items
            #expect(byPlate.isEmpty)
            let byReference = try await caller.entries("?q=K7-42", as: .olivia).items
            #expect(byReference.count == 1)
        }
    }

    @Test func filtersAndTotalsAgree() async throws {
        let bench = try Bench()
        let payment = try await bench.pay(try await bench.billed(12_000).id, tip: 500)
        _ = try? await bench.pay(
            try await bench.billed(7_000).id, "pm_card_visa_chargeDeclined")
        bench.clock.advance(by: Day.length)
        _ = try await bench.pay(try await bench.billed(3_000).id)
        let today = Day(bench.clock.now).text
        try await bench.run { caller in
            try await caller.refund(payment.id, 1_000).expect(201, Refund.self)
            for (query, count) in [
                ("", 4), ("?kind=refund", 1), ("?kind=payment", 3), ("?state=declined", 1),
                ("?means=cash", 0), ("?means=card", 4), ("?product=made-up", 4), ("?site=x", 0),
                ("?from=\(today)", 2), ("?to=\(Day(bench.clock.now).before.text)", 2),
                ("?from=\(today)&to=\(today)&kind=payment", 1),
            ] {
                #expect(
                    try await caller.entries(query, as: .olivia).items.count == count, "\(query)")
                let totals = try await caller.call(
                    .get, "/v1/admin/payments/totals\(query)", as: .olivia
                ).expect(200, PaymentTotals.self)
                #expect(totals.count == count, "\(query)")
            }
            let all = try await caller.call(.get, "/v1/admin/payments/totals", as: .olivia)
                .expect(200, PaymentTotals.self).currencies
            #expect(all.map(\.paid) == [.hkd(15_500)])
            #expect(all.map(\.refunded) == [.hkd(1_000)])
            #expect(all.map(\.tips) == [.hkd(500)])
            try await caller.call(.get, "/v1/payments?state=lost", as: .olivia)
                .refused(422, "request.invalid", field: "state")
        }
    }

    @Test func refundsThatWaitOrFailedAreListedAndDoNotCount() async throws {
        let bench = try Bench()
        let payment = try await bench.pay(try await bench.billed(12_000).id)
        func refund() async throws {
            _ = try await bench.payments.refund(
                payment.id, RefundBody(amount: 1_000, reason: "a scratch"),
                by: TestPerson.olivia.id, key: nil)
        }
        bench.provider.refunds(.failed("lost_or_stolen_card"))
        await #expect(throws: Refusal.self) { try await refund() }
        bench.clock.advance(by: 1)
        bench.provider.refunds(.pending)
        await #expect(throws: Refusal.self) { try await refund() }
        try await bench.run { caller in
            let failed = try await caller.entries("?state=failed", as: .olivia).items
            #expect(failed.map(\.refundState) == [.failed])
            #expect(failed.map(\.refundFailure) == ["lost_or_stolen_card"])
            #expect(failed.map(\.enteredAt) == [nil])
            let all = try await caller.entries("?kind=refund", as: .olivia).items
            #expect(all.map(\.refundState) == [.processing, .failed])
            let totals = try await caller.call(.get, "/v1/admin/payments/totals", as: .olivia)
                .expect(200, PaymentTotals.self)
            #expect(totals.count == 3)
            #expect(totals.currencies.map(\.refunded) == [.hkd(0)])
            #expect(try await caller.entries().items.map(\.kind) == [.payment])
            bench.provider.refunds(nil)
            bench.clock.advance(by: PaymentUseCases.hold)
            await bench.recover()
            let settled = try await caller.entries("?kind=refund", as: .olivia).items
            #expect(settled.map(\.refundState) == [.succeeded, .failed])
        }
    }

    @Test func paymentsOfAnEarlierReleaseAreIndexedOnce() async throws {
        let bench = try Bench()
        for _ in 0..<3 { _ = try await bench.pay(try await bench.billed().id) }
        try await bench.database.write {
            try $0.execute("DELETE FROM payment_search")
            try $0.execute("DELETE FROM payment_words")
        }
        for _ in 0..<2 { try await bench.payments.indexPayments() }
        try await bench.run { caller in
            let found = try await caller.entries("?q=K7-42", as: .olivia)
            #expect(found.items.count == 3)
        }
    }

    @Test func ledgerEntriesAreFilteredByProductAndPlaceAndSummed() async throws {
        let bench = try Bench()
        for (id, amount) in [("berlin", 5_000), ("hamburg", 3_000)] {
            bench.clock.advance(by: 1)
            var bill = Bill.of(.alice, amount, version: 1)
            bill.facts.site = Bill.Site(.area, id: id, name: id)
            try await bench.hear(bill)
            _ = try await bench.pay(bill.id)
        }
        let (second, today) = (Wire.text(bench.clock.now), Day(bench.clock.now).text)
        try await bench.run { caller in
            for (query, count, debits) in [
                ("", 4, 24_000), ("?site=berlin", 2, 15_000),
                ("?site=hamburg&kind=capture", 1, 6_000),
                ("?product=made-up", 4, 24_000), ("?product=made-up&site=x", 0, 0),
                ("?product=valet", 0, 0), ("?q=K7-42&site=berlin", 2, 15_000),
                ("?from=\(second)", 2, 9_000), ("?to=\(second)", 2, 15_000),
                ("?from=\(second)&kind=capture", 1, 6_000),
                ("?from=\(today)&to=\(today)&site=berlin", 2, 15_000),
            ] {
                let found = try await caller.call(
                    .get, "/v1/admin/ledger/entries\(query)", as: .olivia
                ).expect(200, Page<LedgerRecord>.self).items
                let totals = try await caller.call(
                    .get, "/v1/admin/ledger/totals\(query)", as: .olivia
                ).expect(200, LedgerTotals.self)
                #expect((found.count, totals.count) == (count, count), "\(query)")
                let sums = count == 0 ? [] : [Money.hkd(debits)]
                #expect(totals.currencies.map(\.debits) == sums, "\(query)")
                #expect(totals.currencies.map(\.credits) == sums, "\(query)")
            }
            let money = try await caller.call(
                .get, "/v1/admin/ledger/totals?account=providerClearing", as: .olivia
            ).expect(200, LedgerTotals.self)
            #expect(
                money
                    == LedgerTotals(
                        count: 2, currencies: [.init(debits: .hkd(8_000), credits: .hkd(0))]))
            try await caller.call(.get, "/v1/admin/ledger/totals", as: .alice)
                .refused(403, "auth.role")
        }
    }

    @Test func ledgerEntriesAreFilteredAndTheirAccountsHaveNames() async throws {
        let bench = try Bench()
        _ = try await bench.pay(try await bench.billed().id, tip: 100)
        let today = Day(bench.clock.now)
        try await bench.run { caller in
            func entries(_ query: String) async throws -> [LedgerRecord] {
                try await caller.call(.get, "/v1/admin/ledger/entries\(query)", as: .olivia)
                    .expect(200, Page<LedgerRecord>.self).items
            }
            #expect(try await entries("?kind=capture").map(\.kind) == ["capture"])
            #expect(try await entries("?account=providerClearing").map(\.kind) == ["capture"])
            #expect(try await entries("?from=\(today.text)&to=\(today.text)").count == 2)
            #expect(try await entries("?to=\(today.before.text)").isEmpty)
            #expect(try await entries("?q=K7-42").count == 2)
            #expect(try await entries("?q=nothing").isEmpty)
            let names = try await entries("").flatMap { $0.postings.compactMap(\.name) }
            #expect(names.contains("Payment provider"))
            let accounts = try await caller.call(
                .get, "/v1/admin/ledger/accounts", as: .olivia
            ).expect(200, Page<LedgerAccountInfo>.self).items
            #expect(accounts.contains { $0.id == "revenue:made-up" && $0.product == .made })
            #expect(accounts.allSatisfy { $0.person == nil && !$0.name.isEmpty })
            let people = try await caller.call(
                .get, "/v1/admin/ledger/accounts?kind=payable", as: .olivia
            ).expect(200, Page<LedgerAccountInfo>.self).items
            #expect(Set(people.compactMap(\.person)) == [TestPerson.victor.id, TestPerson.vera.id])
        }
    }

    @Test func aPersonsBalanceIsWhatTheyAreOwed() async throws {
        let bench = try Bench()
        _ = try await bench.pay(try await bench.billed().id, tip: 100)
        try await bench.run { caller in
            let found = try await caller.call(.get, "/v1/admin/balances?limit=1", as: .olivia)
                .expect(200, Page<PersonBalance>.self)
            let next = try #require(found.next)
            let rest = try await caller.call(
                .get, "/v1/admin/balances?limit=1&after=\(next)", as: .olivia
            ).expect(200, Page<PersonBalance>.self)
            let both = found.items + rest.items
            #expect(Set(both.map(\.person)) == [TestPerson.victor.id, TestPerson.vera.id])
            #expect(both.flatMap { $0.currencies.map(\.available) } == [.hkd(50), .hkd(50)])
            #expect(both.allSatisfy { $0.lastPayout == nil })
        }
    }

    @Test(.withoutDatabase) func aFileOfAnyLengthNeedsOnePage() async throws {
        let (pages, size) = (200, 500)
        let asked = PageCounter()
        let file = RowFile(name: "rows", header: ["n"]) { place in
            let page = place.flatMap(Int.init) ?? 0
            await asked.ask()
            let rows = (0..<size).map { [CSVCell.plain(String(page * size + $0))] }
            return (rows, page + 1 < pages ? String(page + 1) : nil)
        }
        try await file.write { text in
            if text.hasPrefix(csvByteOrderMark) { return }
            await asked.send(text.split(separator: "\r\n").count)
        }
        #expect(await asked.rows == 100_000)
        #expect(await asked.mostWaiting == 1)
    }

    @Test func theFilesAgreeWithTheListAndHaveNoFormulas() async throws {
        let bench = try Bench()
        bench.clock.advance(by: 1)
        var bill = Bill.of(.alice, 12_000, version: 1)
        bill.facts.reference = "=HYPERLINK(\"x\")"
        try await bench.hear(bill)
        let payment = try await bench.pay(bill.id)
        bench.clock.advance(by: 1)
        try await bench.run { caller in
            try await caller.refund(payment.id, 2_000).expect(201, Refund.self)
            bench.clock.advance(by: 1)
            let answer = try await caller.call(.get, "/v1/admin/exports/payments", as: .olivia)
            #expect(answer.status == 200)
            var table = CSVTable(Array(answer.data))
            let (amount, reference) = (table.column("amount"), table.column("reference"))
            var (amounts, references): ([String], [String]) = ([], [])
            while table.next() {
                amounts.append(table[amount])
                references.append(table[reference])
            }
            #expect(amounts.sorted() == ["-20.00", "120.00"])
            #expect(references.allSatisfy { $0 == "'=HYPERLINK(\"x\")" })
            var ledger = CSVTable(
                Array(
                    try await caller.call(.get, "/v1/admin/exports/ledger", as: .olivia).data))
            let (debit, credit) = (ledger.column("debit"), ledger.column("credit"))
            var sum = Decimal(0)
            while ledger.next() {
                sum += Decimal(string: ledger[debit]) ?? 0
                sum -= Decimal(string: ledger[credit]) ?? 0
            }
            #expect(sum == 0)
            for path in ["documents", "balances", "days"] {
                let file = try await caller.call(.get, "/v1/admin/exports/\(path)", as: .olivia)
                #expect(file.status == 200)
                #expect(file.data.starts(with: [0xEF, 0xBB, 0xBF]))
            }
        }
    }
}

/// Counts pages that were read, and those that were sent.
private actor PageCounter {
    private(set) var rows = 0
    private(set) var mostWaiting = 0
    private var waiting = 0

    func ask() {
        waiting += 1
        mostWaiting = max(mostWaiting, waiting)
    }

    func send(_ count: Int) {
        waiting -= 1
        rows += count
    }
}
