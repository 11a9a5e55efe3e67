import Contracts
import EventBus
import Foundation
import Kafka
import Redis
import ServiceLifecycle
import Store
import Synchronization

extension ServiceEnvironment {
    /// A producer that signs what it sends. Run it with `ProducerService`, before anything that sends with it.
    public func producer() throws -> KafkaProducer {
        let producer = try KafkaProducer(
            kafka, prepare: signatures.sign, notice: losses.notice)
        addProducer(producer)
        losses.add(producer)
        return producer
    }

    /// The event bus of a service with SQL: producer, outbox relay, and a consumer if there are reactions.
    ///
    /// Put it before the HTTP server, which needs it and must stop first: services stop in reverse order.
    public func bus(_ database: Database, reactions: Reactions?) throws -> [any Service] {
        let producer = try producer()
        var services: [any Service] = [
            DatabaseService(database), ProducerService(producer),
            OutboxRelay(database, producer: producer, losses: losses, logger: logger),
            periodic("idempotency keys", of: database) {
                try await IdempotencyKey.sweep(database, now: clock.now)
            },
        ]
        if let reactions {
            services.append(consumer(reactions, dead: producer))
            let filler = copyFiller(reactions, CopyMarksInSQL(database: database)) {
                database.leads
            }
            if let filler { services.append(filler) }
        }
        return services
    }

    /// A consumer in the service's own group. The service is ready once the consumer has its partitions.
    public func consumer(_ reactions: Reactions, dead: KafkaProducer) -> EventConsumer {
        let consumer = EventConsumer(
            kafka, group: name, signatures: signatures, reactions: reactions, dead: dead,
            losses: losses, tracer: tracer, logger: logger)
        waitFor(consumer.status)
        return consumer
    }

    /// Makes the service unready until the consumer has got its partitions once. A broker that leaves later does not
    /// matter, since requests that need only SQL still work.
    public func waitFor(_ status: ConsumerStatus) {
        let latch = Latch()
        addCheck(
            HealthCheck("bus") {
                guard latch.isSet || status.isAssigned else {
                    throw Refusal.unavailable(
                        "The bus has not given this service its partitions yet.")
                }
                latch.set()
            })
    }
}

private final class Latch: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
}

extension RedisError: Loggable, Retriable {
    public var isRetriable: Bool { kind == .unavailable }
}
