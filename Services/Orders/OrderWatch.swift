import Foundation
import Logging
import ServiceLifecycle

/// Looks at the clock for orders that wait for too long.
struct OrderWatch: Service {
    static let interval: Duration = .seconds(1)

    let answers: OrderAnswers
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.interval)) != nil { await look() }
        }
    }

    /// One round. What fails is tried again in the next one.
    func look() async {
        do {
            try await answers.wakeDue()
            let overdue = try await answers.tellOverdue()
            let repeated = try await answers.repeatUnanswered()
            if overdue + repeated > 0 {
                logger.notice(
                    "orders wait for too long",
                    metadata: ["overdue": "\(overdue)", "unanswered": "\(repeated)"])
            }
        } catch {
            logger.warning("overdue orders can't be read", metadata: ["error": "\(error)"])
        }
    }
}
