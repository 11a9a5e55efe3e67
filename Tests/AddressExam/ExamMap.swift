import Contracts
import Foundation
import Maps
import Support

/// A folder with one map that has addresses alone, which is gone with the last reference.
public struct ExamMap {
    private static let name = "exam"

    private let folder: TestFolder
    /// As `osmium export` writes it: GeoJSON, a line each.
    public let features: URL
    public let maps: MapFolder

    /// Of an OpenStreetMap extract, as `openvalet map add` reads it.
    public init(extract: String) throws {
        let folder = try TestFolder("exam")
        let (filtered, features) = (
            "\(folder.path)/filtered.osm.pbf", "\(folder.path)/features.geojsonseq"
        )
        _ = try Command.output(
            "osmium",
            ["tags-filter", extract] + AddressIndexMaker.filters + ["--output", filtered])
        _ = try Command.output(
            "osmium",
            [
                "export", filtered, "--format-option=print_record_separator=false",
                "--add-unique-id=type_id", "--output", features,
            ])
        try self.init(folder, features)
    }

    /// Of features that are written here, a line each.
    public init(features lines: [String]) throws {
        let folder = try TestFolder("exam", ["features.geojsonseq": lines.joined(separator: "\n")])
        try self.init(folder, "\(folder.path)/features.geojsonseq")
    }

    private init(_ folder: TestFolder, _ features: String) throws {
        (self.folder, self.features) = (folder, URL(filePath: features))
        maps = MapFolder("\(folder.path)/maps")
        let map = InstalledMap(
            name: Self.name, version: "\(Self.name)-1", folder: "\(maps.madeFolder)/\(Self.name)-1")
        try FileManager.default.createDirectory(
            atPath: map.folder, withIntermediateDirectories: true)
        let counts = try AddressIndexMaker.make(map.addresses, from: self.features)
        let facts = MapFacts(
            name: map.name, bounds: .init(south: -90, west: -180, north: 90, east: 180),
            extractedAt: nil, addedAt: Date(), counts: counts)
        try Wire.encode(facts).write(to: URL(filePath: map.facts))
        try maps.point(map.name, to: map.version)
    }
}
