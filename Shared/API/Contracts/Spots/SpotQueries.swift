import Geo

/// Searches open spots around a point.
public struct FindSpotsQuery: PointedQuery {
    /// In metres.
    public static let usualRadius = 1_000
    public static let usualLimit = 20

    public var latitude, longitude: Double
    public var radiusMeters: Double?
    public var maxPrice: Int?
    public var sale: SpotSale?
    public var limit: Int?

    public init(near point: Coordinate) {
        (latitude, longitude) = (point.latitude, point.longitude)
    }

    public static let fields: [String: QueryField] = [
        "radiusMeters": .within(50...10_000, usual: usualRadius, "Search radius in metres."),
        "maxPrice": .atLeast(0, "Highest price, in minor units."),
        "sale": "Return only spots sold this way.",
        "limit": .within(1...100, usual: usualLimit, "Maximum number of spots to return."),
    ]
}

/// Filters the spots that operators see.
public struct AllSpotsQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var status: SpotStatus?
    public var area: ServiceAreaID?
    public var disputed: Bool?

    public init() {}

    public static let fields: [String: QueryField] = [
        "status": "Return only spots with this status.",
        "area": "Return only spots in this service area.",
        "disputed": "Return only spots with an open dispute.",
    ]
}
