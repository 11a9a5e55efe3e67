import Foundation
import Geo

/// From where, or to where, somebody walks at one end of a trip.
public struct TripWalkQuery: PointedQuery {
    public var latitude, longitude: Double
    public var end: TripEnd
    public var otherLatitude, otherLongitude: Double?

    public init(to end: TripEnd, at point: Coordinate, other: Coordinate? = nil) {
        (latitude, longitude, self.end) = (point.latitude, point.longitude, end)
        (otherLatitude, otherLongitude) = (other?.latitude, other?.longitude)
    }

    public static let fields: [String: QueryField] = [
        "end": "Which end.",
        "otherLatitude": .within(-90...90, "Degrees; with `otherLongitude`."),
        "otherLongitude": .within(-180...180, "Degrees; with `otherLatitude`."),
    ]
}

/// Which of one's seats.
public struct SeatRequestsQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var role: RideSide?
    public var open: Bool?

    public init() {}

    public static let fields: [String: QueryField] = [
        "role": "Only as such.",
        "open": .usually(.bool(false), "Only those that are not over."),
    ]
}

/// Which of one's rides.
public struct RidesQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var role: RideSide?
    public var from, until: Date?

    public init() {}

    public static let fields: [String: QueryField] = [
        "role": "Only as such.",
        "from": "Departures from then on.",
        "until": "Departures before.",
    ]
}

/// Which trips an operator looks at.
public struct AllTripsQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var status: TripStatus?
    public var area: ServiceAreaID?

    public init() {}

    public static let fields: [String: QueryField] = [
        "status": "Only those.",
        "area": "Only from there.",
    ]
}
