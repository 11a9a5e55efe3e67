import Contracts
import EventBus
import Foundation
import Kafka
import ServiceKit
import Support
import Testing

@testable import Orders

@Suite struct ForgeryTests {
    /// A payment that anybody but payments says has succeeded finishes no order.
    @Test func aForgedPaymentFinishesNoOrder() async throws {
        let broker = try TestBroker.start()
        let bench = try await Bench()
        let environment = try ServiceEnvironment.test(
            "orders", clock: bench.clock, kafka: broker.bootstrapServers)
        let order = try await bench.run { try await $0.order(in: .waitingForPayment) }
        let paid = PaymentSucceeded(
            payment: Payment(
                id: .new(), bill: order.id.as(BillID.self), amount: order.charge ?? .zero("HKD"),
                status: .succeeded, createdAt: bench.clock.now), product: .valet,
            payer: order.customer.id)
        let bare = KafkaRecord(
            topic: "payments", key: paid.key, value: try Wire.encode(paid),
            headers: Delivery.of(paid, at: bench.clock.now).envelope.headers)
        let foreign = EventSignatures(producer: "ratings", secrets: [ServiceEnvironment.testSecret])
            .sign(bare)
        let stranger = try KafkaProducer(broker.configuration)
        let payments = try KafkaProducer.ofEveryService(broker.configuration)
        let dead = try environment.producer()
        let consumer = environment.consumer(bench.reactions, dead: dead)
        let reader = try KafkaConsumer(
            broker.configuration, group: "reader", topics: ["payments.dead"], start: .earliest)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await consumer.run() }
            for producer in [stranger, payments, dead] { group.addTask { await producer.run() } }
            for record in [bare, foreign] {
                try await stranger.send(record)
                var letter: ReceivedRecord?
                let isDead = try await eventually {
                    letter = try await reader.next(within: .milliseconds(200))
                    return letter != nil
                }
                #expect(isDead)
                #expect(letter?.headers[DeadHeader.forged] == "1")
                #expect(try await bench.stored(order.id).status == .waitingForPayment)
            }
            try await payments.send(bare)
            #expect(
                try await eventually { try await bench.stored(order.id).status == .finished })
            group.cancelAll()
        }
        try await reader.close()
    }
}
