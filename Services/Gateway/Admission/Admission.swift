import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import ServiceKit

/// Outermost: says on every answer how browsers may treat it, and answers their questions before a
/// call (CORS).
struct BrowserRules: RouterMiddleware {
    /// For an API: nothing of an answer is ever a page, a script or a frame.
    static let apiPolicy = "default-src 'none'; frame-ancestors 'none'"
    /// How long a browser may remember what it asked, in seconds.
    static let preflightLife = "600"
    static let allowedHeaders =
        "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer,"
        + " Accept-Language, Last-Event-ID, traceparent"
    static let exposedHeaders = "ETag, Location, Retry-After, Preference-Applied"

    /// A year: browsers come by TLS alone from the first page that came by it.
    static let transportSecurity = "max-age=31536000; includeSubDomains"

    /// Origins that may call; none unless configured.
    let origins: Set<String>
    let addresses: ClientAddress

    func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let origin = request.headers[.origin].flatMap { origins.contains($0) ? $0 : nil }
        var response: Response
        if let origin, request.method == .options,
            request.headers[.accessControlRequestMethod] != nil
        {
            response = preflight(request, origin)
        } else {
            response = try await next(request, context)
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        if response.headers[.referrerPolicy] == nil {
            response.headers[.referrerPolicy] = "no-referrer"
        }
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = Self.apiPolicy
        }
        if response.headers[.cacheControl] == nil {
            let mayAskAgain = response.headers[.eTag] != nil
            response.headers[.cacheControl] = mayAskAgain ? "private, no-cache" : "no-store"
        }
        if addresses.cameByTLS(
            peer: context.remoteAddress, forwardedProto: request.headers[.forwardedProto])
        {
            response.headers[.strictTransportSecurity] = Self.transportSecurity
        }
        guard !origins.isEmpty else { return response }
        response.headers.append(HTTPField(name: .vary, value: "Origin"))
        if let origin {
            response.headers[.accessControlAllowOrigin] = origin
            response.headers[.accessControlExposeHeaders] = Self.exposedHeaders
        }
        return response
    }

    private func preflight(_ request: Request, _ origin: String) -> Response {
        let methods = AnyEndpoint.Method.allCases.map(\.rawValue).sorted()
        return Response(
            status: .noContent,
            headers: [
                .accessControlAllowMethods: methods.joined(separator: ", "),
                .accessControlAllowHeaders: Self.allowedHeaders,
                .accessControlMaxAge: Self.preflightLife,
            ])
    }
}

/// Before anything else is looked at: limits of a request's head, and what is never open to the
/// outside.
struct HeadRules: RouterMiddleware {
    static let mostFields = 64
    /// Name and value of one field, in bytes.
    static let largestField = 8 * 1_024
    /// Path and query, in bytes.
    static let longestAddress = 4 * 1_024

    func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.uri.string.utf8.count <= Self.longestAddress else {
            return Refusal.addressTooLong.problem.response()
        }
        guard request.headers.count <= Self.mostFields,
            request.headers.allSatisfy({ $0.value.utf8.count <= Self.largestField })
        else { return Refusal.headTooLarge.problem.response() }
        // RFC 9112 §3.2: exactly one Host. A second one stays among the fields.
        guard request.head.authority?.isEmpty == false,
            !request.headers.contains(where: { $0.name.canonicalName == "host" })
        else { return Refusal.hostMissing.problem.response() }
        // Each service opens these to other services; the gateway is where the outside begins.
        guard request.uri.path.split(separator: "/").first != "internal" else {
            return Refusal.notFound.problem.response()
        }
        return try await next(request, context)
    }
}

/// Counts an address first, before a token is verified or anything is looked for, and what it was
/// refused.
struct AddressRules: RouterMiddleware {
    private static let refusals: Set<Int> = [401, 403, 404, 405]

    let limiter: RateLimiter
    let addresses: ClientAddress

    func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let address = addresses.find(
            peer: context.remoteAddress, forwardedFor: request.headers[values: .forwardedFor])
        guard let address else { return try await next(request, context) }
        do {
            let isPosition =
                request.method == .put && request.uri.path == LocationEndpoints.recordPosition.path
            try limiter.admit(from: address, isPosition: isPosition)
        } catch let error as Refusal {
            return error.problem.response()
        }
        let response = try await next(request, context)
        if Self.refusals.contains(response.status.code) { limiter.countRefusal(of: address) }
        return response
    }
}

/// Decides whether a request may pass: who may call, how often, how much.
struct Admission: Sendable {
    /// How long a client may take to send a body.
    static let bodyTime: Duration = .seconds(15)
    /// The same for a picture, from a phone with a poor connection.
    static let pictureTime: Duration = .seconds(60)

    let limiter: RateLimiter
    let addresses: ClientAddress

    func client(_ request: Request, _ context: Context) -> IPAddress? {
        addresses.find(
            peer: context.remoteAddress, forwardedFor: request.headers[values: .forwardedFor])
    }

    /// Throws 401, 403 or 429; returns who calls and from where.
    func admit(
        _ endpoint: AnyEndpoint, _ request: Request, _ context: Context
    ) async throws -> (identity: Identity?, client: IPAddress?) {
        let caller = try context.caller(endpoint.callers)
        // Positions are counted by person only: what is not needed is not looked for.
        let client = endpoint.rate == .positions ? nil : client(request, context)
        try await limiter.admit(endpoint.rate, person: caller?.person, address: client)
        return (caller, client)
    }

    /// The whole body, within the route's limit and in time.
    func body(_ request: Request, limit: Int) async throws -> ByteBuffer {
        guard request.headers[.contentLength] != "0", Self.hasBody(request) else {
            return ByteBuffer()
        }
        return try await withThrowingTaskGroup(of: ByteBuffer.self) { group in
            group.addTask { try await request.collect(limit: limit) }
            group.addTask {
                try await Task.sleep(
                    for: limit <= BodyLimit.area ? Self.bodyTime : Self.pictureTime)
                throw Refusal.bodyTooSlow
            }
            defer { group.cancelAll() }
            return try await group.next() ?? ByteBuffer()
        }
    }

    private static func hasBody(_ request: Request) -> Bool {
        switch request.method {
        case .get, .head, .options: false
        default: true
        }
    }
}

extension HTTPField.Name {
    static let forwardedProto = Self("X-Forwarded-Proto")!
    static let referrerPolicy = Self("Referrer-Policy")!
}
