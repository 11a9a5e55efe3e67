import EventBus
import Foundation
import Logging
import ServiceLifecycle
import Store

/// Finds out what became of attempts and refunds that nobody has settled: after a crash, or a lost
/// answer. Does at the provider what nobody waits for.
struct PaymentRecovery: Service {
    /// Attempts that one round looks at.
    static let batch = 100
    /// Longest time between two rounds.
    static let interval: Duration = .seconds(5)

    let payments: PaymentUseCases

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                // Listening begins before the look, and anew each time: a stream ends with its
                // reader's task.
                let signals = payments.database.signals(PaymentStore.unresolvedSignal)
                await round()
                await next(signals)
            }
        }
    }

    /// Waits for the next thing to do: time passes, and with it an attempt's hold.
    private func next(_ signals: AsyncStream<Void>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await Task.sleep(for: Self.interval) }
            group.addTask {
                for await _ in signals {
                    // A provider that does not answer is not asked again at once.
                    try? await Task.sleep(for: Self.interval / 10)
                    return
                }
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// One look at everything that is overdue; what fails is tried again in the next round.
    func round() async {
        let now = payments.clock.now
        do {
            let (attempts, refunds) = try await payments.database.read { transaction in
                (
                    try transaction.overdueAttempts(at: now, limit: Self.batch),
                    try transaction.overdueRefunds(at: now, limit: Self.batch)
                )
            }
            for attempt in attempts {
                try await settle("payment") { try await payments.resolve(attempt) }
            }
            for refund in refunds {
                try await settle("refund") { try await payments.give(refund) }
            }
            for chore in try await payments.database.read({ try $0.chores(limit: Self.batch) }) {
                try await settle("chore") { try await payments.run(chore) }
            }
            if payments.webhooks != nil {
                try await payments.database.write { try $0.sweepWebhookEvents(at: now) }
            }
        } catch {
            payments.logger.warning(
                "unsettled payments could not be looked at", metadata: ["error": "\(error)"])
        }
    }

    private func settle<T>(_ what: String, _ call: () async throws -> T) async throws {
        do {
            _ = try await call()
        } catch let error as PaymentError {
            payments.logger.debug(
                "still unsettled", metadata: ["what": "\(what)", "error": "\(error.code)"])
        }
    }
}
