import Geo

/// Which open spots are looked for.
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
        "radiusMeters": .within(50...10_000, usual: usualRadius, "How far to look."),
        "maxPrice": .atLeast(0, "In minor units."),
        "sale": "Only such.",
        "limit": .within(1...100, usual: usualLimit, "Spots of the answer."),
    ]
}

/// Which spots an operator looks at.
public struct AllSpotsQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var status: SpotStatus?
    public var area: ServiceAreaID?
    public var disputed: Bool?

    public init() {}

    public static let fields: [String: QueryField] = [
        "status": "Only those.",
        "area": "Only there.",
        "disputed": "Only those with a dispute to decide.",
    ]
}
