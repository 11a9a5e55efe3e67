import Foundation
import Geo

/// The query of an endpoint. Its fields are the parameters; an optional field may be absent.
///
/// `Endpoint<FindSpotsQuery, Page<Spot>>` takes one. An endpoint that takes bytes as well uses `Upload`.
public protocol Query: Codable, Sendable, Hashable {
    /// Descriptions and limits of the fields by name, except for those that queries have in common.
    static var fields: [String: QueryField] { get }
}

extension Query {
    public static var fields: [String: QueryField] { [:] }

    /// Nil if nothing describes the field, which fails the document's test.
    public static func field(_ name: String) -> QueryField? {
        let point = self is any OptionallyPointedQuery.Type ? Fields.optionalPoint[name] : nil
        return fields[name] ?? point ?? Fields.common[name]
    }

    /// A copy with another value of a field.
    public func with<Value>(_ field: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
        var query = self
        query[keyPath: field] = value
        return query
    }
}

/// The description and the limits of one field of a query.
public struct QueryField: Sendable, Hashable, ExpressibleByStringLiteral {
    public let text: String
    /// Limits of a number, or of the length of a text in characters.
    public private(set) var least, most: Int?
    /// The value that an absent field stands for.
    public private(set) var usual: JSONValue?
    /// A regular expression for the whole text.
    public private(set) var pattern: String?

    public init(stringLiteral text: String) { self.text = text }

    private init(_ text: String, least: Int?, most: Int?, usual: JSONValue?) {
        (self.text, self.least, self.most, self.usual) = (text, least, most, usual)
    }

    public static func within(
        _ limits: ClosedRange<Int>, usual: Int? = nil, _ text: String
    ) -> QueryField {
        QueryField(
            text, least: limits.lowerBound, most: limits.upperBound,
            usual: usual.map(JSONValue.integer))
    }

    public static func atLeast(_ least: Int, _ text: String) -> QueryField {
        QueryField(text, least: least, most: nil, usual: nil)
    }

    public static func atMost(_ most: Int, _ text: String) -> QueryField {
        QueryField(text, least: nil, most: most, usual: nil)
    }

    public static func matching(_ pattern: String, _ text: String) -> QueryField {
        var field = QueryField(stringLiteral: text)
        field.pattern = pattern
        return field
    }

    public static func usually(_ usual: JSONValue, _ text: String) -> QueryField {
        QueryField(text, least: nil, most: nil, usual: usual)
    }

    /// Whether a text matches the pattern, and its length the limits.
    public func admits(_ text: String) -> Bool {
        admits(Double(text.count))
            && (pattern.map { text.range(of: $0, options: .regularExpression) != nil } ?? true)
    }

    /// Whether a number, or a length in characters, is within the limits.
    public func admits(_ size: Double) -> Bool {
        size >= least.map(Double.init) ?? -.infinity && size <= most.map(Double.init) ?? .infinity
    }
}

private enum Fields {
    /// Fields that mean the same in every query, unless it describes them itself.
    static let common: [String: QueryField] = [
        "after": .atMost(200, "Cursor from the previous page."),
        "limit": .within(
            1...PageLimit.most, usual: PageLimit.standard, "Number of items per page."),
        "q": .atMost(100, "Words in the name or the address."),
        "latitude": .within(-90...90, "In degrees."),
        "longitude": .within(-180...180, "In degrees."),
    ]
    static let optionalPoint: [String: QueryField] = [
        "latitude": .within(-90...90, "Degrees; requires `longitude`."),
        "longitude": .within(-180...180, "Degrees; requires `latitude`."),
    ]
}

// MARK: Queries that services have in common

/// A query for one page of a list.
public protocol PagedQuery: Query {
    /// Cursor from the previous page.
    var after: String? { get set }
    var limit: Int? { get set }
}

extension PagedQuery {
    /// A copy for the page after that cursor.
    public func page(after: String? = nil, limit: Int? = nil) -> Self {
        with(\.after, after).with(\.limit, limit)
    }
}

/// `?after=&limit=`
public struct PageQuery: PagedQuery {
    public var after: String?
    public var limit: Int?

    public init(after: String? = nil, limit: Int? = nil) {
        (self.after, self.limit) = (after, limit)
    }
}

/// A query about a point.
public protocol PointedQuery: Query {
    /// In degrees (WGS 84).
    var latitude: Double { get }
    var longitude: Double { get }
}

extension PointedQuery {
    public var point: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}

/// A query about a point, which may be absent.
public protocol OptionallyPointedQuery: Query {
    /// In degrees (WGS 84); both, or neither.
    var latitude: Double? { get }
    var longitude: Double? { get }
}

extension OptionallyPointedQuery {
    public var point: Coordinate? {
        guard let latitude, let longitude else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }
}

/// `?latitude=&longitude=`
public struct PointQuery: PointedQuery {
    public var latitude, longitude: Double

    public init(_ point: Coordinate) { (latitude, longitude) = (point.latitude, point.longitude) }
}

/// `?from=&to=`: a period of up to 31 days.
public struct SpanQuery: Query {
    public var from, to: Date?

    public init(from: Date? = nil, to: Date? = nil) { (self.from, self.to) = (from, to) }

    public static let fields: [String: QueryField] = [
        "from": "Start of the period; by default as long before `to` as the endpoint says.",
        "to": "End of the period, exclusive; now by default.",
    ]
}

/// `?language=`
public struct LanguageQuery: Query {
    public var language: Language?

    public init(_ language: Language? = nil) { self.language = language }

    public static let fields: [String: QueryField] = [
        "language": "Language of the answer; yours by default."
    ]
}

/// The signature of a picture's address. Malformed fields read as nil, so that the address is refused as invalid, like
/// any other that we did not sign.
public struct SignatureQuery: Query {
    public var expires: Int?
    public var signature: String?

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        expires = try? fields.decode(Int.self, forKey: .expires)
        signature = try? fields.decode(String.self, forKey: .signature)
    }

    public static let fields: [String: QueryField] = [
        "expires": "Seconds since 1970.",
        "signature": .matching(
            "^[0-9a-f]{64}$", "HMAC-SHA256 of the path and the expiry time."),
    ]
}

/// Bytes, as in `Bytes`, together with a query.
public struct Upload<Asked: Query>: Sendable {
    public let query: Asked

    public init(_ query: Asked) { self.query = query }
}

// MARK: Values

/// A value that says which text it accepts, for the error when a client sends something else.
public protocol WrittenForm {
    static var form: String { get }
}

/// An enumeration that only this query has.
public protocol QueryChoice: Codable, Sendable, CaseIterable, Described, RawRepresentable<String> {}

extension QueryChoice {
    public static var schema: JSONValue {
        .schema("string", ["enum": .list(allCases.map { .text($0.rawValue) })])
    }
    public static var sample: JSONValue { .text(allCases.first?.rawValue ?? "") }
}

/// A value that is one text on the wire.
public protocol TextValue: LosslessStringConvertible, Codable, Hashable, Sendable, Described,
    WrittenForm
{}

extension TextValue {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: Self.form)
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// A set of values separated by commas, for example `bus,walk`.
public struct CommaSeparated<Element>: TextValue
where Element: RawRepresentable<String> & CaseIterable & Hashable & Sendable {
    public var values: Set<Element>

    public init(_ values: Set<Element>) { self.values = values }

    public init?(_ text: String) {
        let names = text.split(separator: ",")
        values = Set(names.compactMap { Element(rawValue: String($0)) })
        guard Set(names).count == values.count else { return nil }
    }

    public var description: String { values.map(\.rawValue).sorted().joined(separator: ",") }

    public static var schema: JSONValue { .schema("string") }
    public static var sample: JSONValue { "" }
    public static var form: String {
        "Use \(Element.allCases.map(\.rawValue).joined(separator: ", ")), separated by commas."
    }
}

extension Identifier: WrittenForm {
    public static var form: String { "Use an id (UUID)." }
}

extension ServiceAreaID: WrittenForm {
    public static var form: String { "Use the id of a service area." }
}

extension Date: WrittenForm {
    public static var form: String { "Use an RFC 3339 time." }
}
