import Foundation
import Geo

/// Which car parks are looked for: all of them, around a point, or those that may be booked for a stay.
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
        "radiusMeters": .within(1...50_000, "Around the point; 2,000 when absent."),
        "from": "First moment of a stay; with `until`.",
        "until": "The moment after its last; with `from`.",
        "class": "`general` when absent.",
        "minFree": .within(1...100_000, "Spaces that are free in the interval, or now."),
        "openNow": "Only those that are open at present.",
        "maxHeightMeters": .within(0...10, "Of the vehicle: only those that it fits into."),
        "q": .atMost(100, "In the name or the address."),
        "sort":
            "`distance` when absent; `walk` is to the nearest entrance on foot, in a straight line.",
    ]
}

/// For when a space is wanted.
public struct AvailabilityQuery: Query {
    public var from, until: Date
    public var `class`: SpaceClass?

    public init(from: Date, until: Date) { (self.from, self.until) = (from, until) }

    public static let fields: [String: QueryField] = [
        "from": "First moment.",
        "until": "The moment after the last.",
        "class": "`general` when absent.",
    ]
}

/// What would be booked.
public struct ParkingQuoteQuery: Query {
    public var productId: ParkingProductID
    public var start: Date
    public var quantity, spaces: Int?
    public var `class`: SpaceClass?
    public var points: Int?

    public init(_ product: ParkingProductID, from start: Date, quantity: Int? = nil) {
        (productId, self.start, self.quantity) = (product, start, quantity)
    }

    public static let fields: [String: QueryField] = [
        "productId": "What is booked.",
        "start": "First moment.",
        "quantity": .atLeast(1, "Units; one when absent."),
        "spaces": .atLeast(1, "One when absent."),
        "class": "`general` when absent.",
        "points": .atLeast(0, "To pay with: worth half of the price at most."),
    ]
}

/// From where, and how, somebody comes to a car park.
public struct CarParkRouteQuery: PointedQuery {
    public var latitude, longitude: Double
    public var mode: TravelMode?

    public init(from point: Coordinate, by mode: TravelMode? = nil) {
        (latitude, longitude, self.mode) = (point.latitude, point.longitude, mode)
    }

    public static let fields: [String: QueryField] = ["mode": "`car` when absent."]
}

/// Which bookings.
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
        "state": "Those that are still to come or going on, or the others.",
        "carParkId": "Operators: of this car park.",
        "plate": .atMost(20, "Operators: of this vehicle."),
        "day": "Operators: those that touch this day, of the car park named, or in UTC.",
    ]
}

/// Which stays of vehicles an operator looks at.
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
        "state": "Of vehicles that are inside, or of those that have left.",
        "carParkId": "In this car park.",
        "plate": .atMost(20, "Of this vehicle."),
        "day": "Those that touch this day, of the car park named, or in UTC.",
    ]
}

/// What an operator's report covers.
public struct CarParkReportQuery: Query {
    public var from, until: Date?

    public init(from: Date? = nil, until: Date? = nil) { (self.from, self.until) = (from, until) }

    public static let fields: [String: QueryField] = [
        "from": "First moment; a day before `until` when absent.",
        "until": "The moment after the last; now when absent.",
    ]
}

/// Which spaces of a car park.
public struct SpaceClassQuery: Query {
    public var `class`: SpaceClass?

    public init(_ kind: SpaceClass? = nil) { self.class = kind }

    public static let fields: [String: QueryField] = ["class": "`general` when absent."]
}

/// Which fines an operator looks at.
public struct FinesQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var state: FineStatus?
    public var plate: String?
    public var carParkId: CarParkID?

    public init() {}

    public static let fields: [String: QueryField] = [
        "state": "Only those in this state.",
        "plate": .atMost(20, "Of this vehicle."),
        "carParkId": "Of this car park.",
    ]
}

/// A day as `2026-12-24`, wherever that is.
public struct CalendarDay: Codable, Hashable, Sendable {
    /// Noon of the day in UTC: a moment of it in nearly every zone.
    public let noon: Date

    public init?(_ text: String) {
        guard text.utf8.count == 10, let noon = Wire.date("\(text)T12:00:00Z") else { return nil }
        self.noon = noon
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let day = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: Self.form)
        }
        self = day
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(String(Wire.text(noon).prefix(10)))
    }
}

extension CalendarDay: Described, WrittenForm {
    public static var schema: JSONValue { .schema("string", ["format": "date"]) }
    public static var sample: JSONValue { "2026-12-24" }
    public static var form: String { "A day as in 2026-12-24." }
}
