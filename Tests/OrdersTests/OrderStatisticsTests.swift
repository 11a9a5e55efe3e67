import Contracts
import EventBus
import Foundation
import ServiceKit
import Store
import Support
import Testing

@testable import Orders

@Suite struct OrderStatisticsTests {
    private static let path = "/v1/admin/statistics/orders"

    private func statistics(_ caller: Caller, _ query: String = "") async throws -> OrderStatistics
    {
        try await caller.call(.get, "\(Self.path)\(query)", as: .olivia)
            .expect(200, OrderStatistics.self)
    }

    private func customer(_ number: Int = 1) -> TestPerson {
        .another(.customer, number)
    }

    @Test func nothingIsZeroesAndEveryHour() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let found = try await statistics(caller)
            #expect(found.to == bench.clock.now)
            #expect(found.from == bench.clock.now.addingTimeInterval(-86_400))
            #expect(found.placed == 0)
            #expect(Set(found.byStatus.keys) == Set(OrderStatus.allCases.map(\.rawValue)))
            #expect(found.byStatus.values.allSatisfy { $0 == 0 })
            #expect(found.waiting == .init(orders: 0, medianSeconds: nil, p90Seconds: nil))
            let none = OrderStatistics.Acceptance(
                matched: 0, unfulfilled: 0, offersMade: 0, offersAccepted: 0)
            #expect(found.acceptance == none)
            // The clock begins at a full hour.
            #expect(found.hours.count == 24)
            #expect(found.hours.map(\.startsAt) == found.hours.map(\.startsAt).sorted())
            for hour in found.hours {
                #expect(hour.startsAt.timeIntervalSince1970.remainder(dividingBy: 3_600) == 0)
                #expect(hour.placed == 0 && hour.finished == 0 && hour.medianWaitSeconds == nil)
            }
        }
    }

    @Test func ordersAreCountedByTheirStateAndTheHourOfPlacing() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let start = bench.clock.now
            let parked = try await caller.order(in: .parked, of: customer())
            bench.clock.advance(by: 7_200)
            let finished = try await caller.order(in: .finished, of: customer(2))
            bench.clock.advance(by: 1)
            let found = try await statistics(caller)
            #expect(found.placed == 2)
            #expect(found.byStatus["parked"] == 1)
            #expect(found.byStatus["finished"] == 1)
            #expect(found.byStatus.values.reduce(0, +) == 2)
            #expect(found.acceptance.matched == 2)
            #expect(found.waiting == .init(orders: 2, medianSeconds: 60, p90Seconds: 60))
            let hours = Dictionary(uniqueKeysWithValues: found.hours.map { ($0.startsAt, $0) })
            func hour(of date: Date) -> Date { TimeSpan.start(ofHour: TimeSpan.hour(of: date)) }
            let first = try #require(hours[hour(of: parked.createdAt)])
            #expect((first.placed, first.finished) == (1, 0))
            #expect(first.medianWaitSeconds == 60)
            let second = try #require(hours[hour(of: finished.createdAt)])
            #expect((second.placed, second.finished) == (1, 1))
            #expect(found.hours.reduce(0) { $0 + $1.placed } == 2)

            // The beginning is included, the end is not.
            let (from, to) = (Wire.text(start), Wire.text(finished.createdAt))
            #expect(try await statistics(caller, "?from=\(from)&to=\(to)").placed == 1)
            let later = Wire.text(finished.createdAt.addingTimeInterval(0.001))
            #expect(try await statistics(caller, "?from=\(from)&to=\(later)").placed == 2)
            #expect(try await statistics(caller, "?from=\(to)&to=\(later)").placed == 1)
        }
    }

    @Test func theMedianAndTheNinetiethPercentileAreOfThisManyWaits() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            for (count, seconds) in [10.0, 50, 20, 40, 30, 60, 100, 90, 80, 70, 400].enumerated() {
                let order = try await caller.place(as: customer(count))
                bench.clock.advance(by: seconds)
                try await bench.match(order.id, .another(.valet, 100 + count))
                bench.clock.advance(by: 1)
                let waiting = try await statistics(caller).waiting
                #expect(waiting.orders == count + 1)
                switch count + 1 {
                case 1: #expect((waiting.medianSeconds, waiting.p90Seconds) == (10, 10))
                case 2: #expect((waiting.medianSeconds, waiting.p90Seconds) == (30, 50))
                case 3: #expect((waiting.medianSeconds, waiting.p90Seconds) == (20, 50))
                case 10: #expect((waiting.medianSeconds, waiting.p90Seconds) == (55, 90))
                case 11: #expect((waiting.medianSeconds, waiting.p90Seconds) == (60, 100))
                default: break
                }
            }
        }
    }

    @Test func theFirstValetCountsAlsoWhenTheyGiveTheJobBack() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.place()
            bench.clock.advance(by: 30)
            try await bench.match(order.id, .victor)
            bench.clock.advance(by: 30)
            try await caller.act("withdraw", order.id, as: .victor)
            bench.clock.advance(by: 1)
            var found = try await statistics(caller)
            #expect(found.byStatus["requested"] == 1)
            #expect(found.acceptance.matched == 1)
            #expect(found.waiting == .init(orders: 1, medianSeconds: 30, p90Seconds: 30))
            bench.clock.advance(by: 60)
            try await bench.match(order.id, .vera)
            found = try await statistics(caller)
            #expect(found.waiting == .init(orders: 1, medianSeconds: 30, p90Seconds: 30))
        }
    }

    @Test func whoNobodyTookUpIsUnfulfilled() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.place()
            let attempt = try await bench.stored(order.id).search(.dropOff).attempt
            try await bench.hear(
                NoValetFound(order: order.id, leg: .known(.dropOff), attempt: attempt))
            bench.clock.advance(by: 1)
            let found = try await statistics(caller)
            #expect(found.byStatus["unfulfilled"] == 1)
            #expect((found.acceptance.matched, found.acceptance.unfulfilled) == (0, 1))
            #expect(found.waiting.orders == 0)
        }
    }

    @Test func offersAreCounted() async throws {
        let bench = try await Bench()
        try await bench.offerJobs(in: .central)
        try await bench.run { caller in
            let order = try await caller.place()
            try await bench.match(order.id, .victor)
            bench.clock.advance(by: 1)
            var found = try await statistics(caller).acceptance
            #expect((found.matched, found.offersMade, found.offersAccepted) == (0, 1, 0))
            _ = try await caller.call(.post, "/v1/orders/\(order.id)/decline", as: .victor)
            try await bench.match(order.id, .vera)
            _ = try await caller.call(.post, "/v1/orders/\(order.id)/accept", as: .vera)
            found = try await statistics(caller).acceptance
            #expect((found.matched, found.offersMade, found.offersAccepted) == (1, 2, 1))
        }
    }

    @Test func anOrderAheadKeepsNobodyWaiting() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let wanted = bench.clock.now.addingTimeInterval(3_600)
            let order = try await caller.call(
                .post, "/v1/orders", PlaceOrderBody(dropOff: .central, scheduledFor: wanted),
                as: .alice
            ).expect(201, OrderView.self)
            bench.clock.advance(by: 3_000)
            try await bench.parts.answers.wakeDue()
            try await bench.match(order.id, .victor)
            let found = try await statistics(caller)
            #expect(found.acceptance.matched == 1)
            #expect(found.waiting.orders == 0)
            #expect(found.hours.allSatisfy { $0.medianWaitSeconds == nil })
        }
    }

    @Test func whoMayNotAndWhatCanNotBeIsRefused() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await caller.call(.get, Self.path, as: nil).refused(401, "auth.token_missing")
            for person in [TestPerson.alice, .victor] {
                try await caller.call(.get, Self.path, as: person).refused(403, "auth.role")
            }
            let now = bench.clock.now
            let (later, same) = (Wire.text(now.addingTimeInterval(60)), Wire.text(now))
            let month = Wire.text(now.addingTimeInterval(-31 * 86_400 - 1))
            for (query, field) in [
                ("?from=yesterday", "from"), ("?to=", "to"), ("?from=\(later)", "from"),
                ("?from=\(same)&to=\(same)", "from"), ("?from=\(month)", "from"),
            ] {
                try await caller.call(.get, Self.path + query, as: .olivia)
                    .refused(422, "request.invalid", field: field)
            }
            let whole = Wire.text(now.addingTimeInterval(-31 * 86_400))
            #expect(try await statistics(caller, "?from=\(whole)").hours.count >= 31 * 24)
        }
    }
}
