import Contracts
import Foundation
import Geo
import Hummingbird

/// A permitted call of an endpoint, with its body.
public struct Call<Body: Sendable>: Sendable {
    public let request: Request
    public let context: Context
    public let body: Body
    /// Maximum size of the body, in bytes.
    let limit: Int

    /// The caller. Throws 401 if the endpoint is public and nobody is signed in.
    public var person: Identity {
        get throws { try context.person() }
    }

    public var idempotency: IdempotencyKey? { context.idempotency }

    /// An id in the path. Throws 404 if it is malformed.
    public func id<Kind>(
        _ name: String = "id", as type: Identifier<Kind>.Type = Identifier<Kind>.self
    ) throws -> Identifier<Kind> {
        try context.id(name, as: type)
    }

    /// An id in the path. Throws the refusal if it is malformed.
    public func id<ID: LosslessStringConvertible>(
        _ name: String = "id", or refusal: Refusal
    ) throws -> ID {
        guard let id = ID(path(name)) else { throw refusal }
        return id
    }

    /// The path segment at `{id}`.
    public func path(_ name: String = "id") -> String { context.parameters.get(name) ?? "" }

    /// `Prefer: wait=N`, at most 30 seconds.
    public var wait: Duration? { request.preferredWait() }

    /// The supported language that the caller prefers.
    public var language: Language { Language(accepting: request.headers[.acceptLanguage]) }

    public var ifMatch: VersionCondition {
        request.headers[.ifMatch].map(ETag.versions) ?? .none
    }

    public var ifNoneMatch: VersionCondition {
        request.headers[.ifNoneMatch].map(ETag.versions) ?? .none
    }
}

extension Call where Body: Query {
    public var query: Body { body }
}

extension Call where Body: PagedQuery {
    public var page: PageRequest { body.page }
}

extension Call where Body: PointedQuery {
    public var point: Coordinate { body.point }
}

extension Call where Body: UnreadBody {
    /// The whole body, whatever its content type. Throws 413 beyond the endpoint's limit.
    public func bytes() async throws -> Data {
        Data(try await request.collect(limit: limit).readableBytesView)
    }
}

/// A body that a handler reads itself.
public protocol UnreadBody {}

extension Bytes: UnreadBody {}
extension Upload: UnreadBody {}

/// A body or an answer that may be absent.
protocol OptionalBody {
    static func read(_ request: Request, _ context: Context) async throws -> Self
    var isAbsent: Bool { get }
}

extension Optional: OptionalBody {
    static func read(_ request: Request, _ context: Context) async throws -> Self {
        guard let type = Wrapped.self as? any Decodable.Type else { return nil }
        return try await context.bodyIfPresent(type, of: request) as? Wrapped
    }

    var isAbsent: Bool { self == nil }
}
