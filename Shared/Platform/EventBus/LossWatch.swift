import Kafka
import Synchronization

/// Remembers what a reader has found of a loss until it starts over: the consumer may find it only once.
final class LossWatch: Sendable {
    /// After a loss, others wait for this time, so that a reader does not start over again and again.
    static let interval: Duration = .seconds(60)

    /// When the reader last started over; nil if it reads on from the group's offsets.
    let restarted: ContinuousClock.Instant?
    private let found = Mutex<KafkaLoss?>(nil)

    init(restarted: ContinuousClock.Instant? = nil) { self.restarted = restarted }

    var loss: KafkaLoss? { found.withLock(\.self) }

    /// False if it has found one before.
    @discardableResult func note(_ loss: KafkaLoss) -> Bool {
        found.withLock { found in
            defer { found = found ?? loss }
            return found == nil
        }
    }

    /// Whether the reader has to start over now.
    func isDue(at now: ContinuousClock.Instant) -> Bool {
        loss != nil && (restarted.map { now - $0 >= Self.interval } ?? true)
    }
}
