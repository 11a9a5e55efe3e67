import Contracts
import Hummingbird
import ServiceKit

/// HTTP to use case.
struct MatchingRoutes: Sendable {
    let matching: MatchingUseCases

    func add(to router: Router<Context>) {
        router.get("/v1/orders/:id/matching", use: trace)
    }

    @Sendable private func trace(_ request: Request, _ context: Context) async throws -> Reply {
        _ = try context.person(.operator)
        return try Reply(.ok, try await matching.trace(context.id("id")))
    }
}
