import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import ServiceKit

/// The outermost middleware. Adds the security headers for browsers to every answer, and answers their preflight
/// requests (CORS).
struct BrowserRules: RouterMiddleware {
    /// The API's policy: no answer may be used as a page, a script or a frame.
    static let apiPolicy = "default-src 'none'; frame-ancestors 'none'"
    /// How long browsers may cache a preflight answer, in seconds.
    static let preflightLife = "600"
    static let allowedHeaders =
        "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer,"
        + " Accept-Language, Last-Event-ID, traceparent"
    static let exposedHeaders = "ETag, Location, Retry-After, Preference-Applied"

    /// A year: after the first page over TLS, browsers use only TLS.
    static let transportSecurity = "max-age=31536000; includeSubDomains"

    /// Origins that may call the API; none by default.
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

/// Checks that come before all others: limits of a request's head, and paths that are never public.
struct HeadRules: RouterMiddleware {
    static let mostFields = 64
    /// The largest field, name and value together, in bytes.
    static let largestField = 8 * 1_024
    /// The longest path and query together, in bytes.
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
        // RFC 9112 §3.2: exactly one Host. A second one remains among the fields.
        guard request.head.authority?.isEmpty == false,
            !request.headers.contains(where: { $0.name.canonicalName == "host" })
        else { return Refusal.hostMissing.problem.response() }
        // Services offer these to each other, but the gateway must not make them public.
        guard request.uri.path.split(separator: "/").first != "internal" else {
            return Refusal.notFound.problem.response()
        }
        return try await next(request, context)
    }
}

/// Limits the requests of an address before a token is verified or a route looked up, and counts its refused requests.
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

/// Decides whether a request may pass: who may call, how often, and with how large a body.
struct Admission: Sendable {
    /// How long a client may take to send a body.
    static let bodyTime: Duration = .seconds(15)
    /// The same for a picture, which may come from a phone with a poor connection.
    static let pictureTime: Duration = .seconds(60)

    let limiter: RateLimiter
    let addresses: ClientAddress
    let deleted: DeletedAccounts

    func client(_ request: Request, _ context: Context) -> IPAddress? {
        addresses.find(
            peer: context.remoteAddress, forwardedFor: request.headers[values: .forwardedFor])
    }

    /// Throws 401, 403 or 429; returns the caller and their address.
    func admit(
        _ endpoint: AnyEndpoint, _ request: Request, _ context: Context
    ) async throws -> (identity: Identity?, client: IPAddress?) {
        let caller = try context.caller(endpoint.callers)
        if let caller, deleted.contains(caller.person) { throw Refusal.tokenInvalid }
        // Positions are limited per person only, so the address is not needed.
        let client = endpoint.rate == .positions ? nil : client(request, context)
        try await limiter.admit(endpoint.rate, person: caller?.person, address: client)
        return (caller, client)
    }

    /// Reads the whole body, within the route's size and time limits.
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
