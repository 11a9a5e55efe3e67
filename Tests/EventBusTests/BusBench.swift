import Contracts
import Foundation
import Kafka
import Store
import Support
import Testing

@testable import EventBus

/// Measures; asserts nothing about time. Runs only when asked for.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["BUS_BENCH"] != nil))
struct BusBench {
    private func withBus(
        _ reactions: @Sendable (Database) -> Reactions,
        _ body: @escaping @Sendable (_ sender: Database, _ receiver: Database) async throws -> Void
    ) async throws {
        let folder = try TestFolder("bus")
        let migrations =
            EventBusSchema.migration + [
                Migration(
                    "ticks-1", "CREATE TABLE ticks (owner TEXT NOT NULL, number BIGINT NOT NULL)")
            ]
        let sender = try Database(
            .file(folder.url.appending(path: "sender.sqlite").path()), migrations: migrations)
        let receiver = try Database(
            .file(folder.url.appending(path: "receiver.sqlite").path()), migrations: migrations)
        let broker = try Broker.start()
        let producer = try KafkaProducer(broker.configuration, prepare: signatures.sign)
        let relay = OutboxRelay(sender, producer: producer, logger: silent)
        let consumer = EventConsumer(
            broker.configuration, group: "receiver", signatures: signatures,
            reactions: reactions(receiver),
            dead: producer, logger: silent)
        try await running([ProducerService(producer), relay, consumer]) {
            try await until { consumer.status.isAssigned }
            try await body(sender, receiver)
        }
    }

    private func say(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    @Test func fromCommitToReaction() async throws {
        let heard = AsyncStream.makeStream(of: Int.self)
        try await withBus { _ in
            Reactions { when(Ticked.self) { event, _ in heard.continuation.yield(event.number) } }
        } _: { sender, _ in
            var times: [Duration] = []
            var stored: [Duration] = []
            for number in 0..<300 {
                let begin = ContinuousClock.now
                try await sender.publish(Ticked(owner: "\(number)", number: number))
                stored.append(ContinuousClock.now - begin)
                for await other in heard.stream where other == number { break }
                times.append(ContinuousClock.now - begin)
            }
            times.sort()
            stored.sort()
            say("commit p50 \(stored[150]), to the reaction p50 \(times[150]), p99 \(times[297])")
        }
    }

    @Test func eventsASecond() async throws {
        let count = 10_000
        try await withBus {
            applyingTicks(to: $0)
        } _: { sender, receiver in
            let begin = ContinuousClock.now
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<50 {
                    group.addTask {
                        for number in 0..<count / 50 {
                            try await sender.publish(Ticked(owner: "\(writer)", number: number))
                        }
                    }
                }
                try await group.waitForAll()
            }
            let published = ContinuousClock.now - begin
            try await until {
                try await receiver.read { transaction in
                    try transaction.row("SELECT COUNT(*) AS n FROM ticks")?.get("n")
                } == count
            }
            let applied = ContinuousClock.now - begin
            say("\(count) events: published in \(published), applied in \(applied)")
        }
    }
}
