import Geo

/// The order whose vehicle is recognised.
public struct RecognitionQuery: Query {
    public var orderId: EngagementID?

    public init(of engagement: EngagementID? = nil) { orderId = engagement }

    public static let fields: [String: QueryField] = [
        "orderId": "The order that the vehicle belongs to."
    ]
}

/// The moment and place of a photo.
public struct VehiclePhotoQuery: OptionallyPointedQuery {
    public var latitude, longitude: Double?
    public var moment: PhotoMoment

    public init(_ moment: PhotoMoment, at point: Coordinate? = nil) {
        (latitude, longitude, self.moment) = (point?.latitude, point?.longitude, moment)
    }

    public static let fields: [String: QueryField] = [
        "moment": "The hand-over at which it is taken."
    ]
}
