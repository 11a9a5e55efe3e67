/// One or more polygons that form one area, such as a service area.
public struct Area: Hashable, Sendable {
    public let polygons: [Polygon]

    public init(polygons: [Polygon]) { self.polygons = polygons }

    public func contains(_ point: Coordinate) -> Bool {
        polygons.contains { $0.boundingBox.contains(point) && $0.contains(point) }
    }

    /// Zero inside, else the distance to the nearest edge. Infinite without polygons.
    public func distanceMeters(to point: Coordinate) -> Double {
        polygons.map { $0.distanceMeters(to: point) }.min() ?? .infinity
    }
}
