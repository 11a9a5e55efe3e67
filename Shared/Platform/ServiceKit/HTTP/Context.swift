import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The context of a request in middleware and routes.
public struct Context: RequestContext {
    /// Maximum size of a body, in bytes.
    public static let largestBody = 256 * 1_024

    public var coreContext: CoreRequestContextStorage
    /// The person whose token came with the request.
    public var identity: Identity?
    /// Why the request's token was refused.
    var refusal: (any Error)?
    /// The service whose token came with the request.
    public var callingService: String?
    /// Set on requests that carry an `Idempotency-Key`.
    public var idempotency: IdempotencyKey?
    /// Address of the peer: the gateway's, except in the gateway itself.
    public let remoteAddress: String?
    /// The connection, so that a stream can disconnect a client that does not read.
    public let channel: any Channel

    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        remoteAddress = source.channel.remoteAddress?.ipAddress
    }

    /// Maximum size of a JSON body, in bytes.
    public internal(set) var maxUploadSize = Self.largestBody

    /// The signed-in person. Throws 401 without one.
    public func person() throws -> Identity {
        guard let identity else { throw refusal ?? Refusal.tokenMissing }
        return identity
    }

    /// The calling service. Tokens of people don't open internal routes.
    @discardableResult
    public func requireService() throws -> String {
        guard let callingService else { throw Refusal.tokenMissing }
        return callingService
    }

    /// An id in the path. Throws 404 if it is malformed.
    public func id<Kind>(
        _ name: String, as type: Identifier<Kind>.Type = Identifier<Kind>.self
    ) throws -> Identifier<Kind> {
        guard let id = parameters.get(name).flatMap(Identifier<Kind>.init) else {
            throw Refusal.notFound
        }
        return id
    }

    /// The request's JSON body. Unknown fields are ignored.
    public func body<Body: Decodable>(
        _ type: Body.Type = Body.self, of request: Request
    ) async throws -> Body {
        try Self.decode(type, from: try await collect(request))
    }

    /// Like `body`, for endpoints whose body is optional.
    public func bodyIfPresent<Body: Decodable>(
        _ type: Body.Type = Body.self, of request: Request
    ) async throws -> Body? {
        let bytes = try await collect(request)
        return bytes.readableBytes == 0 ? nil : try Self.decode(type, from: bytes)
    }

    private func collect(_ request: Request) async throws -> ByteBuffer {
        if let type = request.headers[.contentType], !type.lowercased().contains("json") {
            throw Refusal.notJSON
        }
        return try await request.collect(limit: maxUploadSize)
    }

    static func decode<Body: Decodable>(
        _ type: Body.Type, from bytes: ByteBuffer
    ) throws -> Body {
        let data = Data(bytes.readableBytesView)
        do {
            return try Wire.decode(type, from: data)
        } catch let error as DecodingError {
            let field =
                error.fieldPath
                ?? UnreadableValue.path(in: data) { (try? Wire.decode(type, from: $0)) != nil }
            throw Refusal.malformed(field, error.explanation)
        }
    }
}

extension Request {
    /// The whole body. Throws 413 beyond the limit.
    public func collect(limit: Int) async throws -> ByteBuffer {
        if let length = headers[.contentLength].flatMap(Int.init), length > limit {
            throw Refusal.bodyTooLarge(limit: limit)
        }
        do {
            return try await body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw Refusal.bodyTooLarge(limit: limit)
        } catch let error as CancellationError {
            throw error
        } catch {
            // Invalid chunks, or a client that has disconnected: not a fault of ours.
            throw Refusal.malformed(nil, "The body is not complete.")
        }
    }
}

extension Refusal {
    /// The refusal of a body, or of a part of it, that can't be decoded.
    public static func malformed(_ error: DecodingError) -> Refusal {
        malformed(error.fieldPath, error.explanation)
    }
}

extension DecodingError {
    private var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .keyNotFound(_, let context), .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }

    /// `dropOff.latitude`, `points[3].recordedAt`; nil for the body as a whole.
    var fieldPath: String? {
        var keys = context?.codingPath ?? []
        if case .keyNotFound(let key, _) = self { keys.append(key) }
        let path = keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return path.isEmpty ? nil : path
    }

    var explanation: String {
        switch self {
        case .typeMismatch: "The value has the wrong type."
        case .valueNotFound: "The value is null."
        case .keyNotFound: "The field is missing."
        case .dataCorrupted: "The value can't be read."
        @unknown default: "The value can't be read."
        }
    }
}
