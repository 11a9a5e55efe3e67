import Foundation
import Geo

/// Searches places by name or address.
public struct FindPlacesQuery: OptionallyPointedQuery {
    public static let usualLimit = 8
    /// In characters.
    public static let lengths = 2...200

    public var latitude, longitude: Double?
    public var query: String
    public var limit: Int?

    public init(_ words: String, near point: Coordinate? = nil) {
        (query, latitude, longitude) = (words, point?.latitude, point?.longitude)
    }

    public static let fields: [String: QueryField] = [
        "query": .within(lengths, "Name, address or coordinates."),
        "limit": .within(1...20, usual: usualLimit, "Maximum number of places to return."),
    ]
}

/// Searches routes between two points.
public struct RoutesQuery: Query {
    public var from, to: PointText
    public var mode: MobilityMode?
    public var departAt, arriveBy: Date?
    public var alternatives: Int?
    public var language: String?

    public init(from start: Coordinate, to end: Coordinate) {
        (from, to) = (PointText(start), PointText(end))
    }

    public static let fields: [String: QueryField] = [
        "from": "Start, as latitude and longitude.",
        "to": "Destination, as latitude and longitude.",
        "mode": "How to travel.",
        "departAt": "Departure time; now by default.",
        "arriveBy": "Arrival time, for public transport only; can't be combined with `departAt`.",
        "alternatives": .within(1...3, usual: 1, "Maximum number of routes to return."),
        "language": .atMost(35, "A language tag (BCP 47)."),
    ]
}

/// The starting point and the limits of an isochrone.
public struct ReachableQuery: PointedQuery {
    public var latitude, longitude: Double
    public var modes: CommaSeparated<MobilityMode>?
    public var maxWalkMeters: Int?
    public var departAt: Date?
    public var maxSeconds: Int?

    public init(from point: Coordinate) {
        (latitude, longitude) = (point.latitude, point.longitude)
    }

    public static let fields: [String: QueryField] = [
        "modes": "Modes of travel, separated by commas, for example `bus,walk`.",
        "maxWalkMeters": .within(
            0...20_000,
            "Longest single walk in metres, also by wheelchair; from my mobility by default."),
        "departAt": "Departure time; now by default.",
        "maxSeconds": .within(
            60...7_200, "Longest travel time in seconds, door to door; from my mobility by default."
        ),
    ]
}

/// Searches vendors; limits that are absent come from the caller's mobility.
public struct FindVendorsQuery: PagedQuery, OptionallyPointedQuery {
    public enum Sort: String, QueryChoice { case time, distance }

    public var after: String?
    public var limit: Int?
    public var latitude, longitude: Double?
    public var radiusMeters: Int?
    public var kinds: CommaSeparated<VendorKind>?
    public var openAt: TimeOrNow?
    public var acceptsStamps, accessible: Bool?
    public var q: String?
    public var modes: CommaSeparated<MobilityMode>?
    public var maxWalkMeters, maxSeconds, maxMeters: Int?
    public var departAt: Date?
    public var sort: Sort?

    public init(near point: Coordinate? = nil) {
        (latitude, longitude) = (point?.latitude, point?.longitude)
    }

    public static let fields = ReachableQuery.fields.merging([
        "radiusMeters": .within(
            1...50_000, "Distance in metres from the point, or from my home by default."),
        "kinds": "Kinds of vendors, separated by commas, for example `foodMarket,grocery`.",
        "openAt": "Return only vendors that are open at this time; `now` is accepted.",
        "acceptsStamps": "Return only vendors that take food stamps.",
        "accessible":
            "Return only vendors whose step is at most 2 cm high and whose door is at least 80 cm wide.",
        "maxMeters": .within(
            50...100_000, "Longest distance in metres, door to door; from my mobility by default."),
        "sort": "Order of the results; `time` by default.",
        "limit": .within(1...100, usual: PageLimit.standard, "Number of items per page."),
    ]) { $1 }
}

/// Filters the vendors that operators see.
public struct AllVendorsQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var kind: VendorKind?
    public var q: String?

    public init() {}

    public static let fields: [String: QueryField] = [
        "kind": "Return only vendors of this kind."
    ]
}

/// Filters the suggestions that operators see.
public struct VendorSuggestionsQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var status: VendorSuggestion.Status?

    public init() {}

    public static let fields: [String: QueryField] = [
        "status": "Return only suggestions with this status; `open` by default."
    ]
}

/// The name of a file of vendors.
public struct VendorImportQuery: Query {
    public var name: String

    public init(name: String) { self.name = name }

    public static let fields: [String: QueryField] = [
        "name": .within(
            1...100,
            "Name of the file; together with its ids, it identifies the same vendors in the next import."
        )
    ]
}

/// A point written as `35.8989,14.5146`: latitude and longitude in degrees (WGS 84).
public struct PointText: TextValue {
    public let point: Coordinate

    public init(_ point: Coordinate) { self.point = point }

    public init?(_ text: String) {
        let texts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = texts.compactMap { Double($0) }
        guard texts.count == 2, numbers.count == 2 else { return nil }
        point = Coordinate(latitude: numbers[0], longitude: numbers[1])
        guard point.isOnGlobe else { return nil }
    }

    public var description: String { "\(point.latitude),\(point.longitude)" }

    public static var schema: JSONValue {
        .schema("string", ["pattern": "^-?[0-9.]+,-?[0-9.]+$"])
    }
    public static var sample: JSONValue { "35.8989,14.5146" }
    public static var form: String { "Use latitude and longitude, for example 35.8989,14.5146." }
}

/// A time (RFC 3339), or `now`.
public enum TimeOrNow: TextValue {
    case now
    case time(Date)

    public init?(_ text: String) {
        guard let moment = text == "now" ? .now : Wire.date(text).map(Self.time) else {
            return nil
        }
        self = moment
    }

    public var description: String {
        switch self {
        case .now: "now"
        case .time(let date): Wire.text(date)
        }
    }

    public func date(at now: Date) -> Date {
        switch self {
        case .now: now
        case .time(let date): date
        }
    }

    public static var schema: JSONValue { .time }
    public static var parts: [any Decodable.Type] { [Date.self] }
    public static var sample: JSONValue { "now" }
    public static var form: String { "Use an RFC 3339 time, or now." }
}
