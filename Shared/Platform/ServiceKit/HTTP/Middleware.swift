import Contracts
import Crypto
import EventBus
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Metrics
import ServiceContextModule
import Store
import Synchronization

/// Continues or starts the W3C trace of a request, and adds its id to every log line.
struct TraceMiddleware: RouterMiddleware {
    /// Nil if nobody wants spans.
    let tracer: Tracer?
    /// Requests of machines that watch the service, which would hide the others.
    private static let unwatched: Set<String> = ["/health/live", "/health/ready", "/metrics"]

    func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let parent = request.headers[.traceparent].flatMap(TraceContext.init)
        let trace = parent?.child() ?? TraceContext.root()
        var context = context
        context.logger[metadataKey: "trace"] = "\(trace.traceID)"
        var current = ServiceContext.current ?? .topLevel
        (current.traceContext, current.tracer) = (trace, tracer)
        let start = Date()
        let response = try await ServiceContext.$current.withValue(current) {
            try await next(request, context)
        }
        if let tracer, !Self.unwatched.contains(request.uri.path) {
            let (method, path) = (request.method.rawValue, context.endpointPath ?? "none")
            let status = response.status.code
            tracer.record(
                Span(
                    "\(method) \(path)", .server, trace, below: parent?.spanID, from: start,
                    attributes: [
                        "http.request.method": .text(method), "http.route": .text(path),
                        "http.response.status_code": .number(status),
                    ], failure: status >= 500 ? "status \(status)" : nil))
        }
        return response
    }
}

/// Counts and times requests by endpoint and status.
struct HTTPMetricsMiddleware: RouterMiddleware {
    private let timers = RequestTimers()

    func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        timers[request.method, context.endpointPath, response.status]
            .record(duration: ContinuousClock.now - start)
        return response
    }
}

/// One timer for each kind of answer, made once: looking it up by its labels costs more than the rest of a small
/// request.
private final class RequestTimers: Sendable {
    private struct Kind: Hashable {
        let method: HTTPRequest.Method?
        let path: String?
        let status: Int
    }

    /// Methods with their own name in the metrics; clients can send any others.
    private static let named: Set<HTTPRequest.Method> = [
        .get, .head, .post, .put, .patch, .delete, .options, .connect, .trace,
    ]

    private let timers = Mutex<[Kind: Metrics.Timer]>([:])

    subscript(
        method: HTTPRequest.Method, path: String?, status: HTTPResponse.Status
    ) -> Metrics.Timer {
        let kind = Kind(
            method: Self.named.contains(method) ? method : nil, path: path, status: status.code)
        return timers.withLock { timers in
            if let known = timers[kind] { return known }
            let timer = Metrics.Timer(
                label: "http_request_duration_seconds",
                dimensions: [
                    ("method", kind.method?.rawValue ?? "other"), ("path", path ?? "none"),
                    ("status", String(kind.status)),
                ])
            timers[kind] = timer
            return timer
        }
    }
}

/// Turns every error into problem+json. An unexpected one becomes a 500 and is logged as an error.
struct ProblemMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            var problem = Self.problem(
                for: error, path: context.endpointPath, logger: context.logger)
            problem.instance = context.logger[metadataKey: "trace"].map { "urn:trace:\($0)" }
            return problem.response()
        }
    }

    private static func problem(for error: any Error, path: String?, logger: Logger) -> Problem {
        switch error {
        case let error as Refusal:
            return error.problem
        case let error as any Retriable where error.isRetriable:
            logger.warning(
                "a dependency is unavailable",
                metadata: ["path": "\(path ?? "-")", "error": "\(loggable(error))"])
            return Refusal.unavailable("Please try again in a moment.").problem
        case let error as HTTPError:
            return problem(for: error)
        case is CancellationError:
            return Refusal.unavailable("The service is stopping.").problem
        default:
            logger.error(
                "unexpected error",
                metadata: ["path": "\(path ?? "-")", "error": "\(loggable(error))"])
            return Refusal.internalError.problem
        }
    }

    /// Hummingbird's own errors: no route, a body beyond the limit, an unreadable header.
    private static func problem(for error: HTTPError) -> Problem {
        switch error.status {
        case .notFound: Refusal.notFound.problem
        case .methodNotAllowed: Refusal.methodNotAllowed.problem
        case .contentTooLarge: Refusal.bodyTooLarge(limit: Context.largestBody).problem
        default:
            Problem(
                title: error.status.reasonPhrase, status: error.status.code, code: "request.refused"
            )
        }
    }
}

/// Reads the bearer token of a person or a service.
///
/// The route decides whether one is needed: a client that renews its tokens may send the old one.
struct AuthenticationMiddleware: RouterMiddleware {
    let people: TokenVerifier
    let services: ServiceTokens
    /// Opens `/metrics` for a scraper that can't make service tokens.
    let metricsToken: String?

    func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let header = request.headers[.authorization] else {
            return try await next(request, context)
        }
        let token = header.lowercased().hasPrefix("bearer ") ? String(header.dropFirst(7)) : ""
        var context = context
        if request.uri.path == "/metrics", let metricsToken,
            SHA256.hash(data: Data(token.utf8)) == SHA256.hash(data: Data(metricsToken.utf8))
        {
            context.callingService = "metrics"
        } else if request.uri.path.hasPrefix("\(AnyEndpoint.internalPath)/")
            || request.uri.path == "/metrics"
        {
            context.callingService = try await services.verify(token)
        } else {
            do {
                context.identity = try await people.verify(token)
            } catch {
                context.refusal = error
            }
        }
        return try await next(request, context)
    }
}

/// Makes an `IdempotencyKey` of the header, the caller and the request.
struct IdempotencyMiddleware: RouterMiddleware {
    static let longestKey = 200
    let sealer: Sealer
    /// Maximum size of a body, in bytes.
    let largestBody: Int

    func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.method == .post, let key = request.headers[.idempotencyKey] else {
            return try await next(request, context)
        }
        let printable = key.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard (1...Self.longestKey).contains(key.utf8.count), printable else {
            throw Refusal.invalid(
                "Idempotency-Key", "Use 1 to \(Self.longestKey) printable characters.")
        }
        var request = request
        let body = try await request.collect(limit: largestBody)
        request.body = RequestBody(buffer: body)
        let whole =
            Data("\(request.method.rawValue) \(request.uri.string)\n".utf8)
            + Data(body.readableBytesView)
        var context = context
        context.idempotency = IdempotencyKey(
            caller: context.identity?.person.description ?? "anonymous", key: key,
            requestHash: sealer.fingerprint(whole),
            sealer: sealer)
        return try await next(request, context)
    }
}
