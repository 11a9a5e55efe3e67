import Contracts
import EventBus
import Foundation
import Kafka
import Logging
import Metrics
import ServiceKit
import ServiceLifecycle
import Synchronization

/// Sends positions to the bus: the newest of each person and engagement.
///
/// Only positions may be dropped. While the bus is slow or down, a newer position replaces an older one, and beyond the
/// limit no further people are accepted. Drops are counted.
final class PositionFeed: Service {
    /// The most positions that wait to be sent.
    static let mostWaiting = 20_000
    /// Records per batch.
    static let mostSent = 1_000
    /// How long the first position of a batch waits for others. People see at most four positions per person and
    /// second, and most of a record's cost is per batch.
    static let window: Duration = .milliseconds(25)
    /// How long to wait after a failed batch.
    static let pause: Duration = .seconds(1)

    /// One position per person and engagement waits, so that all viewers of the person get it.
    private struct Key: Hashable {
        let person: PersonID
        let engagement: EngagementID?
    }

    private struct State {
        var waiting: [Key: PositionRecorded] = [:]
        var order: [Key] = []
    }

    private let producer: KafkaProducer
    private let clock: ServiceClock
    private let logger: Logger
    private let state = Mutex(State())
    private let signals = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private let sent = Counter(label: "location_positions_sent_total")
    private let replaced = Counter(
        label: "location_positions_dropped_total", dimensions: [("reason", "replaced")])
    private let refused = Counter(
        label: "location_positions_dropped_total", dimensions: [("reason", "full")])
    private let failed = Counter(
        label: "location_positions_dropped_total", dimensions: [("reason", "failed")])

    init(_ producer: KafkaProducer, clock: ServiceClock, logger: Logger) {
        self.producer = producer
        self.clock = clock
        self.logger = logger
    }

    func add(_ events: [PositionRecorded]) {
        if events.isEmpty { return }
        var (replacements, refusals) = (0, 0)
        state.withLock { state in
            for event in events {
                let key = Key(
                    person: event.position.person, engagement: event.position.engagement)
                if let known = state.waiting[key] {
                    replacements += 1
                    // Batches of several requests may arrive in either order.
                    if known.position.recordedAt > event.position.recordedAt { continue }
                } else if state.order.count == Self.mostWaiting {
                    refusals += 1
                    continue
                } else {
                    state.order.append(key)
                }
                state.waiting[key] = event
            }
        }
        replaced.increment(by: replacements)
        refused.increment(by: refusals)
        signals.continuation.yield()
    }

    /// Takes the next batch, longest waiting first.
    func take() -> [PositionRecorded] {
        state.withLock { state in
            let keys = state.order.prefix(Self.mostSent)
            let events = keys.compactMap { state.waiting.removeValue(forKey: $0) }
            state.order.removeFirst(keys.count)
            return events
        }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in self.signals.stream {
                try? await Task.sleep(for: Self.window)
                while !Task.isCancelled {
                    let events = self.take()
                    if events.isEmpty { break }
                    await self.send(events)
                }
            }
        }
    }

    private func send(_ events: [PositionRecorded]) async {
        do {
            let encoder = Wire.encoder()
            let time = clock.now
            try await producer.sendInOrder(
                events.map { event in
                    try KafkaRecord(event, id: .new(at: time), at: time, encoder: encoder)
                })
            sent.increment(by: events.count)
        } catch {
            failed.increment(by: events.count)
            logger.warning("positions could not be sent", metadata: ["error": "\(loggable(error))"])
            try? await Task.sleep(for: Self.pause)
        }
    }
}

extension KafkaRecord {
    /// Encodes the event in the binary mode of CloudEvents.
    init<E: Event>(
        _ event: E, id: EventID, at time: Date, encoder: JSONEncoder = Wire.encoder()
    ) throws {
        let envelope = Envelope(
            id: id, type: E.type, source: "/location", time: time, subject: event.key)
        self.init(
            topic: E.topic.rawValue, key: event.key, value: try encoder.encode(event),
            headers: envelope.headers)
    }
}
