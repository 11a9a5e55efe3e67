import Contracts
import EventBus
import Foundation
import Kafka
import Logging
import ServiceKit
import ServiceLifecycle
import Support
import Testing

@testable import Payments

/// The service as `main` starts it, on a real broker.
@Suite struct BuildTests {
    @Test func billsAreTakenFromTheBusAndPaymentsAnnouncedOnIt() async throws {
        let broker = try TestBroker.start()
        let folder = try TestFolder("payments")
        let environment = try ServiceEnvironment.test(
            "payments", kafka: broker.bootstrapServers, folder: folder.path)
        let producer = try KafkaProducer.ofEveryService(broker.configuration)
        let services = try await build(
            PaymentsConfig(ConfigValues([:], keys: PaymentsConfig.keys)), environment)
        let group = ServiceGroup(
            configuration: .init(
                services: services + [ProducerService(producer)], gracefulShutdownSignals: [],
                logger: environment.logger))
        let reader = try KafkaConsumer(
            broker.configuration, group: "reader", topics: ["payments"], start: .earliest)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let order = Bill.of(.alice, 12_000, version: 8)
            try await send(BillChanged(bill: order), producer)
            // A second process at the same file, as it were.
            let other = try Bench(folder: folder.path)
            let isDue = try await eventually {
                try await other.database.read { try $0.bills.find(order.id)?.amount != nil }
            }
            #expect(isDue)
            let payment = try await other.pay(order.id)
            var found: PaymentSucceeded?
            let isAnnounced = try await eventually {
                found = try await reader.next(within: .milliseconds(200))?.event()
                return found != nil
            }
            #expect(isAnnounced)
            #expect(found?.payment == payment)
            try await other.database.close()
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        try await reader.close()
    }

    private func send(_ event: some Event, _ producer: KafkaProducer) async throws {
        let envelope = Delivery.of(event, at: TestClock().now).envelope
        try await producer.send(
            KafkaRecord(
                topic: "bills", key: event.key, value: try Wire.encode(event),
                headers: envelope.headers))
    }
}
