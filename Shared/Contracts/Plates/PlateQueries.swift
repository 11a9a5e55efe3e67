import Geo

/// Whose plate is read.
public struct RecognitionQuery: Query {
    public var orderId: EngagementID?

    public init(of engagement: EngagementID? = nil) { orderId = engagement }

    public static let fields: [String: QueryField] = ["orderId": "The order whose vehicle it is."]
}

/// When and where a photo is taken.
public struct VehiclePhotoQuery: OptionallyPointedQuery {
    public var latitude, longitude: Double?
    public var moment: PhotoMoment

    public init(_ moment: PhotoMoment, at point: Coordinate? = nil) {
        (latitude, longitude, self.moment) = (point?.latitude, point?.longitude, moment)
    }

    public static let fields: [String: QueryField] = [
        "moment": "When it is taken."
    ]
}
