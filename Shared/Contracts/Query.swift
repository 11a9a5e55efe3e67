import Foundation
import Geo

/// What an endpoint is asked in its address: the fields of the type are the parameters, by their names, and what is an
/// optional may be absent.
///
/// `Endpoint<FindSpotsQuery, Page<Spot>>` is asked by one; bytes come with one as an `Upload`.
public protocol Query: Codable, Sendable, Hashable {
    /// Words and limits of the fields, by name, beside those that every query has in common.
    static var fields: [String: QueryField] { get }
}

extension Query {
    public static var fields: [String: QueryField] { [:] }

    /// Nil for what is described nowhere, which the document refuses.
    public static func field(_ name: String) -> QueryField? {
        let point = self is any OptionallyPointedQuery.Type ? Fields.optionalPoint[name] : nil
        return fields[name] ?? point ?? Fields.common[name]
    }

    /// The same with another value of a field.
    public func with<Value>(_ field: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
        var query = self
        query[keyPath: field] = value
        return query
    }
}

/// What is said of one field of a query.
public struct QueryField: Sendable, Hashable, ExpressibleByStringLiteral {
    public let text: String
    /// Of a number, or of a text's characters.
    public private(set) var least, most: Int?
    /// What it is taken for when it is absent.
    public private(set) var usual: JSONValue?
    /// A regular expression that a text fits as a whole.
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

    /// Whether a text is written so.
    public func admits(_ text: String) -> Bool {
        admits(Double(text.count))
            && (pattern.map { text.range(of: $0, options: .regularExpression) != nil } ?? true)
    }

    /// Whether a number, or a text's characters, are within the limits.
    public func admits(_ size: Double) -> Bool {
        size >= least.map(Double.init) ?? -.infinity && size <= most.map(Double.init) ?? .infinity
    }
}

private enum Fields {
    /// What a field of that name means in every query that does not say otherwise.
    static let common: [String: QueryField] = [
        "after": .atMost(200, "Cursor of the previous page."),
        "limit": .within(1...PageLimit.most, usual: PageLimit.standard, "Items of a page."),
        "latitude": .within(-90...90, "Degrees."),
        "longitude": .within(-180...180, "Degrees."),
    ]
    static let optionalPoint: [String: QueryField] = [
        "latitude": .within(-90...90, "Degrees; with `longitude`."),
        "longitude": .within(-180...180, "Degrees; with `latitude`."),
    ]
}

// MARK: Queries that several services have

/// Asks for a page of a list.
public protocol PagedQuery: Query {
    /// Cursor that the last page gave.
    var after: String? { get set }
    var limit: Int? { get set }
}

extension PagedQuery {
    /// The same, of the page after that cursor.
    public func page(after: String?, limit: Int? = nil) -> Self {
        with(\.after, after).with(\.limit, limit)
    }
}

/// `?after=&limit=`, and nothing else.
public struct PageQuery: PagedQuery {
    public var after: String?
    public var limit: Int?

    public init(after: String? = nil, limit: Int? = nil) {
        (self.after, self.limit) = (after, limit)
    }
}

/// Asks about a point.
public protocol PointedQuery: Query {
    /// In degrees (WGS 84).
    var latitude: Double { get }
    var longitude: Double { get }
}

extension PointedQuery {
    public var point: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}

/// Asks about a point, or about none.
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

/// `?latitude=&longitude=`, and nothing else.
public struct PointQuery: PointedQuery {
    public var latitude, longitude: Double

    public init(_ point: Coordinate) { (latitude, longitude) = (point.latitude, point.longitude) }
}

/// `?from=&to=`: each in RFC 3339, 31 days at most.
public struct SpanQuery: Query {
    public var from, to: Date?

    public init(from: Date? = nil, to: Date? = nil) { (self.from, self.to) = (from, to) }

    public static let fields: [String: QueryField] = [
        "from": "First moment; the usual length before `to` when absent.",
        "to": "The moment after the last; now when absent.",
    ]
}

/// `?language=`, and nothing else.
public struct LanguageQuery: Query {
    public var language: Language?

    public init(_ language: Language? = nil) { self.language = language }

    public static let fields: [String: QueryField] = ["language": "Instead of the reader's own."]
}

/// What a signed address of a picture carries. It is read leniently: whatever is wrong with it, the address is not
/// valid, which has a refusal of its own.
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
            "^[0-9a-f]{64}$", "HMAC-SHA256 of what is asked for, until when."),
    ]
}

/// Bytes that are no JSON, as `Bytes`, with a query.
public struct Upload<Asked: Query>: Sendable {
    public let query: Asked

    public init(_ query: Asked) { self.query = query }
}

// MARK: Values

/// A value of a query that says how it is written, for who has written it otherwise.
public protocol WrittenForm {
    static var form: String { get }
}

/// One of a few words, of this query alone.
public protocol QueryChoice: Codable, Sendable, CaseIterable, Described, RawRepresentable<String> {}

extension QueryChoice {
    public static var schema: JSONValue {
        .schema("string", ["enum": .list(allCases.map { .text($0.rawValue) })])
    }
    public static var sample: JSONValue { .text(allCases.first?.rawValue ?? "") }
}

/// Several values of a kind, separated by commas: `bus,walk`.
public struct CommaSeparated<Element>: Codable, Hashable, Sendable
where Element: RawRepresentable<String> & CaseIterable & Hashable & Sendable {
    public var values: Set<Element>

    public init(_ values: Set<Element>) { self.values = values }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let names = try container.decode(String.self).split(separator: ",")
        values = Set(names.compactMap { Element(rawValue: String($0)) })
        guard Set(names).count == values.count else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: Self.form)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(values.map(\.rawValue).sorted().joined(separator: ","))
    }
}

extension CommaSeparated: Described, WrittenForm {
    public static var schema: JSONValue { .schema("string") }
    public static var sample: JSONValue { "" }
    public static var form: String {
        "Of \(Element.allCases.map(\.rawValue).joined(separator: ", ")), separated by commas."
    }
}

extension Identifier: WrittenForm {
    public static var form: String { "An id, as in \(sample)." }
}

extension ServiceAreaID: WrittenForm {
    public static var form: String { "The id of a service area." }
}

extension Date: WrittenForm {
    public static var form: String { "An RFC 3339 time." }
}
