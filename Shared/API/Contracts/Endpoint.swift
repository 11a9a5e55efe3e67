import Foundation

/// One operation of the public API, said once: the router of the service that answers, the gateway's table and the
/// OpenAPI document come from it.
///
/// `Body` is what is sent, `Answer` what comes back: `Void` for nothing, `Bytes` for what is no JSON, an optional for
/// what may be absent. A `Body` that is a `Query` stands in the address.
@dynamicMemberLookup
public struct Endpoint<Body, Answer>: Sendable {
    public let untyped: AnyEndpoint

    /// - Parameters:
    ///   - path: As in OpenAPI, with any number of ids: `/v1/orders/{id}/photos/{photo}`.
    ///   - id: The operation's name in the document, and in clients that are made from it.
    ///   - ids: JSON Schema of the ids in the path.
    ///   - rate: By default `.open` for what anybody may call, `.standard` otherwise.
    ///   - bodyLimit: In bytes.
    ///   - answer: What the answer is; by default with 200, or 204 without a body.
    ///   - refusals: Those of its own; what every endpoint of its kind refuses, the document adds.
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

    /// What other services ask.
    ///
    /// - Parameter path: What follows `internalPath`.
    init(internal method: AnyEndpoint.Method, _ path: String, answer: Success) {
        self.init(
            method, AnyEndpoint.internalPath + path, id: path, answer.text, by: .services,
            answer: answer)
    }

    private init(_ untyped: AnyEndpoint) { self.untyped = untyped }

    /// The same, whose handler reads the body in a way of its own: as bytes, or by a type that names wrong fields
    /// better.
    public func taking<Other>(_ body: Other.Type) -> Endpoint<Other, Answer> { .init(untyped) }

    /// The same, whose handler writes the answer in a way of its own: as a page for who prefers that, or as fields that
    /// the type does not name.
    public func giving<Other>(_ answer: Other.Type) -> Endpoint<Body, Other> { .init(untyped) }

    /// The same under an address of a product's own, for the product's list of endpoints: whoever answers this one
    /// answers there, and refuses the same.
    ///
    /// - Parameter path: Has the ids of this one's path by the same names, and may have others.
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

/// Bytes that are no JSON: a picture, a page. Who takes or gives them does so by hand.
public struct Bytes: Sendable {
    public init() {}
}

/// What is sent beside a query.
private protocol Asking {
    static var query: any Query.Type { get }
}

extension Upload: Asking {
    fileprivate static var query: any Query.Type { Asked.self }
}

/// An endpoint without the types of its body and answer, for lists of them.
public struct AnyEndpoint: Sendable {
    /// Begins the path of what only services ask.
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
    /// The path at which its service answers, where that is another endpoint's.
    public internal(set) var answeredAt: String?
    public let callers: Callers
    public let rate: RateClass
    public let bodyLimit: Int
    /// What the body may be.
    public let media: [MediaType]
    /// JSON Schema of the ids in the path.
    public let ids: JSONValue
    public let headers: [RequestHeader]
    public let query: (any Query.Type)?
    /// Nil when none is sent, or comes back.
    public let body, answer: Any.Type?
    public let success: Success
    public let refusals: [Refusal]

    /// Codes of all that it refuses, by rule or of its own.
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

    /// The path with its ids filled in, percent-encoded; throws unless there are as many as it names.
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

/// Which limit a request counts against.
public enum RateClass: String, Sendable, CaseIterable {
    /// What can be guessed or abused; by address before anybody is signed in, by person after.
    case strict
    /// What the payment provider tells; by address.
    case webhooks
    /// Public otherwise; by address.
    case open
    /// By person.
    case standard
    /// What a paid recogniser is asked; by person.
    case recognitions
    /// What a geocoder is asked that all share; by person.
    case places
    /// One's own position; by person, judged without a round trip.
    case positions
    /// What is answered from memory; by the limit of an address as a whole.
    case files
}

/// Largest bodies, in bytes.
public enum BodyLimit {
    public static let standard = 64 * 1_024
    /// One position, generously.
    public static let position = 4 * 1_024
    /// What an app tells web.
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

/// What an endpoint answers when all is well.
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
    /// Other statuses, and what they say: 304, 204, or 201 with the same body.
    public let others: [Int: String]

    /// - Parameter status: By default 200, or 204 without a body.
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
