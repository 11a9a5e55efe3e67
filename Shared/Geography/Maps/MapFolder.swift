import Contracts
import Foundation
import Geo

/// The maps of a house, as they lie in its data folder.
///
/// Each map is a link by its name to a folder in `made`, whose own name, the version, is never given again; the
/// roads of all maps together are one more. So a change is the rename of a link: whoever looks sees the old or
/// the new, and who has the old one open goes on reading it.
public struct MapFolder: Sendable, Hashable {
    /// The link to the roads of all maps, as the router reads them; no map may be called so.
    public static let roads = "router"
    static let made = ".made"
    private static let chosen = ".chosen"
    /// Maps of one house.
    public static let most = 100
    private static let interval: Duration = .seconds(1)

    public let path: String

    public init(_ path: String) { self.path = path }

    public static func isName(_ text: String) -> Bool {
        text.wholeMatch(of: /[a-z0-9-]{1,40}/) != nil && text != roads
    }

    public var madeFolder: String { "\(path)/\(Self.made)" }

    /// By name; none where there is no such folder.
    public func maps() -> [InstalledMap] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter(Self.isName).sorted().prefix(Self.most).compactMap { name in
            version(of: name).map {
                InstalledMap(name: name, version: $0, folder: "\(madeFolder)/\($0)")
            }
        }
    }

    /// The names of all maps; nil where this is no folder of maps, as one that was not mounted. Throws where it can't
    /// be listed.
    public func names() throws -> Set<String>? {
        guard FileManager.default.fileExists(atPath: madeFolder) else { return nil }
        return Set(try FileManager.default.contentsOfDirectory(atPath: path))
    }

    /// The folder of the roads that the router has to read now; nil without any.
    public var roads: String? { version(of: Self.roads).map { "\(madeFolder)/\($0)" } }

    /// Returns once the roads are others than these.
    public func roads(otherThan known: String?) async throws -> String? {
        while roads == known { try await Task.sleep(for: Self.interval) }
        return roads
    }

    private func version(of name: String) -> String? {
        guard
            let target = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "\(path)/\(name)"),
            target.hasPrefix("\(Self.made)/")
        else { return nil }
        return String(target.dropFirst(Self.made.count + 1))
    }

    /// Lets the name stand for a folder in `made` from now on; nil: for none.
    public func point(_ name: String, to version: String?) throws {
        let link = "\(path)/\(name)"
        guard let version else { return try FileManager.default.removeItem(atPath: link) }
        let new = "\(madeFolder)/\(UUID().uuidString).link"
        try FileManager.default.createSymbolicLink(
            atPath: new, withDestinationPath: "\(Self.made)/\(version)")
        guard rename(new, link) == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: link])
        }
    }

    /// Somebody has made or removed a map: the first start's is not made any more, which `make up` looks for.
    public func markAsChosen() throws {
        try Data().write(to: URL(filePath: "\(path)/\(Self.chosen)"))
    }

    /// Removes what no name stands for: what was replaced, and what somebody left unfinished.
    public func removeLeftovers() throws {
        let used = Set(maps().map(\.version) + [version(of: Self.roads)].compactMap(\.self))
        for name in try FileManager.default.contentsOfDirectory(atPath: madeFolder)
        where !used.contains(name) {
            try FileManager.default.removeItem(atPath: "\(madeFolder)/\(name)")
        }
    }
}

/// One version of a map.
public struct InstalledMap: Sendable, Hashable {
    public let name: String
    public let version: String
    public let folder: String

    public init(name: String, version: String, folder: String) {
        (self.name, self.version, self.folder) = (name, version, folder)
    }

    /// The OpenStreetMap extract that all of it is made of.
    public var extract: String { "\(folder)/extract.osm.pbf" }
    public var tiles: String { "\(folder)/tiles.mbtiles" }
    public var addresses: String { "\(folder)/addresses.sqlite" }
    /// Where cars can stop, as JSON; none in maps of earlier versions.
    public var stops: String { "\(folder)/stops.json" }
    /// GeoJSON, a line each.
    public var carParks: String { "\(folder)/car-parks.geojsonseq" }
    /// GeoJSON, a line each; a map of an earlier release has none.
    public var vendors: String { "\(folder)/vendors.geojsonseq" }
    /// A GTFS feed; none in maps without public transport, and in those of earlier versions.
    public var transit: String { "\(folder)/transit.zip" }
    public var facts: String { "\(folder)/map.json" }
}

/// What `map.json` says of a map.
public struct MapFacts: Codable, Sendable, Hashable {
    /// Degrees; `west` is never greater than `east`.
    public typealias Bounds = MapIndex.Bounds

    public struct Counts: Codable, Sendable, Hashable {
        public var tiles = 0
        public var streets = 0
        public var addresses = 0
        public var places = 0
        public var carParks = 0
        public var vendors: Int?

        public init() {}
    }

    public var name: String
    public var bounds: Bounds
    /// How old the extract's data are; nil when it does not say.
    public var extractedAt: Date?
    public var addedAt: Date
    /// The attribution to show on the map, as the data's licence asks.
    public var attribution: String
    public var counts: Counts

    /// What OpenStreetMap asks for (openstreetmap.org/copyright).
    public static let attribution = "© OpenStreetMap contributors"

    public init(
        name: String, bounds: Bounds, extractedAt: Date?, addedAt: Date, counts: Counts
    ) {
        (self.name, self.bounds, self.counts) = (name, bounds, counts)
        (self.extractedAt, self.addedAt) = (extractedAt, addedAt)
        attribution = Self.attribution
    }
}
