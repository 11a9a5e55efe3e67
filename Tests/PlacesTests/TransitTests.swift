import Answers
import Contracts
import Foundation
import Geo
import Gzipping
import Maps
import Routing
import ServiceKit
import Support
import Synchronization
import Testing
import Transit

@testable import Places

/// Buses and trains within reach, by a timetable of a town that was made for it.
struct TransitTests {
    /// A bus from the gate 4 km to the north, with stops a kilometre apart, and a tram from its end to the east.
    private static func lines(
        _ name: String, wheelchair: Feed.Wheelchair, hasIsland: Bool
    ) -> [MadeUpLine] {
        func stop(_ name: String, _ north: Double, _ east: Double) -> MadeUpLine.Stop {
            let up = Geo.destination(
                from: Bench.gate, bearingDegrees: 0, distanceMeters: north)
            let at = Geo.destination(from: up, bearingDegrees: 90, distanceMeters: east)
            return .init(id: name, name: name, at: at, wheelchair: wheelchair)
        }
        let stops = (0...4).map { stop("\(name) \($0)", Double($0) * 1_000, 0) }
        let ashore = [
            MadeUpLine(
                id: "41", ref: "41", name: "Gate – North", mode: .bus, wheelchair: wheelchair,
                stops: stops),
            MadeUpLine(
                id: "T", ref: "T", name: "North – East", mode: .tram, wheelchair: wheelchair,
                stops: [stops[4], stop("East 1", 4_000, 1_500), stop("East 2", 4_000, 3_000)]),
        ]
        guard hasIsland else { return ashore }
        let ends = (0...1).map {
            MadeUpLine.Stop(
                id: "I\($0)", name: "Island \($0)", at: island($0), wheelchair: wheelchair)
        }
        return ashore + [
            MadeUpLine(
                id: "I", ref: "301", name: "Island", mode: .bus, wheelchair: wheelchair, stops: ends
            )
        ]
    }

    private static func island(_ stop: Int) -> Coordinate {
        Geo.destination(
            from: Bench.gate, bearingDegrees: 315, distanceMeters: 20_000 + Double(stop) * 1_000)
    }

    static func install(
        _ folder: TestFolder, _ version: String, _ archive: Data
    ) throws {
        let made = "\(folder.path)/.made/\(version)"
        try FileManager.default.createDirectory(
            atPath: made, withIntermediateDirectories: true)
        try archive.write(to: URL(filePath: "\(made)/transit.zip"))
        let link = "\(folder.path)/town"
        try? FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: ".made/\(version)")
    }

    private static func feed(
        _ name: String = "North", wheelchair: Feed.Wheelchair = .unknown, hasIsland: Bool = false
    ) throws -> MadeUpFeed? {
        let first = try #require(ServiceDay("20260101"))
        let zone = try #require(TimeZone(identifier: "Europe/Malta"))
        return MadeUpFeed(
            lines(name, wheelchair: wheelchair, hasIsland: hasIsland), timeZone: zone,
            days: first...(first + 60))
    }

    /// - Parameter name: Of the bus's stops.
    static func archive(
        name: String = "North", wheelchair: Feed.Wheelchair = .unknown, hasIsland: Bool = false
    ) throws -> Data {
        let made = try feed(name, wheelchair: wheelchair, hasIsland: hasIsland)
        return try #require(made).archive
    }

    private func bench(_ folder: TestFolder) async throws -> Bench {
        let bench = try await Bench(maps: folder.path)
        try await bench.places.timetables.follow()
        return bench
    }

    private static func vendors(_ caller: Caller) async throws {
        for meters in [100.0, 2_050, 3_950] {
            _ = try await caller.add("\(Int(meters))", meters: meters)
        }
    }

    private static func found(
        _ caller: Caller, _ modes: Set<MobilityMode>, walk: Int = 600
    ) async throws -> [String] {
        let mobility = Mobility(
            modes: .init(modes), maxWalkMeters: walk, maxSeconds: 3_600, radiusMeters: 10_000)
        try await caller.call(.put, "/v1/me/mobility", mobility, as: .alice)
            .expect(200, Mobility.self)
        return try await caller.find(as: .alice).items.map { "\($0.name) \($0.reach.mode)" }
    }

    @Test func whoHasABusPassReachesMoreThanWhoWalks() async throws {
        let folder = try TestFolder("maps")
        try Self.install(folder, "town-1", Self.archive())
        let bench = try await bench(folder)
        try await bench.run { caller in
            try await Self.vendors(caller)
            #expect(try await Self.found(caller, [.walk]) == ["100 walk"])
            let bus = try await Self.found(caller, [.bus, .walk])
            #expect(bus == ["100 walk", "2050 bus", "3950 bus"])
            #expect(try await Self.found(caller, [.train, .walk]) == ["100 walk"])
            // No stop says that a wheelchair gets in.
            #expect(try await Self.found(caller, [.bus, .wheelchair]) == ["100 wheelchair"])
            try Self.install(folder, "town-2", Self.archive(wheelchair: .yes))
            try await bench.places.timetables.follow()
            let wheelchair = try await Self.found(caller, [.bus, .wheelchair])
            #expect(wheelchair == ["100 wheelchair", "2050 bus", "3950 bus"])
        }
    }

    @Test func stopsThatICanGetToAreTheOnlyOnes() async throws {
        let folder = try TestFolder("maps")
        try Self.install(folder, "town-1", Self.archive())
        let bench = try await bench(folder)
        try await bench.run { caller in
            try await Self.vendors(caller)
            var mobility = Mobility(
                modes: .init([.bus]), maxWalkMeters: 600, maxSeconds: 3_600,
                radiusMeters: 10_000)
            mobility.stops = ["North 4"]
            _ = try await caller.call(.put, "/v1/me/mobility", mobility, as: .alice)
            #expect(try await caller.find(as: .alice).items.isEmpty, "none of them is near")
            mobility.stops = ["North 0"]
            _ = try await caller.call(.put, "/v1/me/mobility", mobility, as: .alice)
            #expect(try await caller.find(as: .alice).items.count == 2)
        }
    }

    /// From the gate to the last stop of the tram.
    private static let way: String = {
        let north = Geo.destination(
            from: Bench.gate, bearingDegrees: 0, distanceMeters: 4_000)
        let end = Geo.destination(from: north, bearingDegrees: 90, distanceMeters: 3_100)
        let (gate, latitude, longitude) = (Bench.gate, end.latitude, end.longitude)
        return "from=\(gate.latitude),\(gate.longitude)&to=\(latitude),\(longitude)"
    }()

    @Test func aRouteTellsItsLegsAndSteps() async throws {
        let folder = try TestFolder("maps")
        try Self.install(folder, "town-1", Self.archive())
        let bench = try await bench(folder)
        try await bench.run { caller in
            func routes(_ query: String) async throws -> [TravelRoute] {
                try await caller.call(.get, "/v1/routes?\(Self.way)&\(query)")
                    .expect(200, TravelRoutes.self).items
            }
            let bus = try await routes("mode=bus")
            #expect(bus.isEmpty, "a bus alone does not go there")
            let to = Geo.destination(
                from: Bench.gate, bearingDegrees: 0, distanceMeters: 3_100)
            let ends =
                "from=\(Bench.gate.latitude),\(Bench.gate.longitude)"
                + "&to=\(to.latitude),\(to.longitude)"
            let answer = try await caller.call(.get, "/v1/routes?\(ends)&mode=bus&language=en")
                .expect(200, TravelRoutes.self)
            let route = try #require(answer.items.first)
            #expect(route.mode == .bus && route.transfers == 0 && route.breaks.isEmpty)
            #expect(route.legs.map(\.mode) == [.bus, .walk])
            let ride = route.legs[0]
            #expect(ride.line == "41" && ride.from.name == "North 0" && ride.to.name == "North 3")
            #expect(ride.stops == 2 && ride.departsAt >= route.departsAt)
            let texts = route.steps.map(\.text)
            #expect(
                texts == [
                    "Take 41 from North 0 towards North 4.", "Get off at North 3.",
                    "Walk to your destination.",
                ])
            let due = "2026-01-05T12:00:00Z"
            let by = try await caller.call(
                .get, "/v1/routes?\(ends)&mode=bus&arriveBy=\(due)"
            ).expect(200, TravelRoutes.self)
            let last = try #require(by.items.first)
            #expect(last.arrivesAt <= Wire.date(due) ?? .distantPast)
            #expect(last.arrivesAt.timeIntervalSince(Wire.date(due) ?? .distantPast) > -3_600)
        }
    }

    /// Turns of a walk are those of the router; that one is at the stop is said once.
    @Test func aWalkToTheBusIsToldTurnByTurn() async throws {
        let folder = try TestFolder("maps")
        try Self.install(folder, "town-1", Self.archive())
        // Halfway between both walks, which is near enough to be either.
        let answer = #"""
            {"trip": {"summary": {"time": 9000, "length": 0.4}, "legs": [{"shape": "opvncAg|otZoK??g^",
              "maneuvers": [
                {"type": 1, "street_names": ["Triq"], "length": 0.3, "time": 200,
                  "begin_shape_index": 0},
                {"type": 15, "length": 0.1, "time": 100, "begin_shape_index": 1},
                {"type": 4, "length": 0, "time": 0, "begin_shape_index": 2}]}]},
             "sources_to_targets": {"durations": [[100]], "distances": [[0.4]]}}
            """#
        let server = PretendServer(.answering(answer))
        try await server.serve { url in
            let bench = try await Bench(
                router: RouterConfig(router: .valhalla(url), attribution: nil, limit: patience),
                maps: folder.path)
            try await bench.places.timetables.follow()
            try await bench.run { caller in
                let to = Geo.destination(
                    from: Bench.gate, bearingDegrees: 0, distanceMeters: 3_100)
                let (gate, mode) = (Bench.gate, "mode=bus&language=en")
                // The next stop is farther, so that the router is asked about one.
                let mobility = Mobility(modes: .init([.bus, .walk]), maxWalkMeters: 900)
                _ = try await caller.call(.put, "/v1/me/mobility", mobility, as: .alice)
                func route() async throws -> TravelRoute {
                    let routes = try await caller.call(
                        .get,
                        "/v1/routes?from=\(gate.latitude),\(gate.longitude)"
                            + "&to=\(to.latitude),\(to.longitude)&\(mode)", as: .alice
                    ).expect(200, TravelRoutes.self)
                    return try #require(routes.items.first)
                }
                let found = try await route()
                let steps = found.steps
                #expect(
                    steps.map(\.text) == [
                        "Walk to North 0.", "Head along Triq.", "Turn left.",
                        "Take 41 from North 0 towards North 4.", "Get off at North 3.",
                        "Walk to your destination.", "Head along Triq.", "Turn left.",
                        "You have arrived.",
                    ])
                #expect(steps.map(\.distanceMeters).prefix(3) == [0, 300, 100])
                let meters = steps.map(\.distanceMeters).reduce(0, +)
                #expect(abs(meters - found.distanceMeters) < 1)
                #expect(steps[0].position == gate, "of a walk where it begins")
                #expect(steps[2].position == Coordinate(latitude: 35.9096, longitude: 14.5085))
                let rides = [(steps[3], 0.0), (steps[4], 3_000)]
                for (step, north) in rides {
                    let stop = Geo.destination(
                        from: gate, bearingDegrees: 0, distanceMeters: north)
                    #expect(Geo.distanceMeters(step.position, stop) < 1, "of a ride the stop")
                }
                server.set(.answering(answer.replacing("0.4", with: "0.1")))
                let short = try await route().steps.map(\.text)
                #expect(short.count == 4, "a few steps need no turns")
            }
        }
    }

    /// A person who may use both changes from one to the other.
    @Test func oneChangesFromTheBusToTheTram() async throws {
        let folder = try TestFolder("maps")
        try Self.install(folder, "town-1", Self.archive())
        let bench = try await bench(folder)
        try await bench.run { caller in
            let mobility = Mobility(modes: .init([.bus, .train, .walk]), maxWalkMeters: 600)
            _ = try await caller.call(.put, "/v1/me/mobility", mobility, as: .alice)
            let routes = try await caller.call(
                .get, "/v1/routes?\(Self.way)&alternatives=3", as: .alice
            ).expect(200, TravelRoutes.self).items
            let route = try #require(routes.first)
            #expect(route.transfers == 1)
            #expect(route.legs.compactMap(\.line) == ["41", "T"])
        }
    }

    @Test func aTimetableThatCanNotBeReadLeavesTheOthers() async throws {
        let folder = try TestFolder("maps")
        try Self.install(folder, "town-1", Data("no zip".utf8))
        let bench = try await bench(folder)
        #expect(bench.places.timetables.current == nil)
        try Self.install(folder, "town-2", Self.archive())
        try await bench.places.timetables.follow()
        #expect(bench.places.timetables.current != nil)
    }

    @Test func aTimetableThatCanNotBeReadLeavesTheOneOfBefore() async throws {
        let folder = try TestFolder("maps")
        try Self.install(folder, "town-1", Self.archive())
        let bench = try await bench(folder)
        let (zip, undated) = (try Self.archive(), try Self.withoutACalendar())
        let feeds = [
            Data(), Data("no zip".utf8), zip.prefix(zip.count / 2), try #require(undated),
        ]
        for (number, feed) in feeds.enumerated() {
            try Self.install(folder, "broken-\(number)", feed)
            try await bench.places.timetables.follow()
            let stop = bench.places.timetables.current?.stops.first?.name
            #expect(stop == "North 0", "\(number)")
        }
        try Self.install(folder, "town-2", Self.archive(name: "South"))
        try await bench.places.timetables.follow()
        #expect(bench.places.timetables.current?.stops.first?.name == "South 0")
        try FileManager.default.removeItem(atPath: "\(folder.path)/town")
        try await bench.places.timetables.follow()
        #expect(bench.places.timetables.current == nil, "the map is gone")
    }

    private static func withoutACalendar() throws -> Data? {
        let files = try feed().map { $0.files.filter { $0.key != "calendar.txt" } }
        return files.map { files in
            Zip.archive(
                files.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, at: .distantPast)
        }
    }

    /// Of two timetables with other names, each answer is of one of them.
    @Test func whileTimetablesAreReplacedEveryQuestionIsAnsweredByOneOfThem() async throws {
        let folder = try TestFolder("maps")
        try Self.install(folder, "town-0", Self.archive())
        let bench = try await bench(folder)
        let names = ["South", "North"]
        let archives = try names.map { try Self.archive(name: $0) }
        let heard = Heard()
        try await bench.run { caller in
            try await Self.vendors(caller)
            let mobility = Mobility(
                modes: .init([.bus, .train]), maxWalkMeters: 600, maxSeconds: 7_200,
                radiusMeters: 10_000)
            _ = try await caller.call(.put, "/v1/me/mobility", mobility, as: .alice)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    defer { heard.end() }
                    for number in 1...12 {
                        let name = names[number % 2]
                        let before = heard.count(of: name)
                        try Self.install(folder, "town-\(number)", archives[number % 2])
                        try await bench.places.timetables.follow()
                        // Each timetable answers before the next one comes.
                        let isHeard = try await eventually { heard.count(of: name) > before }
                        #expect(isHeard, "\(number)")
                    }
                }
                for _ in 0..<4 {
                    group.addTask { try await Self.ask(caller, atLeast: 60, heard) }
                }
                try await group.waitForAll()
            }
        }
        #expect(heard.names == ["North", "South"])
    }

    /// Counts the answers so far, by the name of the stops in them.
    private final class Heard: Sendable {
        private let state = Mutex<(answers: [String: Int], isOver: Bool)>(([:], false))

        var names: Set<String> { state.withLock { Set($0.answers.keys) } }
        /// True once the last timetable is there.
        var isOver: Bool { state.withLock(\.isOver) }

        func count(of name: String) -> Int { state.withLock { $0.answers[name] ?? 0 } }
        func hear(_ names: Set<String>) {
            state.withLock { state in
                for name in names { state.answers[name, default: 0] += 1 }
            }
        }
        func end() { state.withLock { $0.isOver = true } }
    }

    /// Asks until the last timetable is there. Lines have one name in each answer.
    private static func ask(_ caller: Caller, atLeast questions: Int, _ heard: Heard) async throws {
        var number = 0
        while number < questions || !heard.isOver {
            defer { number += 1 }
            let routes = try await caller.call(
                .get, "/v1/routes?\(way)&alternatives=3", as: .alice
            ).expect(200, TravelRoutes.self).items
            let stops = routes.flatMap(\.legs).flatMap { [$0.from.name, $0.to.name] }
            let names = Set(stops.compactMap { $0?.split(separator: " ").first.map(String.init) })
                .subtracting(["East"])
            #expect(names.count == 1, "\(names)")
            heard.hear(names)
            guard number.isMultiple(of: 5) else { continue }
            let found = try await caller.find(as: .alice).items.map(\.name)
            #expect(found == ["2050", "3950"], "\(found)")
        }
    }

    /// The only way to it is a ferry that no feed has.
    @Test func anIslandWithLinesOfItsOwnIsOutOfReach() async throws {
        let folder = try TestFolder("maps")
        try Self.install(folder, "town-1", Self.archive(hasIsland: true))
        let bench = try await bench(folder)
        try await bench.run { caller in
            try await Self.vendors(caller)
            let harbour = Self.island(1)
            let body = VendorBody(name: "Gozo", kind: .grocery, position: harbour)
            _ = try await caller.call(.post, "/v1/admin/vendors", body, as: .olivia)
                .expect(201, Vendor.self)
            let found = try await Self.found(caller, [.bus, .train, .walk])
            #expect(found == ["100 walk", "2050 bus", "3950 bus"])
            let all = try await caller.find("&radiusMeters=30000", as: .alice)
            #expect(all.beyondLimits == 1)
            let gate = "\(Bench.gate.latitude),\(Bench.gate.longitude)"
            let end = "\(harbour.latitude),\(harbour.longitude)"
            for query in ["from=\(gate)&to=\(end)", "from=\(end)&to=\(gate)"] {
                let routes = try await caller.call(.get, "/v1/routes?\(query)&mode=bus")
                    .expect(200, TravelRoutes.self).items
                #expect(routes.isEmpty)
            }
            let there = try await caller.call(
                .get,
                "/v1/vendors?latitude=\(harbour.latitude)&longitude=\(harbour.longitude)",
                as: .alice
            ).expect(200, VendorsAnswer.self)
            #expect(there.items.map(\.name) == ["Gozo"])
        }
    }

    @Test func inTheSeaThereIsNothingAndWhatWouldHelpIsTold() async throws {
        let folder = try TestFolder("maps")
        try Self.install(folder, "town-1", Self.archive())
        let bench = try await bench(folder)
        let sea = Geo.destination(from: Bench.gate, bearingDegrees: 90, distanceMeters: 20_000)
        try await bench.run { caller in
            try await Self.vendors(caller)
            let point = "latitude=\(sea.latitude)&longitude=\(sea.longitude)"
            let found = try await caller.call(.get, "/v1/vendors?\(point)&modes=bus,walk")
                .expect(200, VendorsAnswer.self)
            #expect(found.items.isEmpty)
            #expect(found.helps.map(\.limit) == ["radiusMeters"])
            let areas = try await caller.call(.get, "/v1/reachable?\(point)&modes=bus,train")
                .expect(200, ReachableAreas.self)
            #expect(areas.features.isEmpty)
            let gate = "\(Bench.gate.latitude),\(Bench.gate.longitude)"
            let routes = try await caller.call(
                .get, "/v1/routes?from=\(sea.latitude),\(sea.longitude)&to=\(gate)&mode=bus"
            ).expect(200, TravelRoutes.self).items
            #expect(routes.isEmpty)
        }
    }

    @Test func whoWalksTooLittleToAStopIsToldHowFarItIs() async throws {
        let folder = try TestFolder("maps")
        try Self.install(folder, "town-1", Self.archive())
        let bench = try await bench(folder)
        try await bench.run { caller in
            // 400 m from the second stop are 520 along streets.
            _ = try await caller.add("far", meters: 2_400)
            let found = try await caller.find("&modes=bus&maxWalkMeters=300&maxSeconds=7200")
            #expect(found.items.isEmpty && found.beyondLimits == 1)
            #expect(found.helps == [.init(limit: "maxWalkMeters", value: 600, vendors: 1)])
            let helped = try await caller.find("&modes=bus&maxWalkMeters=600&maxSeconds=7200")
            #expect(helped.items.map(\.name) == ["far"])
        }
    }

    /// A message of GTFS Realtime that cancels a trip on that Monday.
    private static func cancelling(
        _ trip: String, at start: String, madeAt: Date? = nil
    ) -> Data {
        func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
            [number << 3 | 2, UInt8(content.count)] + content
        }
        let canceled: [UInt8] = [4 << 3, 3]
        let update = field(
            1,
            field(1, Array(trip.utf8)) + field(2, Array(start.utf8))
                + field(3, Array("20260105".utf8)) + canceled)
        let entity = field(1, Array("1".utf8)) + field(3, update)
        var time: [UInt8] = []
        if var rest = madeAt.map({ Int($0.timeIntervalSince1970) }) {
            time = [3 << 3]
            while rest > 0x7F {
                time.append(UInt8(rest & 0x7F) | 0x80)
                rest >>= 7
            }
            time.append(UInt8(rest))
        }
        return Data(field(1, field(1, Array("2.0".utf8)) + time) + field(2, entity))
    }

    /// A trip of the feed, with its first start.
    private static func trip(_ archive: Data) throws -> (id: String, start: String) {
        let feed = try Feed.read(archive: archive).feed
        let frequency = try #require(feed.frequencies.first)
        return (feed.trips[frequency.trip].id, ServiceDay.clock(frequency.start))
    }

    @Test func whatIsKnownOfDelaysCountsForAsLongAsItIsNew() async throws {
        let folder = try TestFolder("maps")
        let archive = try Self.archive()
        try Self.install(folder, "town-1", archive)
        let day = try #require(ServiceDay("20260105"))
        let trip = try Self.trip(archive)
        let server = PretendServer(.sending(Self.cancelling(trip.id, at: trip.start)))
        try await server.serve { url in
            let bench = try await Bench(maps: folder.path, realtime: url)
            let timetables = bench.places.timetables
            func trips() -> Int { timetables.current?.tripCount(on: day) ?? 0 }
            try await timetables.follow()
            let planned = trips()
            await timetables.hear()
            let known = trips()
            #expect(known < planned)
            for mood in [PretendServer.Mood.answering("no feed"), .failing(500)] {
                server.set(mood)
                await timetables.hear()
                #expect(trips() == known, "the last that was heard")
            }
            bench.clock.advance(by: 301)
            await timetables.hear()
            #expect(trips() == planned, "it is too old")
        }
    }

    /// By the clock of the feed: fetching it again makes it no newer.
    @Test func delaysThatAreNotRenewedEnd() async throws {
        let folder = try TestFolder("maps")
        let archive = try Self.archive()
        try Self.install(folder, "town-1", archive)
        let day = try #require(ServiceDay("20260105"))
        let trip = try Self.trip(archive)
        let server = PretendServer(.failing(500))
        try await server.serve { url in
            let bench = try await Bench(maps: folder.path, realtime: url)
            let timetables = bench.places.timetables
            func send(_ seconds: TimeInterval) {
                let madeAt = bench.clock.now.addingTimeInterval(seconds)
                server.set(.sending(Self.cancelling(trip.id, at: trip.start, madeAt: madeAt)))
            }
            func hear(after seconds: TimeInterval = 0) async -> Int {
                bench.clock.advance(by: seconds)
                await timetables.hear()
                return timetables.current?.tripCount(on: day) ?? 0
            }
            try await timetables.follow()
            let planned = await hear()
            send(-10_800)
            #expect(await hear() == planned, "it was made three hours ago")
            send(-301)
            #expect(await hear() == planned)
            send(-100)
            #expect(await hear() < planned)
            #expect(await hear(after: 200) < planned)
            #expect(await hear(after: 1) == planned, "it is a file that nobody replaces")
            send(0)
            #expect(await hear() < planned)
            send(-10_800)
            #expect(await hear(after: 60) < planned, "the newer one still counts")
            #expect(await hear(after: 241) == planned)
            // A clock that is ahead makes it no newer either.
            send(86_400)
            #expect(await hear() < planned)
            #expect(await hear(after: 301) == planned)
            // Neither does a feed without a clock, or with one in milliseconds.
            let milliseconds = Date(timeIntervalSince1970: 1_767_600_000_000)
            for madeAt in [nil, milliseconds] {
                server.set(.sending(Self.cancelling(trip.id, at: trip.start, madeAt: madeAt)))
                #expect(await hear() < planned)
                #expect(await hear(after: 300) < planned)
                #expect(await hear(after: 1) == planned)
                server.set(.sending(Self.cancelling("none", at: trip.start, madeAt: madeAt)))
                #expect(await hear() == planned)
                server.set(.sending(Self.cancelling(trip.id, at: trip.start, madeAt: madeAt)))
                #expect(await hear() < planned, "it changes")
                _ = await hear(after: 301)
            }
        }
    }

    /// Two trips of one bus, which is line 1 up to the second stop and line 2 from there.
    @Test func passengersAreToldToStayOnBoard() async throws {
        let folder = try TestFolder("maps")
        let stops = (0...2).map { number in
            let at = Geo.destination(
                from: Bench.gate, bearingDegrees: 0, distanceMeters: 3_000 * Double(number))
            return "S\(number),Stop \(number),\(at.latitude),\(at.longitude)\n"
        }
        let files = [
            "agency.txt": "agency_name,agency_url,agency_timezone\nBus,http://a,Europe/Malta\n",
            "calendar_dates.txt": "service_id,date,exception_type\nS,20260105,1\n",
            "routes.txt": "route_id,route_short_name,route_type\nR1,1,3\nR2,2,3\n",
            "stop_times.txt": """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            T1,10:00:00,10:00:00,S0,1
            T1,10:10:00,10:10:00,S1,2
            T2,10:10:00,10:10:00,S1,1
            T2,10:20:00,10:20:00,S2,2

            """,
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n" + stops.joined(),
            "trips.txt":
                "route_id,service_id,trip_id,trip_headsign,block_id\nR1,S,T1,Middle,b\n"
                + "R2,S,T2,North,b\n",
        ]
        let archive = Zip.archive(
            files.sorted { $0.key < $1.key }.map { ($0.key, Data($0.value.utf8)) },
            at: Date(timeIntervalSince1970: 1_767_600_000))
        try Self.install(folder, "town-1", archive)
        let bench = try await bench(folder)
        try await bench.run { caller in
            let to = Geo.destination(
                from: Bench.gate, bearingDegrees: 0, distanceMeters: 6_000)
            let query =
                "from=\(Bench.gate.latitude),\(Bench.gate.longitude)"
                + "&to=\(to.latitude),\(to.longitude)&mode=bus&language=en"
            let routes = try await caller.call(.get, "/v1/routes?\(query)")
                .expect(200, TravelRoutes.self).items
            let route = try #require(routes.first)
            #expect(route.transfers == 0)
            #expect(route.legs.compactMap(\.line) == ["1", "2"])
            let ridden = route.steps.filter { [.board, .alight].contains($0.kind) }
            #expect(
                ridden.map(\.text) == [
                    "Take 1 from Stop 0 towards Middle.", "Get off at Stop 2.",
                ])
            let stay = "Stay on board at Stop 1: it continues as 2 towards North."
            #expect(route.steps.map(\.text).contains(stay))
        }
    }

    @Test func whatABusReachesIsAroundItsStops() async throws {
        let folder = try TestFolder("maps")
        try Self.install(folder, "town-1", Self.archive())
        let bench = try await bench(folder)
        try await bench.run { caller in
            let answer = try await caller.call(
                .get, "/v1/reachable?latitude=35.8959&longitude=14.5085&modes=bus&maxSeconds=3600"
            ).expect(200, ReachableAreas.self)
            let feature = try #require(answer.features.first)
            #expect(feature.properties.mode == .bus)
            guard case .multiPolygon(let polygons) = feature.geometry else {
                Issue.record("no polygons")
                return
            }
            #expect(polygons.count == 1, "what overlaps is one")
            let area = try Area(feature.geometry)
            func isWithin(_ meters: Double, _ bearing: Double) -> Bool {
                let at = Geo.destination(
                    from: Bench.gate, bearingDegrees: bearing, distanceMeters: meters)
                return area.contains(at)
            }
            #expect(isWithin(2_000, 0) && isWithin(4_200, 0))
            #expect(!isWithin(2_000, 180) && !isWithin(6_000, 0))
        }
    }
}
