import Contracts
import Geo
import Store

extension Area {
    /// The area of a GeoJSON geometry. Throws `GeoError` if its rings are invalid.
    public init(_ geometry: AreaGeometry) throws {
        let polygons: [[[[Double]]]] =
            switch geometry {
            case .polygon(let rings): [rings]
            case .multiPolygon(let polygons): polygons
            }
        self.init(polygons: try polygons.map { rings in try Polygon(rings: rings.map(Self.ring)) })
    }

    private static func ring(_ positions: [[Double]]) throws -> [Coordinate] {
        try positions.map { position in
            guard position.count >= 2 else {
                throw Refusal.invalid("geometry.coordinates", "Use two numbers for each position.")
            }
            return Coordinate(latitude: position[1], longitude: position[0])
        }
    }
}

extension Conditions {
    /// Requires a latitude and a longitude within one of the boxes.
    public mutating func require(in boxes: [BoundingBox]) {
        let box = "latitude BETWEEN ? AND ? AND longitude BETWEEN ? AND ?"
        require(
            "(\(boxes.map { _ in box }.joined(separator: " OR ")))",
            arguments: boxes.flatMap { [$0.south, $0.north, $0.west, $0.east] })
    }
}
