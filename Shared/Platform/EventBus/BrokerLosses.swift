import Kafka
import Logging
import Synchronization

/// What readers and the producer of one process notice of a broker that has lost records. Its producers are then made
/// anew, and the outbox publishes again what it still holds.
public final class BrokerLosses: Sendable {
    private struct Renewed {
        weak let producer: KafkaProducer?
    }

    private let producers = Mutex<[Renewed]>([])
    private let count = Mutex(0)
    private let stream = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    public init() {}

    public func report() {
        BusMetrics.losses.increment()
        count.withLock { $0 += 1 }
        for renewed in producers.withLock(\.self) { renewed.producer?.renew() }
        stream.continuation.yield()
    }

    /// Has the producer made anew at each loss.
    public func add(_ producer: KafkaProducer) {
        producers.withLock { $0.append(Renewed(producer: producer)) }
    }

    /// For a producer.
    public func notice(_ notice: KafkaProducer.Notice) {
        switch notice {
        case .recordsLost: report()
        case .renewed: BusMetrics.renewals.increment()
        }
    }

    /// Calls `publishAgain`, which returns the number of events, after each loss, and again until it succeeds. Runs
    /// until the task is cancelled; for one outbox.
    ///
    /// - Parameter settling: The time within which all readers of a process notice the same loss.
    public func whenReported(
        settling: Duration = .seconds(10), logger: Logger,
        _ publishAgain: @Sendable () async throws -> Int
    ) async {
        var handled = 0
        for await _ in stream.stream where count.withLock(\.self) > handled {
            var backoff = Backoff(first: .seconds(1), most: .seconds(30))
            try? await Task.sleep(for: settling)
            while !Task.isCancelled {
                handled = count.withLock(\.self)
                do {
                    let events = try await publishAgain()
                    logger.warning(
                        "the broker has lost records; stored events are published again",
                        metadata: ["events": "\(events)"])
                    break
                } catch {
                    logger.warning(
                        "stored events could not be published again yet",
                        metadata: ["error": "\(loggable(error))"])
                    await backoff.wait()
                }
            }
        }
    }
}
