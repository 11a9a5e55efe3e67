import Contracts
import EventBus
import Foundation
import Kafka
import Logging
import ServiceLifecycle
import Store
import Support
import Testing

/// An event of these tests only.
struct Ticked: Event {
    static let type = "orders.ticked.v1"
    static let topic = Topic.orders
    var owner: String
    var number: Int
    var text = ""
    var key: String { owner }
}

struct Tocked: Event {
    static let type = "payments.tocked.v1"
    static let topic = Topic.payments
    var owner: String
    var number: Int
    var key: String { owner }
}

/// A dependency that is away.
struct Away: Retriable { let isRetriable = true }

struct Broken: Error {}

let noon = Date(timeIntervalSince1970: 1_767_614_400)

let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

func busDatabase() throws -> Database { try busDatabase(TestDatabases.location(of: "bus")) }

func busDatabase(_ location: Database.Location) throws -> Database {
    try Database(
        location,
        migrations: EventBusSchema.migration + [
            Migration(
                "ticks-1",
                """
                CREATE TABLE ticks (
                    position \(Migration.identity), owner TEXT NOT NULL, number BIGINT NOT NULL)
                """)
        ])
}

extension Database {
    func publish(_ events: any Event..., at time: Date = noon) async throws {
        try await write { transaction in
            for event in events { try transaction.publish(event, at: time) }
        }
    }

    /// Numbers of the ticks that were applied, in their order.
    func ticks(of owner: String = "a") async throws -> [Int] {
        try await read { transaction in
            try transaction.rows(
                "SELECT number FROM ticks WHERE owner = ? ORDER BY position", owner
            ).map { try $0.get("number") }
        }
    }

    func pending() async throws -> Int { try await Outbox.pending(in: self).count }
}

/// Applies each tick to the database once.
func applyingTicks(to database: Database) -> Reactions {
    Reactions {
        when(Ticked.self) { event, delivery in
            try await database.apply(delivery) { transaction in
                try transaction.execute(
                    "INSERT INTO ticks (owner, number) VALUES (?, ?)", event.owner, event.number)
            }
        }
    }
}

/// Runs the services while the body does, and stops them gracefully after it.
func running<T: Sendable>(
    _ services: [any Service], _ body: @escaping @Sendable () async throws -> T
) async throws -> T {
    var configuration = ServiceGroupConfiguration(services: services, logger: silent)
    configuration.maximumGracefulShutdownDuration = patience
    let group = ServiceGroup(configuration: configuration)
    async let ended: Void = group.run()
    let result: Result<T, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    await group.triggerGracefulShutdown()
    try await ended
    return try result.get()
}

func until(_ condition: @Sendable () async throws -> Bool) async throws {
    try #require(await eventually(condition))
}

extension KafkaProducer {
    /// Puts an event on the bus without an outbox.
    func send(
        _ event: some Event, id: EventID = .new(), body: Data? = nil,
        headers changes: [String: String?] = [:]
    ) async throws {
        let delivery = Delivery.of(event, id: id, at: noon)
        var headers = Dictionary(
            uniqueKeysWithValues: delivery.envelope.headers.map { ($0.name, $0.value) })
        for (name, value) in changes { headers[name] = value }
        let record = KafkaRecord(
            topic: type(of: event).topic.rawValue, key: event.key,
            value: try body ?? Wire.encode(event),
            headers: headers.map { (name: $0.key, value: $0.value) })
        try await send(record)
    }
}

/// Of a house in which orders says both events, or says that it does.
let signatures = EventSignatures.test("orders")

extension EventSignatures {
    static func test(
        _ producer: String, secrets: [String] = ["a secret of tests"]
    ) -> EventSignatures {
        EventSignatures(
            producer: producer, secrets: secrets,
            speakers: [Ticked.type: ["orders"], Tocked.type: ["orders"]])
    }
}

/// A broker with the topics of these tests.
struct Broker {
    static let topics = ["orders", "orders.dead", "payments", "payments.dead"]

    let cluster: MockCluster
    var configuration: KafkaConfiguration {
        var configuration = KafkaConfiguration(
            bootstrapServers: cluster.bootstrapServers, clientID: "test")
        // No record is lost because the machine is busy. The mock cluster lets a group that anybody
        // leaves or joins wait for nearly a session, so that a short one makes the tests quick.
        configuration.messageTimeout = patience
        configuration.sessionTimeout = .seconds(3)
        // A group that comes together takes the mock cluster three seconds.
        configuration.isSoleReader = true
        return configuration
    }

    static func start() throws -> Broker {
        Broker(cluster: try MockCluster(topics: topics, partitions: Topic.partitions))
    }

    /// Hands every record of the topics, from the first one, to a recorder.
    func reader(
        of topics: [String], group: String = UUID().uuidString, _ recorder: Recorder<ReceivedRecord>
    ) -> RawConsumer {
        RawConsumer(configuration, group: group, topics: topics, logger: silent) { record in
            recorder.add(record)
        }
    }
}
