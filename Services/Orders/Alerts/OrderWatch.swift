import Foundation
import Logging
import ServiceKit
import ServiceLifecycle

/// Looks at the clock for orders that wait for too long; of the processes that share the database, the one
/// that leads does.
struct OrderWatch: Service {
    static let interval: Duration = .seconds(1)

    let answers: OrderAnswers
    let logger: Logger

    func run() async throws {
        try await Periodic(
            "orders that wait", every: Self.interval, of: answers.database, logger: logger
        ) { await look() }.run()
    }

    /// One round. What fails is tried again in the next one.
    func look() async {
        await count("orders have come to their moment", at: .debug) { try await answers.wakeDue() }
        await count("orders wait for too long") { try await answers.announceOverdue() }
        await count("orders wait for an answer") { try await answers.repeatUnanswered() }
    }

    /// What fails in one kind of work keeps nothing of another kind from its turn.
    private func count(
        _ what: Logger.Message, at level: Logger.Level = .notice, _ work: () async throws -> Int
    ) async {
        do {
            let count = try await work()
            if count > 0 { logger.log(level: level, what, metadata: ["count": "\(count)"]) }
        } catch {
            logger.warning("due orders can't be handled", metadata: ["error": "\(error)"])
        }
    }
}
