import Answers
import Contracts
import Foundation
import Store
import Support
import Testing

@testable import Payments

/// Payments that people receive in cash or by terminal, and the drawers into which they go.
@Suite struct CashTests {
    // MARK: Receiving

    @Test func cashPaysTheBillAndTheChangeIsTold() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        try await bench.run { caller in
            let drawer = try await caller.openDrawer(5_000)
            let received = try await caller.receive(bill.id, given: 15_000)
                .expect(201, ReceivedPayment.self)
            #expect(received.change == .hkd(3_000))
            #expect(received.payment.amount == .hkd(12_000))
            #expect(received.payment.status == .succeeded)
            #expect(received.payment.means == .known(.cash))
            #expect(received.payment.brand == nil)
            #expect(try await caller.drawer(drawer.id).expected == [.hkd(17_000)])
        }
        let events = try await bench.succeeded()
        #expect(events.map(\.payment.means) == [.known(.cash)])
        #expect(events.map(\.product) == [.made])
        let balances = try await bench.balances()
        #expect(balances[.customerReceivable] == 0)
        #expect(balances[.cash] == 17_000)
        #expect(balances[.safe] == -5_000)
        #expect(balances[.providerClearing] == nil)
        #expect(try await bench.captures(of: bill.id) == 0)
        #expect(try await bench.unbalancedEntries() == [])
        #expect(
            try await bench.acted().map(\.action) == ["payments.open-drawer", "payments.receive"])
    }

    @Test func aTerminalTakesExactlyWhatIsDueAndNeedsNoDrawer() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        try await bench.run { caller in
            try await caller.receive(bill.id, .terminal, given: 12_001)
                .refused(422, "payment.given_wrong", field: "given")
            let received = try await caller.receive(bill.id, .terminal, given: 12_000)
                .expect(201, ReceivedPayment.self)
            #expect(received.change == .hkd(0))
        }
        #expect(try await bench.balances()[.terminal] == 12_000)
    }

    /// Only cards have a least amount.
    @Test func cashTakesLessThanACardCould() async throws {
        let bench = try Bench()
        let bill = try await bench.billed(100)
        try await bench.run { caller in
            let drawer = try await caller.openDrawer()
            let received = try await caller.receive(bill.id).expect(201, ReceivedPayment.self)
            #expect(received.payment.amount == .hkd(100))
            #expect(try await caller.drawer(drawer.id).expected == [.hkd(100)])
        }
    }

    @Test func whatIsWrongChangesNothing() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        try await bench.run { caller in
            try await caller.receive(bill.id).refused(422, "drawer.required", field: "drawerId")
            let drawer = try await caller.openDrawer()
            try await caller.receive(bill.id, given: 11_999)
                .refused(422, "payment.given_wrong", field: "given")
            try await caller.receive(bill.id, .card).refused(422, "request.invalid", field: "means")
            try await caller.receive(.new()).refused(404, "payment.bill_unknown")
            try await caller.receive(bill.id, as: .alice).refused(403, "auth.role")
            #expect(try await caller.drawer(drawer.id).expected == [])
        }
        #expect(try await bench.succeeded().isEmpty)
        #expect(try await bench.balances()[.customerReceivable] == 12_000)
    }

    @Test func aBillThatWasPaidByCardMeanwhileRefusesCash() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        try await bench.run { caller in
            let drawer = try await caller.openDrawer()
            _ = try await bench.pay(bill.id)
            try await caller.receive(bill.id).refused(409, "payment.already_paid")
            #expect(try await caller.drawer(drawer.id).expected == [])
        }
        #expect(try await bench.succeeded().count == 1)
    }

    @Test func aCardThatWaitsForAFurtherStepIsGivenUp() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        try await bench.run { caller in
            try await caller.openDrawer()
            let card = try await bench.pay(bill.id, "pm_card_authenticationRequired")
            #expect(card.status == .requiresAction)
            bench.clock.advance(by: 1)
            let received = try await caller.receive(bill.id).expect(201, ReceivedPayment.self)
            let entries = try await caller.entries().items.compactMap(\.payment)
            #expect(entries.map(\.id) == [received.payment.id, card.id])
            #expect(entries.last?.declineReason == "superseded")
        }
        #expect(try await bench.captures(of: bill.id) == 0)
    }

    @Test func aDoubleTapIsOnePayment() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        try await bench.run { caller in
            let drawer = try await caller.openDrawer()
            let first = try await caller.receive(bill.id, key: "tap")
                .expect(201, ReceivedPayment.self)
            let again = try await caller.receive(bill.id, key: "tap")
                .expect(201, ReceivedPayment.self)
            #expect(first == again)
            try await caller.receive(bill.id).refused(409, "payment.already_paid")
            #expect(try await caller.drawer(drawer.id).expected == [.hkd(12_000)])
        }
        #expect(try await bench.succeeded().count == 1)
    }

    /// The event is stored with the payment, so a crash right after the answer loses neither.
    @Test func whatWasAcknowledgedSurvivesACrash() async throws {
        let folder = try TestFolder("payments")
        let before = try Bench(folder: folder.path)
        let bill = try await before.billed()
        let received = try await before.run { caller in
            try await caller.openDrawer()
            return try await caller.receive(bill.id).expect(201, ReceivedPayment.self)
        }
        let after = try Bench(folder: folder.path, clock: before.clock)
        #expect(try await after.succeeded().map(\.payment) == [received.payment])
        #expect(try await after.balances()[.cash] == 12_000)
        withExtendedLifetime(folder) {}
    }

    // MARK: Valets

    @Test func aValetTakesCashOfThoseTheyServedIntoTheirOwnDrawer() async throws {
        let bench = try Bench()
        let bill = try await bench.billed(valets: (.victor, nil))
        try await bench.run { caller in
            let desk = try await caller.openDrawer()
            let pouch = try await caller.call(
                .post, "/v1/me/drawers", OpenDrawerBody(name: "Pouch"), as: .victor
            ).expect(201, CashDrawer.self)
            #expect(pouch.keeper == TestPerson.victor.id)
            func take(_ valet: TestPerson, _ drawer: DrawerID? = nil) async throws -> Answer {
                try await caller.call(
                    .post, "/v1/orders/\(bill.id)/receive", ReceiveBody(.cash, drawerId: drawer),
                    as: valet)
            }
            try await take(.vera).refused(404, "payment.bill_unknown")
            try await take(.victor, desk.id).refused(404, "drawer.unknown")
            _ = try await take(.victor).expect(201, ReceivedPayment.self)
            #expect(try await caller.drawer(pouch.id).expected == [.hkd(12_000)])
            #expect(try await caller.drawer(desk.id).expected == [])
            try await caller.close(desk.id, [], as: .victor).refused(404, "drawer.unknown")
            let closed = try await caller.close(pouch.id, [.hkd(12_000)], as: .victor)
                .expect(200, CashDrawer.self)
            #expect(closed.differences == [.hkd(0)])
        }
    }

    @Test func aValetNeedsNoDrawerForATerminal() async throws {
        let bench = try Bench()
        let bill = try await bench.billed(valets: (.victor, nil))
        try await bench.run { caller in
            func take(_ body: ReceiveBody, _ valet: TestPerson = .victor) async throws -> Answer {
                try await caller.call(
                    .post, "/v1/orders/\(bill.id)/receive", body, as: valet)
            }
            try await take(ReceiveBody(.cash)).refused(422, "drawer.required", field: "drawerId")
            try await take(ReceiveBody(.terminal), .vera).refused(404, "payment.bill_unknown")
            try await take(ReceiveBody(.terminal, given: 20_000))
                .refused(422, "payment.given_wrong", field: "given")
            let taken = try await take(ReceiveBody(.terminal)).expect(201, ReceivedPayment.self)
            #expect(taken.payment.means == .known(.terminal))
            #expect(taken.change == .hkd(0))
        }
    }

    @Test func aValetSeesWhatIsDueButNotHowItIsPaid() async throws {
        let bench = try Bench()
        let bill = try await bench.billed(valets: (.victor, nil))
        try await bench.run { caller in
            let path = "/v1/orders/\(bill.id)/bill"
            try await caller.call(.get, path, as: .vera).refused(404, "payment.bill_unknown")
            try await caller.call(.get, path, as: .alice).refused(403, "auth.role")
            let due = try await caller.call(.get, path, as: .victor).expect(200, BillView.self)
            #expect(due.totalWithTax == .hkd(12_000) && due.status == .due)
            _ = try await bench.pay(bill.id)
            let paid = try await caller.call(.get, path, as: .victor).expect(200, BillView.self)
            #expect(paid.status == .paid && paid.payment == nil)
        }
    }

    // MARK: Drawers

    @Test func aDrawerNamesItsKeeperOnceTheyAreKnown() async throws {
        let bench = try Bench()
        let victor = AccountChanged(
            account: TestPerson.victor.account(createdAt: bench.clock.now), suspended: false,
            version: 1)
        let name = try #require(KnownPayer(victor).name)
        try await bench.run { caller in
            let pouch = try await caller.call(
                .post, "/v1/me/drawers", OpenDrawerBody(name: "Pouch"), as: .victor
            ).expect(201, CashDrawer.self)
            #expect(pouch.keeperName == nil)
            try await bench.hear(victor)
            #expect(try await caller.drawer(pouch.id).keeperName == name)
            let closed = try await caller.close(pouch.id, [], as: .victor)
                .expect(200, CashDrawer.self)
            #expect(closed.keeperName == name)
        }
    }

    @Test func twoDrawersAreCountedEachByItself() async throws {
        let bench = try Bench()
        let (one, other) = (try await bench.billed(), try await bench.billed(8_000, to: .bob))
        try await bench.run { caller in
            let desk = try await caller.openDrawer(1_000)
            let pouch = try await caller.call(
                .post, "/v1/admin/drawers",
                OpenDrawerBody(name: "Pouch", keeper: TestPerson.victor.id), as: .olivia
            ).expect(201, CashDrawer.self)
            _ = try await caller.receive(one.id).expect(201, ReceivedPayment.self)
            _ = try await caller.receive(other.id, drawer: pouch.id)
                .expect(201, ReceivedPayment.self)
            let closed = try await caller.close(desk.id, [.hkd(12_900)])
                .expect(200, CashDrawer.self)
            #expect(closed.expected == [.hkd(13_000)])
            #expect(closed.differences == [.hkd(-100)])
            #expect(try await caller.drawer(pouch.id).expected == [.hkd(8_000)])
            try await caller.close(desk.id, []).refused(409, "drawer.closed")
            let more = try await bench.billed(500)
            try await caller.receive(more.id, drawer: desk.id).refused(409, "drawer.closed")
        }
        let balances = try await bench.balances()
        #expect(balances[.cash] == 8_000)
        #expect(balances[.cashDifference] == 100)
        #expect(balances[.safe] == 12_900 - 1_000)
        #expect(balances.values.reduce(0, +) == 0)
        #expect(try await bench.unbalancedEntries() == [])
    }

    @Test func aPersonHasOneOpenDrawer() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            let first = try await caller.openDrawer()
            let body = OpenDrawerBody(name: "Second")
            try await caller.call(.post, "/v1/admin/drawers", body, as: .olivia)
                .refused(409, "drawer.already_open")
            _ = try await caller.close(first.id, []).expect(200, CashDrawer.self)
            _ = try await caller.openDrawer()
        }
    }

    @Test func noMoreIsTakenOutThanThereIs() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            let drawer = try await caller.openDrawer(5_000)
            func take(_ amount: Money) async throws -> Answer {
                try await caller.call(
                    .post, "/v1/drawers/\(drawer.id)/deposits", DepositBody(amount: amount),
                    as: .olivia)
            }
            try await take(.hkd(5_001)).refused(409, "drawer.too_little")
            try await take(Money(amount: 1, currency: "EUR")).refused(409, "drawer.too_little")
            try await take(.hkd(0)).refused(422, "request.invalid", field: "amount")
            let rest = try await take(.hkd(4_000)).expect(201, CashDrawer.self)
            #expect(rest.expected == [.hkd(1_000)])
        }
        #expect(try await bench.balances()[.safe] == -1_000)
    }

    // MARK: Refunds

    @Test func aRefundOfCashComesFromADrawerAndTheProviderIsNotAsked() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        try await bench.run { caller in
            let drawer = try await caller.openDrawer()
            let payment = try await caller.receive(bill.id).expect(201, ReceivedPayment.self)
                .payment
            _ = try await caller.close(drawer.id, [.hkd(12_000)]).expect(200, CashDrawer.self)
            try await caller.refund(payment.id, 5_000)
                .refused(422, "drawer.required", field: "drawerId")
            let next = try await caller.openDrawer(4_999)
            try await caller.refund(payment.id, 5_000).refused(409, "drawer.too_little")
            let refund = try await caller.refund(payment.id, 4_000, key: "back")
                .expect(201, Refund.self)
            #expect(
                try await caller.refund(payment.id, 4_000, key: "back").expect(201, Refund.self)
                    == refund)
            #expect(try await caller.drawer(next.id).expected == [.hkd(999)])
        }
        #expect(try await bench.refunded().map(\.refund.amount) == [.hkd(4_000)])
        #expect(try await bench.balances()[.refunds] == 4_000)
        #expect(try await bench.balances()[.providerClearing] == nil)
    }

    @Test func twoRefundsAtOnceDoNotHandOutTheSameCash() async throws {
        let bench = try Bench(patience: .init(bill: .zero, settled: .seconds(5)))
        let (cash, card) = (try await bench.billed(), try await bench.billed(8_000, to: .bob))
        try await bench.run { caller in
            let drawer = try await caller.openDrawer()
            let payments = [
                try await caller.receive(cash.id).expect(201, ReceivedPayment.self).payment.id,
                try await caller.receive(card.id, .terminal).expect(201, ReceivedPayment.self)
                    .payment.id,
            ]
            var refund = RefundBody(reason: "a scratch")
            (refund.means, refund.drawerId) = (.cash, drawer.id)
            let body = refund
            let answers = try await withThrowingTaskGroup(of: Int.self) { group in
                for payment in payments {
                    group.addTask {
                        try await caller.call(
                            .post, "/v1/admin/payments/\(payment)/refunds", body, as: .olivia
                        ).status
                    }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(answers.sorted() == [201, 409])
            let left = try await caller.drawer(drawer.id).expected
            #expect(left.allSatisfy { [0, 4_000].contains($0.amount) })
        }
        #expect(try await bench.refunded().count == 1)
    }

    @Test func aRefundThatAProductAsksForWaitsUntilItIsHandedOut() async throws {
        let bench = try Bench()
        let paid = try await bench.billed()
        try await bench.run { caller in
            try await caller.openDrawer()
            _ = try await caller.receive(paid.id).expect(201, ReceivedPayment.self)
        }
        var bill = paid
        bill.version += 1
        bill.returns = [.init(id: .new(), amount: .hkd(2_000), reason: "cancelled")]
        try await bench.hear(bill)
        await bench.recover()
        #expect(try await bench.refunded().isEmpty)
        try await bench.run { caller in
            let waiting = try await caller.call(.get, "/v1/admin/cash-refunds", as: .olivia)
                .expect(200, Page<Refund>.self).items
            #expect(waiting.map(\.amount) == [.hkd(2_000)])
            let id = try #require(waiting.first?.id)
            for _ in 1...2 {
                _ = try await caller.call(
                    .post, "/v1/admin/cash-refunds/\(id)/hand-out", HandOutBody(.cash),
                    as: .olivia
                ).expect(200, Refund.self)
            }
            let left = try await caller.call(.get, "/v1/admin/cash-refunds", as: .olivia)
                .expect(200, Page<Refund>.self).items
            #expect(left == [])
        }
        #expect(try await bench.refunded().count == 1)
        #expect(try await bench.balances()[.cash] == 10_000)
    }

    @Test func theProvidersStatementIsComparedWithoutCash() async throws {
        let bench = try Bench()
        let bill = try await bench.billed()
        try await bench.run { caller in
            try await caller.openDrawer()
            _ = try await caller.receive(bill.id).expect(201, ReceivedPayment.self)
        }
        let result = try await bench.payments.reconcile(Day(bench.clock.now), by: nil, key: nil)
        #expect(result.differences == [])
        #expect(result.compared == 0)
    }

    @Test func aGuestIsNotNotified() async throws {
        let bench = try Bench()
        var bill = Bill.of(.alice, 900, version: 1)
        bill.isGuest = true
        try await bench.hear(bill)
        _ = try await bench.pay(bill.id)
        #expect(try await bench.succeeded().count == 1)
        #expect(try await bench.published(NoticeIssued.self).isEmpty)
    }
}

extension Caller {
    @discardableResult
    fileprivate func openDrawer(_ float: Int = 0) async throws -> CashDrawer {
        let body = OpenDrawerBody(name: "Desk", float: float > 0 ? [.hkd(float)] : nil)
        return try await call(.post, "/v1/admin/drawers", body, as: .olivia)
            .expect(201, CashDrawer.self)
    }

    fileprivate func drawer(_ id: DrawerID) async throws -> CashDrawer {
        let all = try await call(.get, "/v1/admin/drawers", as: .olivia)
            .expect(200, Page<CashDrawer>.self).items
        return try #require(all.first { $0.id == id })
    }

    fileprivate func receive(
        _ bill: BillID, _ means: PaymentMeans = .cash, given: Int? = nil, drawer: DrawerID? = nil,
        as person: TestPerson = .olivia, key: String? = nil
    ) async throws -> Answer {
        try await call(
            .post, "/v1/admin/bills/\(bill)/receive",
            ReceiveBody(means, given: given, drawerId: drawer), as: person, key: key)
    }

    fileprivate func close(
        _ drawer: DrawerID, _ counted: [Money], as person: TestPerson = .olivia
    ) async throws -> Answer {
        try await call(
            .post, "/v1/drawers/\(drawer)/close", CloseDrawerBody(counted: counted), as: person)
    }
}
