import AsyncHTTPClient
import Contracts
import Foundation
import Geo
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Maps
import ServiceKit
import Support
import Testing

@testable import OpenValet
@testable import Routing
@testable import Web

/// Maps of a village that is drawn for these tests, made by the real programs.
@Suite(.enabled(if: MapTools.areThere, MapTools.absence))
struct MapTests {
    private let village: Village
    private let clock = TestClock()
    private let middle = Coordinate(latitude: 35.502, longitude: 18.0025)
    private let box = BoundingBox(south: 35.4, west: 17.9, north: 35.6, east: 18.1)
    /// The square of zoom 14 in which the village lies.
    private static let tile = "/tiles/14/9011/6461"

    init() throws { village = try Village() }

    // MARK: From the first map to none

    @Test func aMapComesChangesAndGoesWhileItIsRead() async throws {
        let places = places()
        let responder = try responder()
        #expect(try await tile(responder, Self.tile).status == .noContent)
        #expect(try await index(responder) == .init(tiles: nil, mostZoom: 14, maps: []))
        #expect(await search(places, "carob").source == .coordinates)

        let added = try village.map("add", village.extract(), "--name", "valley")
        #expect(added.status == 0, "\(added.output)")
        for step in ["extract", "stops", "addresses", "car parks", "vendors", "tiles", "roads"] {
            #expect(added.output.contains("  \(step) "), "\(step)")
        }
        #expect(added.output.contains("4 streets, 3 addresses, 3 places, 1 car parks, 1 vendors."))
        try theCarParksAreThere()
        #expect(village.isChosen)
        let first = try await theTilesAreThere(responder)
        try await theAddressesAreThere(places)
        #expect(village.made.count == 2, "the map and its roads, and nothing left over")
        try theListTellsOfIt()

        let again = try village.map("add", village.extract(), "--name", "valley")
        #expect(again.status != 0)
        #expect(again.output.contains("openvalet map update valley"))

        let newer = try village.extract("newer", ["Queens Road": "Republic Road"])
        let updated = try village.map("update", "valley", newer)
        #expect(updated.status == 0, "\(updated.output)")
        let second = try await tile(responder, Self.tile)
        #expect(second.headers[.eTag] != first)
        #expect(
            try VectorTile(gzipped: second.body).layers["transportation_name"]?.contains(
                "Republic Road") == true)
        #expect(await search(places, "republic").items.first?.name == "Republic Road")
        #expect(await search(places, "queens").items.isEmpty)
        #expect(village.made.count == 2)

        let removed = try village.map("remove", "valley")
        #expect(removed.status == 0, "\(removed.output)")
        #expect(try await tile(responder, Self.tile).status == .noContent)
        #expect(await search(places, "republic").source == .coordinates)
        #expect(village.maps.roads == nil)
        #expect(village.made.isEmpty)
        #expect(village.isChosen, "the first start's map does not come back")
    }

    @Test func whereCarsCanStopIsKnown() async throws {
        let parking = #"<tag k="amenity" v="parking"/>"#
        let extract = try village.extract(
            "lay-by", [parking: parking + #"<tag k="parking" v="layby"/>"#])
        let book = StopBook(village.maps)
        #expect(await book.stops(near: middle, within: 2_000).isEmpty)
        let added = try village.map("add", extract)
        #expect(added.status == 0, "\(added.output)")
        #expect(await book.stops(near: middle, within: 2_000).map(\.name) == ["Il-Parkeġġ"])
        let far = Geo.destination(from: middle, bearingDegrees: 0, distanceMeters: 3_000)
        #expect(await book.stops(near: far, within: 300).isEmpty)
        // Maps of earlier versions have none.
        try FileManager.default.removeItem(atPath: try #require(village.maps.maps().first).stops)
        #expect(await StopBook(village.maps).stops(near: middle, within: 2_000).isEmpty)
    }

    @Test func anExtractThatWasCutStraightAlongItsEdgeBecomesAMap() throws {
        let beyond = try village.extract(
            "cut", [#"<nd ref="1"/>"#: #"<nd ref="999"/><nd ref="1"/>"#])
        let added = try village.map("add", beyond)
        #expect(added.status == 0, "\(added.output)")
        #expect(added.output.contains("4 streets, 3 addresses, 3 places, 1 car parks, 1 vendors."))
    }

    /// For whoever keeps car parks.
    private func theCarParksAreThere() throws {
        let map = try #require(village.maps.maps().first)
        let lines = try String(contentsOf: URL(filePath: map.carParks), encoding: .utf8)
            .split(separator: "\n")
        let carPark = try Wire.decode(JSONValue.self, from: Data(try #require(lines.first).utf8))
        #expect(lines.count == 1)
        let feature = try carPark.decoded(as: [String: JSONValue].self)
        let tags = try #require(feature["properties"]).decoded(as: [String: JSONValue].self)
        #expect(feature["id"] == "a48")
        #expect(tags["name"] == "Il-Parkeġġ")
        #expect(tags["capacity"] == "40")
        #expect(tags["nearestStreet"] == "West Lane")
        // In the sea between Malta and Greece.
        #expect(tags["timeZone"] != nil)
        #expect(tags["currency"] == "EUR")
    }

    /// The tag of one of them.
    private func theTilesAreThere(_ responder: some HTTPResponder<Context>) async throws -> String {
        let index = try await index(responder)
        let map = try #require(index.maps.first)
        #expect(map.name == "valley")
        #expect(map.attribution == "© OpenStreetMap contributors")
        #expect(map.bounds == .init(south: 35.495, west: 17.995, north: 35.51, east: 18.01))
        #expect(index.tiles == "/tiles/{z}/{x}/{y}?version=\(map.version)")

        let answer = try await tile(responder, Self.tile)
        #expect(answer.status == .ok)
        #expect(answer.headers[.contentType] == "application/vnd.mapbox-vector-tile")
        #expect(answer.headers[.contentEncoding] == "gzip")
        #expect(answer.headers[.cacheControl] == "public, max-age=86400")
        let layers = try VectorTile(gzipped: answer.body).layers
        let roads = try #require(layers["transportation_name"])
        for name in ["Triq il-Ħarruba", "Carob Street", "角豆街", "Queens Road"] {
            #expect(roads.contains(name), "\(name)")
        }
        #expect(layers["transportation"]?.contains("oneway") == true)
        #expect(layers["water"]?.contains("ocean") == true)
        #expect(layers["housenumber"]?.contains("8") == true)
        let tag = try #require(answer.headers[.eTag])
        let known = try await tile(responder, Self.tile, [.ifNoneMatch: tag])
        #expect(known.status == .notModified)
        #expect(known.body.isEmpty)
        for outside in ["/tiles/14/0/0", "/tiles/14/9011/9927", "/tiles/5/31/31"] {
            #expect(try await tile(responder, outside).status == .noContent)
        }
        for nonsense in [
            "/tiles/15/0/0", "/tiles/-1/0/0", "/tiles/1/2/0", "/tiles/1/0/2", "/tiles/a/0/0",
            "/tiles/1/0/0.5", "/tiles/1/0/99999999999999999999", "/tiles/1/0", "/tiles/1/0/0/0",
        ] {
            #expect(try await tile(responder, nonsense).status == .notFound, "\(nonsense)")
        }
        return tag
    }

    private func theAddressesAreThere(_ places: Geocoder) async throws {
        let carob = await search(places, "harr", "en")
        #expect(carob.source == .map)
        #expect(carob.attribution == "© OpenStreetMap contributors")
        #expect(
            Set(carob.items.map(\.address)) == [
                "Carob Street, Carobville", "Carobville", "Il-Kċina, 5 Carob Street, Carobville",
                "5 Carob Street, Carobville", "Village Car Park, Carobville",
                "Queens Road, Carobville", "North Street, Carobville", "West Lane, Carobville",
                "2 Queens Road, Carobville", "8 Queens Road, Carobville",
            ])
        for (text, language, address) in [
            ("carob street", "de", "Triq il-Ħarruba, Tal-Ħarrub"),
            ("角豆街", "zh-Hant", "角豆街, 角豆村"), ("8 queens", "en", "8 Queens Road, Carobville"),
            ("KCINA", "en", "Il-Kċina, 5 Carob Street, Carobville"),
            ("car park", "en", "Village Car Park, Carobville"),
        ] {
            let found = await search(places, text, language)
            #expect(found.items.first?.address == address, "\(text)")
        }
        #expect(await search(places, "nothing of that kind").items == [])
        for (latitude, longitude, address, foundLatitude, foundLongitude) in [
            (35.503, 18.0051, "8 Queens Road, Carobville", 35.503, 18.0052),
            (35.504, 18.0025, "North Street, Carobville", 35.504, 18.0025),
            // Where the street is nearest.
            (35.5021, 18.0002, "West Lane, Carobville", 35.5021, 18.0),
        ] {
            let point = Coordinate(latitude: latitude, longitude: longitude)
            let found = await places.reverse(point, language: "en")
            #expect(found.source == .map)
            let place = try #require(found.items.first)
            #expect(place.address == address)
            #expect(place.latitude == foundLatitude)
            #expect(place.longitude == foundLongitude)
        }
        // Elsewhere nobody knows.
        let away = Coordinate(latitude: 22.28, longitude: 114.15)
        #expect(await places.reverse(away, language: "en").source == .coordinates)
        let hongKong = BoundingBox(south: 22.2, west: 114.1, north: 22.3, east: 114.2)
        let other = PlaceSearch(text: "carob", limit: 8, language: "en", within: hongKong)
        #expect(await places.search(other).source == .coordinates)
        // A person who is on the map finds what is there, wherever the service areas are.
        var here = other
        here.near = middle
        #expect(await places.search(here).items.contains { $0.name == "Carob Street" })
    }

    private func theListTellsOfIt() throws {
        let list = try village.map("list")
        #expect(list.status == 0)
        let lines = list.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.last?.contains(/valley +2026-01-01 +20\d\d-\d\d-\d\d +[0-9.]+ MB/) == true)
    }

    @Test func anExtractIsFetchedFromItsAddress() async throws {
        let extract = try Data(contentsOf: URL(filePath: village.extract()))
        let server = CallbackResponder<BasicRequestContext> { request, _ in
            switch request.uri.path {
            case "/valley-latest.osm.pbf": Response.redirect(to: "/2026/valley.osm.pbf")
            case "/2026/valley.osm.pbf":
                Response(status: .ok, body: .init(byteBuffer: ByteBuffer(bytes: extract)))
            case "/page.osm.pbf":
                Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "Welcome")))
            default: Response(status: .notFound)
            }
        }
        try await withServer(server) { port in
            let base = "http://127.0.0.1:\(port)"
            for (path, reason) in [
                ("none.osm.pbf", "the server says 404"),
                ("page.osm.pbf", "is not an OpenStreetMap extract"),
            ] {
                let refused = try village.map("add", "\(base)/\(path)")
                #expect(refused.status != 0)
                #expect(refused.output.contains(reason), "\(refused.output)")
                #expect(village.made.isEmpty)
            }
            let added = try village.map("add", "\(base)/valley-latest.osm.pbf")
            #expect(added.status == 0, "\(added.output)")
            #expect(village.maps.maps().map(\.name) == ["valley"])
        }
        let nobody = try village.map("update", "valley", "http://127.0.0.1:1/valley.osm.pbf")
        #expect(nobody.output.contains("can't be fetched"), "\(nobody.output)")
        #expect(village.maps.maps().map(\.name) == ["valley"])
    }

    @Test(arguments: [
        ("/data/Malta.osm.pbf", "malta"), ("great_britain-latest.osm.pbf", "great-britain"),
        ("https://maps.example.com/europe/malta-latest.osm.pbf?x=1", "malta"), ("/", ""),
    ])
    func aMapIsCalledAsItsExtract(extract: String, name: String) {
        #expect(ExtractSource(argument: extract)?.mapName == name)
    }

    /// Nothing is copied of what has no room here: the file is a terabyte long, the disk is not.
    @Test func aHugeExtractIsRefusedBeforeItIsCopied() async throws {
        let (huge, bytes) = ("\(village.folder.path)/huge.osm.pbf", 1_000_000_000_000)
        let whole = try Data(contentsOf: URL(filePath: village.extract()))
        #expect(FileManager.default.createFile(atPath: huge, contents: whole))
        try #require(FileHandle(forWritingAtPath: huge)).truncate(atOffset: UInt64(bytes))
        let refused = try village.map("add", huge)
        #expect(refused.status != 0)
        #expect(refused.output.contains("huge.osm.pbf has 1000.0 GB"), "\(refused.output)")
        #expect(refused.output.contains("needs about 7000.0 GB on the disk of"))
        #expect(refused.output.contains("are free. Nothing was changed."))
        #expect(village.made.isEmpty)

        // By what the server says, before any of it came.
        let (ends, end) = AsyncStream<Void>.makeStream()
        let server = CallbackResponder<BasicRequestContext> { _, _ in
            Response(
                status: .ok,
                body: .init(contentLength: bytes) { writer in
                    try await writer.write(ByteBuffer(bytes: whole))
                    for await _ in ends {}
                })
        }
        try await withServer(server) { port in
            defer { end.finish() }
            let fetched = try village.map("add", "http://127.0.0.1:\(port)/huge.osm.pbf")
            #expect(fetched.status != 0)
            #expect(fetched.output.contains("huge.osm.pbf has 1000.0 GB"), "\(fetched.output)")
            #expect(village.made.isEmpty)
        }
    }

    @Test func theShippedCityIsAWholeMap() async throws {
        let added = try village.map("add", ChildProcess.script("../data/helsinki.osm.pbf"))
        #expect(added.status == 0, "\(added.output)")
        #expect(village.maps.roads != nil)
        let station = Coordinate(latitude: 60.1699, longitude: 24.9440)
        let found = await places().reverse(station, language: "")
        #expect(found.source == .map)
    }

    // MARK: What goes wrong

    @Test func whatIsNoMapIsRefusedAndNothingIsChanged() throws {
        let good = try village.extract()
        let files = village.folder
        try files.write("once upon a time", to: "text.osm.pbf")
        let whole = try Data(contentsOf: URL(filePath: good))
        try whole.dropLast(whole.count / 3).write(to: files.url.appending(path: "cut.osm.pbf"))
        var broken = whole
        for index in broken.indices.dropFirst(whole.count / 2) { broken[index] ^= 0x55 }
        try broken.write(to: files.url.appending(path: "broken.osm.pbf"))
        try files.write(#"<osm version="0.6"></osm>"#, to: "empty.osm")
        let empty = "\(files.path)/empty.osm.pbf"
        _ = try Village.run("/usr/bin/osmium", ["cat", "\(files.path)/empty.osm", "-o", empty])
        for (file, reason) in [
            ("none.osm.pbf", "There is no "), ("text.osm.pbf", "is not an OpenStreetMap extract"),
            ("cut.osm.pbf", "is broken or cut off"), ("broken.osm.pbf", "is broken or cut off"),
            ("empty.osm.pbf", "is empty"), ("", "can't be read"),
        ] {
            let refused = try village.map("add", "\(files.path)/\(file)", "--name", "x")
            #expect(refused.status != 0)
            #expect(refused.output.contains(reason), "\(file): \(refused.output)")
        }
        for name in ["", "router", "A", "a b", "../x", String(repeating: "a", count: 41)] {
            #expect(try village.map("add", good, "--name", name).status != 0, "\(name)")
        }
        for known in [
            try village.map("update", "valley", good), try village.map("remove", "valley"),
        ] {
            #expect(known.status != 0)
            #expect(known.output.contains("There is no map valley."))
        }
        let bare = try village.map("add", good, variables: ["PATH": "/nonexistent"])
        #expect(bare.status != 0)
        #expect(bare.output.contains("osmium, tilemaker, python3: not installed"))
        #expect(try village.map("list").output.contains("There are no maps yet"))
        #expect(village.made.isEmpty)
        #expect(!village.isChosen)
    }

    @Test func whoIsKilledInTheMiddleLeavesTheOldMapAndTheNextCleansUp() async throws {
        // The first map is what is there: that it is a real one does not matter here.
        let made = "\(village.maps.madeFolder)/valley-1"
        try FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: true)
        try village.maps.point("valley", to: "valley-1")
        let (process, output) = try Village.start(
            Village.tool, ["map", "update", "valley", village.extract(), "--data", village.data],
            MapTools.environment)
        // Its first step is done.
        #expect(try output.read(upToCount: 1) != nil)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(village.maps.maps().map(\.version) == ["valley-1"])
        #expect(village.made.count > 1)
        let work = try #require(village.made.first { $0.hasPrefix("valley-") && $0 != "valley-1" })
        // Nobody goes on with it.
        let place = "\(village.maps.madeFolder)/\(work)"
        #expect(
            try await eventually {
                try Village.run("/bin/sh", ["-c", Self.atWork, "sh", place]).status != 0
            })
        let removed = try village.map("remove", "valley")
        #expect(removed.status == 0, "\(removed.output)")
        #expect(village.made.isEmpty)
    }

    /// Whether a process works in the folder `$1`.
    private static let atWork = #"ls -l /proc/[0-9]*/cwd 2>/dev/null | grep -q -- "-> $1$""#

    /// Gives the village's data a disk of that size.
    private func mountDisk(kilobytes: Int) throws {
        let disk = village.data
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        let mounted = try Village.run(
            "/bin/mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", disk])
        guard mounted.status == 0 else {
            try Test.cancel("Only root can make a small disk: \(mounted.output)")
        }
    }

    private func unmountDisk() { _ = try? Village.run("/bin/umount", [village.data]) }

    @Test(arguments: [16, 3_000])
    func aFullDiskIsSaidAndChangesNothing(kilobytes: Int) throws {
        try mountDisk(kilobytes: kilobytes)
        defer { unmountDisk() }
        let refused = try village.map("add", village.extract())
        #expect(refused.status != 0)
        #expect(refused.output.contains("is full; nothing was changed."), "\(refused.output)")
        #expect(village.maps.maps().isEmpty)
        #expect(village.made.isEmpty)
    }

    // MARK: The router

    @Test func anUpdateOnAFullDiskLeavesTheOldMapServed() async throws {
        try mountDisk(kilobytes: 65_536)
        defer { unmountDisk() }
        let added = try village.map("add", village.extract(), "--name", "valley")
        #expect(added.status == 0, "\(added.output)")
        let (before, roads) = (village.maps.maps(), village.maps.roads)
        let remounted = try Village.run(
            "/bin/mount", ["-o", "remount,size=\(try usedKilobytes() + 16)k", village.data])
        #expect(remounted.status == 0, "\(remounted.output)")
        let refused = try village.map(
            "update", "valley", village.extract("newer", ["Queens Road": "Republic Road"]))
        #expect(refused.status != 0)
        #expect(refused.output.contains("is full; nothing was changed."), "\(refused.output)")
        #expect(village.maps.maps() == before)
        #expect(village.maps.roads == roads)
        #expect(village.made.count == 2)
        #expect(try await tile(try responder(), Self.tile).status == .ok)
        #expect(await search(places(), "queens").items.first?.name == "Queens Road")
    }

    private func usedKilobytes() throws -> UInt {
        var disk = statvfs()
        #expect(statvfs(village.data, &disk) == 0)
        return (disk.f_blocks - disk.f_bfree) * disk.f_frsize / 1_024
    }

    @Test func theRouterRunsOnTheRoadsThatAreThereAndComesBack() async throws {
        let folder = try DataFolder(village.data)
        let settings = try UpSettings(
            [ValhallaPrograms.key: MapTools.routers], port: try FreePort.find(),
            data: village.data, logLevel: "warning")
        let plan = try UpPlan(
            settings: settings, folder: folder, secrets: UpSecrets(folder, [:]))
        for service in [ServiceManifest.location, .matching] {
            let values = plan.environment(of: service, kafka: "127.0.0.1:1")
            #expect(values["OPENVALET_ROUTER"] == "maps")
            #expect(values["OPENVALET_MAPS"] == village.maps.path)
        }
        let url = try #require(URL(string: "http://127.0.0.1:\(plan.routerPort)"))
        let roads = Roads(
            RouterConfig(
                router: .maps(url, folder: village.maps.path), attribution: nil, limit: patience),
            client: HTTPClient.shared)
        #expect(!roads.hasRouter)
        let processes = ServiceProcesses(plan: plan, printer: LinePrinter(colours: false))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await SupervisedProcess(processes, .router).run() }
            let added = try village.map("add", village.extract())
            #expect(added.status == 0, "\(added.output)")
            #expect(roads.hasRouter)
            #expect(try await eventually { await goesAround(roads) })
            await StrayProcess.stop(RouterProgram.name, in: plan.routerHome)
            #expect(try await eventually { await goesAround(roads) }, "it is started again")
            // From now on the street may be driven in both directions.
            let newer = try village.extract("newer", [#"k="oneway" v="yes""#: #"k="lanes" v="2""#])
            #expect(try village.map("update", "carob", newer).status == 0)
            #expect(try await eventually { await goesStraight(roads) }, "the roads are others")
            group.cancelAll()
        }
        #expect(
            try await eventually { await roads.travelSeconds(from: [middle], to: [middle]) == nil })
    }

    private func goesAround(_ roads: Roads) async -> Bool {
        await meters(roads).contains(1_000...2_000)
    }
    private func goesStraight(_ roads: Roads) async -> Bool {
        await meters(roads).contains(300...600)
    }

    /// Down the one-way street, against its direction; nil while no router says.
    private func meters(_ roads: Roads) async -> Double? {
        let (route, source) = await roads.route(
            from: Coordinate(latitude: 35.5036, longitude: 18.005),
            to: Coordinate(latitude: 35.5004, longitude: 18.005))
        return source == .router ? route.distanceMeters : nil
    }

    // MARK: Those who read

    private func places() -> Geocoder {
        Geocoder(nil, in: AddressBook(village.maps), clock: clock.serviceClock)
    }

    private func search(
        _ places: Geocoder, _ text: String, _ language: String = "en"
    ) async -> PlacesAnswer {
        await places.search(
            PlaceSearch(text: text, limit: 20, language: language, near: middle, within: box))
    }

    private func responder() throws -> some HTTPResponder<Context> {
        let config = try WebConfig(
            ConfigValues(["OPENVALET_MAPS": village.maps.path], keys: WebConfig.keys))
        return webRouter(try WebRoutes(config), try ServiceEnvironment.test("web")).buildResponder()
    }

    private struct Answer {
        let status: HTTPResponse.Status
        let headers: HTTPFields
        let body: Data
    }

    private func tile(
        _ responder: some HTTPResponder<Context>, _ address: String, _ headers: HTTPFields = [:]
    ) async throws -> Answer {
        try await Application(responder: responder).test(.router) { client in
            let answer = try await client.execute(uri: address, method: .get, headers: headers)
            return Answer(
                status: answer.status, headers: answer.headers,
                body: Data(answer.body.readableBytesView))
        }
    }

    private func index(_ responder: some HTTPResponder<Context>) async throws -> MapIndex {
        let answer = try await tile(responder, OwnTiles.index)
        #expect(answer.status == .ok)
        return try JSONDecoder().decode(MapIndex.self, from: answer.body)
    }
}

extension Double? {
    fileprivate func contains(_ range: ClosedRange<Double>) -> Bool { map(range.contains) ?? false }
}
