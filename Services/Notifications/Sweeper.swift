import Logging
import ServiceKit
import ServiceLifecycle
import Store

/// Removes what has outlived its retention, a batch at a time so that it never holds up writers.
struct Sweeper: Service {
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
            while !Task.isCancelled {
                let removed = try await database.write { try $0.sweep(at: now, batch: Self.batch) }
                if removed == 0 { return }
            }
        } catch {
            logger.warning("old rows can't be removed", metadata: ["error": "\(error)"])
        }
    }
}
