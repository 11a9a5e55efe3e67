import AsyncHTTPClient
import Contracts
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

/// The adapters against real routers with the roads of central Helsinki.
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
        let (start, end) = (TestMap.around, TestMap.station)
        let (route, source) = try await roads(kind).route(from: start, to: end)
        #expect(source == .router)
        #expect(route.points.count > 20)
        #expect(route.points.first == start)
        #expect(route.points.last == end)
        // By one-way streets: 0.4 km as the crow flies.
        #expect((1_300...2_500).contains(route.distanceMeters))
        #expect((150...900).contains(route.durationSeconds))
        let drawn = zip(route.points, route.points.dropFirst())
            .map { Geo.distanceMeters($0, $1) }
        let length = drawn.reduce(0, +)
        #expect(abs(length - route.distanceMeters) < 0.02 * route.distanceMeters + 100)
        #expect(drawn.allSatisfy { $0 < 300 }, "no leap across the station")
    }

    /// Below a house runs a tunnel whose next gate is far away; and to the trams before the railway station leads the
    /// passage below the street, in a third of the way around it.
    @Test(arguments: [
        (60.168, 24.9395, 60.16956, 24.93865, 300.0), (60.17141, 24.94036, 60.17036, 24.94125, 250),
    ])
    func whoWalksTakesATunnelOrTheStreetAboveIt(
        _ latitude: Double, _ longitude: Double, _ endLatitude: Double, _ endLongitude: Double,
        _ mostMeters: Double
    ) async throws {
        let roads = try await roads(.valhalla)
        let start = Coordinate(latitude: latitude, longitude: longitude)
        let end = Coordinate(latitude: endLatitude, longitude: endLongitude)
        let way = await roads.way(from: start, to: end, by: .foot)
        #expect(way.source == .router && way.distanceMeters < mostMeters)
        let (distances, _) = await roads.distances(from: start, to: [end], by: .foot)
        let distance = try #require(distances[0])
        #expect(!distance.isStraightLine && distance.meters < mostMeters)
    }

    @Test(arguments: TestRouter.Kind.allCases)
    func travelTimesAreThoseOfTheWays(_ kind: TestRouter.Kind) async throws {
        let starts = [TestMap.around, TestMap.along, TestMap.station]
        let ends = [TestMap.station, TestMap.along]
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
        let (around, along) = (try #require(rows[0][0]), try #require(rows[1][0]))
        #expect(along < around, "nearer by road, though farther as the crow flies")
        #expect(rows[2][0] == 0)
    }

    /// Along the railway, where no one-way street makes a bicycle's matrix differ from its route.
    @Test(arguments: TravelMode.allCases)
    func distancesAreThoseOfTheWaysByEachMode(_ mode: TravelMode) async throws {
        let roads = try await roads(.valhalla)
        let (found, source) = await roads.distances(
            from: TestMap.station, to: [TestMap.along], by: mode)
        #expect(source == .router)
        let way = await roads.way(from: TestMap.station, to: TestMap.along, by: mode)
        #expect(way.source == .router && way.mode == mode)
        let told = try #require(found[0])
        #expect(abs(told.meters - way.distanceMeters) <= 50 + 0.1 * way.distanceMeters)
        let seconds = Double(way.durationSeconds)
        #expect(abs(told.seconds - seconds) <= 10 + 0.1 * seconds)
        let pace = told.meters / told.seconds
        let paces: [TravelMode: ClosedRange<Double>] = [
            .foot: 1.1...1.6, .wheelchair: 0.7...1.3, .bicycle: 2...7, .car: 2...14,
        ]
        #expect(paces[mode]?.contains(pace) == true, "\(pace)")
    }

    @Test(arguments: TravelMode.allCases)
    func waysBesideTheBestDifferAndEndWhereTheyShould(_ mode: TravelMode) async throws {
        let (start, end) = (TestMap.middle, TestMap.along)
        let ways = try await roads(.valhalla).ways(from: start, to: end, by: mode, most: 3)
        #expect((2...3).contains(ways.count))
        #expect(Set(ways.map(\.geometry)).count == ways.count)
        for way in ways {
            #expect(way.source == .router && way.mode == mode)
            let (first, last) = (way.geometry.coordinates.first, way.geometry.coordinates.last)
            #expect(first == [start.longitude, start.latitude])
            #expect(last == [end.longitude, end.latitude])
            let drawn = Set(way.geometry.coordinates)
            #expect(way.steps.first?.kind == .depart && way.steps.last?.kind == .arrive)
            for step in way.steps {
                #expect(drawn.contains([step.position.longitude, step.position.latitude]))
            }
        }
    }

    @Test(arguments: TravelMode.allCases)
    func whatIsWithinReachIsAround(_ mode: TravelMode) async throws {
        let roads = try await roads(.valhalla)
        let found = await roads.isochrone(around: TestMap.middle, by: mode, seconds: 300)
        let area = try Area(#require(found))
        #expect(area.contains(TestMap.middle))
        #expect(!area.contains(hongKong))
        if mode == .foot || mode == .wheelchair { #expect(!area.contains(TestMap.along)) }
    }

    @Test(arguments: TestRouter.Kind.allCases)
    func theWayToWhereOneIsHasTwoPoints(_ kind: TestRouter.Kind) async throws {
        let (route, source) = try await roads(kind).route(
            from: TestMap.station, to: TestMap.station)
        #expect(source == .router)
        #expect(route.points.count >= 2)
        #expect(route.durationSeconds == 0)
    }

    @Test(arguments: TestRouter.Kind.allCases)
    func offTheMapItIsAStraightLine(_ kind: TestRouter.Kind) async throws {
        let roads = try await roads(kind)
        let near = Geo.destination(from: hongKong, bearingDegrees: 90, distanceMeters: 500)
        for (start, end) in [(hongKong, near), (hongKong, TestMap.station)] {
            let (route, source) = await roads.route(from: start, to: end)
            #expect(source == .straightLine)
            #expect(route.points == [start, end])
        }
        let turku = Coordinate(latitude: 60.4518, longitude: 22.2666)
        for (start, end) in [
            (hongKong, near), (turku, TestMap.station), (TestMap.station, turku),
        ] {
            #expect(try await roads.drive(from: start, to: end) == nil)
        }
        let rows = await roads.travelSeconds(from: [hongKong], to: [near])
        #expect(rows == nil || rows == [[nil]])
        // It is there, and is asked again.
        #expect(await roads.route(from: TestMap.along, to: TestMap.around).source == .router)
    }

    @Test(arguments: TestRouter.Kind.allCases)
    func asMuchAsIsAskedIsAnswered(_ kind: TestRouter.Kind) async throws {
        let starts = (0..<100).map { index in
            Geo.destination(
                from: TestMap.middle, bearingDegrees: 3.6 * Double(index), distanceMeters: 350)
        }
        let ends = (0..<25).map { index in
            Geo.destination(
                from: TestMap.middle, bearingDegrees: 14 * Double(index), distanceMeters: 200)
        }
        #expect(Roads.isWithinLimits(starts: starts.count, ends: ends.count))
        let rows = try #require(await roads(kind).travelSeconds(from: starts, to: ends))
        #expect(rows.count == 100)
        // Not each street that is cut at the map's edge leads back.
        #expect(rows.joined().compactMap { $0 }.count > 1_500)
    }

    /// OSRM writes lines in either form: ours is read like its GeoJSON.
    @Test func aPolylineIsReadAsTheSameLineInGeoJSON() async throws {
        struct Answer: Decodable {
            struct Line: Decodable { let coordinates: [[Double]] }
            struct Found: Decodable { let geometry: Line }
            let routes: [Found]
        }
        let (start, end) = (TestMap.station, TestMap.along)
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
