import Answers
import Contracts
import Foundation
import Support
import Testing

@testable import Orders

/// The bills that payments hears of.
struct BillingTests {
    private func bills(_ bench: Bench) async throws -> [Bill] {
        try await bench.published(BillChanged.self).map(\.bill)
    }

    @Test func theFirstEventTellsWhoseTheBillWillBe() async throws {
        let bench = try await Bench()
        let order = try await bench.run { caller in try await caller.place() }
        let bill = try #require(try await bills(bench).first)
        #expect(bill.id == order.id.as(BillID.self))
        #expect(bill.payer == TestPerson.alice.id)
        #expect(bill.product == .valet)
        #expect(bill.version == 1)
        #expect(bill.lines.isEmpty)
        #expect(bill.state == .open)
    }

    @Test func billsOfOpenOrdersAreToldAndAllAreCounted() async throws {
        let bench = try await Bench()
        let (paid, parked, cancelled) = try await bench.run { caller in
            let paid = try await caller.order(in: .finished)
            let parked = try await caller.order(in: .parked)
            let cancelled = try await caller.place(as: .bob)
            try await caller.act("cancel", cancelled.id, as: .bob)
            return (paid.id, parked.id, cancelled.id)
        }
        let told = try await bench.database.read {
            try $0.orders.toldBills(after: "", limit: 10)
        }
        let events = told.compactMap { $0.event as? BillChanged }
        #expect(events.map(\.bill.id) == [parked.as(BillID.self)])
        let published = Set(try await bills(bench).map(\.id.description))
        #expect(Set(told.flatMap(\.marks).map(\.id)) == published)
        #expect(published == Set([paid, parked, cancelled].map(\.description)))
    }

    @Test func aReturnedVehicleIsBilledAsItsQuoteSays() async throws {
        let bench = try await Bench()
        let order = try await bench.run { caller in
            try await caller.order(in: .waitingForPayment)
        }
        let bill = try #require(try await bills(bench).last)
        #expect(bill.total == order.charge)
        #expect(bill.version == order.version)
        #expect(bill.terms == .now)
        #expect(bill.lines.first?.text[.english] == "Valet service")
        #expect(bill.lines.first?.text[.traditionalChinese] == "代客泊車服務")
        #expect(bill.tipped.first == order.dropOffValet?.id)
        #expect(bill.facts.reference == order.ticket)
        #expect(bill.facts.from == order.collectedAt)
        #expect(bill.facts.until == order.returnedAt)
        let names = bill.facts.fields.map(\.name)
        #expect(names == ["order", "ticket", "vehicle", "collectedAt", "returnedAt"])
    }

    /// Others are told at once; payments knows the tax on top.
    @Test func payersAreToldWhatABillCostsByPayments() async throws {
        let bench = try await Bench()
        let order = try await bench.run { caller in
            try await caller.order(in: .waitingForPayment)
        }
        let event = try #require(try await bench.published(BillNoticeIssued.self).last)
        #expect(event.bill == (try await bills(bench).last))
        #expect(event.notice.subject == order.id.description)
        #expect(event.notice.messages.map(\.to) == [.person(TestPerson.alice.id)])
        let notice = try #require(
            try await bench.published(NoticeIssued.self).last {
                $0.notice.cause == VehicleReturned.type
            }?.notice)
        #expect(notice.state == event.notice.state)
        #expect(notice.messages.contains { $0.to == .operators })
        #expect(!notice.messages.contains { $0.to == .person(TestPerson.alice.id) })
    }

    @Test func theBillSaysWhereAndWhenItsPriceWasTold() async throws {
        let bench = try await Bench()
        let order = try await bench.run { caller in
            try await caller.order(in: .waitingForPayment)
        }
        let bill = try #require(try await bills(bench).last)
        #expect(bill.pricedAt == order.createdAt)
        #expect(bill.facts.timeZone == "Asia/Hong_Kong")
        #expect(bill.facts.country == "HK")
        #expect(bill.facts.site == Bill.Site(.area, id: "hk-island", name: "Hong Kong Island"))
        #expect(bill.facts.place == "1 Queen's Road")
    }

    @Test(.withoutDatabase) func startedIncrementsAreMultipliedOnTheBill() throws {
        var order = try Order.inState(.returningBack)
        _ = try order.handBack(
            by: TestPerson.vera.valet, at: start.addingTimeInterval(2 * 3_600))
        let bill = order.currentBill()
        let time = try #require(bill.lines.first { $0.kind == "time" })
        #expect(time.unit?[.english] == "30 min")
        #expect(time.unitPrice == Money(amount: 2_500, currency: "HKD"))
        #expect(time.quantity * 2_500 == time.amount.amount)
        #expect(time.quantity == 4)
        #expect(bill.lines.first { $0.kind == "base" }?.unitPrice == nil)
    }

    @Test func whatAnOperatorLetsGoIsWithdrawn() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .waitingForPayment)
            _ = try await caller.call(
                .post, "/v1/admin/orders/\(order.id)/override",
                OverrideBody(status: .finished, reason: "goodwill"), as: .olivia
            ).expect(200, OrderView.self)
        }
        let bill = try #require(try await bills(bench).last)
        #expect(bill.state == .withdrawn)
        #expect(bill.by == TestPerson.olivia.id)
    }

    @Test func aFeeIsBilledAndAFreeCancellationOwesNothing() async throws {
        for (seconds, fee) in [(121.0, 5_000), (0, 0)] {
            let bench = try await Bench()
            try await bench.run { caller in
                let order = try await caller.order(in: .droppingOff)
                bench.clock.advance(by: seconds)
                try await caller.act("cancel", order.id, as: .alice)
            }
            let bill = try #require(try await bills(bench).last)
            #expect(bill.total.amount == fee)
            #expect(bill.lines.map(\.kind) == (fee > 0 ? ["cancellation"] : []))
        }
    }

    @Test func paymentsMayAskForTheNewestBillAndNobodyElse() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .waitingForPayment)
            let told = try #require(try await bills(bench).last)
            let stored = try await bench.database.read { try $0.orders.find(order.id) }
            #expect(stored?.currentBill() == told)
            let path = "/internal/bills/\(order.id)"
            try await caller.call(.get, path, as: .alice).refused(401, "auth.token_invalid")
        }
    }

    @Test func thePlatformMayAskForTheNewestEngagementAndNobodyElse() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            // A fee that is due keeps it open.
            bench.clock.advance(by: 121)
            try await caller.act("cancel", order.id, as: .alice)
            let told = try #require(try await bench.published(EngagementChanged.self).last)
            func ask(_ id: OrderID) async throws -> Answer {
                try await caller.internally("/internal/engagements/\(id)")
            }
            let answer = try await ask(order.id).expect(200, Engagement.self)
            #expect(answer == told.engagement)
            #expect(answer.state == .open)
            try await ask(.new()).refused(404, "order.unknown")
            try await caller.call(.get, "/internal/engagements/\(order.id)", as: .alice)
                .refused(401, "auth.token_invalid")
        }
    }

    @Test func whoHasSomethingUnfinishedOrUnpaidIsBoundByIt() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            #expect(try await caller.binding(of: .alice) == nil)
            let unpaid = try await caller.order(in: .waitingForPayment)
            #expect(try await caller.binding(of: .alice) == unpaid.id.as(EngagementID.self))
            #expect(try await caller.binding(of: .victor) == nil)
            try await bench.hear(bench.payment(of: unpaid))
            #expect(try await caller.binding(of: .alice) == nil)
            let job = try await caller.order(in: .droppingOff)
            #expect(try await caller.binding(of: .alice) == job.id.as(EngagementID.self))
            #expect(try await caller.binding(of: .victor) == job.id.as(EngagementID.self))
            // A fee that is due binds its customer alone.
            bench.clock.advance(by: 121)
            let cancelled = try await caller.act("cancel", job.id, as: .alice)
            #expect(try await caller.binding(of: .alice) == job.id.as(EngagementID.self))
            #expect(try await caller.binding(of: .victor) == nil)
            try await bench.hear(bench.payment(of: cancelled))
            #expect(try await caller.binding(of: .alice) == nil)
            try await caller.call(
                .get, "/internal/people/\(TestPerson.alice.id)/engagement", as: .alice
            ).refused(401, "auth.token_invalid")
        }
    }

    @Test func aPaymentOfAnotherProductIsNotOurs() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .waitingForPayment)
            let payment = Payment(
                id: .new(), bill: order.id.as(BillID.self), amount: try #require(order.charge),
                status: .succeeded, createdAt: bench.clock.now)
            try await bench.hear(
                PaymentSucceeded(
                    payment: payment, product: "parking", payer: TestPerson.alice.id))
            let stored = try await bench.database.read { try $0.orders.find(order.id)?.status }
            #expect(stored == .waitingForPayment)
        }
    }

    @Test func noBillIsAboveTheLargestAmount() async throws {
        let bench = try await Bench()
        let order = try await bench.run { caller in
            try await caller.order(in: .waitingForPayment)
        }
        let stored = try #require(try await bench.database.read { try $0.orders.find(order.id) })
        #expect(stored.currentBill().total == stored.charge)
    }
}
