import Contracts
import Foundation

/// One request of the API, before it knows where the server is and who asks.
///
/// Not generic, so that what sends it is compiled once and not for each answer.
struct APIRequest: Sendable {
    var method: AnyEndpoint.Method
    var path: String
    var parameters: [(name: String, value: String)] = []
    var headers: [(name: String, value: String)] = []
    var accept = "application/json, application/problem+json"
    var body: Data?
    var contentType = MediaType.json.rawValue
    var retry = Retry.always
    var needsToken = true
    /// Anybody may call it, and who is signed in is answered as themselves.
    var isPersonal = false
    /// How long the server was asked to hold the answer back.
    var waitSeconds = 0

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

    /// Path and query, escaped: a plus sign of a phone number would be read as a space.
    var target: String {
        guard !parameters.isEmpty else { return path }
        let pairs = parameters.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }
        return "\(path)?\(pairs.joined(separator: "&"))"
    }
}

extension APIRequest {
    /// What is at an address beside the API, or one that some answer gave: anyone who has the address may have it.
    fileprivate init(address: String) {
        (method, path, needsToken) = (.get, address, false)
    }
}

/// A request, and what its answer is read as: `OrderEndpoints.order(id)`, which a client sends.
public struct Call<Answer>: Sendable {
    var request: APIRequest

    /// Sent again however it failed: a POST without a key that changes the same thing again.
    public var repeatable: Call {
        var call = self
        call.request.retry = .always
        return call
    }

    /// Answered as to whoever is signed in, where anybody may ask.
    public func asMyself() -> Call {
        var call = self
        call.request.isPersonal = true
        return call
    }

    public func speaking(_ language: Language?) -> Call {
        guard let language else { return self }
        var call = self
        call.request.headers.append((name: "Accept-Language", value: language.rawValue))
        return call
    }

    /// `Prefer: wait=N` (RFC 7240): answer when the order has left `requested`, or after N seconds.
    public func waiting(_ seconds: Int?) -> Call {
        guard let seconds, seconds > 0 else { return self }
        var call = self
        call.request.headers.append((name: "Prefer", value: "wait=\(seconds)"))
        call.request.waitSeconds = seconds
        return call
    }
}

extension Call {
    init(address: String) {
        request = APIRequest(address: address)
    }
}

/// When the same call may be sent again.
enum Retry: Sendable {
    /// It changes nothing, or the same thing again, or carries an `Idempotency-Key`.
    case always
    /// Only after a 503, which says that nothing was done.
    case whenRefused
}

// MARK: - Calls of an endpoint

extension Endpoint where Body == Void {
    public func callAsFunction(
        _ ids: any CustomStringConvertible..., key: RequestKey? = nil
    ) throws -> Call<Answer> {
        Call(request: try APIRequest(untyped, ids, key: key))
    }
}

extension Endpoint where Body: Query {
    public func callAsFunction(
        _ ids: any CustomStringConvertible..., asks query: Body
    ) throws -> Call<Answer> {
        Call(request: try APIRequest(untyped, ids, asks: query))
    }
}

/// A list: its first page, or the one after a cursor.
extension Endpoint where Body == PageQuery {
    public func callAsFunction(
        _ ids: any CustomStringConvertible..., after: String? = nil, limit: Int? = nil
    ) throws -> Call<Answer> {
        Call(request: try APIRequest(untyped, ids, asks: PageQuery(after: after, limit: limit)))
    }
}

extension Endpoint where Body: Encodable {
    public func callAsFunction(
        _ ids: any CustomStringConvertible..., body: Body, key: RequestKey? = nil
    ) throws -> Call<Answer> {
        Call(request: try APIRequest(untyped, ids, body: Wire.encode(body), key: key))
    }
}

extension Endpoint where Body == Bytes {
    public func callAsFunction(
        _ ids: any CustomStringConvertible..., bytes: Data, key: RequestKey? = nil
    ) throws -> Call<Answer> {
        Call(request: try APIRequest(untyped, ids, body: bytes, key: key).ofBytes)
    }
}

extension Endpoint {
    public func callAsFunction<Asked>(
        _ ids: any CustomStringConvertible..., asks query: Asked, bytes: Data,
        key: RequestKey? = nil
    ) throws -> Call<Answer> where Body == Upload<Asked> {
        Call(request: try APIRequest(untyped, ids, asks: query, body: bytes, key: key).ofBytes)
    }
}

extension APIRequest {
    /// The server tells their type by what they are.
    fileprivate var ofBytes: APIRequest {
        var request = self
        request.contentType = "application/octet-stream"
        return request
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
