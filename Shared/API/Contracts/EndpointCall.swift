import Foundation

/// An endpoint with what is sent to it: `OrderEndpoints.order(id)`, which a client sends, or a service to another.
public struct EndpointCall<Answer>: Sendable {
    public private(set) var request: EndpointRequest

    /// What is at an address beside the API, or at one that some answer gave: anyone who has the address may have it.
    public init(address: String) {
        request = EndpointRequest(address: address)
    }

    fileprivate init(_ request: EndpointRequest) { self.request = request }

    /// May be sent again whatever became of it: a POST without a key that changes the same thing each time.
    public var repeatable: EndpointCall { changed { $0.retry = .always } }

    /// Answered as to whoever is signed in, where anybody may ask.
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

/// One request, before it is known where the server is and who asks.
///
/// Not generic, so that what sends it is compiled once and not for each answer.
public struct EndpointRequest: Sendable {
    /// When it may be sent again.
    public enum Retry: Sendable {
        /// It changes nothing, or the same thing again, or carries an `Idempotency-Key`.
        case always
        /// Only after a 503, which says that nothing was done.
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
    /// Anybody may call it, and who is signed in is answered as themselves.
    public fileprivate(set) var isPersonal = false
    /// How long the server was asked to hold the answer back.
    public fileprivate(set) var waitSeconds = 0

    /// A POST that creates, pays or moves something on has a key: every repetition is harmless.
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

    /// The server tells the type of bytes by what they are.
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
    public func callAsFunction(
        _ ids: any CustomStringConvertible..., key: RequestKey? = nil
    ) throws -> EndpointCall<Answer> {
        EndpointCall(try EndpointRequest(untyped, ids, key: key))
    }
}

extension Endpoint where Body: Query {
    public func callAsFunction(
        _ ids: any CustomStringConvertible..., asks query: Body
    ) throws -> EndpointCall<Answer> {
        EndpointCall(try EndpointRequest(untyped, ids, asks: query))
    }
}

/// A list: its first page, or the one after a cursor.
extension Endpoint where Body == PageQuery {
    public func callAsFunction(
        _ ids: any CustomStringConvertible..., after: String? = nil, limit: Int? = nil
    ) throws -> EndpointCall<Answer> {
        EndpointCall(try EndpointRequest(untyped, ids, asks: PageQuery(after: after, limit: limit)))
    }
}

extension Endpoint where Body: Encodable {
    public func callAsFunction(
        _ ids: any CustomStringConvertible..., body: Body, key: RequestKey? = nil
    ) throws -> EndpointCall<Answer> {
        EndpointCall(try EndpointRequest(untyped, ids, body: Wire.encode(body), key: key))
    }
}

extension Endpoint where Body == Bytes {
    public func callAsFunction(
        _ ids: any CustomStringConvertible..., bytes: Data, key: RequestKey? = nil
    ) throws -> EndpointCall<Answer> {
        EndpointCall(try EndpointRequest(untyped, ids, body: bytes, key: key).ofBytes)
    }
}

extension Endpoint {
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

/// Names one wish: the server carries it out once, however often it is told.
///
/// Calls make their own; keep one to repeat the same wish after the program was ended.
public struct RequestKey: Sendable, Hashable, CustomStringConvertible {
    public let description: String

    public init(_ text: String) { description = text }

    public static func new() -> RequestKey {
        RequestKey(UUID().uuidString.lowercased())
    }
}
