import Contracts
import Foundation
import Kafka
import ServiceKit
import ServiceLifecycle
import Support
import Testing

@testable import Matching

/// The service as `main` builds it, beside a real broker, a real Redis and a location over HTTP.
@Suite struct BuildTests {
    private func record(_ event: some OrderEvent, at time: Date) throws -> KafkaRecord {
        let type = Swift.type(of: event)
        let envelope = Envelope(
            id: .new(), type: type.type, source: "/orders", time: time, subject: event.key)
        return KafkaRecord(
            topic: type.topic.rawValue, key: event.key, value: try Wire.encode(event),
            headers: envelope.headers)
    }

    private func firstAnswer(_ broker: TestBroker) async throws -> ReceivedRecord? {
        let reader = try KafkaConsumer(
            broker.configuration, group: "test", topics: [Topic.matching.rawValue],
            start: .earliest)
        var found: ReceivedRecord?
        _ = try await eventually {
            found = try await reader.next(within: .milliseconds(200))
            return found != nil
        }
        try await reader.close()
        return found
    }

    @Test func aRequestOnTheBusIsAnsweredOnTheBus() async throws {
        let broker = try TestBroker.start()
        try await Bench.with { bench in
            let valet = Bench.valet(100)
            bench.location.set(valet)
            let environment = try ServiceEnvironment.test(
                "matching", clock: bench.clock, kafka: broker.bootstrapServers,
                redis: bench.redis.address)
            let values = try ConfigValues(
                ["OPENVALET_LOCATION_URL": bench.url.absoluteString], keys: MatchingConfig.keys)
            let services = try await build(MatchingConfig(values), environment)
            let order = bench.order()
            let request = try record(
                DropOffRequested(order: order, match: Bench.match()), at: bench.clock.now)
            let sender = try KafkaProducer.ofEveryService(broker.configuration)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for service in services { group.addTask { try await service.run() } }
                group.addTask { await sender.run() }
                try await sender.send(request)
                let answer = try #require(try await firstAnswer(broker))
                #expect(answer.key == order.id.description)
                #expect(answer.headers["ce_type"] == ValetMatched.type)
                let match = try Wire.decode(ValetMatched.self, from: answer.value)
                #expect(match.valet == valet.id)
                group.cancelAll()
                while let result = await group.nextResult() { _ = result }
            }
        }
        broker.stop()
    }
}
