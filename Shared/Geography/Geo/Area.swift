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

    /// A point on the surface of the largest of these polygons, which are given by their rings (RFC 7946 §3.1.7). If
    /// none of them is valid, the mean of the first one's corners; nil without any.
    public static func pointOnSurface(of polygons: [[[Coordinate]]]) -> Coordinate? {
        let valid = polygons.compactMap { try? Polygon(rings: $0) }
        if let largest = valid.max(by: { $0.surface < $1.surface }) {
            return largest.pointOnSurface
        }
        // A ring ends where it begins.
        let corners = (polygons.first?.first ?? []).dropLast()
        guard !corners.isEmpty else { return nil }
        let count = Double(corners.count)
        return Coordinate(
            latitude: corners.map(\.latitude).reduce(0, +) / count,
            longitude: corners.map(\.longitude).reduce(0, +) / count)
    }
}
