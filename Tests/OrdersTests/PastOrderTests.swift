import Contracts
import EventBus
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import ServiceKit
import Store
import Support
import Testing

@testable import Orders

/// Orders of the past, with which a demo begins.
struct PastOrderTests {
    private static let path = "/internal/past-orders"

    /// Two hours ago, parked for an hour and a half; Victor took the vehicle and Vera brought it back.
    private func past(
        of customer: TestPerson = .alice, at end: Date, id: OrderID? = nil
    ) -> PastOrder {
        func ago(_ minutes: Double) -> Date { end.addingTimeInterval(-minutes * 60) }
        return PastOrder(
            id: id ?? .new(at: ago(130)), customer: customer.customer, dropOff: .central,
            dropOffValet: TestPerson.victor.valet, vehicle: .tesla, parkedAt: .garage,
            returnTo: .mongKok, returnValet: TestPerson.vera.valet,
            times: .init(
                placed: ago(130), assigned: ago(129), collected: ago(125), parked: ago(120),
                recalled: ago(30), returnAssigned: ago(29), retrieved: ago(25), returned: ago(20)))
    }

    private func paid(
        _ bill: Bill, by customer: TestPerson = .alice, at time: Date
    ) -> PaymentSucceeded {
        PaymentSucceeded(
            payment: Payment(
                id: .new(at: time), bill: bill.id, amount: bill.total, status: .succeeded,
                createdAt: time),
            product: .valet, payer: customer.id, paidAt: time)
    }

    @Test func eachStepWasTakenAtItsTimeAndAllNumbersSayTheSame() async throws {
        let bench = try await Bench()
        let past = past(at: bench.clock.now)
        let bill = try await bench.parts.orders.keep(past)
        #expect(bill.state == .open)
        let paidAt = bench.clock.now.addingTimeInterval(-1_140)
        try await bench.hear(paid(bill, at: paidAt))
        try await bench.run { caller in
            let order = try await caller.read(past.id, as: .alice)
            #expect(order.status == .finished)
            #expect(order.createdAt == past.times.placed)
            #expect(order.collectedAt == past.times.collected)
            #expect(order.parkedAt == past.times.parked)
            #expect(order.returnedAt == past.times.returned)
            #expect(order.charge == bill.total)
            #expect(order.vehicle?.plate == "AB 1234")
            #expect(try await bench.stored(past.id).endedAt == paidAt)
            let seconds = past.times.returned.timeIntervalSince(past.times.collected)
            #expect(
                try await bench.stored(past.id).bill
                    == Tariff.usual.quote(seconds: Int(seconds), extras: []))

            let record = try await caller.call(
                .get, "/v1/orders/\(past.id)/custody", as: .alice
            ).expect(200, Page<CustodyEntry>.self).items
            #expect(record.map(\.kind) == [.collected, .parked, .retrieved, .returned])
            #expect(
                record.map(\.at) == [
                    past.times.collected, past.times.parked, past.times.retrieved,
                    past.times.returned,
                ])
            let verification = try await caller.call(
                .get, "/v1/admin/orders/\(past.id)/custody/verification", as: .olivia
            ).expect(200, CustodyVerification.self)
            #expect(verification.isIntact)

            let statistics = try await caller.call(
                .get, "/v1/admin/statistics/orders", as: .olivia
            ).expect(200, OrderStatistics.self)
            #expect(statistics.placed == 1 && statistics.byStatus["finished"] == 1)
            #expect(statistics.waiting == .init(orders: 1, medianSeconds: 60, p90Seconds: 60))
            let hour = TimeSpan.start(ofHour: TimeSpan.hour(of: past.times.placed))
            #expect(statistics.hours.first { $0.startsAt == hour }?.finished == 1)
        }
    }

    @Test func nobodyIsAskedOrToldOfWhatIsOver() async throws {
        let bench = try await Bench()
        let past = past(at: bench.clock.now)
        let bill = try await bench.parts.orders.keep(past)
        #expect(try await bench.published(DropOffRequested.self).isEmpty)
        #expect(try await bench.published(ReturnRequested.self).isEmpty)
        #expect(try await bench.published(NoticeIssued.self).isEmpty)
        #expect(try await bench.published(VehicleReturned.self).map(\.order.id) == [past.id])
        let engagement = try #require(try await bench.published(EngagementChanged.self).last)
        #expect(engagement.engagement.state == .open)
        try await bench.hear(paid(bill, at: bench.clock.now.addingTimeInterval(-1_140)))
        // Participants may rate from now on.
        let ended = try #require(try await bench.published(EngagementChanged.self).last)
        #expect(ended.engagement.state == .ended)
        try await bench.parts.answers.announceOverdue()
        #expect(try await bench.published(OrderOverdue.self).isEmpty)
    }

    @Test func theSameOnceMoreChangesNothing() async throws {
        let bench = try await Bench()
        let past = past(at: bench.clock.now)
        let bill = try await bench.parts.orders.keep(past)
        let version = try await bench.stored(past.id).version.number
        #expect(try await bench.parts.orders.keep(past).total == bill.total)
        try await bench.hear(paid(bill, at: past.times.returned.addingTimeInterval(60)))
        #expect(try await bench.parts.orders.keep(past).total == bill.total)
        #expect(try await bench.stored(past.id).version.number == version + 1)
        #expect(try await bench.published(VehicleReturned.self).count == 1)
    }

    @Test func whatCanNotHaveBeenIsRefused() async throws {
        let bench = try await Bench()
        let now = bench.clock.now
        var backwards = past(at: now)
        backwards.times.parked = backwards.times.assigned
        await #expect {
            _ = try await bench.parts.orders.keep(backwards)
        } throws: { Refusal.invalid ~= $0 }
        await #expect {
            _ = try await bench.parts.orders.keep(past(at: now.addingTimeInterval(3_600)))
        } throws: { Refusal.invalid ~= $0 }
        var outside = past(at: now)
        outside.returnTo = .lantau
        let refusal = await #expect(throws: Refusal.self) {
            _ = try await bench.parts.orders.keep(outside)
        }
        #expect(refusal?.code == "order.outside_service_area")
        let first = past(at: now)
        _ = try await bench.parts.orders.keep(first)
        let unfinished = Refusal.unfinishedOrderExists.because {
            $0.engagementId = first.id.as(EngagementID.self)
        }
        await #expect(throws: unfinished) {
            _ = try await bench.parts.orders.keep(past(at: now))
        }
        #expect(try await bench.published(VehicleReturned.self).count == 1)
    }

    /// Without the setting there is no such path, for whomever.
    @Test(arguments: [false, true]) func onlyADemoHasAPast(isDemo: Bool) async throws {
        let bench = try await Bench()
        let past = past(at: bench.clock.now)
        let service = try ServiceEnvironment.test("openvalet", clock: bench.clock)
        let token = try await service.serviceTokens.token(for: "orders")
        let router = bench.parts.router(takesHistory: isDemo)
        try await Application(router: router).test(.router) { client in
            let caller = Caller(client: client, bench: bench)
            func status(_ bearer: String) async throws -> Int {
                try await caller.call(
                    .post, Self.path, past, headers: [.authorization: bearer]
                ).status
            }
            let person = try await TestPerson.olivia.bearer(at: bench.clock.now)
            #expect(try await status(person) == 401)
            #expect(try await status("Bearer \(token)") == (isDemo ? 200 : 404))
        }
        let isKept = try await bench.database.read { try $0.orders.find(past.id) } != nil
        #expect(isKept == isDemo)
    }
}
