import AsyncHTTPClient
import Client
import Contracts
import Foundation
import Geo
import Maps
import Support
import Transit
import TripMaker

/// Vendors within reach, and ways from door to door, of a city in a running house: each beside what Valhalla itself
/// takes, and a linear scan.
struct PlacesBench {
    struct Figures {
        let name: String
        let searches: [Search]
        let doorToDoor: DoorToDoor
    }

    /// Vendors, and seconds of a search in the service, of a matrix for its point on foot, and of a scan for what lies
    /// around.
    struct Search {
        let vendors: Int
        let search, matrix, scan: Sample
        /// By all scans: what nobody reads, a compiler leaves out.
        let around: Int
    }

    /// Seconds of an answer, of the service and of Valhalla's own public transport.
    struct DoorToDoor {
        let ours, peer: Sample
        let pairs: Int
        /// With a line.
        let answeredHere, answeredThere: Int
        /// Of those that both answer: how much earlier one is there than with Valhalla, in seconds.
        let earlier: Sample
        /// No later than there, and by half a minute at most.
        let noLater, hardlyLater: Int
    }

    static let imported = 10_000
    private static let warmUp = 100
    private static let radiusMeters = 5_000
    /// A bus pass, a car, a wheelchair.
    private static let people = [
        "modes=walk,bus,train&maxWalkMeters=1000", "modes=car", "modes=wheelchair,bus",
    ]

    let binaries: URL
    let extract: URL
    let searches: Int
    let pairs: Int

    func run() async throws -> Figures {
        let folder = try TestFolder("places")
        _ = try Command.output(
            binaries.appending(path: "openvalet").path,
            ["map", "add", extract.path, "--data", folder.path, "--name", "city"])
        guard let map = MapFolder("\(folder.path)/maps").maps().first else {
            throw RunningSystem.Failure(description: "no map was made")
        }
        let system = try await RunningSystem.measured(binaries, folder: folder.url)
        defer { system.stop() }
        let boss = try await system.signedInOperator()
        var all = try await vendors(of: map, in: boss)
        let router = Peer(url: try HouseRouter.address(in: folder.url))
        let feed = try Feed.read(map.transit).feed
        var city = City(stops: feed.stops.map(\.at))
        for person in Self.people { try await knowWalks(system, all[0], as: person) }
        var results = [try await search(system, all, router, &city)]
        all += try await add(Self.imported, to: boss, in: &city)
        results.append(try await search(system, all, router, &city))
        let doors = try await doorToDoor(system, feed, &city)
        return Figures(
            name: extract.deletingPathExtension().deletingPathExtension().lastPathComponent,
            searches: results, doorToDoor: doors)
    }

    // MARK: Vendors

    private struct Feature: Decodable {
        struct Point: Decodable { let coordinates: [Double] }
        let geometry: Point
    }

    /// Waits until the service has the map's, and returns where they are.
    private func vendors(of map: InstalledMap, in boss: OpenValetClient) async throws
        -> [Coordinate]
    {
        let lines = try String(contentsOf: URL(filePath: map.vendors), encoding: .utf8)
        let vendors = try lines.split(separator: "\n").map { line in
            let point = try JSONDecoder().decode(Feature.self, from: Data(line.utf8)).geometry
            return Coordinate(
                latitude: point.coordinates[1], longitude: point.coordinates[0])
        }
        let areThere = try await eventually(within: .seconds(120)) {
            try await boss(VendorOperatorEndpoints.coverage()).items.map(\.vendors).reduce(0, +)
                == vendors.count
        }
        guard areThere else {
            throw RunningSystem.Failure(description: "the map's vendors do not come")
        }
        return vendors
    }

    /// Waits until the service has asked the router for the walks between vendors and stops.
    private func knowWalks(
        _ system: RunningSystem, _ point: Coordinate, as person: String
    ) async throws {
        let path = path(to: point, as: person)
        let areKnown = try await eventually(within: .seconds(120)) {
            let answer = try await system.answer(of: "places", to: path)
            let found: VendorsAnswer = try Wire.decode(from: answer)
            return !found.items.contains(where: \.reach.isStraightLine)
        }
        guard areKnown else {
            throw RunningSystem.Failure(description: "walks to stops do not come")
        }
    }

    private func path(to point: Coordinate, as person: String) -> String {
        "/v1/vendors?latitude=\(point.latitude)&longitude=\(point.longitude)"
            + "&radiusMeters=\(Self.radiusMeters)&\(person)"
    }

    private func search(
        _ system: RunningSystem, _ all: [Coordinate], _ router: Peer, _ city: inout City
    ) async throws -> Search {
        let points = (0..<Self.warmUp + searches).map { _ in city.point() }
        var (search, matrix, scan) = ([Double](), [Double](), [Double]())
        var around = 0
        for (number, point) in points.enumerated() {
            let path = path(to: point, as: Self.people[number % Self.people.count])
            search.append(
                try await Self.seconds { _ = try await system.answer(of: "places", to: path) })
            var near: [Coordinate] = []
            scan.append(
                await Self.seconds {
                    near = all.map { ($0, Geo.distanceMeters(point, $0)) }
                        .filter { $0.1 <= Double(Self.radiusMeters) }
                        .sorted { $0.1 < $1.1 }.map(\.0)
                })
            around += near.count
            let asked = near.prefix(1_000)
            matrix.append(
                try await Self.seconds { try await router.matrix(from: point, to: asked) })
        }
        func sample(_ times: [Double]) -> Sample { Sample(Array(times.dropFirst(Self.warmUp))) }
        return Search(
            vendors: all.count, search: sample(search), matrix: sample(matrix),
            scan: sample(scan), around: around)
    }

    /// By an import; where they are.
    private func add(
        _ count: Int, to boss: OpenValetClient, in city: inout City
    ) async throws -> [Coordinate] {
        let places = (0..<count).map { _ in city.point() }
        var csv = "id,name,kind,latitude,longitude,openingHours,acceptsStamps\n"
        for (number, at) in places.enumerated() {
            let kind = VendorKind.allCases[number % VendorKind.allCases.count]
            csv += "\(number),Place \(number),\(kind.rawValue),\(at.latitude),\(at.longitude),"
            csv += "Mo-Sa 08:00-20:00,yes\n"
        }
        let file = Data(csv.utf8)
        let begun = ContinuousClock.now
        let id = try await boss(
            VendorOperatorEndpoints.importVendors(
                asks: VendorImportQuery(name: "made-up"), bytes: file)
        ).id
        let isDone = try await eventually(within: .seconds(600)) {
            try await boss(VendorOperatorEndpoints.vendorImport(id)).added == count
        }
        guard isDone else { throw RunningSystem.Failure(description: "the import does not end") }
        print("\(count) vendors imported in \(Int((ContinuousClock.now - begun).inSeconds)) s.")
        return places
    }

    /// Valhalla as the house runs it, asked directly.
    private struct Peer {
        let url: String

        func matrix(from start: Coordinate, to ends: some Sequence<Coordinate>) async throws {
            func place(_ point: Coordinate) -> String {
                #"{"lat":\#(point.latitude),"lon":\#(point.longitude)}"#
            }
            let targets = ends.map(place).joined(separator: ",")
            var request = HTTPClientRequest(url: "\(url)/sources_to_targets")
            request.method = .POST
            request.body = .bytes(
                Data(
                    """
                    {"sources":[\(place(start))],"targets":[\(targets)],"costing":"pedestrian","verbose":false}
                    """.utf8))
            let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
            _ = try await answer.body.collect(upTo: 4 * 1_024 * 1_024)
        }
    }

    // MARK: Door to door

    private func doorToDoor(
        _ system: RunningSystem, _ feed: Feed, _ city: inout City
    ) async throws -> DoorToDoor {
        // Valhalla knows the next 60 days: the next Tuesday.
        let today = ServiceDay(at: Int(Date().timeIntervalSince1970), in: feed.timeZone)
        let day = (1...7).map { today + $0 }.first { $0.weekday == 1 } ?? today
        let valhalla = try await ValhallaTransit(feed, on: day, extract: extract)
        let begins = day.start(in: feed.timeZone)
        var (ours, peer): ([Double], [Double]) = ([], [])
        var (here, there, earlier) = (0, 0, [Double]())
        for _ in 0..<pairs {
            let (start, end) = (city.point(), city.point())
            let time = Date(
                timeIntervalSince1970: Double(begins + city.minute(from: 7, to: 21) * 60))
            let path =
                "/v1/routes?from=\(start.latitude),\(start.longitude)"
                + "&to=\(end.latitude),\(end.longitude)&departAt=\(Wire.text(time))"
            var found: TravelRoute?
            ours.append(
                try await Self.seconds {
                    let answer = try await system.answer(of: "places", to: path)
                    let routes: TravelRoutes = try Wire.decode(from: answer)
                    found = routes.items.first
                })
            var theirs: ValhallaTransit.Found?
            peer.append(
                try await Self.seconds {
                    theirs = try await valhalla.journey(from: start, to: end, at: time)
                })
            let isHere = found?.legs.contains { $0.line != nil } == true
            let isThere = theirs?.lines.isEmpty == false
            (here, there) = (here + (isHere ? 1 : 0), there + (isThere ? 1 : 0))
            guard isHere, isThere, let found, let theirs else { continue }
            earlier.append(theirs.seconds - found.arrivesAt.timeIntervalSince(time))
        }
        return DoorToDoor(
            ours: Sample(ours), peer: Sample(peer), pairs: pairs, answeredHere: here,
            answeredThere: there, earlier: Sample(earlier),
            noLater: earlier.count { $0 >= -1 }, hardlyLater: earlier.count { $0 >= -30 })
    }

    private static func seconds(_ body: () async throws -> Void) async rethrows -> Double {
        let begun = ContinuousClock.now
        try await body()
        return (ContinuousClock.now - begun).inSeconds
    }

    /// Where people are, the same each time.
    private struct City {
        let stops: [Coordinate]
        var random = SeededNumbers(seed: 13)

        init(stops: [Coordinate]) { self.stops = stops }

        /// Up to three hundred metres from a stop.
        mutating func point() -> Coordinate {
            Geo.destination(
                from: stops[.random(in: stops.indices, using: &random)],
                bearingDegrees: .random(in: 0..<360, using: &random),
                distanceMeters: .random(in: 0...300, using: &random))
        }

        mutating func minute(from hour: Int, to end: Int) -> Int {
            .random(in: hour * 60..<end * 60, using: &random)
        }
    }
}

extension PlacesBench.Figures {
    var rows: String {
        func text(_ seconds: Double, _ unit: Double = 1_000) -> String {
            String(format: "%.1f", seconds * unit)
        }
        let found = searches.map { one in
            """
            | vendors within reach by bus, by car or in a wheelchair, of \(one.vendors) in \(name), in \
            the service, p50 | \(text(one.search.p50)) ms | what Valhalla takes for one matrix on foot: \
            \(text(one.matrix.p50)) ms; a scan of what lies around: \(text(one.scan.p50)) ms, \
            \(one.around) found |
            | the same, p99 | \(text(one.search.p99)) ms | \(text(one.matrix.p99)) ms; \
            \(text(one.scan.p99)) ms |
            """
        }
        let doors = doorToDoor
        return """
            \(found.joined(separator: "\n"))
            | from door to door by bus and train in \(name), streets and steps included, p50 | \
            \(text(doors.ours.p50)) ms | Valhalla's own public transport: \(text(doors.peer.p50)) ms |
            | the same, p99 | \(text(doors.ours.p99)) ms | \(text(doors.peer.p99)) ms |
            | of \(doors.pairs) pairs, by a line here, and by Valhalla | \(doors.answeredHere) and \
            \(doors.answeredThere) | of \(doors.earlier.count) by both, here no later: \(doors.noLater), \
            no more than half a minute: \(doors.hardlyLater); \(text(doors.earlier.p50, 1)) s earlier in the median |
            """
    }
}
