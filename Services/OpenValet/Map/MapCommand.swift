import ArgumentParser
import Contracts
import Foundation
import Maps

/// `openvalet map`: makes and removes the platform's own maps.
struct MapCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "map",
        abstract:
            "Makes maps from OpenStreetMap extracts: tiles, roads, addresses and places.",
        discussion: """
            download.geofabrik.de has an extract (.osm.pbf) of each country. Everything is made on this machine; \
            only the download of an extract needs a network. A command that fails or is interrupted changes \
            nothing. A running openvalet up shows each change without a restart.

              openvalet map add data/helsinki.osm.pbf
              openvalet map add malta.osm.pbf --gtfs malta-gtfs.zip
              openvalet map add https://download.geofabrik.de/europe/malta-latest.osm.pbf
              openvalet map list
              openvalet map update helsinki newer.osm.pbf
              openvalet map remove helsinki

            --gtfs gives the timetable of public transport, which stays when the extract is updated. Without it, \
            the lines of the extract get made-up times, marked as such.

            Needs tilemaker, osmium and Valhalla: .ci/setup --also maps. Valhalla has to be in \
            \(ValhallaPrograms.standardFolder), or in the folder that \(ValhallaPrograms.key) names.
            The data are © OpenStreetMap contributors, under the ODbL; the apps say so on every map.
            """, subcommands: [Add.self, List.self, Update.self, Remove.self])

    struct Options: ParsableArguments {
        @Option(help: "Data folder of openvalet up (or OPENVALET_DATA; default .openvalet).")
        var data: String?

        var folder: MapFolder { MapWorkshop.folder(of: Replay.folder(data)) }

        /// Works as the user of `openvalet up` on that folder, who has to read the maps.
        func workshop() async throws -> MapWorkshop {
            let (folder, environment) = (Replay.folder(data), ProcessInfo.processInfo.environment)
            _ = try await ServiceUser.become(
                environment[ServiceUser.key], folder: folder, port: nil, programs: UpPlan.programs)
            return try MapWorkshop(folder, environment, MapCommand.printer)
        }

        /// Throws if no map can have this name, or if the map's existence differs from `isThere`.
        func check(_ name: String, isThere: Bool) throws {
            guard MapFolder.isName(name) else {
                throw ValidationError(
                    "A name has 1 to 40 characters (a-z, 0-9, -) and can't be \(MapFolder.roads). Give one with --name."
                )
            }
            let names = folder.maps().map(\.name)
            guard names.contains(name) != isThere else { return }
            if isThere { throw ToolError("There is no map \(name). \(Self.known(names))") }
            throw ToolError(
                "There is already a map \(name). For a newer extract: openvalet map update \(name) FILE"
            )
        }

        private static func known(_ names: [String]) -> String {
            names.isEmpty
                ? "There are no maps yet." : "The maps are: \(names.joined(separator: ", "))."
        }
    }

    fileprivate static let printer = LinePrinter(colours: false)

    fileprivate static func say(_ facts: MapFacts) {
        let counts = facts.counts
        printer.say(
            "Made the map \(facts.name): \(counts.tiles) tiles, \(counts.streets) streets, "
                + "\(counts.addresses) addresses, \(counts.places) places, "
                + "\(counts.carParks) car parks, \(counts.vendors ?? 0) vendors.")
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Makes a map from an extract.")

        @Argument(help: "The extract, an .osm.pbf: a file, or an address to fetch it from.")
        var extract: ExtractSource

        @Option(help: "Name of the map (default: that of the extract).")
        var name: String?

        @Option(help: "GTFS feed of public transport, a .zip.")
        var gtfs: String?

        @OptionGroup var options: Options

        func run() async throws {
            let name = name ?? extract.mapName
            try extract.check()
            try options.check(name, isThere: false)
            if let gtfs { _ = try MapWorkshop.readTransit(gtfs) }
            MapCommand.say(try await options.workshop().make(name, of: extract, gtfs: gtfs))
        }
    }

    struct Update: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a map anew, of a newer extract.")

        @Argument(help: "The map.")
        var name: String

        @Argument(help: "The extract, an .osm.pbf: a file, or an address to fetch it from.")
        var extract: ExtractSource

        @Option(help: "GTFS feed of public transport, a .zip (default: the one it has).")
        var gtfs: String?

        @OptionGroup var options: Options

        func run() async throws {
            try extract.check()
            try options.check(name, isThere: true)
            if let gtfs { _ = try MapWorkshop.readTransit(gtfs) }
            MapCommand.say(try await options.workshop().make(name, of: extract, gtfs: gtfs))
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes a map.")

        @Argument(help: "The map.")
        var name: String

        @OptionGroup var options: Options

        func run() async throws {
            try options.check(name, isThere: true)
            try await options.workshop().remove(name)
            MapCommand.printer.say("Removed the map \(name).")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the maps with their sizes and dates.")

        @OptionGroup var options: Options

        func run() throws {
            let maps = options.folder.maps()
            guard !maps.isEmpty else {
                return MapCommand.printer.say(
                    "There are no maps yet: openvalet map add FILE.osm.pbf")
            }
            let head = [
                "name", "extract of", "added", "size", "tiles", "streets", "addresses", "places",
                "car parks",
            ]
            let rows = try [head] + maps.map(Self.row)
            let widths = head.indices.map { column in rows.map(\.[column].count).max() ?? 0 }
            for row in rows {
                let cells = zip(row, widths).map { text, width in
                    text.padding(toLength: width, withPad: " ", startingAt: 0)
                }
                MapCommand.printer.say(
                    cells.joined(separator: "  ").trimmingCharacters(in: .whitespaces))
            }
        }

        private static func row(_ map: InstalledMap) throws -> [String] {
            let facts = try Wire.decode(
                MapFacts.self, from: Data(contentsOf: URL(filePath: map.facts)))
            let counts = facts.counts
            return [
                map.name, facts.extractedAt.map(day) ?? "–", day(facts.addedAt),
                try size(map.folder),
                "\(counts.tiles)", "\(counts.streets)", "\(counts.addresses)", "\(counts.places)",
                "\(counts.carParks)",
            ]
        }

        private static func day(_ date: Date) -> String { String(Wire.text(date).prefix(10)) }

        private static func size(_ folder: String) throws -> String {
            var bytes = 0.0
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                let facts = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
                bytes += (facts[.size] as? NSNumber)?.doubleValue ?? 0
            }
            return String(format: "%.1f MB", bytes / 1_000_000)
        }
    }
}
