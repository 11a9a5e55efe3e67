import EventBus
import Foundation
import Logging
import ServiceKit
import ServiceLifecycle

/// Looks for orders that have waited too long. Only the leader among the processes that share the database runs it.
struct OrderWatch: Service {
    static let interval: Duration = .seconds(1)

    let answers: OrderAnswers
    let logger: Logger

    func run() async throws {
        try await Periodic(
            "orders that wait", every: Self.interval, of: answers.database, logger: logger
        ) { await look() }.run()
    }

    /// Runs one round. Work that fails is retried in the next one.
    func look() async {
        await count("handled orders that were due", at: .debug) { try await answers.wakeDue() }
        await count("orders have been in one state for too long") {
            try await answers.announceOverdue()
        }
        await count("asked matching again") { try await answers.repeatUnanswered() }
    }

    /// Runs one kind of work; its failure doesn't stop the other kinds.
    private func count(
        _ what: Logger.Message, at level: Logger.Level = .notice, _ work: () async throws -> Int
    ) async {
        do {
            let count = try await work()
            if count > 0 { logger.log(level: level, what, metadata: ["count": "\(count)"]) }
        } catch {
            logger.warning(
                "due orders could not be handled", metadata: ["error": "\(loggable(error))"])
        }
    }
}
