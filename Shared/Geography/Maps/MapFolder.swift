import Contracts
import Foundation
import Geo

/// The platform's maps in the data folder.
///
/// Each map is a link by its name to a folder in `made`, whose own name, the version, is never reused. The roads of
/// all maps together are another such link. A change is the rename of a link: readers see the old version or the new
/// one, and can continue to read the old one while it is open.
public struct MapFolder: Sendable, Hashable {
    /// The link to the roads of all maps for the router; no map may have this name.
    public static let roads = "router"
    static let made = ".made"
    private static let chosen = ".chosen"
    public static let most = 100
    private static let interval: Duration = .seconds(1)

    public let path: String

    public init(_ path: String) { self.path = path }

    public static func isName(_ text: String) -> Bool {
        text.wholeMatch(of: /[a-z0-9-]{1,40}/) != nil && text != roads
    }

    public var madeFolder: String { "\(path)/\(Self.made)" }

    /// Sorted by name; empty if there is no such folder.
    public func maps() -> [InstalledMap] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter(Self.isName).sorted().prefix(Self.most).compactMap { name in
            version(of: name).map {
                InstalledMap(name: name, version: $0, folder: "\(madeFolder)/\($0)")
            }
        }
    }

    /// The names of all maps; nil if this isn't a folder of maps, for example because it is not mounted. Throws if it
    /// can't be listed.
    public func names() throws -> Set<String>? {
        guard FileManager.default.fileExists(atPath: madeFolder) else { return nil }
        return Set(try FileManager.default.contentsOfDirectory(atPath: path))
    }

    /// Whether a map covers all of these points.
    public func hasMap(of points: [Coordinate]) -> Bool {
        maps().contains { map in
            let text = FileManager.default.contents(atPath: map.facts)
            let facts = text.flatMap { try? Wire.decode(MapFacts.self, from: $0) }
            return facts.map { points.allSatisfy($0.bounds.contains) } ?? false
        }
    }

    /// The folder of the roads that the router must use now; nil if there are none.
    public var roads: String? { version(of: Self.roads).map { "\(madeFolder)/\($0)" } }

    /// Returns once the roads differ from these.
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

    /// Links the name to a folder in `made`; nil removes the link.
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

    /// Records that somebody has added or removed a map, so that `make up` no longer makes a first map.
    public func markAsChosen() throws {
        try Data().write(to: URL(filePath: "\(path)/\(Self.chosen)"))
    }

    /// Deletes folders without a link: replaced versions and unfinished ones.
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

    /// The OpenStreetMap extract from which all other files are made.
    public var extract: String { "\(folder)/extract.osm.pbf" }
    public var tiles: String { "\(folder)/tiles.mbtiles" }
    public var addresses: String { "\(folder)/addresses.sqlite" }
    /// Where cars can stop, as JSON; missing in maps of earlier versions.
    public var stops: String { "\(folder)/stops.json" }
    /// GeoJSON, one feature per line.
    public var carParks: String { "\(folder)/car-parks.geojsonseq" }
    /// GeoJSON, one feature per line; missing in maps of earlier releases.
    public var vendors: String { "\(folder)/vendors.geojsonseq" }
    /// A GTFS feed; missing in maps without public transport, and in those of earlier versions.
    public var transit: String { "\(folder)/transit.zip" }
    public var facts: String { "\(folder)/map.json" }
}

/// The contents of `map.json`.
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
    /// The date of the extract's data; nil if unknown.
    public var extractedAt: Date?
    public var addedAt: Date
    /// The attribution to show on the map, which the data's licence requires.
    public var attribution: String
    public var counts: Counts

    /// Required by OpenStreetMap (openstreetmap.org/copyright).
    public static let attribution = "© OpenStreetMap contributors"

    public init(
        name: String, bounds: Bounds, extractedAt: Date?, addedAt: Date, counts: Counts
    ) {
        (self.name, self.bounds, self.counts) = (name, bounds, counts)
        (self.extractedAt, self.addedAt) = (extractedAt, addedAt)
        attribution = Self.attribution
    }
}
