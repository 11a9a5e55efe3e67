import Foundation
import Geo

/// A place that is looked for by its words.
public struct FindPlacesQuery: OptionallyPointedQuery {
    public static let usualLimit = 8

    public var latitude, longitude: Double?
    public var query: String
    public var limit: Int?

    public init(_ words: String, near point: Coordinate? = nil) {
        (query, latitude, longitude) = (words, point?.latitude, point?.longitude)
    }

    public static let fields: [String: QueryField] = [
        "query": .within(2...200, "What is looked for."),
        "limit": .within(1...20, usual: usualLimit, "Most places of the answer."),
    ]
}

/// A way that is looked for.
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
        "from": "Latitude, longitude.",
        "to": "Latitude, longitude.",
        "mode": "What to go by.",
        "departAt": "When to leave; now when absent.",
        "arriveBy": "When to be there; only by bus or train. Not with `departAt`.",
        "alternatives": .within(1...3, usual: 1, "Most routes of the answer."),
        "language": .atMost(35, "A language tag (BCP 47)."),
    ]
}

/// From where, and within what, somebody gets around.
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
        "modes": "Modes, separated by commas: `bus,walk`.",
        "maxWalkMeters": .within(
            0...20_000, "On foot or in a wheelchair, in one go; of my mobility when absent."),
        "departAt": "When to leave; now when absent.",
        "maxSeconds": .within(60...7_200, "From door to door; of my mobility when absent."),
    ]
}

/// Which vendors are looked for: within one's mobility where nothing else is said.
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
            1...50_000, "Around the point, or around my home where none is given."),
        "kinds": "Kinds, separated by commas: `foodMarket,grocery`.",
        "openAt": "Only those that are open then, `now` as well.",
        "acceptsStamps": "Only those that take stamps.",
        "accessible": "Only those without a step of more than 2 cm and with a door of 80 cm.",
        "q": .atMost(100, "In the name or the address."),
        "maxSeconds": .within(60...7_200, "From door to door."),
        "maxMeters": .within(50...100_000, "From door to door."),
        "sort": "`time` when absent.",
        "limit": .within(1...100, usual: PageLimit.standard, "Items of a page."),
    ]) { $1 }
}

/// Which vendors an operator looks at.
public struct AllVendorsQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var kind: VendorKind?
    public var q: String?

    public init() {}

    public static let fields: [String: QueryField] = [
        "kind": "Only these.",
        "q": .atMost(100, "In the name or the address."),
    ]
}

/// Which suggestions an operator looks at.
public struct VendorSuggestionsQuery: PagedQuery {
    public var after: String?
    public var limit: Int?
    public var status: VendorSuggestion.Status?

    public init() {}

    public static let fields: [String: QueryField] = ["status": "`open` when absent."]
}

/// What a file of vendors is called.
public struct VendorImportQuery: Query {
    public var name: String

    public init(name: String) { self.name = name }

    public static let fields: [String: QueryField] = [
        "name": .within(
            1...100,
            "What the file is called; by it and its ids the next import knows the vendors again.")
    ]
}

/// A point as `35.8989,14.5146`: latitude and longitude in degrees.
public struct PointText: Codable, Hashable, Sendable {
    public let point: Coordinate

    public init(_ point: Coordinate) { self.point = point }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let texts = try container.decode(String.self)
            .split(separator: ",", omittingEmptySubsequences: false)
        let numbers = texts.compactMap { Double($0) }
        guard texts.count == 2, numbers.count == 2 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: Self.form)
        }
        point = Coordinate(latitude: numbers[0], longitude: numbers[1])
        guard point.isOnGlobe else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: Self.form)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(point.latitude),\(point.longitude)")
    }
}

extension PointText: Described, WrittenForm {
    public static var schema: JSONValue {
        .schema("string", ["pattern": "^-?[0-9.]+,-?[0-9.]+$"])
    }
    public static var sample: JSONValue { "35.8989,14.5146" }
    public static var form: String { "Latitude and longitude, as in 35.8989,14.5146." }
}

/// A moment: a time of RFC 3339, or `now`.
public enum TimeOrNow: Codable, Hashable, Sendable {
    case now
    case time(Date)

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let moment = text == "now" ? .now : Wire.date(text).map(Self.time) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: Self.form)
        }
        self = moment
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .now: try container.encode("now")
        case .time(let date): try container.encode(date)
        }
    }
}

extension TimeOrNow: Described, WrittenForm {
    public static var schema: JSONValue { .time }
    public static var parts: [any Decodable.Type] { [Date.self] }
    public static var sample: JSONValue { "now" }
    public static var form: String { "An RFC 3339 time, or now." }
}
