import Answers
import Contracts
import Foundation
import Support
import Testing

@testable import Orders

/// Orders for a time ahead: the search begins with the lead time, and does not end soon.
struct ScheduleTests {
    private func place(
        _ caller: Caller, inSeconds seconds: Double, key: String? = nil
    ) async throws -> Answer {
        let body = PlaceOrderBody(
            dropOff: .central, scheduledFor: caller.bench.clock.now.addingTimeInterval(seconds))
        return try await caller.call(.post, "/v1/orders", body, as: .alice, key: key)
    }

    /// Wanted in an hour.
    private func ahead(_ caller: Caller) async throws -> OrderID {
        try await place(caller, inSeconds: 3_600).expect(201, OrderView.self).id
    }

    @Test func aValetIsLookedForOnlyWhenTheLeadTimeBegins() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let wanted = bench.clock.now.addingTimeInterval(3_600)
            let id = try await ahead(caller)
            let order = try await caller.read(id, as: .alice)
            #expect(order.status == .requested)
            #expect(order.scheduledFor == wanted)
            let event = try #require(try await bench.published(OrderScheduled.self).first)
            #expect(event.scheduledFor == wanted)
            #expect(event.order.scheduledFor == wanted)
            bench.clock.advance(by: 2_999)
            try await bench.parts.answers.wakeDue()
            try await bench.parts.answers.repeatUnanswered()
            try await bench.parts.answers.announceOverdue()
            #expect(try await bench.published(DropOffRequested.self).isEmpty)
            #expect(try await bench.published(MatchRepeated.self).isEmpty)
            #expect(try await bench.published(OrderOverdue.self).isEmpty)
            bench.clock.advance(by: 1)
            for _ in 1...2 { try await bench.parts.answers.wakeDue() }
            let requested = try await bench.published(DropOffRequested.self)
            #expect(requested.count == 1)
            #expect(requested.first?.match.attempt == 1)
            #expect(requested.first?.order.scheduledFor == wanted)
            try await bench.match(id, .victor)
            #expect(try await caller.read(id, as: .alice).status == .droppingOff)
        }
    }

    @Test func theTimeIsOverdueFromTheLeadOn() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await ahead(caller)
            bench.clock.advance(by: 3_000)
            try await bench.parts.answers.wakeDue()
            bench.clock.advance(by: 299)
            try await bench.parts.answers.announceOverdue()
            #expect(try await bench.published(OrderOverdue.self).isEmpty)
            bench.clock.advance(by: 1)
            try await bench.parts.answers.announceOverdue()
            #expect(try await bench.published(OrderOverdue.self).count == 1)
        }
    }

    @Test(arguments: [-60, 0, 899, 1_209_601, 1e11] as [Double])
    func aTimeThatIsTooNearOrTooFarIsRefused(_ seconds: Double) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let problem = try await place(caller, inSeconds: seconds)
                .refused(422, "order.schedule_invalid", field: "scheduledFor")
            #expect(problem.detail == "From 900 to 1209600 seconds ahead.")
            #expect(try await caller.call(.get, "/v1/orders/current", as: .alice).status == 204)
        }
    }

    @Test(arguments: [900, 1_209_600] as [Double])
    func theLimitsThemselvesAreFine(_ seconds: Double) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await place(caller, inSeconds: seconds).expect(201, OrderView.self)
        }
    }

    @Test func aRepeatIsAnsweredAlsoWhenTheTimeIsTooNearByThen() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let first = try await place(caller, inSeconds: 900, key: "tap").expect(
                201, OrderView.self)
            bench.clock.advance(by: 60)
            let repeated = try await place(caller, inSeconds: 840, key: "tap")
                .expect(201, OrderView.self)
            #expect(repeated.id == first.id)
        }
    }

    @Test func anOrderAheadIsTheOneUnfinishedOrderAndCancelledForFree() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let id = try await ahead(caller)
            let problem = try await caller.call(
                .post, "/v1/orders", PlaceOrderBody(dropOff: .central), as: .alice
            ).refused(409, "order.unfinished_exists")
            #expect(problem.engagementId == id.as(EngagementID.self))
            let view = try await caller.act("cancel", id, as: .alice)
            #expect(view.charge?.amount == 0)
            bench.clock.advance(by: 4_000)
            #expect(try await bench.parts.answers.wakeDue() == 0)
            #expect(try await bench.published(DropOffRequested.self).isEmpty)
        }
    }

    @Test func nobodyFreeIsNoReasonToGiveUpBeforeTheTime() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let id = try await ahead(caller)
            bench.clock.advance(by: 3_000)
            try await bench.parts.answers.wakeDue()
            // More often than matching is asked for an order without a time.
            for attempt in 1...30 {
                try await bench.hear(
                    NoValetFound(order: id, leg: .known(.dropOff), attempt: attempt))
                // Twice or late: nothing more.
                try await bench.hear(
                    NoValetFound(order: id, leg: .known(.dropOff), attempt: attempt))
                #expect(try await bench.stored(id).status == .requested)
                #expect(try await bench.parts.answers.wakeDue() == 0)
                bench.clock.advance(by: Schedule.pauseSeconds)
                #expect(try await bench.parts.answers.wakeDue() == 1)
            }
            let repeated = try await bench.published(MatchRepeated.self)
            #expect(repeated.map(\.match.attempt) == Array(2...31))
            // Five minutes after its time it is over.
            bench.clock.advance(by: 900)
            try await bench.hear(NoValetFound(order: id, leg: .known(.dropOff), attempt: 31))
            #expect(try await bench.stored(id).status == .unfulfilled)
        }
    }

    @Test func itSurvivesARestart() async throws {
        let folder = try TestFolder("orders")
        let before = try await Bench(folder: folder.path)
        let id = try await before.run { try await ahead($0) }
        try await before.database.close()
        let after = try await Bench(folder: folder.path)
        after.clock.advance(by: 3_000)
        #expect(try await after.parts.answers.wakeDue() == 1)
        #expect(try await after.published(DropOffRequested.self).first?.order.id == id)
        try await after.database.close()
    }

    @Test func theClockOfTheHouseBeginsIt() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let id = try await ahead(caller)
            bench.clock.advance(by: 3_000)
            await OrderWatch(answers: bench.parts.answers, logger: bench.parts.environment.logger)
                .look()
            #expect(try await bench.stored(id).askedAt == bench.clock.now)
        }
    }

    @Test func anOfferMayEndWhileItIsSought() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await bench.offerJobs(in: .central)
            let id = try await ahead(caller)
            bench.clock.advance(by: 3_000)
            try await bench.parts.answers.wakeDue()
            try await bench.match(id, .victor)
            try await caller.act("decline", id, as: .victor)
            #expect(try await bench.stored(id).askedAt != nil)
            try await bench.hear(NoValetFound(order: id, leg: .known(.dropOff), attempt: 2))
            #expect(try await bench.stored(id).status == .requested)
        }
    }
}
