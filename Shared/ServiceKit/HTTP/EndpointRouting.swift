import Contracts
import HTTPTypes
import Hummingbird

extension Router where Context == ServiceKit.Context {
    /// Answers an endpoint; whoever may not call it is refused before the handler sees the request.
    public func on<Body, Answer, Output: ResponseGenerator>(
        _ endpoint: Endpoint<Body, Answer>,
        use handler: @escaping @Sendable (Request, Context) async throws -> Output
    ) {
        let callers = endpoint.callers
        on(RouterPath(endpoint.path), method: endpoint.method.httpMethod) { request, context in
            _ = try context.caller(callers)
            return try await handler(request, context)
        }
    }
}

extension Router where Context == ServiceKit.Context {
    /// `GET /internal/people/{id}`: what the service holds on a person, for their export.
    public func personalData<Held: Encodable & Sendable>(
        _ held: @escaping @Sendable (PersonID) async throws -> Held
    ) {
        get("/internal/people/:id") { _, context in
            try context.requireService()
            return try Reply(.ok, try await held(context.id("id")))
        }
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
    /// Who calls, when they may: 401 or 403 otherwise. Nil where anybody may.
    public func caller(_ callers: Callers) throws -> Identity? {
        guard let roles = callers.roles else { return nil }
        let identity = try person()
        guard roles.contains(where: { identity.roles.contains($0) }) else {
            throw RequestError.roleNotAllowed
        }
        return identity
    }
}
