import AsyncHTTPClient
import Contracts
import Foundation
import Geo
import Routing
import Support
import Testing

@testable import CarParks

/// The way to a car park.
@Suite struct CarParkRouteTests {
    private static let sliema = Coordinate(latitude: 35.9150, longitude: 14.5)
    private static let from = "latitude=35.9150&longitude=14.5"
    private static let (north, south, stairs) = (
        Coordinate(latitude: 35.8975, longitude: 14.5101),
        Coordinate(latitude: 35.8955, longitude: 14.5101),
        Coordinate(latitude: 35.8966, longitude: 14.5105)
    )

    private func end(_ way: WayAnswer) -> [Double]? { way.geometry.coordinates.last }

    @Test func itEndsAtTheNearestEntranceOfItsKind() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark {
                $0.entrances = [
                    Entrance(position: Self.south, kind: .vehicle),
                    Entrance(position: Self.north, kind: .vehicle),
                    Entrance(position: Self.stairs, kind: .pedestrian),
                ]
            }
            let path = "/v1/car-parks/\(carPark.id)/route?\(Self.from)"
            let drive = try await bench.call(.get, path, as: nil).expect(200, WayAnswer.self)
            #expect((drive.mode, drive.source) == (.car, .straightLine))
            #expect(drive.steps.isEmpty)
            #expect(drive.attribution == nil)
            #expect(end(drive) == [Self.north.longitude, Self.north.latitude])
            let walk = try await bench.call(.get, "\(path)&mode=foot", as: nil)
                .expect(200, WayAnswer.self)
            #expect(end(walk) == [Self.stairs.longitude, Self.stairs.latitude])
            #expect(walk.durationSeconds > drive.durationSeconds)
            let plain = try await bench.carPark()
            let there = try await bench.call(
                .get, "/v1/car-parks/\(plain.id)/route?\(Self.from)", as: nil
            ).expect(200, WayAnswer.self)
            #expect(end(there) == [plain.position.longitude, plain.position.latitude])
        }
    }

    @Test func itGoesAlongRoadsWhereARouterTellsThem() async throws {
        // Precision 6: from about there to about there.
        let server = PretendServer(
            .answering(
                """
                {"trip": {"legs": [{"shape": "onaocA_i_tZ~oRnwHfrOwn\\\\", "maneuvers": [
                    {"type": 1, "street_names": ["Tower Road"], "length": 7.1, "time": 900,
                      "begin_shape_index": 0},
                    {"type": 4, "length": 0, "time": 0, "begin_shape_index": 2}]}],
                    "summary": {"time": 900, "length": 7.1}}}
                """))
        try await server.serve { (url: URL) async throws in
            let roads = Roads(
                Valhalla(url, client: HTTPClient.shared, limit: .seconds(30)),
                attribution: "© OpenStreetMap contributors")
            try await Bench.run(roads: roads) { bench in
                let carPark = try await bench.carPark()
                let way = try await bench.call(
                    .get, "/v1/car-parks/\(carPark.id)/route?\(Self.from)", as: nil
                ).expect(200, WayAnswer.self)
                #expect(way.source == .router)
                #expect((way.distanceMeters, way.durationSeconds) == (7_100, 900))
                #expect(way.steps.map(\.kind) == [.depart, .arrive])
                #expect(way.steps.first?.street == "Tower Road")
                #expect(way.attribution == "© OpenStreetMap contributors")
            }
        }
    }

    @Test func whatCanNotBeAskedIsRefused() async throws {
        try await Bench.run { bench in
            let path = "/v1/car-parks/\(try await bench.carPark().id)/route"
            try await bench.call(.get, path, as: nil)
                .refused(422, "request.invalid", field: "latitude")
            try await bench.call(.get, "\(path)?latitude=91&longitude=14.5", as: nil)
                .refused(422, "request.invalid", field: "latitude")
            try await bench.call(.get, "\(path)?\(Self.from)&mode=boat", as: nil)
                .refused(422, "request.invalid", field: "mode")
            try await bench.call(.get, "/v1/car-parks/x/route?\(Self.from)", as: nil)
                .refused(404, "car_park.unknown")
        }
    }
}
