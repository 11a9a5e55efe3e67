import Foundation

/// A call of an endpoint, for example `OrderEndpoints.order(id)`, by a client or by another service.
public struct EndpointCall<Answer>: Sendable {
    public private(set) var request: EndpointRequest

    /// Reads an address beside the API, or one from an answer; it needs no sign-in.
    public init(address: String) {
        request = EndpointRequest(address: address)
    }

    fileprivate init(_ request: EndpointRequest) { self.request = request }

    /// Marks the call as repeatable whatever its outcome: a POST without a key that makes the same change each time.
    public var repeatable: EndpointCall { changed { $0.retry = .always } }

    /// Sends the token of the signed-in person, if any, to a public endpoint.
    public func asMyself() -> EndpointCall { changed { $0.isPersonal = true } }

    public func speaking(_ language: Language?) -> EndpointCall {
        guard let language else { return self }
        return with("Accept-Language", language.rawValue)
    }

    /// `Prefer: wait=N` (RFC 7240): answer when the order has left `requested`, or after N seconds.
    public func waiting(_ seconds: Int?) -> EndpointCall {
        guard let seconds, seconds > 0 else { return self }
        return with("Prefer", "wait=\(seconds)").changed { $0.waitSeconds = seconds }
    }

    public func with(_ header: String, _ value: String) -> EndpointCall {
        changed { $0.headers.append((name: header, value: value)) }
    }

    private func changed(_ change: (inout EndpointRequest) -> Void) -> EndpointCall {
        var call = self
        change(&call.request)
        return call
    }
}

/// One request, without the server's address and the caller's token.
///
/// It is not generic, so that the code that sends it is compiled only once.
public struct EndpointRequest: Sendable {
    /// When the request may be repeated.
    public enum Retry: Sendable {
        /// Always: it changes nothing, makes the same change again, or has an `Idempotency-Key`.
        case always
        /// Only after a 503, which means that nothing was done.
        case whenRefused
    }

    public let method: AnyEndpoint.Method
    public let path: String
    private var parameters: [(name: String, value: String)] = []
    public fileprivate(set) var headers: [(name: String, value: String)] = []
    public private(set) var body: Data?
    public private(set) var contentType = MediaType.json.rawValue
    public fileprivate(set) var retry = Retry.always
    public private(set) var needsToken = true
    /// The endpoint is public, and a signed-in person is answered as themselves.
    public fileprivate(set) var isPersonal = false
    /// How long the server is asked to delay the answer.
    public fileprivate(set) var waitSeconds = 0

    /// A POST that creates, pays or advances something has a key, so a repeat is harmless.
    fileprivate init(
        _ endpoint: AnyEndpoint, _ ids: [any CustomStringConvertible],
        asks query: (any Query)? = nil, body: Data? = nil, key: RequestKey? = nil
    ) throws {
        method = endpoint.method
        path = try endpoint.path(with: ids.map(\.description))
        parameters = try query?.parameters ?? []
        self.body = body
        needsToken = endpoint.callers.roles != nil
        if let key = key ?? (endpoint.headers.contains(.idempotencyKey) ? .new() : nil) {
            headers.append((name: RequestHeader.idempotencyKey.name, value: key.description))
        } else if method == .post {
            retry = .whenRefused
        }
    }

    fileprivate init(address: String) {
        (method, path, needsToken) = (.get, address, false)
    }

    /// The server determines the type of bytes by their content.
    fileprivate var ofBytes: EndpointRequest {
        var request = self
        request.contentType = "application/octet-stream"
        return request
    }

    /// Path and query, escaped.
    public var target: String {
        parameters.isEmpty ? path : "\(path)?\(formEncoded(parameters))"
    }
}

// MARK: - Calls of an endpoint

extension Endpoint where Body == Void {
    /// A call without a body. The ids are those of the path, in order, here and in all other calls.
    public func callAsFunction(
        _ ids: any CustomStringConvertible..., key: RequestKey? = nil
    ) throws -> EndpointCall<Answer> {
        EndpointCall(try EndpointRequest(untyped, ids, key: key))
    }
}

extension Endpoint where Body: Query {
    /// A call with a query.
    public func callAsFunction(
        _ ids: any CustomStringConvertible..., asks query: Body
    ) throws -> EndpointCall<Answer> {
        EndpointCall(try EndpointRequest(untyped, ids, asks: query))
    }
}

extension Endpoint where Body == PageQuery {
    /// A call for a list: its first page, or the one after a cursor.
    public func callAsFunction(
        _ ids: any CustomStringConvertible..., after: String? = nil, limit: Int? = nil
    ) throws -> EndpointCall<Answer> {
        EndpointCall(try EndpointRequest(untyped, ids, asks: PageQuery(after: after, limit: limit)))
    }
}

extension Endpoint where Body: Encodable {
    /// A call with a body as JSON.
    public func callAsFunction(
        _ ids: any CustomStringConvertible..., body: Body, key: RequestKey? = nil
    ) throws -> EndpointCall<Answer> {
        EndpointCall(try EndpointRequest(untyped, ids, body: Wire.encode(body), key: key))
    }
}

extension Endpoint where Body == Bytes {
    /// A call with bytes, for example a picture.
    public func callAsFunction(
        _ ids: any CustomStringConvertible..., bytes: Data, key: RequestKey? = nil
    ) throws -> EndpointCall<Answer> {
        EndpointCall(try EndpointRequest(untyped, ids, body: bytes, key: key).ofBytes)
    }
}

extension Endpoint {
    /// A call with a query and bytes.
    public func callAsFunction<Asked>(
        _ ids: any CustomStringConvertible..., asks query: Asked, bytes: Data,
        key: RequestKey? = nil
    ) throws -> EndpointCall<Answer> where Body == Upload<Asked> {
        EndpointCall(try EndpointRequest(untyped, ids, asks: query, body: bytes, key: key).ofBytes)
    }
}

extension Query {
    /// Names and values of the fields that are present.
    fileprivate var parameters: [(name: String, value: String)] {
        get throws {
            guard case .object(let fields) = try JSONValue(of: self) else { return [] }
            return try fields.sorted { $0.key < $1.key }.compactMap { name, value in
                switch value {
                case .text(let text): (name, text)
                case .integer, .number, .bool: (name, try Wire.json(value))
                case .null, .list, .object: nil
                }
            }
        }
    }
}

/// Identifies one intention: the server carries it out once, however often the request is sent.
///
/// Calls create their own; store one to repeat the request after a restart of the program.
public struct RequestKey: Sendable, Hashable, CustomStringConvertible {
    public let description: String

    public init(_ text: String) { description = text }

    public static func new() -> RequestKey {
        RequestKey(UUID().uuidString.lowercased())
    }
}
