import Foundation
import Geo

/// Searches car parks: all of them, around a point, or those that can be booked for a stay.
public struct FindCarParksQuery: PagedQuery, OptionallyPointedQuery {
    public enum Sort: String, QueryChoice { case distance, price, walk }

    /// In metres.
    public static let usualRadius = 2_000.0

    public var after: String?
    public var limit: Int?
    public var latitude, longitude: Double?
    public var radiusMeters: Double?
    public var from, until: Date?
    public var `class`: SpaceClass?
    public var minFree: Int?
    public var openNow: Bool?
    public var maxHeightMeters: Double?
    public var q: String?
    public var sort: Sort?

    public init(near point: Coordinate? = nil) {
        (latitude, longitude) = (point?.latitude, point?.longitude)
    }

    public static let fields: [String: QueryField] = [
        "radiusMeters": .within(1...50_000, "Distance from the point in metres; 2,000 by default."),
        "from": "Start of the stay; requires `until`.",
        "until": "End of the stay, exclusive; requires `from`.",
        "class": "Class of space; `general` by default.",
        "minFree": .within(
            1...100_000,
            "Return only car parks with at least this many free spaces during the stay, or now."),
        "openNow": "Return only car parks that are known to be open now.",
        "maxHeightMeters": .within(
            0...10,
            "Height of the vehicle in metres; car parks that are lower or of unreadable height are left out."
        ),
        "sort":
            "`distance` by default; `walk` is the straight-line distance to the nearest entrance.",
    ]
}

/// The interval for which free spaces are counted.
public struct AvailabilityQuery: Query {
    public var from, until: Date
    public var `class`: SpaceClass?

    public init(from: Date, until: Date) { (self.from, self.until) = (from, until) }

    public static let fields: [String: QueryField] = [
        "from": "Start of the interval.",
        "until": "End of the interval, exclusive.",
        "class": "Class of space; `general` by default.",
    ]
}

/// The booking to price.
public struct ParkingQuoteQuery: Query {
    public var productId: ParkingProductID?
    public var start: Date
    public var quantity, spaces: Int?
    public var end: Date?
    public var `class`: SpaceClass?
    public var points: Int?

    public init(_ product: ParkingProductID, from start: Date, quantity: Int? = nil) {
        (productId, self.start, self.quantity) = (product, start, quantity)
    }

    public init(from start: Date, until end: Date) { (self.start, self.end) = (start, end) }

    public static let fields: [String: QueryField] = [
        "productId": "The product to book; required without `end`.",
        "start": "Start of the booking.",
        "quantity": .atLeast(1, "Number of units; 1 by default."),
        "end":
            "End of the booking instead of a quantity, rounded up to a unit of the product, or of the shortest one.",
        "spaces": .atLeast(1, "Number of spaces; 1 by default."),
        "class": "Class of space; `general` by default.",
        "points": .atLeast(0, "Loyalty points to pay with, for up to half of the price."),
    ]
}

/// The starting point of a route to a car park, and how to travel.
public struct CarParkRouteQuery: PointedQuery {
    public var latitude, longitude: Double
    public var mode: TravelMode?

    public init(from point: Coordinate, by mode: TravelMode? = nil) {
        (latitude, longitude, self.mode) = (point.latitude, point.longitude, mode)
    }

    public static let fields: [String: QueryField] = ["mode": "How to travel; `car` by default."]
}

/// Filters bookings.
public struct BookingsQuery: PagedQuery {
    public enum State: String, QueryChoice { case current, past }

    public var after: String?
    public var limit: Int?
    public var state: State?
    public var carParkId: CarParkID?
    public var plate: String?
    public var day: CalendarDay?

    public init() {}

    public static let fields: [String: QueryField] = [
        "state": "`current` returns upcoming and running bookings, `past` all others.",
        "carParkId": "Operators only: bookings of this car park.",
        "plate": .atMost(Vehicle.longestPlate, "Operators only: bookings of this vehicle."),
        "day":
            "Operators only: bookings on this day, in the time zone of the given car park, or in UTC.",
    ]
}

/// Filters the stays that operators see.
public struct ParkingSessionsQuery: PagedQuery {
    public enum State: String, QueryChoice { case inside, ended }

    public var after: String?
    public var limit: Int?
    public var state: State?
    public var carParkId: CarParkID?
    public var plate: String?
    public var day: CalendarDay?

    public init() {}

    public static let fields: [String: QueryField] = [
        "state": "`inside` returns stays of vehicles that are parked now, `ended` all others.",
        "carParkId": "Return only stays in this car park.",
        "plate": .atMost(Vehicle.longestPlate, "Return only stays of this vehicle."),
        "day": "Return only stays on this day, in the time zone of the given car park, or in UTC.",
    ]
}

/// The period of a report.
public struct CarParkReportQuery: Query {
    public var from, until: Date?

    public init(from: Date? = nil, until: Date? = nil) { (self.from, self.until) = (from, until) }

    public static let fields: [String: QueryField] = [
        "from": "Start of the period; a day before `until` by default.",
        "until": "End of the period, exclusive; now by default.",
    ]
}

/// Selects a class of spaces.
public struct SpaceClassQuery: Query {
    public var `class`: SpaceClass?

    public init(_ kind: SpaceClass? = nil) { self.class = kind }

    public static let fields: [String: QueryField] = [
        "class": "Class of space; `general` by default."
    ]
}

/// Filters the fines that operators see.
public struct FinesQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var state: FineStatus?
    public var plate: String?
    public var carParkId: CarParkID?

    public init() {}

    public static let fields: [String: QueryField] = [
        "state": "Return only fines in this state.",
        "plate": .atMost(Vehicle.longestPlate, "Return only fines of this vehicle."),
        "carParkId": "Return only fines in this car park.",
    ]
}

/// Selects the vehicles with a plate.
public struct PlateProofsQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var plate: String

    public init(_ plate: String) { self.plate = plate }

    public static let fields: [String: QueryField] = [
        "plate": .atMost(
            Vehicle.longestPlate, "Plate of the vehicles. Only its letters and digits count.")
    ]
}

/// A calendar day without a time zone, such as `2026-12-24`.
public struct CalendarDay: TextValue {
    /// Noon of the day in UTC, which is the same day in nearly every time zone.
    public let noon: Date

    public init?(_ text: String) {
        guard text.utf8.count == 10, let noon = Wire.date("\(text)T12:00:00Z") else { return nil }
        self.noon = noon
    }

    public var description: String { String(Wire.text(noon).prefix(10)) }

    public static var schema: JSONValue { .schema("string", ["format": "date"]) }
    public static var sample: JSONValue { "2026-12-24" }
    public static var form: String { "Use a day such as 2026-12-24." }
}
