import Contracts
import EventBus
import Foundation
import Kafka
import Logging
import Metrics
import Redis
import ServiceKit
import ServiceLifecycle

/// Signals a new entry in an outbox; one pending signal is enough.
struct OutboxSignal: Sendable {
    let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func raise() { continuation.yield() }
}

/// An event that a script has written into the outbox of its region.
struct OutboxEntry: Sendable {
    /// The stream's own id: the server's time in milliseconds, and a number.
    let position: String
    let id: EventID
    let event: any Event
    let time: Date

    /// Nil for an entry that none of our scripts writes.
    init?(_ reply: RedisValue, in region: Region) {
        guard let parts = reply.array, parts.count == 2, let position = parts[0].string else {
            return nil
        }
        let fields = parts[1].pairs
        guard let seed = fields["seed"].flatMap(EventID.init), let number = Int(fields["n"] ?? ""),
            let event = Self.event(fields, region),
            let milliseconds = position.split(separator: "-").first.flatMap({ Int($0) })
        else { return nil }
        self.position = position
        self.event = event
        id = seed.counted(number)
        time = Date(milliseconds: milliseconds)
    }

    private static func event(_ fields: [String: String], _ region: Region) -> (any Event)? {
        guard let at = Int(fields["at"] ?? "") else { return nil }
        switch fields["kind"] {
        case "arrived", "left":
            return party(fields, at: Date(milliseconds: at))
        case "availability":
            guard let valet = fields["valet"].flatMap(ValetID.init),
                let status = fields["status"].flatMap(ValetStatus.init)
            else { return nil }
            return AvailabilityChanged(
                valet: valet, status: status, serviceArea: region.area,
                changedAt: Date(milliseconds: at))
        default:
            return nil
        }
    }

    private static func party(_ fields: [String: String], at: Date) -> (any Event)? {
        guard let engagement = fields["engagement"].flatMap(EngagementID.init),
            let product = fields["product"].flatMap(Product.init),
            let mover = fields["mover"].flatMap(PersonID.init)
        else { return nil }
        let peers = (fields["peers"] ?? "").split(separator: " ")
            .compactMap { PersonID(String($0)) }
        if let leaving = fields["leaving"] {
            return PartyLeft(
                engagement: engagement, product: product, leaving: leaving, mover: mover,
                peers: peers, leftAt: at)
        }
        return fields["meeting"].map {
            PartyArrived(
                engagement: engagement, product: product, meeting: $0, mover: mover, peers: peers,
                arrivedAt: at)
        }
    }
}

extension Identifier {
    /// The same id with its last two bytes replaced by the number.
    func counted(_ number: Int) -> Self {
        var bytes = uuid.uuid
        bytes.14 = UInt8(truncatingIfNeeded: number >> 8)
        bytes.15 = UInt8(truncatingIfNeeded: number)
        return Self(uuid: UUID(uuid: bytes))
    }
}

/// Sends the events that scripts have written, at least once, and in order within each region. Events of a valet who
/// changes regions may arrive out of order; `changedAt`, `arrivedAt` and `leftAt` give the order.
///
/// Location has no SQL. The outbox is a Redis stream, written by the same script that changes the state. A sent event
/// is kept until its retention ends, so that it can be replayed. Replicas take turns, with a lock for each batch; after
/// a crash the lock expires.
struct LocationOutbox: Service {
    static let batch = 200
    static let retention: Duration = .seconds(7 * 86_400)
    /// Longer than a batch can take, since the producer times out earlier.
    static let lockTime: Duration = .seconds(15)
    /// The time between retries, and between checks for entries that another replica has left behind.
    static let tick: Duration = .seconds(1)

    let redis: RedisPool
    let areas: AreaBook
    let producer: KafkaProducer
    let signal: OutboxSignal
    let clock: ServiceClock
    let logger: Logger
    private let losses: BrokerLosses
    private let holder = UUID().uuidString
    private let sent = Counter(label: "location_events_sent_total")
    /// The gauge that all outboxes use: 1 while the last attempt to empty this one has failed.
    private let pending = Gauge(label: "openvalet_outbox_pending")

    init(
        redis: RedisPool, areas: AreaBook, producer: KafkaProducer, signal: OutboxSignal,
        environment: ServiceEnvironment
    ) {
        self.redis = redis
        self.areas = areas
        self.producer = producer
        self.signal = signal
        clock = environment.clock
        logger = environment.logger
        losses = environment.losses
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.beat() }
                group.addTask {
                    await self.losses.whenReported(logger: self.logger) {
                        try await self.replay(since: .distantPast)
                    }
                }
                for await _ in self.signal.stream {
                    do {
                        try await self.drain()
                        self.pending.record(0)
                    } catch {
                        self.pending.record(1)
                        self.logger.warning(
                            "events in the outbox could not be sent yet",
                            metadata: ["error": "\(loggable(error))"])
                        try? await Task.sleep(for: Self.tick)
                    }
                }
                group.cancelAll()
            }
        }
    }

    private func beat() async {
        while !Task.isCancelled {
            signal.raise()
            try? await Task.sleep(for: Self.tick)
        }
    }

    /// Empties the outboxes of all regions.
    func drain() async throws {
        // Without the areas, pending entries can't be found; the next tick tries again.
        guard let regions = try? areas.regions() else { return }
        for region in regions {
            while try await hasUnsent(region) {
                // Another replica sends, or did until it crashed; the next tick tries again.
                guard try await lock(region) else { break }
                do {
                    try await sendBatch(region)
                } catch {
                    // If that fails, too, the lock expires.
                    try? await unlock(region)
                    throw error
                }
                try await unlock(region)
            }
        }
    }

    private func lastSent(_ region: Region) async throws -> String {
        let key = LocationKeys(region: region).outboxSent
        return try await redis.execute(RawCommand("GET", key)).string ?? "0-0"
    }

    private func unsent(_ region: Region, _ count: Int) async throws -> [RedisValue] {
        let after = "(" + (try await lastSent(region))
        let key = LocationKeys(region: region).outbox
        return try await redis.execute(
            RawCommand("XRANGE", key, after, "+", "COUNT", String(count))
        ).array ?? []
    }

    private func hasUnsent(_ region: Region) async throws -> Bool {
        try await !unsent(region, 1).isEmpty
    }

    private func sendBatch(_ region: Region) async throws {
        let replies = try await unsent(region, Self.batch)
        guard let last = replies.last?.array?.first?.string else { return }
        let entries = replies.compactMap { OutboxEntry($0, in: region) }
        if entries.count < replies.count {
            logger.error(
                "the outbox has entries that are not events",
                metadata: ["entries": "\(replies.count - entries.count)"])
        }
        try await producer.sendInOrder(
            entries.map { try KafkaRecord($0.event, id: $0.id, at: $0.time) })
        let keys = LocationKeys(region: region)
        let oldest = clock.now.addingTimeInterval(-Double(Self.retention.components.seconds))
        _ = try await redis.executeAll([
            RawCommand("SET", keys.outboxSent, last),
            RawCommand("XTRIM", keys.outbox, "MINID", "~", "\(oldest.milliseconds)-0"),
        ])
        sent.increment(by: entries.count)
    }

    private func lock(_ region: Region) async throws -> Bool {
        let reply = try await redis.execute(
            RawCommand(
                "SET", LocationKeys(region: region).outboxLock, holder, "NX", "EX",
                String(Self.lockTime.components.seconds)))
        return !reply.isNull
    }

    /// Releases the lock only if this replica holds it: after a long pause it may be another's.
    private static let release = RedisScript(PackageResources.releaseOutbox_lua)

    private func unlock(_ region: Region) async throws {
        _ = try await redis.run(
            script: Self.release, keys: [LocationKeys(region: region).outboxLock],
            arguments: [holder])
    }

    /// Makes the relay send everything again that was written since then. Returns the number of events.
    func replay(since: Date) async throws -> Int {
        // Redis accepts no id below the first millisecond.
        let start = "\(max(1, since.milliseconds))-0"
        var count = 0
        for region in try areas.regions() {
            let keys = LocationKeys(region: region)
            let reply = try await redis.run(
                script: Self.rewind, keys: [keys.outbox, keys.outboxSent], arguments: [start])
            count += reply.int ?? 0
        }
        signal.raise()
        return count
    }

    /// Moves the position of the last sent entry back to the entry before the start.
    private static let rewind = RedisScript(PackageResources.rewindOutbox_lua)
}
