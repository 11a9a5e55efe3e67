import Answers
import Contracts
import Foundation
import Geo
import Hummingbird
import Maps
import NIOCore
import Routing
import ServiceKit
import Support
import Synchronization
import Testing
import Transit

@testable import Places

/// The last walks of a ride, along streets of a town with a harbour.
struct StopWalkTests {
    /// A town of TransitTests' bus line: in it one goes 1.3 times the straight line, and five times as far from one
    /// side of the water to the other.
    private final class Harbour: Sendable {
        private struct Question: Decodable {
            struct Point: Decodable { let lat, lon: Double }
            struct Options: Decodable {
                struct Pedestrian: Decodable { let type: String }
                let pedestrian: Pedestrian
            }

            let sources: [Point]
            let targets: [Point]
            let costing_options: Options?
        }

        private struct Rows: Encodable { let durations, distances: [[Double]] }

        /// In metres north of the gate.
        private let water: Double
        private let state = Mutex((isAway: false, asked: 0))

        init(water: Double) { self.water = water }

        /// Questions about vendors.
        var asked: Int { state.withLock { $0.asked } }

        func set(isAway: Bool) { state.withLock { $0.isAway = isAway } }

        func serve(_ body: (RouterConfig) async throws -> Void) async throws {
            let responder = CallbackResponder<BasicRequestContext> { request, _ in
                let body = try await request.body.collect(upTo: 1_024 * 1_024)
                return try self.answer(Data(body.readableBytesView))
            }
            try await withServer(responder) { port in
                let url = try #require(URL(string: "http://127.0.0.1:\(port)"))
                try await body(
                    RouterConfig(
                        router: .valhalla(url), attribution: "© somebody", limit: patience))
            }
        }

        private func answer(_ data: Data) throws -> Response {
            let question = try JSONDecoder().decode(Question.self, from: data)
            let start = question.sources[0]
            let isAway = state.withLock { state in
                if abs(start.lat - Bench.gate.latitude) > 1e-9 { state.asked += 1 }
                return state.isAway
            }
            guard !isAway else { return Response(status: .badGateway) }
            let shore = Geo.destination(
                from: Bench.gate, bearingDegrees: 0, distanceMeters: water)
            let isWheelchair = question.costing_options?.pedestrian.type == "wheelchair"
            let meters = question.targets.map { end in
                let straight = Geo.distanceMeters(
                    Coordinate(latitude: start.lat, longitude: start.lon),
                    Coordinate(latitude: end.lat, longitude: end.lon))
                let isAcross = (start.lat < shore.latitude) != (end.lat < shore.latitude)
                return straight * 1.3 * (isAcross ? 5 : 1) * (isWheelchair ? 1.2 : 1)
            }
            let rows = Rows(
                durations: [meters.map { $0 / (isWheelchair ? 1.1 : 1.4) }],
                distances: [meters.map { $0 / 1_000 }])
            return Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: .init(
                    byteBuffer: ByteBuffer(
                        bytes: try JSONEncoder().encode(["sources_to_targets": rows]))))
        }
    }

    private static func bench(_ router: RouterConfig, _ folder: TestFolder) async throws -> Bench {
        try TransitTests.install(folder, "town-1", TransitTests.archive(wheelchair: .yes))
        let bench = try await Bench(router: router, maps: folder.path)
        try await bench.places.timetables.follow()
        return bench
    }

    /// By the water, so many metres north of the gate.
    private static func run(
        water: Double, _ body: @Sendable (Bench, Caller, Harbour) async throws -> Void
    ) async throws {
        let (folder, harbour) = (try TestFolder("maps"), Harbour(water: water))
        try await harbour.serve { router in
            let bench = try await bench(router, folder)
            try await bench.run { try await body(bench, $0, harbour) }
        }
    }

    /// As soon as the walks are known.
    private static func reaches(
        _ caller: Caller, _ bench: Bench, _ modes: Set<MobilityMode> = [.bus]
    ) async throws -> [String: Reach] {
        _ = try await firstReaches(caller, modes)
        await bench.places.walks.learn()
        return try await firstReaches(caller, modes)
    }

    private static func firstReaches(
        _ caller: Caller, _ modes: Set<MobilityMode> = [.bus]
    ) async throws -> [String: Reach] {
        let mobility = Mobility(
            modes: .init(modes), maxWalkMeters: 1_000, maxSeconds: 7_200, radiusMeters: 10_000)
        try await caller.call(.put, "/v1/me/mobility", mobility, as: .alice)
            .expect(200, Mobility.self)
        let found = try await caller.find("&limit=100", as: .alice).items
        return Dictionary(found.map { ($0.name, $0.reach) }) { first, _ in first }
    }

    @Test func aStopAcrossTheWaterIsNotNear() async throws {
        let folder = try TestFolder("maps")
        try await Harbour(water: 3_430).serve { router in
            let straight = try await Self.bench(.none, folder)
            let guessed = try await straight.run { caller in
                _ = try await caller.add("shore", meters: 3_450)
                return try await Self.reaches(caller, straight)
            }
            let bench = try await Self.bench(router, folder)
            let reaches = try await bench.run { caller in
                _ = try await caller.add("shore", meters: 3_450)
                return try await Self.reaches(caller, bench)
            }
            let (guess, reach) = (try #require(guessed["shore"]), try #require(reaches["shore"]))
            #expect(guess.isStraightLine && abs(guess.meters - 3_585) <= 2, "from North 3")
            #expect(!reach.isStraightLine && abs(reach.meters - 4_715) <= 2, "from North 4")
            #expect(reach.seconds > guess.seconds)
        }
    }

    @Test func whatIsOnlyAcrossTheWaterIsOutOfReach() async throws {
        try await Self.run(water: 4_200) { bench, caller, _ in
            _ = try await caller.add("island", meters: 4_400)
            _ = try await caller.add("shore", meters: 4_150)
            let reaches = try await Self.reaches(caller, bench)
            #expect(reaches.keys.sorted() == ["shore"])
        }
    }

    @Test func aWheelchairHasOtherWalks() async throws {
        try await Self.run(water: 9_000) { bench, caller, _ in
            _ = try await caller.add("shop", meters: 3_100)
            let foot = try #require(try await Self.reaches(caller, bench)["shop"])
            let wheels = try #require(
                try await Self.reaches(caller, bench, [.bus, .wheelchair])["shop"])
            #expect(wheels.mode == .bus && !wheels.isStraightLine && !foot.isStraightLine)
            #expect(abs(wheels.meters - foot.meters - 26) <= 2)
        }
    }

    @Test func aSearchDoesNotWaitForWalksThatBecomeKnown() async throws {
        try await Self.run(water: 9_000) { bench, caller, harbour in
            let all = 12
            for number in 0..<all {
                _ = try await caller.add("\(number)", meters: 3_000 + Double(number) * 10)
            }
            func straight() async throws -> Int {
                try await Self.firstReaches(caller).values.count(where: \.isStraightLine)
            }
            #expect(try await straight() == all)
            #expect(harbour.asked == 0)
            await bench.places.walks.learn()
            #expect(harbour.asked == all)
            #expect(try await straight() == 0)
            await bench.places.walks.learn()
            #expect(harbour.asked == all, "each once")
        }
    }

    @Test func otherTimetablesAndOtherRoadsHaveOtherWalks() async throws {
        let folder = try TestFolder("maps")
        let harbour = Harbour(water: 9_000)
        try await harbour.serve { router in
            let bench = try await Self.bench(router, folder)
            try await bench.run { caller in
                _ = try await caller.add("shop", meters: 3_100)
                for _ in 1...2 { _ = try await Self.reaches(caller, bench) }
                #expect(harbour.asked == 1)
                try TransitTests.install(
                    folder, "town-2", TransitTests.archive(wheelchair: .yes))
                try await bench.places.timetables.follow()
                for _ in 1...2 { _ = try await Self.reaches(caller, bench) }
                #expect(harbour.asked == 2)
                try MapFolder(folder.path).point(MapFolder.roads, to: "roads-1")
                try await bench.places.timetables.follow()
                for _ in 1...2 { _ = try await Self.reaches(caller, bench) }
                #expect(harbour.asked == 3)
            }
        }
    }

    /// Asked in vain, it is not asked about the same again at once.
    @Test func aRouterThatDiesLeavesStraightLinesUntilItIsBack() async throws {
        try await Self.run(water: 9_000) { bench, caller, harbour in
            for number in 0..<3 {
                _ = try await caller.add("\(number)", meters: 3_100 + Double(number))
            }
            harbour.set(isAway: true)
            for _ in 1...5 {
                let reaches = try await Self.reaches(caller, bench)
                #expect(reaches.count == 3)
                let areStraight = reaches.values.allSatisfy(\.isStraightLine)
                #expect(areStraight)
            }
            #expect(harbour.asked <= 3)
            harbour.set(isAway: false)
            let (roads, end) = (bench.places.planner.roads, Bench.gate)
            let isBack = try await eventually {
                await roads.distances(from: end, to: [end], by: .foot).source == .router
            }
            #expect(isBack)
            bench.clock.advance(by: 61)
            let reaches = try await Self.reaches(caller, bench)
            let areStraight = reaches.values.map(\.isStraightLine)
            #expect(areStraight == [false, false, false])
        }
    }
}
