import Answers
import Contracts
import Foundation
import Geo
import Routing
import ServiceKit
import Support
import Testing

@testable import Places

/// Ways and isochrones, with a router that answers as Valhalla does, and without.
struct TravelTests {
    private static let query = "from=35.8959,14.5085&to=35.8989,14.5146"

    @Test func withoutARouterTheWayIsStraightAndSaysSo() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let routes = try await caller.call(.get, "/v1/routes?\(Self.query)&mode=walk")
                .expect(200, TravelRoutes.self)
            let route = try #require(routes.items.first)
            #expect(route.mode == .walk && route.isStraightLine && route.transfers == 0)
            #expect(route.departsAt == bench.clock.now)
            #expect(route.legs.count == 1 && route.legs[0].mode == .walk)
            #expect(route.durationSeconds > 0 && routes.attribution == nil)
            let by = try await caller.call(
                .get, "/v1/routes?\(Self.query)&mode=car&arriveBy=2026-11-25T18:00:00Z"
            ).expect(200, TravelRoutes.self)
            #expect(by.items[0].arrivesAt == Wire.date("2026-11-25T18:00:00Z"))
        }
    }

    @Test func stepsAreToldInThePersonsLanguage() async throws {
        let answer = """
            {"trip": {"summary": {"time": 300, "length": 0.4}, "legs": [{"shape": "\(Self.shape)",
              "maneuvers": [
                {"type": 1, "street_names": ["Triq ir-Repubblika"], "length": 0.3, "time": 200,
                  "begin_shape_index": 0},
                {"type": 15, "length": 0.1, "time": 100, "begin_shape_index": 0},
                {"type": 4, "length": 0, "time": 0, "begin_shape_index": 1}]}]}}
            """
        try await PretendServer(.answering(answer)).serve { url in
            let bench = try await Bench(
                router: RouterConfig(
                    router: .valhalla(url), attribution: "© somebody", limit: patience))
            try await bench.run { caller in
                func steps(_ language: String) async throws -> [String] {
                    let routes = try await caller.call(
                        .get, "/v1/routes?\(Self.query)&mode=walk&language=\(language)"
                    ).expect(200, TravelRoutes.self)
                    #expect(routes.attribution == "© somebody")
                    #expect(routes.items[0].isStraightLine == false)
                    return routes.items[0].steps.map(\.text)
                }
                let english = try await steps("en")
                #expect(
                    english
                        == ["Head along Triq ir-Repubblika.", "Turn left.", "You have arrived."])
                let chinese = try await steps("zh-Hant")
                #expect(chinese == ["沿Triq ir-Repubblika出發。", "左轉。", "您已到達。"])
            }
        }
    }

    /// The earliest to arrive first; what ends elsewhere is none.
    @Test func waysBesideTheBestAreGivenToWhoAsksForThem() async throws {
        func trip(_ seconds: Int, _ shape: String = Self.shape) -> String {
            """
            {"trip": {"summary": {"time": \(seconds), "length": 0.4}, "legs": [{"shape": "\(shape)",
              "maneuvers": [
                {"type": 1, "length": 0.4, "time": 9, "begin_shape_index": 0},
                {"type": 4, "length": 0, "time": 0, "begin_shape_index": 1}]}]}
            """
        }
        let others = [trip(280), trip(100, "_ibE_ibE??"), trip(320)].map { $0 + "}" }
        let answer = trip(300) + #", "alternates": [\#(others.joined(separator: ","))]}"#
        let server = PretendServer(.answering(answer))
        try await server.serve { url in
            let bench = try await Bench(
                router: RouterConfig(router: .valhalla(url), attribution: nil, limit: patience))
            try await bench.run { caller in
                func routes(_ query: String) async throws -> [TravelRoute] {
                    try await caller.call(.get, "/v1/routes?\(Self.query)&\(query)")
                        .expect(200, TravelRoutes.self).items
                }
                let three = try await routes("mode=bicycle&alternatives=3")
                #expect(three.map(\.durationSeconds) == [280, 300, 320])
                #expect(three.allSatisfy { !$0.isStraightLine && $0.mode == .bicycle })
                let ends = three.map { $0.steps.map(\.position) }
                let (gate, palace) = (
                    Bench.gate, Coordinate(latitude: 35.8989, longitude: 14.5146)
                )
                #expect(ends == Array(repeating: [gate, palace], count: 3))
                let one = try await routes("mode=walk")
                #expect(one.map(\.durationSeconds) == [300])
                server.set(.failing(500))
                let straight = try await routes("mode=car&alternatives=2")
                #expect(straight.map(\.isStraightLine) == [true])
            }
        }
        let asked = server.asked.map(\.body)
        #expect(asked[0].contains(#""alternates":2"#) && asked[1].contains(#""alternates":0"#))
    }

    /// From the gate to the palace, as Valhalla encodes it, and as JSON has that.
    private static let shape = "wd|mcAg|otZozDg|J"

    @Test func aRouteSaysWhichOfMyLimitsItBreaks() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let mine = Mobility(modes: .init([.walk]), maxWalkMeters: 100, maxSeconds: 60)
            _ = try await caller.call(.put, "/v1/me/mobility", mine, as: .alice)
            let routes = try await caller.call(.get, "/v1/routes?\(Self.query)", as: .alice)
                .expect(200, TravelRoutes.self)
            #expect(routes.items[0].mode == .walk, "as who only walks is led")
            #expect(routes.items[0].breaks == ["maxWalkMeters", "maxSeconds"])
        }
    }

    @Test(.withoutDatabase) func theUsualModeFollowsFromWhatOneHas() {
        #expect(TravelPlanner.usual(of: [.car, .bus, .walk]) == .car)
        #expect(TravelPlanner.usual(of: [.bus, .walk]) == .bus)
        #expect(TravelPlanner.usual(of: [.walk, .wheelchair]) == .wheelchair)
        #expect(TravelPlanner.usual(of: []) == .walk)
    }

    @Test func whatIsWithinReachIsAnAreaAMode() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let areas = try await caller.call(
                .get,
                "/v1/reachable?latitude=35.8959&longitude=14.5085&modes=walk,car&maxSeconds=600"
            ).expect(200, ReachableAreas.self)
            let modes = areas.features.map(\.properties.mode)
            #expect(modes == [MobilityMode.car, .walk])
            let straight = areas.features.map(\.properties.isStraightLine)
            #expect(straight == [true, true])
            let walk = try Area(areas.features[1].geometry)
            #expect(walk.contains(Bench.gate))
            // 600 s at 1.4 m/s over 1.3 are 646 m.
            let (near, far) = (640.0, 655.0)
            for bearing in stride(from: 0.0, to: 360, by: 45) {
                func at(_ meters: Double) -> Coordinate {
                    Geo.destination(
                        from: Bench.gate, bearingDegrees: bearing, distanceMeters: meters)
                }
                #expect(walk.contains(at(near)) && !walk.contains(at(far)))
            }
        }
    }

    @Test(arguments: [
        ("from=35.9,14.5", "to"), ("to=35.9,14.5", "from"), ("from=95,14&to=35.9,14.5", "from"),
        ("from=a,b&to=35.9,14.5", "from"), ("from=1,2,3&to=35.9,14.5", "from"),
        ("\(query)&mode=rocket", "mode"), ("\(query)&departAt=x", "departAt"),
        ("\(query)&departAt=2026-11-25T18:00:00Z&arriveBy=2026-11-25T19:00:00Z", "arriveBy"),
        ("\(query)&alternatives=4", "alternatives"),
    ])
    func aBadParameterIsNamed(_ query: String, _ field: String) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let answer = try await caller.call(.get, "/v1/routes?\(query)")
            try answer.refused(422, "request.invalid", field: field)
        }
    }
}
