import Contracts
import Foundation
import Geo
import Maps
import Support
import Testing

@testable import Carpool

/// With a map that knows where cars can stop.
@Suite struct MeetingTests {
    private let folder: TestFolder
    private var maps: MapFolder { MapFolder(folder.path) }

    init() throws { folder = try TestFolder("stops") }

    private func make(_ stops: [StoppingPlace]) throws {
        let map = InstalledMap(name: "valley", version: "v", folder: "\(maps.madeFolder)/v")
        try FileManager.default.createDirectory(
            atPath: map.folder, withIntermediateDirectories: true)
        let facts = MapFacts(
            name: "valley", bounds: .init(south: 35, west: 14, north: 37, east: 15),
            extractedAt: nil, addedAt: Date(), counts: .init())
        try Wire.encode(facts).write(to: URL(filePath: map.facts))
        try Wire.encode(stops).write(to: URL(filePath: map.stops))
        try maps.point("valley", to: "v")
    }

    @Test func oneGetsInWhereACarCanStopIfThatIsHardlyFarther() async throws {
        let ferries = Coordinate.north(2_050).east(20)
        try make([
            StoppingPlace(name: "Ferries", point: ferries),
            // Farther, off the way, and too far.
            StoppingPlace(name: "Next", point: .north(2_120).east(10)),
            StoppingPlace(name: "Beside", point: .north(2_000).east(95)),
            StoppingPlace(name: "Beyond", point: .north(8_250)),
        ])
        try await Bench.run(maps: maps) { bench in
            let trip = try await bench.published()
            let match = try #require(try await bench.found().first)
            #expect(match.pickUp.stop == "Ferries" && match.pickUp.point == ferries)
            #expect((85...100).contains(match.pickUp.walkMeters))
            // Fifty metres farther along the way, which is driven in ten seconds.
            let at = match.pickUp.at.timeIntervalSince(try #require(trip.nextDepartureAt))
            #expect(abs(at - 410) < 3)
            #expect(match.dropOff.stop == nil)
            #expect(Geo.distanceMeters(match.dropOff.point, .north(8_000)) < 5)
            #expect(match.totalWalkMeters < 200)
            let person = Coordinate.north(2_000).east(100)
            let walk = try await bench.call(
                .get,
                "/v1/trips/\(trip.id)/walk?latitude=\(person.latitude)"
                    + "&longitude=\(person.longitude)&end=pickUp", as: .bob
            ).expect(200, TripWalk.self)
            #expect(walk.isStop && walk.stop == "Ferries" && walk.meetingPoint == ferries)
            // A passenger who asks for a seat there gets in there.
            let seat = try await bench.requested(trip.id) { $0.pickUp = ferries }
            #expect(Geo.distanceMeters(seat.pickUp.point, ferries) < 25)
        }
    }

    @Test func whoWantsToWalkLessDoesSo() async throws {
        try make([StoppingPlace(name: "Ferries", point: .north(2_080))])
        try await Bench.run(maps: maps) { bench in
            _ = try await bench.published()
            #expect(try await bench.found().first?.pickUp.stop == "Ferries")
            let match = try #require(try await bench.found { $0.maxWalkMeters = 110 }.first)
            #expect(match.pickUp.stop == nil && match.pickUp.walkMeters <= 101)
        }
    }
}
