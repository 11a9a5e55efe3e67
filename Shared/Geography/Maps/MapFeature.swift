import Foundation
import Geo

/// A feature of an extract from `osmium export`: GeoJSON, one feature per line.
struct MapFeature: Decodable {
    enum Shape {
        case point(Coordinate)
        case line([Coordinate])
        /// Polygons, each with its rings, the outermost first.
        case area([[[Coordinate]]])
    }

    /// For example `n17`, `w4025` or, for an area, `a8050`; nil if osmium did not write ids.
    let id: String?
    let shape: Shape
    let tags: [String: String]

    /// Reads the features one by one, in the order of the file.
    static func each(of file: URL, _ read: (MapFeature) throws -> Void) throws {
        let data = try Data(contentsOf: file, options: .mappedIfSafe)
        let decoder = JSONDecoder()
        for line in data.split(separator: UInt8(ascii: "\n")) {
            try read(try decoder.decode(MapFeature.self, from: line))
        }
    }

    private enum Key: String, CodingKey { case id, geometry, properties, type, coordinates }

    init(from decoder: any Decoder) throws {
        let feature = try decoder.container(keyedBy: Key.self)
        id = try feature.decodeIfPresent(String.self, forKey: .id)
        tags = try feature.decode([String: String].self, forKey: .properties)
        let geometry = try feature.nestedContainer(keyedBy: Key.self, forKey: .geometry)
        func coordinates<Numbers: Decodable>(_: Numbers.Type) throws -> Numbers {
            try geometry.decode(Numbers.self, forKey: .coordinates)
        }
        let type = try geometry.decode(String.self, forKey: .type)
        switch type {
        case "Point": shape = .point(try Self.point(coordinates([Double].self)))
        case "LineString": shape = .line(try coordinates([[Double]].self).map(Self.point))
        case "Polygon", "MultiPolygon":
            let polygons =
                type == "Polygon"
                ? [try coordinates([[[Double]]].self)] : try coordinates([[[[Double]]]].self)
            shape = .area(try polygons.map { try $0.map { try $0.map(Self.point) } })
        default: throw Self.unreadable(feature, "a geometry of type \(type)")
        }
    }

    private static func point(_ numbers: [Double]) throws -> Coordinate {
        guard numbers.count >= 2 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "a position of fewer than two numbers"))
        }
        return Coordinate(latitude: numbers[1], longitude: numbers[0])
    }

    private static func unreadable(
        _ feature: KeyedDecodingContainer<Key>, _ reason: String
    ) -> DecodingError {
        .dataCorruptedError(forKey: .geometry, in: feature, debugDescription: reason)
    }

    /// The position on a map: a point on the surface of an area, or halfway along a line.
    var middle: Coordinate? {
        switch shape {
        case .point(let point): return point
        case .line(let points): return points.isEmpty ? nil : points[points.count / 2]
        case .area(let polygons): return Area.pointOnSurface(of: polygons)
        }
    }
}
