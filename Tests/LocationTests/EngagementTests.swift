import Contracts
import Foundation
import Geo
import Redis
import Support
import Testing

@testable import Location

/// What is no order: location follows whatever people deal with each other about.
@Suite struct EngagementTests {
    private static let id = EngagementID("01900000-0000-7000-8000-000000000901")!
    private let spot = Bench.inIsland

    /// Bob comes to the spot that Alice leaves.
    private func exchange(
        version: Int = 1, within meters: Double? = 3, exact accuracy: Double? = nil,
        isOver: Bool = false
    ) -> EngagementChanged {
        let (alice, bob) = (TestPerson.alice.id, TestPerson.bob.id)
        var engagement = Engagement(
            id: Self.id, product: "spots", version: version, state: isOver ? .ended : .open)
        engagement.participants = [
            .init(alice, isPresent: !isOver, sees: isOver ? [] : [bob]),
            .init(bob, isPresent: !isOver, sees: isOver ? [] : [alice]),
        ]
        if !isOver {
            engagement.way = .init(
                mover: bob, to: spot,
                meeting: .init(id: "handOver", withinMeters: meters, accuracyMeters: accuracy))
        }
        engagement.markers = [
            .init("seller", of: alice), .init("buyer", of: bob), .init("spot", at: spot),
        ]
        return EngagementChanged(engagement)
    }

    /// Points of Bob's at these distances from the spot, ten seconds apart.
    private func walk(_ bench: Bench, accuracy: Double? = nil, _ meters: Double...) async throws {
        for distance in meters {
            bench.clock.advance(by: 10)
            try await bench.record(
                bench.entry(.bob, spot.moved(distance), accuracy: accuracy))
        }
    }

    @Test func theArrivalIsToldAsTheProductNamesIt() async throws {
        let bench = try await Bench()
        try await bench.receive(exchange())
        try await walk(bench, 40, 20, 10, 4, 4)
        #expect(try await bench.arrivals().isEmpty)
        try await walk(bench, 2, 2, 50, 1, 1)
        let arrivals = try await bench.arrivals()
        #expect(arrivals.count == 1, "once")
        let arrival = try #require(arrivals.first)
        #expect(arrival.engagement == Self.id)
        #expect(arrival.product == "spots")
        #expect(arrival.meeting == "handOver")
        #expect(arrival.mover == TestPerson.bob.id)
        #expect(arrival.peers == [TestPerson.alice.id])
    }

    @Test func twoPositionsThatMayBeTheSameAre() async throws {
        let bench = try await Bench()
        try await bench.receive(exchange(exact: 5))
        try await walk(bench, accuracy: 4, 12, 12)
        #expect(try await bench.arrivals().isEmpty)
        try await walk(bench, accuracy: 8, 12, 12)
        #expect(try await bench.arrivals().count == 1)
    }

    @Test func threeMetersAreThreeMetersHoweverExactTheReading() async throws {
        let bench = try await Bench()
        try await bench.receive(exchange(exact: 1))
        try await walk(bench, accuracy: 1, 3.2, 3.2, 3.2)
        #expect(try await bench.arrivals().isEmpty)
        try await walk(bench, accuracy: 1, 2.9, 2.9)
        #expect(try await bench.arrivals().count == 1)
    }

    @Test func nobodyIsThereByABadReadingAlone() async throws {
        let bench = try await Bench()
        try await bench.receive(exchange(exact: 60))
        try await walk(bench, accuracy: 95, 90, 31, 31)
        #expect(try await bench.arrivals().isEmpty)
        try await walk(bench, accuracy: 95, 29, 29)
        #expect(try await bench.arrivals().count == 1, "the usual distance is the widest")
    }

    @Test func whoIsSeenByNobodyArrivesToo() async throws {
        let bench = try await Bench()
        var event = exchange()
        for index in event.engagement.participants.indices {
            event.engagement.participants[index].sees = []
        }
        try await bench.receive(event)
        try await walk(bench, 2, 2)
        #expect(try await bench.arrivals().map(\.peers) == [[]])
        #expect(bench.location.feed.take().allSatisfy { $0.viewers.isEmpty })
    }

    @Test func withoutItsOwnDistanceTheUsualOneCounts() async throws {
        let bench = try await Bench()
        try await bench.receive(exchange(within: nil))
        try await walk(bench, 31, 29, 29)
        #expect(try await bench.arrivals().count == 1)
    }

    @Test func bothSeeEachOtherAndNobodyElseDoes() async throws {
        let bench = try await Bench()
        try await bench.receive(exchange())
        bench.clock.advance(by: 10)
        try await bench.record(bench.entry(.alice, spot), bench.entry(.bob, spot.moved(200)))
        let viewers = Dictionary(
            uniqueKeysWithValues: bench.location.feed.take().map { ($0.position.person, $0) })
        #expect(viewers[TestPerson.alice.id]?.viewers == [TestPerson.bob.id])
        #expect(viewers[TestPerson.bob.id]?.viewers == [TestPerson.alice.id])
        #expect(viewers[TestPerson.bob.id]?.position.engagement == Self.id)
        try await bench.http { caller in
            let path = "/v1/engagements/\(Self.id)/track"
            for person in [TestPerson.alice, .bob, .olivia] {
                let answer = try await caller.call(.get, path, as: person)
                #expect(answer.status == 200)
                let shown = try answer.decoded([String: TrackedPosition?].self)
                #expect(shown.keys.sorted() == ["buyer", "seller", "spot"])
                #expect(shown.values.allSatisfy { $0 != nil })
            }
            let order = try await caller.call(.get, "/v1/orders/\(Self.id)/track", as: .alice)
            #expect(try await caller.call(.get, path, as: .alice).data == order.data)
        }
    }

    @Test func toOthersItDoesNotExist() async throws {
        let bench = try await Bench()
        try await bench.receive(exchange())
        try await bench.http { caller in
            for part in ["track", "route"] {
                for path in ["/v1/engagements/\(Self.id)", "/v1/engagements/\(EngagementID.new())"]
                {
                    let answer = try await caller.call(.get, "\(path)/\(part)", as: .victor)
                    #expect(answer.status == 404)
                    #expect(answer.problem?.code == "engagement.unknown")
                }
                let order = try await caller.call(
                    .get, "/v1/orders/\(Self.id)/\(part)", as: .victor)
                #expect(order.status == 404)
                #expect(order.problem?.code == "order.unknown")
            }
        }
    }

    @Test func whoWorksForOneAndIsServedByAnotherIsSeenByBothAsWhatTheyAre() async throws {
        let bench = try await Bench()
        try await bench.receive(exchange())
        let job = OrderID.new()
        var assigned = ValetAssigned.test(.bob, id: job)
        assigned.order.customer = TestPerson.vera.customer
        try await bench.receive(assigned)
        bench.clock.advance(by: 10)
        try await bench.record(bench.entry(.bob, spot.moved(200)))
        let told = Dictionary(
            uniqueKeysWithValues: bench.location.feed.take().map { ($0.position.engagement, $0) })
        #expect(told.count == 2)
        #expect(told[Self.id]?.viewers == [TestPerson.alice.id])
        #expect(told[Self.id]?.position.role.known == .customer)
        #expect(told[job.as(EngagementID.self)]?.viewers == [TestPerson.vera.id])
        #expect(told[job.as(EngagementID.self)]?.position.role.known == .valet)
    }

    @Test func whoSeesNobodyIsShownTheirOwnPositionOnly() async throws {
        let bench = try await Bench()
        var event = exchange()
        event.engagement.participants[1].sees = []
        try await bench.receive(event)
        bench.clock.advance(by: 10)
        try await bench.record(bench.entry(.alice, spot), bench.entry(.bob, spot.moved(200)))
        try await bench.http { caller in
            let shown = try await caller.call(.get, "/v1/orders/\(Self.id)/track", as: .bob)
                .decoded([String: TrackedPosition?].self)
            #expect(shown["seller"] == .some(nil))
            #expect(shown["buyer"] != .some(nil))
            #expect(shown["spot"] != .some(nil))
            let way = try await caller.call(
                .get, "/v1/engagements/\(Self.id)/route", as: .alice)
            #expect(way.status == 200)
        }
    }

    @Test func whenItIsOverNobodyIsFollowed() async throws {
        let bench = try await Bench()
        try await bench.receive(exchange(version: 2, isOver: true))
        try await bench.receive(exchange())
        try await walk(bench, 1, 1, 1)
        #expect(try await bench.arrivals().isEmpty)
        #expect(bench.location.feed.take().allSatisfy { $0.viewers.isEmpty })
    }

    @Test func aValetWhoSellsASpotIsStillOfferedJobs() async throws {
        let bench = try await Bench()
        try await bench.makeAvailable(.victor, at: spot)
        var event = exchange()
        event.engagement.participants[0].person = TestPerson.victor.id
        event.engagement.participants[1].sees = [TestPerson.victor.id]
        try await bench.receive(event)
        #expect(try await bench.status(of: .victor) == .available)
        #expect(try await bench.nearbyCount() == 1)
        let home = try await bench.redis.pool.execute(
            RawCommand("TTL", LocationKeys.home(TestPerson.victor.id)))
        #expect(home.int == -1, "a valet's home has no end")
    }

    @Test func aGuestWhoTakesUpWorkIsAValet() async throws {
        let bench = try await Bench()
        var event = exchange()
        event.engagement.participants[0].person = TestPerson.victor.id
        event.engagement.participants[1].sees = [TestPerson.victor.id]
        try await bench.receive(event)
        #expect(try await bench.status(of: .victor) == nil)
        try await bench.makeAvailable(.victor, at: spot)
        #expect(try await bench.status(of: .victor) == .available)
        #expect(try await bench.nearbyCount() == 1)
        let home = try await bench.redis.pool.execute(
            RawCommand("TTL", LocationKeys.home(TestPerson.victor.id)))
        #expect((home.int ?? 0) > LocationStore.homeSeconds)
    }
}
