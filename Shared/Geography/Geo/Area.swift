/// One or more polygons that belong together: a service area.
public struct Area: Hashable, Sendable {
    public let polygons: [Polygon]

    public init(polygons: [Polygon]) { self.polygons = polygons }

    public func contains(_ point: Coordinate) -> Bool {
        polygons.contains { $0.boundingBox.contains(point) && $0.contains(point) }
    }

    /// Zero inside; otherwise to the nearest edge. Infinite when there are no polygons.
    public func distanceMeters(to point: Coordinate) -> Double {
        polygons.map { $0.distanceMeters(to: point) }.min() ?? .infinity
    }
}
