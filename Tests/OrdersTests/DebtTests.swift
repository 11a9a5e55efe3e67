import Answers
import Contracts
import Foundation
import Support
import Testing

@testable import Orders

struct DebtTests {
    private func place(_ caller: Caller) async throws -> Answer {
        try await caller.call(.post, "/v1/orders", PlaceOrderBody(dropOff: .central), as: .alice)
    }

    @Test func anUnpaidBillKeepsFromTheNextOrderUntilItIsPaid() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .waitingForPayment)
            let problem = try await place(caller).refused(409, "payment.due")
            #expect(problem.engagementId == order.id.as(EngagementID.self))
            #expect(problem.amount == order.charge)
            _ = try await caller.place(as: .bob)
            try await bench.pay(order)
            _ = try await caller.place()
        }
    }

    @Test func theFeeOfACancelledOrderKeepsFromTheNextUntilItIsPaid() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            bench.clock.advance(by: 121)
            let cancelled = try await caller.act("cancel", order.id, as: .alice)
            #expect(cancelled.charge?.amount == 5_000)
            let problem = try await place(caller).refused(409, "payment.due")
            #expect(problem.engagementId == order.id.as(EngagementID.self))
            #expect(problem.amount == Money(amount: 5_000, currency: "HKD"))
            let id = EventID.new()
            for _ in 1...2 { try await bench.pay(cancelled, id: id) }
            _ = try await caller.place()
        }
    }

    @Test func theFeeOfWhoDidNotComeKeepsFromTheNextToo() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            try await bench.hear(
                PartyArrived(
                    engagement: order.id.as(EngagementID.self), product: "valet",
                    meeting: "dropOff",
                    mover: TestPerson.victor.valet.as(PersonID.self),
                    peers: [TestPerson.alice.customer.as(PersonID.self)],
                    arrivedAt: bench.clock.now))
            bench.clock.advance(by: 300)
            try await caller.act("customer-absent", order.id, as: .victor)
            let problem = try await place(caller).refused(409, "payment.due")
            #expect(problem.amount?.amount == 10_000)
        }
    }

    @Test func whoCancelsForNothingOwesNothing() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            try await caller.act("cancel", order.id, as: .alice)
            _ = try await caller.place()
        }
    }

    @Test func anOperatorsOverrideEndsWhatIsDue() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .waitingForPayment)
            _ = try await caller.call(
                .post, "/v1/admin/orders/\(order.id)/override",
                OverrideBody(status: .cancelled, reason: "goodwill"), as: .olivia
            ).expect(200, OrderView.self)
            _ = try await caller.place()
        }
    }

    @Test func whoHasPaidIsNotSentAwayThoughTheNewsIsLate() async throws {
        let payments = PretendServer(.failing(503))
        try await payments.serve { url in
            let bench = try await Bench(owner: url)
            try await bench.run { caller in
                let order = try await caller.order(in: .waitingForPayment)
                let news = bench.payment(of: order)
                payments.set(try .having(news))
                let next = try await caller.place()
                #expect(try await bench.stored(order.id).status == .finished)
                // The event that comes after all changes nothing.
                try await bench.hear(news)
                #expect(try await bench.published(OrderFinished.self).count == 1)
                #expect(try await bench.stored(next.id).status == .requested)
                #expect(Set(payments.asked.map(\.path)) == ["/internal/bills/\(order.id)/payment"])
            }
        }
    }

    @Test func aFeeThatIsPaidKeepsNobodyThoughTheNewsIsLate() async throws {
        let payments = PretendServer(.refusing(404, "request.not_found"))
        try await payments.serve { url in
            let bench = try await Bench(owner: url)
            try await bench.run { caller in
                let order = try await caller.order(in: .droppingOff)
                bench.clock.advance(by: 121)
                let cancelled = try await caller.act("cancel", order.id, as: .alice)
                try await place(caller).refused(409, "payment.due")
                payments.set(try .having(bench.payment(of: cancelled)))
                _ = try await caller.place()
            }
        }
    }

    @Test func whileNobodySaysWhetherABillIsPaidNobodyIsRefusedForIt() async throws {
        let payments = PretendServer(.failing(503))
        try await payments.serve { url in
            let bench = try await Bench(owner: url)
            try await bench.run { caller in
                let order = try await caller.order(in: .waitingForPayment)
                let problem = try await place(caller).refused(503, "service.unavailable")
                #expect(problem.retryAfterSeconds != nil)
                // A customer who owes nothing can order although payments does not answer.
                payments.set(.failing(500))
                _ = try await caller.place(as: .bob)
                payments.set(.refusing(404, "request.not_found"))
                let due = try await place(caller).refused(409, "payment.due")
                #expect(due.engagementId == order.id.as(EngagementID.self))
            }
        }
    }
}
