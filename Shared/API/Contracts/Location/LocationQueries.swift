import Geo

/// Searches available valets around a point.
public struct NearbyValetsQuery: PointedQuery {
    /// In metres.
    public static let usualRadius = 3_000

    public var latitude, longitude: Double
    public var radiusMeters: Double?

    public init(around point: Coordinate, radiusMeters: Double? = nil) {
        (latitude, longitude) = (point.latitude, point.longitude)
        self.radiusMeters = radiusMeters
    }

    public static let fields: [String: QueryField] = [
        "radiusMeters": .within(1...6_000, usual: usualRadius, "Search radius in metres.")
    ]
}
