import Contracts
import EventBus
import Foundation
import ServiceKit
import Store
import Support
import Testing

@testable import Payments

/// Receipts and credit notes, their numbers, and the tax in the books.
@Suite struct DocumentTests {
    struct Crash: Error {}

    /// A company in Berlin with 19 % of tax in its prices, or on top of them.
    static func bench(
        pricesIncludeTax: Bool = true, at start: Date = Date(timeIntervalSince1970: 1_767_600_000),
        patience: PaymentUseCases.Patience = .init(bill: .zero, settled: .zero)
    ) async throws -> Bench {
        let bench = try Bench(clock: TestClock(start), patience: patience)
        _ = try await bench.payments.putCompany(
            CompanyTests.body, by: TestPerson.olivia.id, ifVersion: .none)
        _ = try await bench.payments.putTaxes(
            TaxSettingsBody(pricesIncludeTax: pricesIncludeTax, rates: [TaxTests.rate(19_000)]),
            by: TestPerson.olivia.id, ifVersion: .none)
        bench.clock.advance(by: 1)
        return bench
    }

    private func documents(_ bench: Bench) async throws -> [PaymentDocument] {
        try await bench.database.read { transaction in
            try transaction.rows("SELECT body FROM documents ORDER BY issued_at, id").map {
                try $0.json()
            }
        }
    }

    private func refund(
        _ bench: Bench, _ payment: PaymentID, _ amount: Int? = nil
    ) async throws -> Refund {
        try await bench.payments.refund(
            payment, RefundBody(amount: amount, reason: "a scratch"), by: TestPerson.olivia.id,
            key: nil)
    }

    // MARK: What they say

    @Test func aPaymentHasAReceiptAndARefundACreditNote() async throws {
        let bench = try await Self.bench()
        try await bench.hear(
            AccountChanged(
                account: TestPerson.alice.account(createdAt: bench.clock.now), suspended: false,
                version: 1))
        let bill = try await bench.billed(11_900)
        let payment = try await bench.pay(bill.id, tip: 1_000)
        bench.clock.advance(by: 1)
        let refund = try await refund(bench, payment.id, 1_190)
        let found = try await documents(bench)
        #expect(found.map(\.number) == ["2026-000001", "C2026-000001"])
        let (receipt, note) = (found[0], found[1])
        #expect(receipt.seller.name == "Star Parking")
        #expect(receipt.seller.terms == nil)
        #expect(receipt.timeZone == "Europe/Berlin")
        #expect(
            receipt.buyer == TestPerson.alice.account(createdAt: bench.clock.now).firstName
                + " " + TestPerson.alice.account(createdAt: bench.clock.now).lastName)
        #expect(receipt.charge == .hkd(11_900))
        #expect(receipt.tip == .hkd(1_000))
        #expect(receipt.total == .hkd(12_900))
        #expect(receipt.tax == .hkd(1_900))
        #expect(receipt.taxes.map(\.net) == [.hkd(10_000)])
        #expect(receipt.lines.map(\.percentThousandths) == [19_000])
        #expect(receipt.addedTax == nil)
        #expect(receipt.means == .card)
        #expect(receipt.last4 == "4242")
        #expect(note.refersTo?.number == "2026-000001")
        #expect(note.refund == refund.id)
        #expect(note.reason == "a scratch")
        #expect(note.total == .hkd(-1_190))
        #expect(note.tax == .hkd(-190))
        let balances = try await bench.balances()
        #expect(balances[.tax] == -1_710)
        #expect(balances[.revenue] == -10_000)
        #expect(balances[.refunds] == 1_000)
        try await bench.run { caller in
            let shown = try await caller.call(.get, "/v1/bills/\(bill.id)/receipt", as: .alice)
                .expect(200, BillReceipt.self)
            #expect(shown.document?.number == "2026-000001")
            #expect(shown.creditNotes.map(\.number) == ["C2026-000001"])
            #expect(shown.taxes == receipt.taxes)
            #expect(shown.charge == .hkd(11_900))
            #expect(shown.seller.name == "Star Parking")
            let numbered = try await caller.call(.get, "/v1/documents/\(receipt.id)", as: .alice)
                .expect(200, PaymentDocument.self)
            #expect(numbered.creditNotes == [note.asReference])
            let own = try await caller.call(.get, "/v1/documents/\(note.id)", as: .alice)
                .expect(200, PaymentDocument.self)
            #expect(own.creditNotes == nil)
        }
    }

    @Test func theRateThatWasToldCountsHoweverItChanges() async throws {
        let bench = try await Self.bench()
        let quoted = bench.clock.now
        var told = Bill.of(.alice, 11_900, version: 1)
        told.pricedAt = quoted
        let due = try await bench.billed(11_900)
        bench.clock.advance(by: 60)
        _ = try await bench.payments.putTaxes(
            TaxSettingsBody(rates: [TaxTests.rate(7_000)]), by: TestPerson.olivia.id,
            ifVersion: .none)
        bench.clock.advance(by: 60)
        try await bench.hear(told)
        // It was due before, and is told again without another price.
        try await bench.hear(due.replaced(by: 11_900, version: 9))
        let later = try await bench.billed(10_700)
        for bill in [told.id, due.id, later.id] {
            bench.clock.advance(by: 1)
            _ = try await bench.pay(bill)
        }
        #expect(try await documents(bench).map(\.tax) == [.hkd(1_900), .hkd(1_900), .hkd(700)])
        #expect(try await bench.balances()[.tax] == -4_500)
    }

    @Test func taxOnTopIsPaidBesideTheBill() async throws {
        let bench = try await Self.bench(pricesIncludeTax: false)
        let bill = try await bench.billed(10_000)
        let view = try await bench.payments.bill(bill.id, for: nil)
        #expect(view.total == .hkd(10_000))
        #expect(view.tax == .hkd(1_900))
        #expect(view.totalWithTax == .hkd(11_900))
        let payment = try await bench.pay(bill.id, tip: 500)
        #expect(payment.amount == .hkd(12_400))
        #expect(payment.tax == .hkd(1_900))
        #expect(payment.forBill == .hkd(10_000))
        let receipt = try #require(try await documents(bench).first)
        #expect(receipt.charge == .hkd(10_000))
        #expect(receipt.addedTax == .hkd(1_900))
        #expect(receipt.total == .hkd(12_400))
        // The product gives half of its bill back, with the tax that came on top.
        var returned = bill
        returned.version = 9
        returned.returns = [
            Bill.Return(id: .new(at: bench.clock.now), amount: .hkd(5_000), reason: "half")
        ]
        try await bench.hear(returned)
        await bench.recover()
        let refund = try #require(try await bench.refunded().first?.refund)
        #expect(refund.amount == .hkd(5_950))
        #expect(refund.tax == .hkd(950))
        #expect(refund.forBill == .hkd(5_000))
        _ = try await self.refund(bench, payment.id)
        let balances = try await bench.balances()
        #expect(balances[.tax] == 0)
        #expect(balances[.revenue] == -10_000)
        #expect(balances[.refunds] == 10_500)
        #expect(balances[.customerReceivable] == 0)
        #expect(try await bench.unbalancedEntries() == [])
    }

    @Test func aHoldIsNoRevenueAndItsCaptureHasTheReceipt() async throws {
        let bench = try await Self.bench()
        var bill = Bill.of(.alice, 11_900, version: 1)
        bill.terms = .known(.hold)
        try await bench.hear(bill)
        _ = try await bench.pay(bill.id)
        #expect(try await bench.balances().isEmpty)
        #expect(try await documents(bench).isEmpty)
        bill.version = 2
        bill.terms = .known(.now)
        bill.lines[0].amount = .hkd(5_950)
        try await bench.hear(bill)
        await bench.recover()
        #expect(try await documents(bench).map(\.total) == [.hkd(5_950)])
        #expect(try await bench.balances()[.tax] == -950)
    }

    @Test func revenueIsThatOfTheLinesProductAndSite() async throws {
        let bench = try await Self.bench()
        var bill = Bill.of(.alice, 5_950, version: 1)
        bill.facts.site = Bill.Site(.area, id: "berlin", name: "Berlin")
        var space = Bill.Line.of("space", "Space", "車位", 2_380)
        space.product = "parking"
        space.site = Bill.Site(.carPark, id: "p1", name: "P1")
        bill.lines.append(space)
        try await bench.hear(bill)
        _ = try await bench.pay(bill.id)
        var entries = LedgerQuery()
        entries.billId = bill.id
        let postings = try await bench.payments.ledger(entries, PageRequest(), in: .english).items
            .flatMap(\.postings)
        let revenue = postings.filter { $0.account.hasPrefix("revenue") }
        #expect(
            Dictionary(uniqueKeysWithValues: revenue.map { ($0.account, $0.amount) })
                == ["revenue:made-up/berlin": -5_000, "revenue:parking/p1": -2_000])
        // The trial balance sums a product's sites up.
        let lines = try await bench.payments.trialBalance(in: .english).lines
        #expect(lines.first { $0.account == "revenue:made-up" }?.balance == -5_000)
        #expect(
            try await bench.database.read { try $0.sites.all() }.map(\.name) == ["Berlin", "P1"])
    }

    @Test func aRefundThatFailsAfterAllCancelsItsCreditNoteOnce() async throws {
        let bench = try await Self.bench()
        let payment = try await bench.pay(try await bench.billed(11_900).id)
        let refund = try await refund(bench, payment.id, 1_190)
        let now = bench.clock.now
        for _ in 1...2 {
            try await bench.database.write { _ = try $0.documents.cancel(refund.id, at: now) }
        }
        let found = try await documents(bench)
        #expect(found.map(\.total.amount).sorted() == [-1_190, 1_190, 11_900])
        let cancelled = try #require(found.first { $0.kind == .cancellation })
        #expect(cancelled.number == "X2026-000001")
        #expect(cancelled.refersTo?.number == "C2026-000001")
        #expect(cancelled.tax == .hkd(190))
    }

    // MARK: Numbers

    @Test func fiftyAtOnceHaveFiftyNumbersWithoutAGap() async throws {
        let bench = try await Self.bench(
            patience: .init(bill: .zero, settled: .seconds(5)))
        var bills: [BillID] = []
        for index in 0..<50 { bills.append(try await bench.billed(1_000 + index).id) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for bill in bills {
                group.addTask { try await Self.payUntilPaid(bill, bench) }
            }
            try await group.waitForAll()
        }
        let numbers = try await documents(bench).map(\.number).sorted()
        #expect(numbers.count == 50)
        #expect(numbers.first == "2026-000001")
        #expect(numbers.last == "2026-000050")
        #expect(Set(numbers).count == 50)
    }

    /// A request that loses too often against others is repeated, as its client would.
    private static func payUntilPaid(_ bill: BillID, _ bench: Bench) async throws {
        for _ in 0..<20 {
            do {
                _ = try await bench.pay(bill)
                return
            } catch Refusal.alreadyPaid {
                return
            } catch let error as Refusal where error.code == Refusal.paymentInProgress.code {
            } catch let error as StoreError where error.kind == .conflict {
            }
        }
        Issue.record("the bill was never paid")
    }

    @Test func whatIsRolledBackLeavesNoGap() async throws {
        let bench = try await Self.bench()
        let bill = try await bench.billed(1_000)
        let now = bench.clock.now
        let draft = try await bench.database.read { transaction in
            let known = try #require(try transaction.bills.find(bill.id))
            let payment = Payment(
                id: .new(at: now), bill: bill.id, amount: .hkd(1_000), status: .succeeded,
                createdAt: now)
            return DocumentDraft(
                content: .receipt(
                    known.bill,
                    Attempt(payment, of: known.bill, reference: "x", heldUntil: now)))
        }
        await #expect(throws: Crash.self) {
            try await bench.database.write { transaction in
                try transaction.documents.issue(draft, at: now)
                throw Crash()
            }
        }
        // The process dies after the provider has taken the money, and before it is entered here.
        bench.provider.failNext(.crashAfter)
        _ = try? await bench.pay(bill.id)
        bench.clock.advance(by: PaymentUseCases.hold)
        await bench.recover()
        _ = try await bench.pay(try await bench.billed(2_000).id)
        #expect(try await documents(bench).map(\.number) == ["2026-000001", "2026-000002"])
    }

    @Test func aYearBeginsByTheCompanysZoneAndALaterRefundNamesTheOldReceipt() async throws {
        // 22:30 UTC on the last day of the year is 23:30 in Berlin.
        let bench = try await Self.bench(at: #require(Wire.date("2026-12-31T22:30:00Z")))
        let old = try await bench.pay(try await bench.billed(1_190).id)
        bench.clock.advance(by: 3_600)
        _ = try await bench.pay(try await bench.billed(1_190).id)
        let refund = try await refund(bench, old.id)
        let found = try await documents(bench)
        #expect(Set(found.map(\.number)) == ["2026-000001", "2027-000001", "C2027-000001"])
        let note = try #require(found.first { $0.kind == .creditNote })
        #expect(note.refund == refund.id)
        #expect(note.refersTo?.number == "2026-000001")
        #expect(note.tax == .hkd(-190))
    }

    @Test func withoutACompanyThereAreNumbersAndNoSeller() async throws {
        let bench = try Bench()
        _ = try await bench.pay(try await bench.billed().id)
        let found = try #require(try await documents(bench).first)
        #expect(found.number == "2026-000001")
        #expect(found.seller == Company())
        #expect(found.tax == .hkd(0))
        #expect(found.taxes.isEmpty)
        #expect(found.timeZone == "GMT")
    }

    // MARK: Bills of the last release

    /// A bill that the last release entered as revenue when it became due.
    static func oldBill(_ bench: Bench) async throws -> Bill {
        let (now, bill) = (bench.clock.now, Bill.of(.alice, 12_000, version: 8))
        try await bench.database.write { transaction in
            var known = Receivable(bill)
            _ = known.apply(bill, at: now) { _, _ in nil }
            try transaction.bills.insert(known)
            try transaction.ledger.enter(
                LedgerEntry(
                    id: "bill:\(bill.id):8", bill: bill.id,
                    lines: [
                        .init(account: .customerReceivable, amount: .hkd(12_000)),
                        .init(account: .revenue(.made), amount: .hkd(-12_000)),
                    ]), at: now)
        }
        bench.clock.advance(by: 1)
        return bill
    }

    @Test func anOldBillIsCapturedAndRefundedRight() async throws {
        let bench = try await Self.bench()
        let payment = try await bench.pay(try await Self.oldBill(bench).id)
        #expect(
            try await bench.balances()
                == [
                    .customerReceivable: 0, .billed: 0, .revenue: -12_000,
                    .providerClearing: 12_000,
                ])
        _ = try await refund(bench, payment.id)
        #expect(
            try await bench.balances() == [
                .customerReceivable: 0, .billed: 0, .revenue: -12_000, .providerClearing: 0,
                .refunds: 12_000,
            ])
        #expect(try await documents(bench).map(\.tax) == [.hkd(0), .hkd(0)])
    }

    @Test func anOldBillThatIsToldAgainHasTheTaxOfItsNewTelling() async throws {
        let bench = try await Self.bench()
        let bill = try await Self.oldBill(bench)
        try await bench.override(bill, bill: 12_000)
        _ = try await bench.pay(bill.id)
        let document = try #require(try await documents(bench).first)
        #expect(document.tax == .hkd(1_916))
        #expect(
            try await bench.balances() == [
                .customerReceivable: 0, .billed: 0, .revenue: -10_084, .tax: -1_916,
                .providerClearing: 12_000,
            ])
    }

    @Test func anOldBillIsWithdrawnRight() async throws {
        let bench = try await Self.bench()
        try await bench.override(try await Self.oldBill(bench), bill: nil)
        #expect(try await bench.balances() == [.customerReceivable: 0, .revenue: 0])
    }

    @Test func anOldBillIsReplacedRight() async throws {
        let bench = try await Self.bench()
        let bill = try await Self.oldBill(bench)
        try await bench.override(bill, bill: 11_900)
        _ = try await bench.pay(bill.id)
        #expect(
            try await bench.balances() == [
                .customerReceivable: 0, .billed: 0, .revenue: -10_000, .tax: -1_900,
                .providerClearing: 11_900,
            ])
    }

    // MARK: Access

    @Test func peopleSeeTheirOwnAndOperatorsAll() async throws {
        let bench = try await Self.bench()
        let mine = try await bench.pay(try await bench.billed(1_190).id)
        bench.clock.advance(by: 86_400)
        let theirs = try await bench.billed(2_380, to: .bob)
        _ = try await bench.pay(theirs.id, by: .bob)
        try await bench.run { caller in
            let own = try await caller.call(.get, "/v1/me/documents", as: .alice)
                .expect(200, Page<DocumentEntry>.self).items
            #expect(own.map(\.payment) == [mine.id])
            let id = try #require(own.first?.id)
            let found = try await caller.call(.get, "/v1/documents/\(id)", as: .alice)
                .expect(200, PaymentDocument.self)
            #expect(found.number == own.first?.number)
            try await caller.call(.get, "/v1/documents/\(id)", as: .bob)
                .refused(404, "document.unknown")
            try await caller.call(.get, "/v1/documents/\(id)", as: .olivia)
                .expect(200, PaymentDocument.self)
            func all(_ query: String) async throws -> [String] {
                try await caller.call(.get, "/v1/admin/documents\(query)", as: .olivia)
                    .expect(200, Page<DocumentEntry>.self).items.map(\.number)
            }
            #expect(try await all("") == ["2026-000002", "2026-000001"])
            #expect(try await all("?number=2026-000001") == ["2026-000001"])
            #expect(try await all("?kind=creditNote") == [])
            #expect(try await all("?fromDay=2026-01-06") == ["2026-000002"])
            #expect(try await all("?untilDay=2026-01-05") == ["2026-000001"])
            try await caller.call(.get, "/v1/admin/documents?fromDay=2026-02-30", as: .olivia)
                .refused(422, "request.invalid", field: "fromDay")
            try await caller.call(.get, "/v1/admin/documents", as: .alice)
                .refused(403, "auth.role")
        }
    }

    @Test func whoIsGoneHasNoNameOnDocumentsAndTheAmountsStay() async throws {
        let bench = try await Self.bench()
        try await bench.hear(
            AccountChanged(
                account: TestPerson.alice.account(createdAt: bench.clock.now), suspended: false,
                version: 1))
        var bill = Bill.of(.alice, 1_190, version: 1)
        bill.facts.place = "Home"
        bill.facts.details = [
            .init(label: .of("Vehicle", "車輛"), value: "ABC123", isPersonal: true)
        ]
        try await bench.hear(bill)
        _ = try await bench.pay(bill.id)
        let before = try #require(try await documents(bench).first)
        #expect(before.buyer != nil)
        try await bench.hear(
            AccountDeleted(
                account: TestPerson.alice.id, role: .customer, version: 5,
                deletedAt: bench.clock.now))
        for _ in 0..<3 { await bench.recover() }
        let after = try #require(try await documents(bench).first)
        #expect(after.buyer == nil)
        #expect(after.place == nil)
        #expect(after.details.isEmpty)
        #expect(after.number == before.number)
        #expect(after.total == before.total)
        #expect(after.taxes == before.taxes)
    }
}
