import Contracts
import EventBus
import Foundation
import ServiceKit
import Support
import Testing

@testable import Payments

@Suite struct BillTests {
    @Test func aBillThatArrivesTwiceIsOwedOnce() async throws {
        let bench = try Bench()
        let bill = Bill.of(.alice, 12_000, version: 8)
        let id = EventID.new()
        try await bench.hear(bill, id: id)
        try await bench.hear(bill, id: id)
        // Under another id too: the bill's version tells.
        try await bench.hear(bill)
        #expect(try await bench.balances()[.customerReceivable] == 12_000)
    }

    @Test func anOlderBillChangesNothing() async throws {
        let bench = try Bench()
        let bill = Bill.of(.alice, 12_000, version: 8)
        try await bench.override(bill, bill: nil)
        try await bench.hear(bill)
        await #expect(throws: Refusal.nothingDue) { try await bench.pay(bill.id) }
        #expect(try await bench.balances().isEmpty)
    }

    @Test func theFirstBillMayComeLast() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        try await bench.hear(Bill.of(.alice, nil, version: 1, id: bill.id))
        #expect(try await bench.pay(bill.id).status == .succeeded)
    }

    @Test func aBillOnTermsOfALaterReleaseIsLeftAlone() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        var copy = bill
        (copy.version, copy.terms) = (bill.version + 1, .unknown("instalments"))
        let later = copy
        await #expect(throws: UnknownValue(field: "terms", value: "instalments")) {
            try await bench.hear(later)
        }
        let known = try await bench.database.read { try $0.bills.find(bill.id) }
        #expect(known?.heard == bill.version)
    }

    @Test func whatCostsNothingIsNotDue() async throws {
        let bench = try Bench()
        let (empty, free) = (Bill.of(nil, version: 2), Bill.of(0, version: 8))
        for bill in [empty, free] {
            try await bench.hear(bill)
            await #expect(throws: Refusal.nothingDue) { try await bench.pay(bill.id) }
        }
        #expect(try await bench.balances().isEmpty)
    }

    @Test func billsAreCountedAsTheirProductsCountThemWhateverBecomesOfThem() async throws {
        let bench = try Bench()
        let (paid, waived) = (try await bench.billed(), try await bench.billed(to: .bob))
        _ = try await bench.pay(paid.id)
        // A paid bill keeps the version that was paid.
        for bill in [paid, waived] { try await bench.override(bill, bill: nil) }
        let missing = Bill.of(.bob, 7_000, version: 8)
        func owned(_ bills: Bill...) -> StateCount {
            StateDigest(bills.flatMap { BillChanged(bill: $0).marks }).count(of: .bills)
        }
        func isWhole(_ owned: StateCount) async throws -> Bool {
            try await BillStore.copies.count(in: bench.database).counts(theSameAs: owned)
        }
        #expect(try await isWhole(owned(waived, paid)))
        #expect(try await !isWhole(owned(waived, paid, missing)))
        try await bench.hear(missing)
        #expect(try await isWhole(owned(waived, paid, missing)))
    }

    @Test func aNewerBillReplacesTheEarlierOne() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        try await bench.override(bill, bill: 7_000)
        #expect(try await bench.balances() == [.customerReceivable: 7_000, .billed: -7_000])
        #expect(try await bench.pay(bill.id).amount == .hkd(7_000))
    }

    @Test func aWithdrawnBillIsOwedNoMore() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        try await bench.override(bill, bill: nil)
        await #expect(throws: Refusal.nothingDue) { try await bench.pay(bill.id) }
        #expect(try await bench.balances() == [.customerReceivable: 0, .billed: 0])
    }

    @Test func whoAsksAgainForWhatTheyHaveGotIsToldAgain() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        let payment = try await bench.pay(bill.id)
        try await bench.override(bill, bill: 9_000, version: 10)
        #expect(try await bench.succeeded().map(\.payment) == [payment, payment])
        await #expect(throws: Refusal.alreadyPaid) { try await bench.pay(bill.id) }
        #expect(try await bench.captures(of: bill.id) == 1)
    }

    @Test(arguments: [
        (BillError.negative, [-1]), (.tooLarge, [Money.largestAmount, 1]),
        (.tooLarge, [.max]), (.tooLarge, Array(repeating: 1, count: Bill.mostLines + 1)),
    ])
    func aBillThatCanNotBeIsNotTakenOver(error: BillError, amounts: [Int]) async throws {
        let bench = try Bench()
        var bill = Bill.of(nil, version: 1)
        bill.lines = amounts.map { .of("base", "Service", "服務", $0) }
        let impossible = bill
        await #expect(throws: error) { try await bench.hear(impossible) }
        #expect(try await bench.database.read { try $0.bills.find(impossible.id) } == nil)
    }

    @Test func currenciesAndCommissionsHaveToFit() async throws {
        let bench = try Bench()
        var foreign = Bill.of(5, version: 1)
        foreign.lines[0].amount.currency = "EUR"
        var lower = Bill.of(5, version: 1)
        lower.currency = "hkd"
        var commission = Bill.of(nil, version: 1)
        commission.lines = [.of("x", "X", "X", 5, payee: .vera, commission: 6)]
        var nobodys = commission
        nobodys.lines = [.of("x", "X", "X", 5, commission: 1)]
        for (bill, error) in [
            (foreign, BillError.currenciesDiffer), (lower, .currencyUnknown),
            (commission, .commissionImpossible), (nobodys, .commissionImpossible),
        ] {
            await #expect(throws: error) { try await bench.hear(bill) }
        }
    }

    @Test func itsPayerAndOperatorsSeeIt() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        try await bench.run { caller in
            let path = "/v1/bills/\(bill.id)"
            for person in [TestPerson.alice, .olivia] {
                let found = try await caller.call(.get, path, as: person)
                    .expect(200, BillView.self)
                #expect(found.status == .due)
                #expect(found.total == .hkd(12_000))
                #expect(found.product == .made)
                #expect(found.lines.map(\.text) == ["Service"])
                #expect(found.payment == nil)
            }
            try await caller.call(.get, path, as: .bob).refused(404, "payment.bill_unknown")
            try await caller.call(.get, path, as: .victor).refused(403, "auth.role")
            let payment = try await caller.pay(bill.id).expect(200, PaymentAnswer.self).payment
            let paid = try await caller.call(.get, path, as: .alice).expect(200, BillView.self)
            #expect(paid.status == .paid)
            #expect(paid.payment == payment)
            let other = try await bench.billed()
            try await caller.pay(other.id).expect(200, PaymentAnswer.self)
            let own = try await caller.entries("?bill=\(bill.id)").items
            #expect(own.compactMap(\.payment) == [payment])
            try await caller.call(.get, "/v1/payments?bill=7", as: .alice)
                .refused(422, "request.invalid", field: "bill")
        }
    }

    @Test func whatIsDueLaterIsOverdueAfterItsTime() async throws {
        let bench = try Bench()
        var bill = Bill.of(500, version: 1)
        bill.terms = .known(.later)
        bill.dueAt = bench.clock.now.addingTimeInterval(60)
        let later = bill
        try await bench.hear(later)
        #expect(try await bench.payments.bill(later.id, for: nil).status == .due)
        bench.clock.advance(by: 61)
        #expect(try await bench.payments.bill(later.id, for: nil).status == .overdue)
        #expect(try await bench.pay(later.id).status == .succeeded)
        #expect(try await bench.payments.bill(later.id, for: nil).status == .paid)
    }
}

/// Nobody is refused while the newest bill may still be on its way.
@Suite struct NewestBillTests {
    @Test func whatTheProductSaysIsDueIsPaidAlthoughTheBusIsSilent() async throws {
        let bill = Bill.of(12_000, version: 8)
        let server = PretendServer(try .having(bill))
        try await server.serve { url in
            let bench = try Bench(biller: url)
            try await bench.hear(Bill.of(.alice, nil, version: 1, id: bill.id))
            #expect(try await bench.pay(bill.id).amount == .hkd(12_000))
            // The event that comes after all changes nothing.
            try await bench.hear(bill)
            #expect(try await bench.balances()[.customerReceivable] == 0)
        }
        #expect(server.asked.map(\.path) == ["/internal/bills/\(bill.id)"])
    }

    @Test func aProductThatHasNotHeardOfThePaymentIsToldWhenItAsks() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        let path = "/internal/bills/\(bill.id)/payment"
        try await withServer(paymentRouter(bench.payments, bench.environment)) { port in
            let url = try #require(URL(string: "http://127.0.0.1:\(port)"))
            let payments = Owners([
                bench.environment.peer(url, audience: "payments", within: patience)
            ])
            func settlement() async throws -> Payment? {
                try await payments.newest(InternalEndpoints.billPayment(bill.id))?.payment
            }
            #expect(try await settlement() == nil)
            let payment = try await bench.pay(bill.id)
            #expect(try await settlement() == payment)
        }
        try await bench.run { caller in
            try await caller.call(.get, path, as: nil).refused(401, "auth.token_missing")
            #expect(try await caller.call(.get, path, as: .alice).status == 401)
        }
    }

    @Test func whenTheNewestBillSaysThatNothingIsDueItIsSo() async throws {
        let bill = Bill.of(nil, version: 8)
        try await PretendServer(try .having(bill)).serve { url in
            let bench = try Bench(biller: url)
            await #expect(throws: Refusal.nothingDue) { try await bench.pay(bill.id) }
            await #expect(throws: Refusal.billUnknown) {
                try await bench.pay(bill.id, by: .bob)
            }
        }
    }

    @Test func whileNobodyKnowsItIsToBeTriedAgain() async throws {
        let bench = try Bench(biller: URL(string: "http://127.0.0.1:1"))
        let bill = Bill.of(nil, version: 1)
        try await bench.hear(bill)
        try await bench.run { caller in
            for id in [bill.id, .new()] {
                let problem = try await caller.pay(id).refused(503, "payment.bill_pending")
                #expect(problem.retryAfterSeconds != nil)
            }
        }
    }
}
