import Foundation
import Geo

/// The walk at one end of a trip.
public struct TripWalkQuery: PointedQuery {
    public var latitude, longitude: Double
    public var end: TripEnd
    public var otherLatitude, otherLongitude: Double?

    public init(to end: TripEnd, at point: Coordinate, other: Coordinate? = nil) {
        (latitude, longitude, self.end) = (point.latitude, point.longitude, end)
        (otherLatitude, otherLongitude) = (other?.latitude, other?.longitude)
    }

    public static let fields: [String: QueryField] = [
        "end": "The end of the trip to walk to or from.",
        "otherLatitude": .within(-90...90, "Degrees; requires `otherLongitude`."),
        "otherLongitude": .within(-180...180, "Degrees; requires `otherLatitude`."),
    ]
}

/// Filters the caller's seat requests.
public struct SeatRequestsQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var role: RideSide?
    public var open: Bool?

    public init() {}

    public static let fields: [String: QueryField] = [
        "role": "Return only requests in which you have this role.",
        "open": .usually(.bool(false), "Return only open requests."),
    ]
}

/// Filters the caller's rides.
public struct RidesQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var role: RideSide?
    public var from, until: Date?

    public init() {}

    public static let fields: [String: QueryField] = [
        "role": "Return only rides in which you have this role.",
        "from": "Return only rides that depart at or after this time.",
        "until": "Return only rides that depart before this time.",
    ]
}

/// Filters the trips that operators see.
public struct AllTripsQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var status: TripStatus?
    public var area: ServiceAreaID?

    public init() {}

    public static let fields: [String: QueryField] = [
        "status": "Return only trips with this status.",
        "area": "Return only trips that start in this service area.",
    ]
}
