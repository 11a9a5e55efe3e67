import Contracts
import Hummingbird
import ServiceKit

/// The route of decisions.
struct MatchingRoutes: Sendable {
    let matching: MatchingUseCases

    func add(to router: Router<Context>) {
        router.on(MatchingEndpoints.matching) { try await matching.trace($0.id()) }
    }
}
