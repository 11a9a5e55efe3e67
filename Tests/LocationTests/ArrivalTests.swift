import Contracts
import Foundation
import Geo
import Support
import Testing

@testable import Location

/// Within 30 m of the meeting point by two points in a row; said once a leg.
@Suite struct ArrivalTests {
    private let meeting = Bench.inIsland

    /// Points at these distances from the meeting point, ten seconds apart.
    private func walk(_ bench: Bench, _ meters: Double...) async throws {
        for distance in meters {
            bench.clock.advance(by: 10)
            try await bench.record(.victor, at: meeting.moved(distance))
        }
    }

    private func bench() async throws -> Bench {
        let bench = try await Bench()
        try await bench.makeAvailable(.victor, at: meeting.moved(500))
        try await bench.receive(ValetAssigned.test(.victor))
        return bench
    }

    @Test func onePointIsNoArrivalTwoAre() async throws {
        let bench = try await bench()
        try await walk(bench, 200, 29)
        #expect(try await bench.arrivals().isEmpty)
        try await walk(bench, 25)
        let arrival = try #require(try await bench.arrivals().first)
        #expect(
            arrival
                == PartyArrived(
                    engagement: OrderSnapshot.testID.as(EngagementID.self), product: "valet",
                    meeting: "dropOff",
                    mover: TestPerson.victor.valet.as(PersonID.self),
                    peers: [TestPerson.alice.customer.as(PersonID.self)],
                    arrivedAt: bench.clock.now))
    }

    @Test func theTwoPointsHaveToFollowEachOther() async throws {
        let bench = try await bench()
        try await walk(bench, 20, 31, 20, 100, 20)
        #expect(try await bench.arrivals().isEmpty)
        try await walk(bench, 20)
        #expect(try await bench.arrivals().count == 1)
    }

    @Test func anIgnoredPointDoesNotCount() async throws {
        let bench = try await bench()
        try await walk(bench, 20)
        let inaccurate = bench.entry(.victor, meeting, secondsAgo: -1, accuracy: 300)
        try await bench.record(inaccurate)
        #expect(try await bench.arrivals().isEmpty)
    }

    @Test func itIsSaidOnceHoweverTheValetWanders() async throws {
        let bench = try await bench()
        try await walk(bench, 10, 10, 45, 59, 10, 10, 200, 300, 10, 10, 10)
        #expect(try await bench.arrivals().count == 1)
    }

    @Test func arrivalsOfOneBatchCountInTheOrderOfTheirTime() async throws {
        let bench = try await bench()
        bench.clock.advance(by: 60)
        try await bench.record(
            bench.entry(.victor, meeting, secondsAgo: 10),
            bench.entry(.victor, meeting.moved(10), secondsAgo: 20))
        let arrivals = try await bench.arrivals()
        #expect(arrivals.map(\.arrivedAt) == [bench.clock.now.addingTimeInterval(-10)])
    }

    @Test func anAssignmentThatComesTwiceIsNoNewLeg() async throws {
        let bench = try await bench()
        try await walk(bench, 10, 10)
        try await bench.receive(ValetAssigned.test(.victor))
        try await bench.receive(ValetAssigned.test(.victor, version: 3))
        try await walk(bench, 10, 10, 10)
        #expect(try await bench.arrivals().count == 1)
    }

    @Test func nobodyArrivesOnceTheVehicleIsCollected() async throws {
        let bench = try await bench()
        try await bench.receive(
            VehicleCollected(
                order: .test(.parking, version: 3, dropOffValet: .victor),
                valet: TestPerson.victor.valet))
        try await walk(bench, 10, 10, 10)
        #expect(try await bench.arrivals().isEmpty)
    }

    @Test func eachLegHasItsOwnArrival() async throws {
        let bench = try await bench()
        try await walk(bench, 10, 10)
        let valet = TestPerson.victor.valet
        try await bench.receive(
            VehicleParked(order: .test(.parked, version: 4, dropOffValet: .victor), valet: valet))
        let parked = Coordinate(latitude: 22.26, longitude: 114.16)
        try await bench.receive(
            ValetAssigned(
                order: .test(
                    .requestingBack, version: 6, dropOffValet: .victor, returnValet: .victor),
                leg: .return, valet: valet, meetingPoint: Place(parked)))
        for _ in 0..<3 {
            bench.clock.advance(by: 60)
            try await bench.record(.victor, at: parked)
        }
        #expect(try await bench.arrivals().map(\.meeting) == ["dropOff", "return"])
    }

    @Test func theDistanceIsConfigurable() async throws {
        var rules = LocationRules()
        rules.arrivalMeters = 100
        let bench = try await Bench(rules: rules)
        try await bench.makeAvailable(.victor, at: meeting.moved(500))
        try await bench.receive(ValetAssigned.test(.victor))
        try await walk(bench, 90, 95)
        #expect(try await bench.arrivals().count == 1)
    }
}
