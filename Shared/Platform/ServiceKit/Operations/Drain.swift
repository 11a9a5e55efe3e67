import HTTPTypes
import Hummingbird
import ServiceLifecycle
import Synchronization

/// The first step of a stop. `/health/ready` is 503 at once, and each answer asks its client to connect anew. The
/// service works on until load balancers have noticed; only then do its connections end.
final class Drain: Service {
    /// Maximum of `OPENVALET_DRAIN_SECONDS`.
    static let longestSeconds = 60

    /// Returns when load balancers have noticed.
    private let notice: @Sendable () async -> Void
    private let hasBegun = Atomic(false)

    init(notice: @escaping @Sendable () async -> Void) { self.notice = notice }

    convenience init(_ pause: Duration) {
        self.init { try? await Task.sleep(for: pause) }
    }

    var isStopping: Bool { hasBegun.load(ordering: .relaxed) }

    func run() async throws {
        try? await gracefulShutdown()
        hasBegun.store(true, ordering: .relaxed)
        await notice()
    }
}

/// Asks clients of a stopping service to close their connection after an answer, as RFC 9112, section 9.6, says.
struct DrainMiddleware: RouterMiddleware {
    let drain: Drain

    func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if drain.isStopping { response.headers[.connection] = "close" }
        return response
    }
}
