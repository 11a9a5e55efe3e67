import Logging
import ServiceKit
import ServiceLifecycle
import Store

/// Removes what has outlived its retention, a batch at a time so that it never holds up writers.
struct OrderSweeper: Service {
    /// Rows of one kind that one transaction removes.
    static let batch = 1_000
    static let interval: Duration = .seconds(600)

    let database: Database
    let clock: HouseClock
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await sweep()
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    func sweep() async {
        do {
            let now = clock.now
            var removed = 1
            while removed > 0, !Task.isCancelled {
                removed = try await database.write { transaction in
                    try transaction.sweepAlerts(at: now, limit: Self.batch)
                        + transaction.sweepRecognitions(at: now, limit: Self.batch)
                }
            }
        } catch {
            logger.warning("old rows can't be removed", metadata: ["error": "\(error)"])
        }
    }
}
