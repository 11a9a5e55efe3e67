import EventBus
import Logging
import Synchronization

/// A gauge that costs a query or a system call. It is measured when somebody reads the metrics, and not again within
/// `pause`; a process whose metrics nobody reads never measures.
final class Measure: Sendable {
    /// Maximum duration of a measurement; the metrics then keep the last value.
    static let limit: Duration = .seconds(2)

    private let name: String
    private let pause: Duration
    private let logger: Logger
    private let take: @Sendable () async throws -> Void
    private let takenAt = Mutex<ContinuousClock.Instant?>(nil)

    init(
        _ name: String, atMostEvery pause: Duration, logger: Logger,
        take: @escaping @Sendable () async throws -> Void
    ) {
        (self.name, self.pause, self.logger, self.take) = (name, pause, logger, take)
    }

    /// Measures unless it did so a moment ago.
    func refresh() async {
        let now = ContinuousClock.now
        let isDue = takenAt.withLock { takenAt in
            if let last = takenAt, now < last + pause { return false }
            takenAt = now
            return true
        }
        guard isDue else { return }
        do {
            try await withTimeLimit(Self.limit, take)
        } catch {
            logger.warning(
                "a metric could not be measured",
                metadata: ["metric": "\(name)", "error": "\(loggable(error))"])
        }
    }
}

extension ServiceEnvironment {
    /// Measures a gauge when metrics are read, at most once in `pause`.
    public func measure(
        _ name: String, atMostEvery pause: Duration = .seconds(60),
        take: @escaping @Sendable () async throws -> Void
    ) {
        addMeasure(Measure(name, atMostEvery: pause, logger: logger, take: take))
    }
}
