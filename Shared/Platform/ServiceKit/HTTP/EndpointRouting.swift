import Contracts
import EventBus
import HTTPTypes
import Hummingbird

/// Routes endpoints to handlers. A caller without permission is refused before the body is read. A body that can't be
/// read is refused before the handler is called.
extension Router where Context == ServiceKit.Context {
    /// Answers with the status that the endpoint promises.
    public func on<Body, Answer: Encodable & Sendable>(
        _ endpoint: Endpoint<Body, Answer>,
        use handler: @escaping @Sendable (Call<Body>) async throws -> Answer
    ) {
        respond(to: endpoint) { try Reply(try await handler($0)).response(promised: $1) }
    }

    /// For a status or headers that depend on the call.
    public func on<Body, Answer>(
        _ endpoint: Endpoint<Body, Answer>,
        use handler: @escaping @Sendable (Call<Body>) async throws -> Reply<Answer>
    ) {
        respond(to: endpoint) { try await handler($0).response(promised: $1) }
    }

    /// For an answer without a body.
    public func on<Body>(
        _ endpoint: Endpoint<Body, Void>,
        use handler: @escaping @Sendable (Call<Body>) async throws -> Void
    ) {
        respond(to: endpoint) { call, promised in
            try await handler(call)
            return Response(status: promised)
        }
    }

    /// For an answer that isn't JSON.
    public func on<Body>(
        _ endpoint: Endpoint<Body, Bytes>,
        use handler: @escaping @Sendable (Call<Body>) async throws -> some ResponseGenerator
    ) {
        respond(to: endpoint) { call, _ in
            try await handler(call).response(from: call.request, context: call.context)
        }
    }

    private func respond<Body, Answer>(
        to endpoint: Endpoint<Body, Answer>,
        _ handler: @escaping @Sendable (Call<Body>, HTTPResponse.Status) async throws -> Response
    ) {
        let (callers, limit) = (endpoint.callers, endpoint.bodyLimit)
        let promised = HTTPResponse.Status(code: endpoint.success.status ?? 200)
        let declared = endpoint.untyped.codes
        on(RouterPath(endpoint.path), method: endpoint.method.httpMethod) { request, context in
            do {
                try context.admit(callers)
                var context = context
                context.maxUploadSize = max(limit, context.maxUploadSize)
                let body = try await context.body(Body.self, for: request)
                return try await handler(
                    Call(request: request, context: context, body: body, limit: limit), promised)
            } catch let error as Refusal
                where callers != .services && !declared.contains(error.code)
            {
                throw Self.undeclared(error, by: endpoint.untyped)
            }
        }
    }

    /// Handles a problem that the endpoint does not declare. Release builds pass it on; debug builds, and so tests,
    /// treat it as a fault of ours.
    private static func undeclared(
        _ error: Refusal, by endpoint: AnyEndpoint
    ) -> any Error {
        #if DEBUG
        UndeclaredRefusal(endpoint: endpoint.id, problem: error.problem)
        #else
        error
        #endif
    }
}

/// Internal endpoints that many services have in common.
extension Router where Context == ServiceKit.Context {
    /// The data that the service stores about a person, for their export.
    public func personalData<Held: Encodable & Sendable>(
        _ held: @escaping @Sendable (PersonID) async throws -> Held
    ) {
        on(InternalEndpoints.personalData.giving(Held.self)) { try await held($0.id()) }
    }

    /// The product's engagements, and the one that binds a person.
    public func engagements(
        _ engagement: @escaping @Sendable (EngagementID) async throws -> Engagement,
        binding: @escaping @Sendable (PersonID) async throws -> EngagementID?
    ) {
        on(InternalEndpoints.engagement) { try await engagement($0.id()) }
        on(InternalEndpoints.binding) { Binding(try await binding($0.id())) }
    }
}

extension AnyEndpoint.Method {
    public var httpMethod: HTTPRequest.Method {
        switch self {
        case .get: .get
        case .put: .put
        case .post: .post
        case .patch: .patch
        case .delete: .delete
        }
    }
}

extension Context {
    /// Throws 401 or 403 if the caller has no permission.
    fileprivate func admit(_ callers: Callers) throws {
        if callers == .services { _ = try requireService() } else { _ = try caller(callers) }
    }

    /// The caller, or nil if the endpoint is public. Throws 401 or 403 without permission.
    public func caller(_ callers: Callers) throws -> Identity? {
        guard let roles = callers.roles else { return nil }
        let identity = try person()
        guard roles.contains(where: { identity.roles.contains($0) }) else {
            throw Refusal.roleNotAllowed
        }
        return identity
    }

    /// The body of an endpoint, by its type. A query is read from the address; `Void`, `Bytes` and `Upload` leave the
    /// request's body unread.
    fileprivate func body<Body>(_ type: Body.Type, for request: Request) async throws -> Body {
        let body: Any
        if type == Void.self {
            body = ()
        } else if let type = type as? any Query.Type {
            body = try request.query(type)
        } else if let type = type as? any QueriedBody.Type {
            body = try type.init(of: request)
        } else if let type = type as? any OptionalBody.Type {
            body = try await type.read(request, self)
        } else if let type = type as? any Decodable.Type {
            body = try await self.body(type, of: request)
        } else {
            body = Bytes()
        }
        guard let body = body as? Body else { throw NoBody(type: "\(type)") }
        return body
    }
}

/// A body together with a query.
private protocol QueriedBody {
    init(of request: Request) throws
}

extension Upload: QueriedBody {
    fileprivate init(of request: Request) throws { self.init(try request.query(Asked.self)) }
}

/// A handler threw a problem that its endpoint does not declare: a bug.
private struct UndeclaredRefusal: Loggable {
    let endpoint: String
    let problem: Problem

    var loggable: String { "\(endpoint) does not declare \(problem.status) \(problem.code)" }
}

/// An endpoint declares a body type that can't be read: a bug.
private struct NoBody: Loggable {
    let type: String

    var loggable: String { "\(type) is no body" }
}
