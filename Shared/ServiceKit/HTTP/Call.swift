import Contracts
import Foundation
import Geo
import Hummingbird

/// A call of an endpoint by somebody who may make it, with the body that was sent.
public struct Call<Body: Sendable>: Sendable {
    public let request: Request
    public let context: Context
    public let body: Body
    /// Of the body, in bytes.
    let limit: Int

    /// Who calls; 401 where nobody needs to be signed in, and nobody is.
    public var person: Identity {
        get throws { try context.person() }
    }

    public var idempotency: IdempotencyKey? { context.idempotency }

    /// An id in the path; a malformed one is simply not found.
    public func id<Kind>(
        _ name: String = "id", as type: Identifier<Kind>.Type = Identifier<Kind>.self
    ) throws -> Identifier<Kind> {
        try context.id(name, as: type)
    }

    /// What stands in the path where an endpoint has `{id}`.
    public func path(_ name: String = "id") -> String { context.parameters.get(name) ?? "" }

    public func query(_ name: String) -> String? { request.query(name) }

    /// What the query says, if it says something; refused with the complaint when `read` makes nothing of it.
    public func query<Value>(
        _ name: String, _ complaint: String, _ read: (String) -> Value?
    ) throws -> Value? {
        try query(name).map { text in
            guard let value = read(text) else { throw InvalidRequest(name, complaint) }
            return value
        }
    }

    /// `?after=&limit=`
    public var page: PageRequest {
        get throws { try request.page() }
    }

    /// `?latitude=&longitude=`, both required.
    public var point: Coordinate {
        get throws {
            Coordinate(
                latitude: try request.double("latitude", in: -90...90),
                longitude: try request.double("longitude", in: -180...180))
        }
    }

    /// Both coordinates, or neither.
    public var pointIfPresent: Coordinate? {
        get throws {
            try query("latitude") == nil && query("longitude") == nil ? nil : point
        }
    }

    /// `?from=&to=`, of the usual length in seconds, until now, where they are absent.
    public func span(usual: TimeInterval, at now: Date) throws -> TimeSpan {
        try TimeSpan(request, usual: usual, at: now)
    }

    /// `Prefer: wait=N`, 30 seconds at most.
    public var wait: Duration? { request.preferredWait() }

    /// That the caller reads best, of ours.
    public var language: Language { Language(accepting: request.headers[.acceptLanguage]) }

    public var ifMatch: VersionCondition {
        request.headers[.ifMatch].map(ETag.versions) ?? .none
    }

    public var ifNoneMatch: VersionCondition {
        request.headers[.ifNoneMatch].map(ETag.versions) ?? .none
    }
}

extension Call<Bytes> {
    /// The whole body, whatever type the request says it has; 413 beyond the endpoint's limit.
    public func bytes() async throws -> Data {
        Data(try await request.collect(limit: limit).readableBytesView)
    }
}

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
