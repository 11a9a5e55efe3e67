import Contracts
import Hummingbird
import ServiceKit

/// HTTP to use case.
struct MatchingRoutes: Sendable {
    let matching: MatchingUseCases

    func add(to router: Router<Context>) {
        router.on(MatchingEndpoints.matching, use: trace)
    }

    @Sendable private func trace(_ request: Request, _ context: Context) async throws -> Reply {
        return try Reply(.ok, try await matching.trace(context.id("id")))
    }
}
