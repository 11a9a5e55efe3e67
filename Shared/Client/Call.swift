import Contracts
import Foundation

/// One request of the API, before it knows where the server is and who asks.
struct Call: Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// When the same call may be sent again.
    enum Retry: Sendable {
        /// It changes nothing, or the same thing again, or carries an `Idempotency-Key`.
        case always
        /// Only after a 503, which says that nothing was done.
        case whenRefused
    }

    var method: Method
    var path: String
    var query: [(name: String, value: String)] = []
    var headers: [(name: String, value: String)] = []
    var accept = "application/json, application/problem+json"
    var body: Data?
    var contentType = "application/json"
    var retry = Retry.always
    var needsToken = true
    /// How long the server was asked to hold the answer back.
    var waitSeconds = 0

    static func get(_ path: String) -> Call { Call(method: .get, path: path) }

    static func delete(_ path: String) -> Call { Call(method: .delete, path: path) }

    static func put(_ path: String, _ body: some Encodable) throws -> Call {
        Call(method: .put, path: path, body: try Wire.encode(body))
    }

    /// Bytes that are no JSON: the server tells their type by what they are.
    static func put(_ path: String, bytes: Data) -> Call {
        var call = Call(method: .put, path: path, body: bytes)
        call.contentType = "application/octet-stream"
        return call
    }

    static func patch(_ path: String, _ body: some Encodable) throws -> Call {
        Call(method: .patch, path: path, body: try Wire.encode(body))
    }

    /// A POST that creates, pays or moves something on: its key makes every repetition harmless.
    static func post(
        _ path: String, _ body: some Encodable, key: RequestKey = .new()
    ) throws -> Call {
        var call = post(path, key: key)
        call.body = try Wire.encode(body)
        return call
    }

    static func post(_ path: String, key: RequestKey = .new()) -> Call {
        var call = Call(method: .post, path: path)
        call.headers.append((name: "Idempotency-Key", value: key.description))
        return call
    }

    /// A POST of signing up, in or on: no token, no key.
    static func open(_ path: String, _ body: some Encodable, retry: Retry) throws -> Call {
        var call = Call(method: .post, path: path, body: try Wire.encode(body))
        (call.retry, call.needsToken) = (retry, false)
        return call
    }

    func with(_ name: String, _ value: (some CustomStringConvertible)?) -> Call {
        guard let value else { return self }
        var call = self
        call.query.append((name: name, value: value.description))
        return call
    }

    func span(_ from: Date?, _ to: Date?) -> Call {
        with("from", from.map(Wire.text)).with("to", to.map(Wire.text))
    }

    func page(_ after: String?, _ limit: Int?) -> Call {
        with("after", after).with("limit", limit)
    }

    func speaking(_ language: Language?) -> Call {
        guard let language else { return self }
        var call = self
        call.headers.append((name: "Accept-Language", value: language.rawValue))
        return call
    }

    /// `Prefer: wait=N` (RFC 7240): answer when the order has left `requested`, or after N seconds.
    func waiting(_ seconds: Int?) -> Call {
        guard let seconds, seconds > 0 else { return self }
        var call = self
        call.headers.append((name: "Prefer", value: "wait=\(seconds)"))
        call.waitSeconds = seconds
        return call
    }

    /// Path and query, escaped: a plus sign of a phone number would be read as a space.
    var target: String {
        guard !query.isEmpty else { return path }
        let pairs = query.map { "\(Self.escape($0.name))=\(Self.escape($0.value))" }
        return "\(path)?\(pairs.joined(separator: "&"))"
    }

    /// RFC 3986: everything but the unreserved characters.
    static func escape(_ text: String) -> String {
        let hex = Array("0123456789ABCDEF".unicodeScalars)
        var escaped = ""
        for byte in text.utf8 {
            let scalar = Unicode.Scalar(byte)
            if scalar.isASCII, "-._~".unicodeScalars.contains(scalar) || scalar.isLetterOrDigit {
                escaped.unicodeScalars.append(scalar)
            } else {
                escaped.unicodeScalars.append("%")
                escaped.unicodeScalars.append(hex[Int(byte >> 4)])
                escaped.unicodeScalars.append(hex[Int(byte & 0x0F)])
            }
        }
        return escaped
    }
}

extension Unicode.Scalar {
    fileprivate var isLetterOrDigit: Bool {
        ("a"..."z").contains(self) || ("A"..."Z").contains(self) || ("0"..."9").contains(self)
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
