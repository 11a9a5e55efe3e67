import AsyncHTTPClient
import Contracts
import Foundation
import Geo
import Maps
import ServiceKit
import Support
import Testing

@testable import Routing

/// A router that is away, broken or hostile makes nothing fail: everything falls back.
@Suite struct TroubleTests {
    private let start = Coordinate(latitude: 35.9, longitude: 14.5)
    private let end = Coordinate(latitude: 35.91, longitude: 14.51)

    /// From start to end, in polyline6.
    private static let line = encoded([(35.9, 14.5), (35.905, 14.503), (35.91, 14.51)])

    private static func encoded(_ points: [(Double, Double)]) -> String {
        var text = ""
        var last = (0, 0)
        func append(_ value: Int) {
            var rest = value < 0 ? ~(value << 1) : value << 1
            while rest >= 0x20 {
                text.unicodeScalars.append(Unicode.Scalar(UInt8((rest & 0x1F) | 0x20) + 63))
                rest >>= 5
            }
            text.unicodeScalars.append(Unicode.Scalar(UInt8(rest) + 63))
        }
        for (latitude, longitude) in points {
            let next = (Int((latitude * 1e6).rounded()), Int((longitude * 1e6).rounded()))
            append(next.0 - last.0)
            append(next.1 - last.1)
            last = next
        }
        return text
    }

    private static func valhallaRoute(_ shape: String, seconds: String = "120.5") -> String {
        let shape = shape.replacingOccurrences(of: "\\", with: "\\\\")
        return #"{"trip":{"legs":[{"shape":"\#(shape)"}],"#
            + #""summary":{"time":\#(seconds),"length":1.6},"status":0}}"#
    }

    private func roads(
        _ kind: TestRouter.Kind, _ url: URL, limit: Duration = patience,
        breaker: CircuitBreaker = CircuitBreaker(threshold: 1_000)
    ) throws -> Roads {
        let policy = HTTPPeer.Policy(time: limit, largestAnswer: 256 * 1_024)
        let source = JSONSource(
            "test", url, client: HTTPClient.shared, policy, breaker: breaker)
        let router: any RoadRouter =
            switch kind {
            case .valhalla: Valhalla(source)
            case .osrm: OSRM(source)
            }
        return Roads(router, attribution: nil)
    }

    private func fallsBack(_ roads: Roads) async {
        let found = await roads.route(from: start, to: end)
        #expect(found.source == .straightLine)
        #expect(found.route == StraightLine.route(from: start, to: end))
        #expect(await roads.travelSeconds(from: [start], to: [end]) == nil)
    }

    @Test func aWayOnFootHasItsSteps() async throws {
        let steps = [
            #""type": 2, "street_names": ["Triq San Pawl"], "length": 0.7, "time": 500.4"#,
            #""type": 15, "length": 0.9, "time": 700"#, #""type": 40, "length": 0, "time": 10"#,
            #""type": 4, "length": 0, "time": 0"#,
        ].enumerated().map { #"{"begin_shape_index": \#(min($0, 2)), \#($1)}"# }
            .joined(separator: ",")
        let route = Self.valhallaRoute(Self.line).replacing(
            #""}],"#, with: #"", "maneuvers": [\#(steps)]}],"#)
        let server = PretendServer(.answering(route))
        try await server.serve { (url: URL) async throws in
            let way = try await roads(.valhalla, url).way(from: start, to: end, by: .foot)
            #expect(way.source == .router)
            #expect(way.mode == .foot)
            #expect(way.steps.map(\.kind) == [.depart, .left, .stairs, .arrive])
            #expect(way.steps.map(\.street) == ["Triq San Pawl", nil, nil, nil])
            #expect(way.steps.map(\.distanceMeters) == [700, 900, 0, 0])
            #expect(way.steps.map(\.durationSeconds) == [500, 700, 10, 0])
            let bend = Coordinate(latitude: 35.905, longitude: 14.503)
            #expect(way.steps.map(\.position) == [start, bend, end, end])
            for (right, wrong) in [("0.7", "-0.7"), (#"index": 1"#, #"index": 3"#)] {
                server.set(.answering(route.replacing(right, with: wrong)))
                let way = try await roads(.valhalla, url).way(from: start, to: end, by: .foot)
                #expect(way.source == .straightLine)
                #expect(way.steps.isEmpty)
            }
        }
        #expect(server.asked.first?.body.contains(#""costing":"pedestrian""#) == true)
        #expect(server.asked.first?.body.contains(#""directions_type":"maneuvers""#) == true)
    }

    @Test func whoKnowsTheWaysOfCarsAloneSendsNobodyOnFootAlongThem() async throws {
        try await PretendServer(.failing(500)).serve { (url: URL) async throws in
            let way = try await roads(.osrm, url).way(from: start, to: end, by: .foot)
            #expect(way.source == .straightLine)
            let drive = StraightLine.route(from: start, to: end)
            #expect(Double(way.durationSeconds) > 2 * drive.durationSeconds)
        }
    }

    @Test func whatIsRightIsTaken() async throws {
        let server = PretendServer(.answering(Self.valhallaRoute(Self.line)))
        try await server.serve { url in
            let found = try await roads(.valhalla, url).route(from: start, to: end)
            #expect(found.source == .router)
            #expect(found.route.points.count == 3)
            #expect(found.route.distanceMeters == 1_600)
            #expect(found.route.durationSeconds == 120.5)
        }
        #expect(server.asked.first?.path == "/route")
        #expect(server.asked.first?.userAgent == "OpenValet")
    }

    @Test(
        arguments: [
            "", "[]", "{}", "null", "<html>", #"{"trip":{}}"#, #"{"routes":[]}"#,
            #"{"routes":[{"geometry":"?","distance":1,"duration":1}]}"#,
            #"{"trip":{"legs":[{"shape":"??"}],"summary":{"time":1,"length":1}}}"#,
            #"{"trip":{"legs":[],"summary":{"time":1,"length":1}}}"#,
            #"{"sources_to_targets":{"durations":[]},"durations":[],"sources":[],"destinations":[]}"#,
            #"{"sources_to_targets":{"durations":[[1,2]]}}"#,
            #"{"sources_to_targets":{"durations":[[-5]]}}"#,
            #"{"sources_to_targets":{"durations":[[1e300]]}}"#,
            #"{"durations":[[1]],"sources":[{"distance":1}],"destinations":[]}"#,
        ], TestRouter.Kind.allCases)
    func anAnswerThatIsNoneIsNotTaken(_ text: String, _ kind: TestRouter.Kind) async throws {
        try await PretendServer(.answering(text)).serve { url in
            await fallsBack(try roads(kind, url))
        }
    }

    @Test(arguments: ["-1", "1e18", "\"soon\"", "null"])
    func aWayThatTakesNoTimeThatIsOneIsNotTaken(_ seconds: String) async throws {
        let answer = Self.valhallaRoute(Self.line, seconds: seconds)
        try await PretendServer(.answering(answer)).serve { url in
            let found = try await roads(.valhalla, url).route(from: start, to: end)
            #expect(found.source == .straightLine)
        }
    }

    @Test func aWayOfSomebodyElseIsNotTaken() async throws {
        let elsewhere = Self.encoded([(22.28, 114.15), (22.29, 114.16)])
        try await PretendServer(.answering(Self.valhallaRoute(elsewhere))).serve { url in
            let found = try await roads(.valhalla, url).route(from: start, to: end)
            #expect(found.source == .straightLine)
        }
    }

    @Test(arguments: [400, 401, 403, 404, 429, 500, 503], TestRouter.Kind.allCases)
    func aRefusalIsAStraightLine(_ status: Int, _ kind: TestRouter.Kind) async throws {
        try await PretendServer(.failing(status)).serve { url in
            await fallsBack(try roads(kind, url))
        }
    }

    @Test(arguments: TestRouter.Kind.allCases)
    func moreThanTheLimitIsNotRead(_ kind: TestRouter.Kind) async throws {
        try await PretendServer(.huge).serve { url in await fallsBack(try roads(kind, url)) }
    }

    /// As both routers say that they know no road near a point, and that none leads from one to the other.
    @Test(arguments: [
        (
            TestRouter.Kind.valhalla, true,
            #"{"error_code":171,"error":"No suitable edges near location","status_code":400}"#
        ),
        (
            .valhalla, false,
            #"{"error_code":442,"error":"No path could be found for input","status_code":400}"#
        ),
        (.valhalla, false, #"{"error_code":170,"error":"Locations are in unconnected regions"}"#),
        (.osrm, true, #"{"code":"NoSegment","message":"Could not find a matching segment"}"#),
        (.osrm, false, #"{"code":"NoRoute","message":"Impossible route between points"}"#),
        (.osrm, false, ""), (.valhalla, false, "[]"),
    ])
    func whereTheMapEndsIsKnownFromWhereNoRoadLeads(
        _ kind: TestRouter.Kind, _ isOffMap: Bool, _ text: String
    ) async throws {
        try await PretendServer(.saying(400, text)).serve { url in
            let roads = try roads(kind, url)
            if isOffMap {
                #expect(try await roads.drive(from: start, to: end) == nil)
            } else {
                await #expect(throws: RoutingError.refused) {
                    _ = try await roads.drive(from: start, to: end)
                }
            }
            await fallsBack(roads)
        }
    }

    /// A router leads to the nearest road that it knows, however far that is.
    @Test func aWayThatEndsFarFromItsPointIsOffTheMap() async throws {
        let answer = PretendServer(.answering(Self.valhallaRoute(Self.line)))
        try await answer.serve { url in
            let roads = try roads(.valhalla, url)
            #expect(try await roads.drive(from: start, to: end)?.points.count == 3)
            for far in [
                Coordinate(latitude: 35.94, longitude: 14.51),
                Coordinate(latitude: 60.17, longitude: 24.94),
            ] {
                #expect(try await roads.drive(from: start, to: far) == nil)
                #expect(try await roads.drive(from: far, to: end) == nil)
            }
        }
    }

    /// The roads of all maps are one network, but what lies between two maps is on neither.
    @Test func betweenTwoMapsTheRoadsAreUnknown() async throws {
        let folder = try TestFolder("maps")
        let maps = MapFolder(folder.path)
        for (name, point) in [("west", start), ("east", end)] {
            let facts = MapFacts(
                name: name,
                bounds: .init(
                    south: point.latitude - 0.004, west: point.longitude - 0.004,
                    north: point.latitude + 0.004, east: point.longitude + 0.004),
                extractedAt: nil, addedAt: Date(), counts: .init())
            try folder.write(
                String(decoding: try Wire.encode(facts), as: UTF8.self),
                to: ".made/\(name)-1/map.json")
            try maps.point(name, to: "\(name)-1")
        }
        try maps.point(MapFolder.roads, to: "roads-1")
        let problem = #"{"error_code":442,"error":"No path could be found for input"}"#
        try await PretendServer(.saying(400, problem)).serve { (url: URL) async throws in
            let valhalla = Valhalla(url, client: HTTPClient.shared, limit: patience)
            let roads = Roads(MapRouter(maps: maps, valhalla: valhalla), attribution: nil)
            #expect(try await roads.drive(from: start, to: end) == nil)
            let near = Coordinate(latitude: 35.903, longitude: 14.497)
            await #expect(throws: RoutingError.refused) {
                _ = try await roads.drive(from: start, to: near)
            }
        }
    }

    /// The head comes at once: the limit is for all of the answer.
    @Test(arguments: TestRouter.Kind.allCases)
    func anAnswerThatDripsIsNotWaitedFor(_ kind: TestRouter.Kind) async throws {
        try await PretendServer(.dripping).serve { url in
            await fallsBack(try roads(kind, url, limit: .milliseconds(200)))
        }
    }

    @Test(arguments: TestRouter.Kind.allCases)
    func silenceIsNotWaitedFor(_ kind: TestRouter.Kind) async throws {
        let silent = try Listener()
        let url = try #require(URL(string: "http://127.0.0.1:\(silent.port)"))
        await fallsBack(try roads(kind, url, limit: .milliseconds(200)))
    }

    @Test(arguments: TestRouter.Kind.allCases)
    func whereNobodyListensItIsAStraightLine(_ kind: TestRouter.Kind) async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        // This client tries again until the limit; the services' own does not.
        await fallsBack(try roads(kind, url, limit: .milliseconds(200)))
    }

    @Test func whoFailsAgainAndAgainIsLeftAlone() async throws {
        let server = PretendServer(.failing(500))
        try await server.serve { url in
            let breaker = CircuitBreaker(threshold: 2, pause: .seconds(3_600))
            let roads = try roads(.valhalla, url, breaker: breaker)
            for _ in 0..<10 { await fallsBack(roads) }
            #expect(server.asked.count == 2)
        }
    }

    @Test func whoComesBackIsAskedAgain() async throws {
        let server = PretendServer(.failing(500))
        try await server.serve { url in
            let breaker = CircuitBreaker(threshold: 1, pause: .zero)
            let roads = try roads(.valhalla, url, breaker: breaker)
            await fallsBack(roads)
            server.set(.answering(Self.valhallaRoute(Self.line)))
            #expect(await roads.route(from: start, to: end).source == .router)
        }
    }

    /// A caller who leaves is no failure of the router, and the next caller may try.
    @Test func aTrialThatIsGivenUpIsNotTheLast() async throws {
        let server = PretendServer(.failing(500))
        try await server.serve { url in
            let breaker = CircuitBreaker(threshold: 1, pause: .zero)
            let roads = try roads(.valhalla, url, breaker: breaker)
            await fallsBack(roads)
            server.set(.dripping)
            let before = server.asked.count
            let isAsked = try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = await roads.route(from: start, to: end) }
                defer { group.cancelAll() }
                return try await eventually { server.asked.count > before }
            }
            #expect(isAsked)
            server.set(.answering(Self.valhallaRoute(Self.line)))
            #expect(await roads.route(from: start, to: end).source == .router)
        }
    }

    @Test func tooMuchIsNotEvenAsked() async throws {
        let server = PretendServer(.failing(500))
        try await server.serve { url in
            let roads = try roads(.valhalla, url)
            for (starts, ends) in [(0, 1), (1, 0), (Roads.mostPlaces, 1), (60, 60)] {
                let rows = await roads.travelSeconds(
                    from: Array(repeating: start, count: starts),
                    to: Array(repeating: end, count: ends))
                #expect(rows == nil)
            }
            #expect(server.asked.isEmpty)
        }
    }
}
