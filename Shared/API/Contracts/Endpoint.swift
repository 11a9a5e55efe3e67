import Foundation

/// One operation of the API. The router of its service, the gateway's table and the OpenAPI document are made from
/// it.
///
/// `Body` is the type of the request, `Answer` that of the response: `Void` for none, `Bytes` for anything but JSON,
/// an optional if it may be absent. A `Body` that is a `Query` is part of the address.
@dynamicMemberLookup
public struct Endpoint<Body, Answer>: Sendable {
    public let untyped: AnyEndpoint

    /// - Parameters:
    ///   - method: The HTTP method.
    ///   - path: As in OpenAPI, with any number of ids: `/v1/orders/{id}/photos/{photo}`.
    ///   - id: The operation's name in the document and in generated clients.
    ///   - summary: A title for the document.
    ///   - details: Further text for the document.
    ///   - callers: People who may call it.
    ///   - rate: Defaults to `.open` for endpoints without sign-in, `.standard` otherwise.
    ///   - bodyLimit: In bytes.
    ///   - media: Accepted media types of the body.
    ///   - ids: JSON Schema of the ids in the path.
    ///   - headers: Request headers that the document lists.
    ///   - answer: The successful answer; by default with 200, or 204 without a body.
    ///   - refusals: The endpoint's own; the document adds those of every endpoint of its kind.
    public init(
        _ method: AnyEndpoint.Method, _ path: String, id: String, _ summary: String,
        _ details: String? = nil, by callers: Callers = .everybody, rate: RateClass? = nil,
        bodyLimit: Int = BodyLimit.standard, takes media: [MediaType] = [.json],
        ids: JSONValue = .identifier, with headers: [RequestHeader] = [], answer: Success,
        refuses refusals: [Refusal] = []
    ) {
        let hasAnswer = Answer.self != Void.self
        let query = (Body.self as? any Asking.Type)?.query ?? Body.self as? any Query.Type
        untyped = AnyEndpoint(
            method: method, path: path, id: id, summary: summary, details: details,
            callers: callers, rate: rate ?? (callers.roles == nil ? .open : .standard),
            bodyLimit: bodyLimit, media: media, ids: ids, headers: headers, query: query,
            body: Body.self == Void.self || Body.self is any Query.Type ? nil : Body.self,
            answer: hasAnswer ? Answer.self : nil,
            success: answer.status == nil ? answer.with(status: hasAnswer ? 200 : 204) : answer,
            refusals: refusals)
    }

    /// An endpoint for other services.
    ///
    /// - Parameter path: The part after `internalPath`.
    init(internal method: AnyEndpoint.Method, _ path: String, answer: Success) {
        self.init(
            method, AnyEndpoint.internalPath + path, id: path, answer.text, by: .services,
            answer: answer)
    }

    private init(_ untyped: AnyEndpoint) { self.untyped = untyped }

    /// The same endpoint, whose handler reads the body in its own way: as bytes, or as a type that reports wrong fields
    /// better.
    public func taking<Other>(_ body: Other.Type) -> Endpoint<Other, Answer> { .init(untyped) }

    /// The same endpoint, whose handler writes the answer in its own way: as a page if the client prefers one, or with
    /// fields that the type does not have.
    public func giving<Other>(_ answer: Other.Type) -> Endpoint<Body, Other> { .init(untyped) }

    /// The same endpoint at a product's own address, for the product's list of endpoints. The same service answers it,
    /// with the same refusals.
    ///
    /// - Parameters:
    ///   - path: Has the ids of this one's path by the same names, and may have others.
    ///   - id: The operation's name in the document.
    ///   - summary: A title for the document.
    ///   - details: Further text for the document.
    public func at(
        _ path: String, id: String, _ summary: String, _ details: String? = nil
    ) -> Self {
        var endpoint = untyped
        endpoint.answeredAt = untyped.answeredAt ?? untyped.path
        (endpoint.path, endpoint.id) = (path, id)
        (endpoint.summary, endpoint.details) = (summary, details)
        return Self(endpoint)
    }

    public subscript<Value>(dynamicMember path: KeyPath<AnyEndpoint, Value>) -> Value {
        untyped[keyPath: path]
    }
}

/// Bytes other than JSON, for example a picture or a page, which the handler reads or writes itself.
public struct Bytes: Sendable {
    public init() {}
}

/// A body that is sent together with a query.
private protocol Asking {
    static var query: any Query.Type { get }
}

extension Upload: Asking {
    fileprivate static var query: any Query.Type { Asked.self }
}

/// An endpoint without the types of its body and answer, for lists of them.
public struct AnyEndpoint: Sendable {
    /// Prefix of the paths for services only.
    public static let internalPath = "/internal"

    public enum Method: String, Sendable, CaseIterable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    public let method: Method
    public internal(set) var path: String
    public internal(set) var id: String
    public internal(set) var summary: String
    public internal(set) var details: String?
    /// The path at which its service answers, if that is another endpoint's.
    public internal(set) var answeredAt: String?
    public let callers: Callers
    public let rate: RateClass
    public let bodyLimit: Int
    /// Accepted media types of the body.
    public let media: [MediaType]
    /// JSON Schema of the ids in the path.
    public let ids: JSONValue
    public let headers: [RequestHeader]
    public let query: (any Query.Type)?
    /// Nil if there is none.
    public let body, answer: Any.Type?
    public let success: Success
    public let refusals: [Refusal]

    /// Codes of all its refusals: its own and those of its kind.
    public var codes: Set<String> {
        Set((CommonRefusals.of(self).map(\.refusal) + refusals).map(\.code))
    }

    /// Whether its answer waits for a payment provider, which itself waits for the payer's bank.
    public var asksProvider: Bool {
        refusals.contains { $0.code == Refusal.paymentProviderUnavailable.code }
    }

    /// Names of the ids in the path, in order.
    public var pathIDs: [String] {
        path.split(separator: "{").dropFirst().map { String($0.prefix { $0 != "}" }) }
    }

    /// The path with its ids filled in, percent-encoded; throws if there are more or fewer than it has.
    public func path(with ids: [String]) throws(WrongNumberOfIDs) -> String {
        let names = pathIDs
        guard names.count == ids.count else {
            throw WrongNumberOfIDs(endpoint: id, wanted: names, given: ids.count)
        }
        return zip(names, ids).reduce(path) { path, id in
            path.replacing("{\(id.0)}", with: id.1.percentEncoded)
        }
    }
}

/// An endpoint was called with more or fewer ids than its path has.
public struct WrongNumberOfIDs: Error, Hashable {
    public let endpoint: String
    public let wanted: [String]
    public let given: Int
}

extension String {
    /// As a part of an address (RFC 3986): everything but the unreserved characters is escaped.
    public var percentEncoded: String {
        let unreserved = CharacterSet(
            charactersIn:
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}

/// The fields of a form or a query, encoded for `application/x-www-form-urlencoded` (WHATWG URL standard).
///
/// Hummingbird's encoder leaves `+` as it is, and a server reads that as a space.
public func formEncoded(_ fields: [(name: String, value: String)]) -> String {
    fields.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
}

/// The callers that an endpoint accepts: people with one of these roles, anybody, or other services.
public struct Callers: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// Nil: anybody, signed in or not.
    public let roles: Set<Role>?

    public init(arrayLiteral roles: Role...) { self.roles = Set(roles) }

    private init(roles: Set<Role>?) { self.roles = roles }

    public static let anybody = Callers(roles: nil)
    /// Everybody who is signed in.
    public static let everybody = Callers(roles: Set(Role.allCases))
    /// Other services, by tokens of their own; no person.
    public static let services = Callers(roles: [])
}

/// The rate limit that a request counts against.
public enum RateClass: String, Sendable, CaseIterable {
    /// For secrets that could be guessed, and for abuse; per network address before sign-in, per person after.
    case strict
    /// For the payment provider's webhooks; per network address.
    case webhooks
    /// For other public endpoints; per network address.
    case open
    /// Per person.
    case standard
    /// For requests to a paid recogniser; per person.
    case recognitions
    /// For requests to the shared geocoder; per person.
    case places
    /// For a person's own position; per person, checked without a round trip.
    case positions
    /// For answers from memory; only the overall limit of a network address applies.
    case files
}

/// Largest bodies, in bytes.
public enum BodyLimit {
    public static let standard = 64 * 1_024
    /// One position, with room to spare.
    public static let position = 4 * 1_024
    /// An error report of a web app.
    public static let report = 4 * 1_024
    /// An area of thousands of points.
    public static let area = 256 * 1_024
    /// A thousand car parks.
    public static let carParks = 1_024 * 1_024
    /// A hundred thousand vendors.
    public static let vendors = 32 * 1_024 * 1_024
    /// A profile picture.
    public static let portrait = 5 * 1_024 * 1_024
    /// A photo of a vehicle.
    public static let photo = 8 * 1_024 * 1_024
    /// A company with its terms and its privacy page.
    public static let company = 256 * 1_024
    public static let logo = 256 * 1_024
    /// An event of the payment provider.
    public static let webhook = 256 * 1_024
}

/// A media type (RFC 6838).
public enum MediaType: String, Sendable {
    case json = "application/json"
    case jpeg = "image/jpeg"
    case png = "image/png"
    case webp = "image/webp"
    case html = "text/html"
    case yaml = "application/yaml"
    case calendar = "text/calendar"
    case csv = "text/csv"
    case geoJSON = "application/geo+json"
    case zip = "application/zip"
    case events = "text/event-stream"

    public static let photos: [MediaType] = [.jpeg, .png, .webp]
}

/// A header that a request may have.
public struct RequestHeader: Sendable, Hashable {
    public let name: String
    public let isRequired: Bool
    public let text: String
    /// JSON Schema.
    public let schema: JSONValue

    public init(
        _ name: String, as schema: JSONValue = .schema("string"), isRequired: Bool = false,
        _ text: String
    ) {
        (self.name, self.schema, self.isRequired, self.text) = (name, schema, isRequired, text)
    }

    public static let idempotencyKey = RequestHeader(
        "Idempotency-Key", as: .schema("string", ["minLength": 1, "maxLength": 200]),
        "Makes a repeat of this request safe.")
    public static let prefer = RequestHeader(
        "Prefer", "`wait=N`: answer once the order has left `requested`, or after N seconds.")
    public static let ifMatch = RequestHeader(
        "If-Match", "Change it only if this is still its version.")
    public static let ifNoneMatch = RequestHeader(
        "If-None-Match", "Answer 304 if this is still its version.")
}

/// The successful answer of an endpoint.
public struct Success: Sendable, Hashable {
    public enum Header: String, Sendable {
        case eTag = "ETag"
        case location = "Location"
        case preferenceApplied = "Preference-Applied"
        case contentDisposition = "Content-Disposition"
    }

    public let status: Int?
    public let text: String
    public let headers: [Header]
    public let media: [MediaType]
    /// Descriptions of other statuses: 304, 204, or 201 with the same body.
    public let others: [Int: String]

    /// - Parameters:
    ///   - text: What the answer has, for the document.
    ///   - status: By default 200, or 204 without a body.
    ///   - headers: Response headers that the document lists.
    ///   - media: Media types that a client can ask for.
    ///   - others: Descriptions of other statuses.
    public init(
        _ text: String, status: Int? = nil, _ headers: [Header] = [],
        as media: [MediaType] = [.json],
        or others: [Int: String] = [:]
    ) {
        (self.status, self.text, self.headers) = (status, text, headers)
        (self.media, self.others) = (media, others)
    }

    func with(status: Int) -> Success {
        Success(text, status: status, headers, as: media, or: others)
    }
}

extension Success: ExpressibleByStringInterpolation {
    public init(stringLiteral text: String) { self.init(text) }
}
