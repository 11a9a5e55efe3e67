import Contracts
import Foundation
import Maps
import ServiceKit
import Store

/// Makes maps and the router's roads, in new folders beside those in use.
struct MapWorkshop {
    /// If a program fails and fewer bytes are free, the disk counts as full, whatever the program says.
    private static let fullBytes = 1_024 * 1_024
    private static let saysFull = ["No space left on device", "disk is full", "SQLITE_FULL"]

    let folder: MapFolder
    let programs: MapPrograms
    private let printer: LinePrinter

    /// Takes the lock, which one process at a time holds until it ends, and removes an earlier one's leftovers.
    init(_ data: String, _ environment: [String: String], _ printer: LinePrinter) throws {
        programs = try MapPrograms(environment)
        folder = Self.folder(of: data)
        self.printer = printer
        do {
            if !FileManager.default.fileExists(atPath: data) {
                try FileManager.default.createDirectory(
                    atPath: data, withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            }
            try FileManager.default.createDirectory(
                atPath: folder.madeFolder, withIntermediateDirectories: true)
        } catch {
            throw ToolError("Can't write to \(data): choose a folder of your own with --data.")
        }
        let descriptor = open("\(folder.path)/.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw ToolError(
                "Another openvalet map is running on \(folder.path). Try again when it is done.")
        }
        try folder.removeLeftovers()
    }

    static func folder(of data: String) -> MapFolder {
        MapFolder(URL(filePath: data).standardizedFileURL.path + "/maps")
    }

    /// Makes the map and the roads of all maps, and replaces the old ones only when both are complete.
    /// - Parameter gtfs: A GTFS feed for its public transport; without one, times are made up.
    func make(
        _ name: String, of source: ExtractSource, gtfs: String? = nil
    ) async throws -> MapFacts {
        let map = try newFolder(name)
        let facts = try await orCleanUp {
            let facts = try await make(map, of: source, gtfs)
            let others = folder.maps().filter { $0.name != name }
            let roads = try await makeRoads(of: (others + [map]).map(\.extract))
            try put(roads: roads, map: name, map.version)
            return facts
        }
        return facts
    }

    /// Removes a map. Its roads go first, so that an interrupted command can be repeated.
    func remove(_ name: String) async throws {
        try await orCleanUp {
            let others = folder.maps().filter { $0.name != name }
            let roads = others.isEmpty ? nil : try await makeRoads(of: others.map(\.extract))
            try put(roads: roads, map: name, nil)
        }
    }

    private func put(roads: String?, map: String, _ version: String?) throws {
        try folder.markAsChosen()
        // Everything is on the disk before the links point to it.
        sync()
        if roads != nil || folder.roads != nil { try folder.point(MapFolder.roads, to: roads) }
        try folder.point(map, to: version)
        // Leftovers that can't be removed now are left to the next command.
        try? folder.removeLeftovers()
    }

    /// Runs the work; if it fails, removes its files and explains a full disk.
    private func orCleanUp<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch {
            let isFull = isFull(after: error)
            try? folder.removeLeftovers()
            if isFull {
                throw ToolError("The disk of \(folder.path) is full; nothing was changed.")
            }
            if let failure = error as? ProgramFailure {
                let program = URL(filePath: failure.program).lastPathComponent
                throw ToolError("\(program) failed: \(failure.reason) Nothing was changed.")
            }
            throw error
        }
    }

    private func isFull(after error: any Error) -> Bool {
        switch error {
        case is ToolError: return false
        case let error as CocoaError where error.code == .fileWriteOutOfSpace: return true
        case let error as StoreError where error.kind == .full: return true
        case let failure as ProgramFailure
        where Self.saysFull.contains(where: failure.output.contains): return true
        default: break
        }
        var disk = statvfs()
        guard statvfs(folder.path, &disk) == 0 else { return false }
        return Int(disk.f_bavail) * Int(disk.f_frsize) < Self.fullBytes
    }

    private func newFolder(_ name: String) throws -> InstalledMap {
        let version = "\(name)-\(UUID().uuidString.lowercased().prefix(8))"
        let path = "\(folder.madeFolder)/\(version)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
        return InstalledMap(name: name, version: version, folder: path)
    }

    // MARK: Steps

    private func make(
        _ map: InstalledMap, of source: ExtractSource, _ gtfs: String?
    ) async throws -> MapFacts {
        try await step(source.isHere ? "copy" : "download") {
            try await source.copy(to: map.extract, into: ResourceCheck(folder.path))
            try Extract.check(map.extract, named: source.text)
        }
        let extract = try await step("extract") {
            let extract = try await Extract(map.extract, in: map.folder, named: source.text)
            try await CutExtract.mend(map.extract, in: map.folder)
            return extract
        }
        try await step("stops") { try await makeStops(map) }
        var counts = try await step("addresses") { try await makeAddresses(map) }
        counts.carParks = try await step("car parks") { try await makeCarParks(map) }
        counts.vendors = try await step("vendors") { try await makeVendors(map) }
        let transit = try await step("transit") { try await makeTransit(map, given: gtfs) }
        say(transit)
        counts.tiles = try await step("tiles") { try await makeTiles(map, extract) }
        let facts = MapFacts(
            name: map.name, bounds: extract.bounds, extractedAt: extract.date, addedAt: Date(),
            counts: counts)
        try Wire.encode(facts).write(to: URL(filePath: map.facts))
        return facts
    }

    private func makeStops(_ map: InstalledMap) async throws {
        try await withFeatures(of: map, StopExtract.filters, only: "point,polygon") {
            _ = try StopExtract.make(map.stops, from: $0)
        }
    }

    private func say(_ transit: TransitResult) {
        switch transit {
        case .given(let feed, let report):
            printer.say(
                "    a timetable of \(feed.routes.count) routes and \(feed.trips.count) trips, "
                    + "with \(report.errorCount) errors and \(report.warningCount) warnings")
            for line in Self.lines(of: report) { printer.say("  \(line)") }
        case .madeUp(let lines): printer.say("    made-up times for \(lines) lines")
        case .none: printer.say("    no public transport")
        }
    }

    private func makeAddresses(_ map: InstalledMap) async throws -> MapFacts.Counts {
        try await withFeatures(of: map, AddressIndexMaker.filters) { features in
            try AddressIndexMaker.make(map.addresses, from: features)
        }
    }

    /// Returns the number of car parks.
    private func makeCarParks(_ map: InstalledMap) async throws -> Int {
        try await withFeatures(of: map, ["nwr/amenity=parking"], only: "point,polygon") {
            try PlaceExtract.make(map.carParks, from: $0, addresses: map.addresses) {
                $0["amenity"] == "parking"
            }
        }
    }

    /// Returns the number of vendors.
    private func makeVendors(_ map: InstalledMap) async throws -> Int {
        let filters = VendorTags.values.sorted { $0.key < $1.key }.map { key, values in
            "nwr/\(key)=\(values.sorted().joined(separator: ","))"
        }
        return try await withFeatures(of: map, filters, only: "point,polygon") {
            try PlaceExtract.make(map.vendors, from: $0, addresses: map.addresses) {
                VendorTags.isVendor($0)
            }
        }
    }

    /// Calls the body with a file of the extract's objects that pass osmium's filters, as GeoJSON, one per line.
    private func withFeatures<Value>(
        of map: InstalledMap, _ filters: [String], only geometry: String? = nil,
        _ body: (URL) throws -> Value
    ) async throws -> Value {
        let (filtered, features) = ("filtered.osm.pbf", "features.geojsonseq")
        _ = try await MapPrograms.run(
            "osmium", ["tags-filter", map.extract] + filters + ["--output", filtered],
            in: map.folder)
        _ = try await MapPrograms.run(
            "osmium",
            [
                "export", filtered, "--format-option=print_record_separator=false",
                "--add-unique-id=type_id", "--output", features,
            ] + (geometry.map { ["--geometry-types=\($0)"] } ?? []), in: map.folder)
        let value = try body(URL(filePath: "\(map.folder)/\(features)"))
        for name in [filtered, features] {
            try FileManager.default.removeItem(atPath: "\(map.folder)/\(name)")
        }
        return value
    }

    /// Returns the number of tiles.
    private func makeTiles(_ map: InstalledMap, _ extract: Extract) async throws -> Int {
        let (script, config) = ("\(map.folder)/tiles.lua", "\(map.folder)/tiles.json")
        let sea = try await makeSea(map, within: extract.bounds)
        try Data(PackageResources.tiles_lua).write(to: URL(filePath: script))
        try Data(MapPrograms.tileSettings().utf8).write(to: URL(filePath: config))
        let box = extract.bounds
        let corners = [box.west, box.south, box.east, box.north].map { "\($0)" }
        let said = try await MapPrograms.run(
            "tilemaker",
            ([sea, map.extract].compactMap(\.self)).flatMap { ["--input", $0] } + [
                "--output", map.tiles, "--config", config, "--process", script,
                "--bbox", corners.joined(separator: ","),
            ],
            in: map.folder, ["OPENVALET_TILE_SCRIPT": MapPrograms.tileScript])
        let count = (try? TileBook.count(map.tiles)) ?? 0
        // tilemaker reports success even if it could not write.
        guard count > 0 else { throw ProgramFailure(program: "tilemaker", output: said) }
        for path in [script, config, sea].compactMap(\.self) {
            try FileManager.default.removeItem(atPath: path)
        }
        return count
    }

    /// The sea as a further extract; nil if there is none.
    private func makeSea(_ map: InstalledMap, within box: MapFacts.Bounds) async throws -> String? {
        let sea = try await withFeatures(of: map, ["w/natural=coastline"], only: "linestring") {
            try Sea(coastlines: $0, within: box)
        }
        guard !sea.isEmpty else { return nil }
        let (drawn, extract) = ("\(map.folder)/sea.osm", "\(map.folder)/sea.osm.pbf")
        try Data(sea.document.utf8).write(to: URL(filePath: drawn))
        _ = try await MapPrograms.run(
            "osmium", ["cat", drawn, "--output", extract], in: map.folder)
        try FileManager.default.removeItem(atPath: drawn)
        return extract
    }

    /// Makes the roads; returns the name of their folder in `made`.
    private func makeRoads(of extracts: [String]) async throws -> String {
        try await step("roads") {
            let made = try newFolder(MapFolder.roads)
            let (tiles, admins) = ("\(made.folder)/tiles", "\(made.folder)/admins.sqlite")
            let config = try await MapPrograms.run(
                "python3",
                [
                    programs.valhalla.configScript, "--mjolnir-tile-dir", tiles,
                    "--mjolnir-admin", admins,
                ], in: made.folder)
            let file = "\(made.folder)/\(RouterProgram.configFile)"
            try Data(config.utf8).write(to: URL(filePath: file))
            // Admins say, among others, on which side of the road people drive.
            for program in ["valhalla_build_admins", "valhalla_build_tiles"] {
                _ = try await MapPrograms.run(
                    programs.valhalla.program(program), ["--config", file] + extracts,
                    in: made.folder)
            }
            try? FileManager.default.removeItem(atPath: admins)
            return made.version
        }
    }

    private func step<Value>(
        _ name: String, _ work: () async throws -> Value
    ) async throws -> Value {
        let begun = ContinuousClock.now
        let value = try await work()
        let seconds = String(format: "%6.1f", (ContinuousClock.now - begun).seconds)
        printer.say("  \(name.padding(toLength: 10, withPad: " ", startingAt: 0))\(seconds) s")
        return value
    }
}
