import Contracts
import Foundation
import Geo

/// Places of one kind from a map, for services to import: GeoJSON, one per line, with OpenStreetMap's tags and values
/// without a tag: `timeZone`, `currency`, and `nearestStreet`.
public enum PlaceExtract {
    private struct Line: Encodable {
        struct Point: Encodable {
            let type = "Point"
            let coordinates: [Double]
        }

        let type = "Feature"
        let id: String
        let geometry: Point
        let properties: [String: String]
    }

    /// Returns the number of places. `features` may contain more: anything that the places refer to.
    public static func make(
        _ path: String, from features: URL, addresses index: String,
        where isWanted: (_ tags: [String: String]) -> Bool
    ) throws -> Int {
        let addresses = try AddressIndex(index)
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { throw CocoaError(.fileWriteUnknown) }
        defer { try? file.close() }
        var count = 0
        try MapFeature.each(of: features) { feature in
            guard isWanted(feature.tags), let id = feature.id,
                let point = feature.middle
            else { return }
            var tags = feature.tags
            let entry = try addresses.nearest(to: point)?.entry
            tags["nearestStreet"] = (entry?.street ?? entry?.names)?.best([])
            if let zone = TimeZones.zone(at: point, in: HouseOrder.country(tags)) {
                (tags["timeZone"], tags["currency"]) = (zone.name, zone.currency)
            }
            let line = Line(
                id: id, geometry: .init(coordinates: [point.longitude, point.latitude]),
                properties: tags)
            try file.write(contentsOf: Wire.encode(line) + Data("\n".utf8))
            count += 1
        }
        return count
    }
}
