import Answers
import Contracts
import Foundation
import Support
import Testing

@testable import Location

/// Valets who are asked whether they take a job, and those on a break: not offered to anybody else.
@Suite struct OfferTests {
    private func bench() async throws -> Bench {
        let bench = try await Bench()
        try await bench.makeAvailable(.victor, at: Bench.inIsland.moved(300))
        return bench
    }

    private func requested(_ version: Int, offeredTo valet: TestPerson? = nil) -> OrderSnapshot {
        var order = OrderSnapshot.test(.requested, version: version)
        order.offeredTo = valet?.valet
        return order
    }

    private func offered(version: Int = 2) -> ValetOffered {
        ValetOffered(
            order: requested(version, offeredTo: .victor), leg: .dropOff, attempt: 1,
            valet: TestPerson.victor.valet, meetingPoint: Place(Bench.inIsland), etaSeconds: 60,
            answerSeconds: 20)
    }

    private func ended(version: Int = 3) -> OfferEnded {
        OfferEnded(
            order: requested(version), leg: .dropOff, valet: TestPerson.victor.valet,
            outcome: .declined,
            match: MatchRequest(
                leg: .dropOff, attempt: 2, meetingPoint: Place(Bench.inIsland),
                excluded: [TestPerson.victor.valet]))
    }

    @Test func whoIsAskedIsNotOfferedToOthersAndFreeAfterTheirNo() async throws {
        let bench = try await bench()
        try await bench.receive(offered())
        #expect(try await bench.nearbyCount() == 0)
        #expect(try await bench.status(of: .victor) == .busy)
        try await bench.record(.victor, at: Bench.inIsland.moved(290))
        #expect(try await bench.nearbyCount() == 0)
        bench.clock.advance(by: 20)
        try await bench.receive(ended())
        #expect(try await bench.nearbyCount() == 1)
        #expect(try await bench.statuses(of: .victor) == [.available, .busy, .available])
    }

    @Test func anOfferBehindItsEndOrTwiceChangesNothing() async throws {
        let bench = try await bench()
        try await bench.receive(ended())
        try await bench.receive(offered())
        #expect(try await bench.status(of: .victor) == .available)
        #expect(try await bench.nearbyCount() == 1)
        for _ in 1...2 { try await bench.receive(offered(version: 5)) }
        #expect(try await bench.status(of: .victor) == .busy)
        try await bench.receive(ended())
        #expect(try await bench.status(of: .victor) == .busy)
        try await bench.receive(
            OrderCancelled(
                order: .test(.cancelled, version: 6), cause: .customer, valet: nil,
                fee: .zero("HKD")))
        #expect(try await bench.status(of: .victor) == .available)
    }

    /// Only whom a valet serves may follow them; being asked is not serving.
    @Test func whoIsAskedIsNotFollowedAndDoesNotArrive() async throws {
        let bench = try await bench()
        try await bench.receive(offered())
        _ = bench.location.feed.take()
        for _ in 0..<3 {
            bench.clock.advance(by: 10)
            try await bench.record(.victor, at: Bench.inIsland)
        }
        let seen = bench.location.feed.take()
        #expect(!seen.isEmpty)
        #expect(seen.allSatisfy { $0.viewers.isEmpty && $0.position.engagement == nil })
        #expect(try await bench.arrivals().isEmpty)
        // With the job comes the customer, and the arrival.
        try await bench.receive(ValetAssigned.test(.victor, version: 3))
        for _ in 0..<2 {
            bench.clock.advance(by: 10)
            try await bench.record(.victor, at: Bench.inIsland)
        }
        #expect(try await bench.arrivals().count == 1)
        #expect(bench.location.feed.take().last?.viewers == [TestPerson.alice.id])
    }

    @Test func trackShowsNothingOfAValetWhoIsAsked() async throws {
        let bench = try await bench()
        try await bench.receive(offered())
        try await bench.http { caller in
            let path = "/v1/orders/\(OrderSnapshot.testID)/track"
            let track = try await caller.call(.get, path, as: .alice).decoded(Track.self)
            #expect(track.valet == nil)
            #expect(try await caller.call(.get, path, as: .victor).status == 404)
        }
    }

    // MARK: Breaks

    @Test func whoIsOnABreakIsNotOfferedUntilItEnds() async throws {
        let bench = try await bench()
        try await bench.http { caller in
            func become(_ status: String) async throws -> Answer {
                try await caller.call(
                    .put, "/v1/me/availability", #"{"status":"\#(status)"}"#, as: .victor)
            }
            let pause = try await become("onBreak")
            #expect(pause.status == 200)
            #expect(try pause.decoded(AvailabilityBody.self).status == .onBreak)
            #expect(try await bench.nearbyCount() == 0)
            #expect(try await bench.status(of: .victor) == .onBreak)
            bench.clock.advance(by: 60)
            try await bench.record(.victor, at: Bench.inIsland)
            #expect(try await bench.nearbyCount() == 0)
            #expect(try await become("available").status == 200)
            #expect(try await bench.nearbyCount() == 1)
            #expect(
                try await bench.statuses(of: .victor) == [.available, .onBreak, .available])
        }
    }

    @Test func aBreakIsTakenOnShiftAndBetweenJobs() async throws {
        let bench = try await bench()
        try await bench.http { caller in
            func pause(_ status: String = "onBreak") async throws -> Problem? {
                try await caller.call(
                    .put, "/v1/me/availability", #"{"status":"\#(status)"}"#, as: .victor
                ).problem
            }
            try await bench.receive(offered())
            for status in ["onBreak", "offline"] {
                let problem = try await pause(status)
                #expect(problem?.status == 409)
                #expect(problem?.code == "location.on_job")
            }
            try await bench.receive(ended())
            #expect(try await pause("offline") == nil)
            let problem = try await pause()
            #expect(problem?.status == 409)
            #expect(problem?.code == "location.off_shift")
            #expect(try await bench.status(of: .victor) == .offline)
        }
    }

    @Test func suspensionEndsABreakToo() async throws {
        let bench = try await bench()
        _ = try await bench.useCases.setShift(TestPerson.victor.valet, .onBreak)
        let account = TestPerson.victor.account(createdAt: bench.clock.now)
        try await bench.receive(AccountChanged(account: account, suspended: true, version: 1))
        #expect(try await bench.status(of: .victor) == .offline)
        await #expect(throws: Refusal.valetSuspended) {
            try await bench.useCases.setShift(TestPerson.victor.valet, .onBreak)
        }
    }
}
