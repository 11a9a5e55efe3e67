import AsyncHTTPClient
import Foundation
import Geo
import ServiceKit
import Support
import Testing

@testable import Routing

/// Routers that several tests share: each is built with the first, and stops with the process.
private actor Works {
    static let shared = Works()
    private var running: [TestRouter.Kind: Task<TestRouter, any Error>] = [:]

    func router(_ kind: TestRouter.Kind) async throws -> TestRouter {
        if let task = running[kind] { return try await task.value }
        let task = Task { try await TestRouter.start(kind) }
        running[kind] = task
        return try await task.value
    }
}

/// The adapters against real routers with the roads of Malta.
@Suite(.enabled(if: TestMap.isThere, Comment(rawValue: TestMap.absence)))
struct RealRouterTests {
    private let hongKong = Coordinate(latitude: 22.2819, longitude: 114.1556)

    private func adapter(_ kind: TestRouter.Kind) async throws -> any RoadRouter {
        let url = try await Works.shared.router(kind).url
        return switch kind {
        case .valhalla: Valhalla(url, client: HTTPClient.shared, limit: patience)
        case .osrm: OSRM(url, client: HTTPClient.shared, limit: patience)
        }
    }

    private func roads(_ kind: TestRouter.Kind) async throws -> Roads {
        Roads(try await adapter(kind), attribution: nil)
    }

    @Test(arguments: TestRouter.Kind.allCases)
    func aWayFollowsRoads(_ kind: TestRouter.Kind) async throws {
        let (start, end) = (TestMap.valletta, TestMap.sliema)
        let (route, source) = try await roads(kind).route(from: start, to: end)
        #expect(source == .router)
        #expect(route.points.count > 20)
        #expect(route.points.first == start)
        #expect(route.points.last == end)
        // Around the harbour.
        #expect((5_000...10_000).contains(route.distanceMeters))
        #expect((240...1_500).contains(route.durationSeconds))
        let drawn = zip(route.points, route.points.dropFirst())
            .map { Geo.distanceMeters($0, $1) }
        let length = drawn.reduce(0, +)
        #expect(abs(length - route.distanceMeters) < 0.02 * route.distanceMeters + 100)
        #expect(drawn.allSatisfy { $0 < 1_500 }, "no leap across the water")
    }

    @Test(arguments: TestRouter.Kind.allCases)
    func travelTimesAreThoseOfTheWays(_ kind: TestRouter.Kind) async throws {
        let starts = [TestMap.sliema, TestMap.hamrun, TestMap.valletta]
        let ends = [TestMap.valletta, TestMap.hamrun]
        let roads = try await roads(kind)
        let rows = try #require(await roads.travelSeconds(from: starts, to: ends))
        #expect(rows.count == 3)
        for (start, row) in zip(starts, rows) {
            #expect(row.count == 2)
            for (end, seconds) in zip(ends, row) {
                let (route, _) = await roads.route(from: start, to: end)
                let difference = abs(try #require(seconds) - route.durationSeconds)
                #expect(difference <= 5 + 0.1 * route.durationSeconds)
            }
        }
        let (sliema, hamrun) = (try #require(rows[0][0]), try #require(rows[1][0]))
        #expect(hamrun < sliema, "nearer by road, though farther as the crow flies")
        #expect(rows[2][0] == 0)
    }

    @Test(arguments: TestRouter.Kind.allCases)
    func theWayToWhereOneIsHasTwoPoints(_ kind: TestRouter.Kind) async throws {
        let (route, source) = try await roads(kind).route(
            from: TestMap.valletta, to: TestMap.valletta)
        #expect(source == .router)
        #expect(route.points.count >= 2)
        #expect(route.durationSeconds == 0)
    }

    @Test(arguments: TestRouter.Kind.allCases)
    func offTheMapItIsAStraightLine(_ kind: TestRouter.Kind) async throws {
        let roads = try await roads(kind)
        let near = Geo.destination(from: hongKong, bearingDegrees: 90, distanceMeters: 500)
        for (start, end) in [(hongKong, near), (hongKong, TestMap.valletta)] {
            let (route, source) = await roads.route(from: start, to: end)
            #expect(source == .straightLine)
            #expect(route.points == [start, end])
        }
        let rows = await roads.travelSeconds(from: [hongKong], to: [near])
        #expect(rows == nil || rows == [[nil]])
        // It is there, and is asked again.
        #expect(await roads.route(from: TestMap.hamrun, to: TestMap.sliema).source == .router)
    }

    @Test(arguments: TestRouter.Kind.allCases)
    func asMuchAsIsAskedIsAnswered(_ kind: TestRouter.Kind) async throws {
        let starts = (0..<100).map { index in
            Geo.destination(
                from: TestMap.hamrun, bearingDegrees: 3.6 * Double(index), distanceMeters: 800)
        }
        let ends = (0..<25).map { index in
            Geo.destination(
                from: TestMap.hamrun, bearingDegrees: 14 * Double(index), distanceMeters: 400)
        }
        #expect(Roads.isWithinLimits(starts: starts.count, ends: ends.count))
        let rows = try #require(await roads(kind).travelSeconds(from: starts, to: ends))
        #expect(rows.count == 100)
        #expect(rows.joined().compactMap { $0 }.count > 2_000)
    }

    /// OSRM writes lines in either form: ours is read like its GeoJSON.
    @Test func aPolylineIsReadAsTheSameLineInGeoJSON() async throws {
        struct Answer: Decodable {
            struct Line: Decodable { let coordinates: [[Double]] }
            struct Found: Decodable { let geometry: Line }
            let routes: [Found]
        }
        let (start, end) = (TestMap.valletta, TestMap.hamrun)
        let path =
            "/route/v1/driving/\(start.longitude),\(start.latitude);"
            + "\(end.longitude),\(end.latitude)?overview=full&geometries=geojson"
        let data = try await Works.shared.router(.osrm).get(path)
        let plain = try #require(try JSONDecoder().decode(Answer.self, from: data).routes.first)
        let route = try await adapter(.osrm).route(from: start, to: end)
        #expect(route.points.count == plain.geometry.coordinates.count)
        for (point, other) in zip(route.points, plain.geometry.coordinates) {
            #expect(abs(point.longitude - other[0]) < 2e-6)
            #expect(abs(point.latitude - other[1]) < 2e-6)
        }
    }
}
