import Contracts
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import ServiceKit
import Support
import Testing

/// Calls the router of a service as people and as other services do.
public protocol Calling: Sendable {
    /// The name of the service.
    static var service: String { get }
    var client: any TestClientProtocol { get }
    var clock: TestClock { get }
}

extension Calling {
    /// With a JSON body, if any; `key` makes a repeat of the call safe.
    public func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: (any Encodable)? = nil,
        as person: TestPerson? = nil, key: String? = nil, headers: HTTPFields = [:]
    ) async throws -> Answer {
        let data = try body.map { try Wire.encode($0) }
        return try await call(method, path, raw: data, as: person, key: key, headers: headers)
    }

    public func call(
        _ method: HTTPRequest.Method, _ path: String, raw text: String,
        as person: TestPerson? = nil, key: String? = nil, headers: HTTPFields = [:]
    ) async throws -> Answer {
        try await call(
            method, path, raw: Data(text.utf8), as: person, key: key, headers: headers)
    }

    /// With a body as it stands: JSON, unless `headers` say otherwise.
    public func call(
        _ method: HTTPRequest.Method, _ path: String, raw data: Data?,
        as person: TestPerson? = nil, key: String? = nil, headers: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = headers
        if let person { headers[.authorization] = try await person.bearer(at: clock.now) }
        if let key { headers[.idempotencyKey] = key }
        if data != nil, headers[.contentType] == nil { headers[.contentType] = "application/json" }
        return Answer(
            try await client.execute(
                uri: path, method: method, headers: headers,
                body: data.map { ByteBuffer(bytes: $0) }))
    }

    /// As another service, by its token for this one, or for `audience`.
    public func internally(
        _ method: HTTPRequest.Method, _ path: String, _ json: String? = nil,
        from caller: String = "gateway", for audience: String? = nil
    ) async throws -> Answer {
        let tokens = ServiceTokens(
            service: caller, secret: ServiceEnvironment.testSecret, clock: clock.serviceClock)
        let token = try await tokens.token(for: audience ?? Self.service)
        return try await call(
            method, path, raw: json.map { Data($0.utf8) },
            headers: [.authorization: "Bearer \(token)"])
    }

    public func internally(
        _ path: String, from caller: String = "gateway", for audience: String? = nil
    ) async throws -> Answer {
        try await internally(.get, path, from: caller, for: audience)
    }

    /// What keeps somebody on the platform, as accounts asks before it deletes them.
    public func binding(of person: TestPerson) async throws -> EngagementID? {
        try await internally("/internal/people/\(person.id)/engagement", from: "accounts")
            .expect(200, Binding.self).engagement
    }
}
