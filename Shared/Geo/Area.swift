/// One or more polygons that belong together: a service area.
public struct Area: Hashable, Sendable {
    /// Most polygons of one area.
    public static let mostPolygons = 100

    public let polygons: [Polygon]

    public init(_ polygons: [Polygon]) throws(GeoError) {
        guard !polygons.isEmpty else { throw .empty }
        guard polygons.count <= Self.mostPolygons else {
            throw .tooManyPoints(limit: Self.mostPolygons)
        }
        self.polygons = polygons
    }

    public func contains(_ point: Coordinate) -> Bool {
        polygons.contains { $0.boundingBox.contains(point) && $0.contains(point) }
    }

    /// Zero inside; otherwise to the nearest edge.
    public func distanceMeters(to point: Coordinate) -> Double {
        polygons.map { $0.distanceMeters(to: point) }.min() ?? .infinity
    }
}
