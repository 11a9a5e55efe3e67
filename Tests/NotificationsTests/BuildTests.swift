import Contracts
import EventBus
import Foundation
import Kafka
import Logging
import ServiceKit
import ServiceLifecycle
import Support
import Testing

@testable import Notifications

/// The service as `main` starts it, on a real broker.
@Suite struct BuildTests {
    @Test func eventsBecomeNotificationsAndDeadRecordsAlerts() async throws {
        let broker = try TestBroker.start()
        let environment = try ServiceEnvironment.test(
            "notifications", kafka: broker.bootstrapServers)
        let config = try NotificationsConfig(ConfigValues([:], keys: NotificationsConfig.keys))
        let producer = try KafkaProducer.ofEveryService(broker.configuration)
        let stranger = try KafkaProducer(broker.configuration)
        let services =
            try await build(config, environment) + [
                ProducerService(producer), ProducerService(stranger),
            ]
        let group = ServiceGroup(
            configuration: .init(
                services: services, gracefulShutdownSignals: [], logger: environment.logger))
        let reader = try KafkaConsumer(
            broker.configuration, group: "reader", topics: ["notifications"], start: .earliest)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let event = try NoticeIssued.lost()
            let envelope = Delivery.of(event, at: environment.clock.now).envelope
            let body = try Wire.encode(event)
            try await producer.send(
                KafkaRecord(
                    topic: "notices", key: event.key, value: body, headers: envelope.headers))
            // Nobody who gave up has signed this one: it is not even kept.
            try await stranger.send(
                KafkaRecord(
                    topic: "notices.dead", key: event.key, value: body,
                    headers: envelope.headers + [(name: DeadHeader.consumer, value: "orders")]))
            try await producer.send(
                KafkaRecord(
                    topic: "notices.dead", key: event.key, value: body,
                    headers: envelope.headers + [(name: DeadHeader.consumer, value: "ratings")]))
            var found: [NotificationCreated] = []
            let isTold = try await eventually {
                while let record = try await reader.next(within: .milliseconds(200)) {
                    if let created = record.event(NotificationCreated.self) {
                        found.append(created)
                    }
                }
                return found.count >= 2
            }
            #expect(isTold)
            let toOperators = found.filter { $0.recipient == .operators }.map(\.item)
            #expect(toOperators.map(\.sequence) == [1, 2])
            #expect(
                Set(toOperators.map(\.event))
                    == [Laundry.Lost.type, NotificationUseCases.deadLetterEvent])
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        try await reader.close()
    }
}
