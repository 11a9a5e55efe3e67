import Answers
import Contracts
import Foundation
import Geo
import Support
import Synchronization
import Testing

@testable import Location

/// An exact position of a valet is seen only by the customer whom they serve, and by operators.
@Suite struct TrackTests {
    private let valetAt = Bench.inIsland.moved(400)
    private let customerAt = Bench.inIsland

    private func bench() async throws -> Bench {
        let bench = try await Bench()
        try await bench.makeAvailable(.victor, at: valetAt)
        try await bench.makeAvailable(.vera, at: valetAt.moved(100))
        try await bench.record(.alice, at: customerAt)
        try await bench.receive(ValetAssigned.test(.victor))
        return bench
    }

    private func track(_ bench: Bench, as person: TestPerson) async throws -> (Int, Track?) {
        let path = "/v1/orders/\(OrderSnapshot.testID)/track"
        let box = Mutex<Answer?>(nil)
        try await bench.http { caller in
            let answer = try await caller.call(.get, path, as: person)
            box.withLock { $0 = answer }
        }
        let answer = try #require(box.withLock { $0 })
        return (answer.status, try? answer.decoded(Track.self))
    }

    private func coordinate(_ position: TrackedPosition?) -> Coordinate? {
        position.map { Coordinate(latitude: $0.latitude, longitude: $0.longitude) }
    }

    @Test func customerAndValetSeeEachOtherWhileTheyMeet() async throws {
        let bench = try await bench()
        bench.clock.advance(by: 12)
        for person in [TestPerson.alice, .victor, .olivia] {
            let (status, track) = try await track(bench, as: person)
            #expect(status == 200)
            #expect(coordinate(track?.valet) == valetAt)
            #expect(coordinate(track?.customer) == customerAt)
            #expect(track?.valet?.ageSeconds == 12)
            #expect(track?.valet?.isStale == false)
            #expect(track?.vehicle == nil)
        }
    }

    @Test func toOthersTheOrderDoesNotExist() async throws {
        let bench = try await bench()
        for person in [TestPerson.bob, .vera] {
            #expect(try await track(bench, as: person).0 == 404)
        }
        try await bench.http { caller in
            for id in [OrderID.new().description, "none", "%00"] {
                let answer = try await caller.call(.get, "/v1/orders/\(id)/track", as: .alice)
                #expect(answer.status == 404)
            }
        }
    }

    @Test func aSilentValetIsStale() async throws {
        let bench = try await bench()
        bench.clock.advance(by: 61)
        let track = try await track(bench, as: .alice).1
        #expect(track?.valet?.isStale == true)
        #expect(coordinate(track?.valet) == valetAt)
    }

    @Test func theVehicleIsWithTheValetAndThenWhereItIsParked() async throws {
        let bench = try await bench()
        let valet = TestPerson.victor.valet
        try await bench.receive(
            VehicleCollected(
                order: .test(.parking, version: 3, dropOffValet: .victor), valet: valet))
        bench.clock.advance(by: 20)
        try await bench.record(.victor, at: valetAt.moved(300))
        var seen = try await track(bench, as: .alice).1
        #expect(coordinate(seen?.vehicle) == valetAt.moved(300))
        #expect(seen?.vehicle == seen?.valet)
        try await bench.receive(
            VehicleParked(order: .test(.parked, version: 4, dropOffValet: .victor), valet: valet))
        bench.clock.advance(by: 3_600)
        seen = try await track(bench, as: .alice).1
        #expect(coordinate(seen?.vehicle) == Coordinate(latitude: 22.26, longitude: 114.16))
        #expect(seen?.vehicle?.isStale == false)
        // The valet is free again: nobody's business.
        #expect(seen?.valet == nil)
        #expect(try await track(bench, as: .victor).0 == 404)
        #expect(try await track(bench, as: .olivia).1?.valet == nil)
    }

    @Test func theOtherValetOfTheReturnIsSeenThen() async throws {
        let bench = try await bench()
        try await bench.receive(
            VehicleRetrieved(
                order: .test(
                    .returningBack, version: 8, dropOffValet: .victor, returnValet: .vera),
                valet: TestPerson.vera.valet))
        let track = try await track(bench, as: .alice).1
        #expect(coordinate(track?.valet) == valetAt.moved(100))
        #expect(track?.vehicle == track?.valet)
        #expect(try await self.track(bench, as: .victor).0 == 404)
        #expect(try await self.track(bench, as: .vera).0 == 200)
    }

    @Test func afterTheEndNobodyIsSeenButOneself() async throws {
        let bench = try await bench()
        try await bench.receive(
            OrderCancelled(
                order: .test(.cancelled, version: 3, dropOffValet: .victor), cause: .customer,
                valet: TestPerson.victor.valet, fee: .zero("HKD")))
        let (status, track) = try await track(bench, as: .alice)
        #expect(status == 200)
        #expect(track?.valet == nil)
        #expect(coordinate(track?.customer) == customerAt)
        #expect(try await self.track(bench, as: .victor).0 == 404)
    }

    @Test func aTrackBeforeAnybodySentAPositionIsEmpty() async throws {
        let bench = try await Bench()
        try await bench.receive(ValetAssigned.test(.victor))
        let (status, track) = try await track(bench, as: .alice)
        #expect(status == 200)
        #expect(track == Track(customer: nil, valet: nil, vehicle: nil))
    }

    @Test func liveViewersAreTheOtherPartyWhileTheJobRuns() async throws {
        let bench = try await bench()
        _ = bench.location.feed.take()
        bench.clock.advance(by: 10)
        try await bench.record(
            bench.entry(.victor, valetAt), bench.entry(.alice, customerAt),
            bench.entry(.vera, valetAt))
        let events = Dictionary(
            uniqueKeysWithValues: bench.location.feed.take().map { ($0.position.person, $0) })
        #expect(events[TestPerson.victor.id]?.viewers == [TestPerson.alice.id])
        #expect(events[TestPerson.victor.id]?.position.engagement == OrderSnapshot.engagementID)
        #expect(events[TestPerson.alice.id]?.viewers == [TestPerson.victor.id])
        #expect(events[TestPerson.vera.id]?.viewers == [])
        try await bench.receive(
            VehicleParked(
                order: .test(.parked, version: 4, dropOffValet: .victor),
                valet: TestPerson.victor.valet))
        bench.clock.advance(by: 10)
        try await bench.record(bench.entry(.victor, valetAt), bench.entry(.alice, customerAt))
        #expect(bench.location.feed.take().allSatisfy { $0.viewers.isEmpty })
    }
}
