import Contracts
import Dispatch
import Foundation
import Kafka
import ServiceLifecycle
import Store
import Support
import Testing

@testable import EventBus

/// Several processes of one service, which share a database.
@Suite struct SharedDatabaseTests {
    private func both() throws -> (Database, Database) {
        let location = try TestPostgres.shared.get().newLocation()
        return (try busDatabase(location), try busDatabase(location))
    }

    @Test func oneRelaysForAllAndAnotherWhenItIsGone() async throws {
        let broker = try Broker.start()
        let (first, second) = try both()
        try await until { first.leads }
        let producers = try (0..<2).map { _ in
            try KafkaProducer(broker.configuration, prepare: signatures.sign)
        }
        let heard = Recorder<ReceivedRecord>()
        try await running([
            DatabaseService(second), ProducerService(producers[1]),
            OutboxRelay(second, producer: producers[1], logger: silent),
            broker.reader(of: ["orders"], heard),
        ]) {
            try await running([
                DatabaseService(first), ProducerService(producers[0]),
                OutboxRelay(first, producer: producers[0], logger: silent),
            ]) {
                for number in 0..<20 {
                    try await first.publish(Ticked(owner: "a", number: 2 * number))
                    try await second.publish(Ticked(owner: "a", number: 2 * number + 1))
                }
                try await until { heard.count >= 40 }
                #expect(!second.leads)
            }
            try await second.publish(Ticked(owner: "a", number: 40))
            try await until { heard.count >= 41 }
        }
        let numbers = heard.all.compactMap { $0.event(Ticked.self)?.number }
        #expect(numbers == Array(0...40))
    }

    @Test func aPositionThatIsCommittedLateHoldsUpNobodyAndIsNotSkipped() async throws {
        let (first, second) = try both()
        let (entered, release) = (DispatchSemaphore(value: 0), Door())
        async let late: Void = first.write { transaction in
            try transaction.publish(Ticked(owner: "late", number: 1), at: noon)
            entered.signal()
            release.pass()
        }
        await entered.signalled()
        let early: [Outbox.Entry]
        do {
            try await second.publish(Ticked(owner: "early", number: 2))
            early = try await Outbox.unsent(10, in: second)
            try await Outbox.markSent(early, at: noon, in: second)
        } catch {
            release.open()
            throw error
        }
        release.open()
        try await late
        let rest = try await Outbox.unsent(10, in: second)
        #expect(early.map(\.record.key) == ["early"])
        #expect(rest.map(\.record.key) == ["late"])
        let positions = (try #require(early.first).position, try #require(rest.first).position)
        #expect(positions.1 < positions.0)
    }

    @Test func theEventsOfOneKeyFollowTheirCommitsAcrossProcesses() async throws {
        let (first, second) = try both()
        try await first.write {
            try $0.execute("INSERT INTO ticks (owner, number) VALUES ('a', 0)")
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for database in [first, second, first, second] {
                group.addTask {
                    for _ in 0..<10 {
                        try await database.write { transaction in
                            // Announced before it is changed, which no row's lock would put in order.
                            let row = try transaction.row(
                                "SELECT number FROM ticks WHERE owner = 'a'")
                            let next = try row?.get("number", as: Int.self) ?? 0
                            try transaction.publish(Ticked(owner: "a", number: next), at: noon)
                            try transaction.execute(
                                "UPDATE ticks SET number = ? WHERE owner = 'a'", next + 1)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let numbers = try await Outbox.unsent(100, in: first).map {
            try Wire.decode(Ticked.self, from: $0.record.value).number
        }
        #expect(numbers == Array(0..<40))
    }

    @Test func aServerThatIsStartedAgainUnderLoadLosesNothingAndAllGoesOn() async throws {
        let (broker, server) = (try Broker.start(), try TestPostgres())
        let location = try server.newLocation()
        let databases = try (0..<2).map { _ in try busDatabase(location) }
        let producers = try databases.map { _ in
            try KafkaProducer(broker.configuration, prepare: signatures.sign)
        }
        let heard = Recorder<ReceivedRecord>()
        let relays: [any Service] = zip(databases, producers).flatMap { database, producer in
            [
                ProducerService(producer),
                OutboxRelay(database, producer: producer, logger: silent),
            ] as [any Service]
        }
        let (writers, each) = (6, 40)
        try await running(relays + [broker.reader(of: ["orders"], heard)]) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<writers {
                    group.addTask {
                        for number in 0..<each {
                            let tick = Ticked(owner: "\(writer)", number: number)
                            try await until { try await databases[writer % 2].keeps(tick) }
                        }
                    }
                }
                group.addTask {
                    try await until { heard.count >= writers * each / 4 }
                    try server.restart()
                }
                try await group.waitForAll()
            }
            let ticks: @Sendable () -> Set<Ticked> = {
                Set(heard.all.compactMap { $0.event(Ticked.self) })
            }
            try await until { ticks().count == writers * each }
        }
        for writer in 0..<writers {
            var first: Set<Ticked> = []
            let numbers = heard.all.compactMap { $0.event(Ticked.self) }
                .filter { $0.owner == "\(writer)" && first.insert($0).inserted }.map(\.number)
            #expect(numbers == Array(0..<each), "the order of a key")
        }
    }
}

extension Database {
    /// Publishes the tick once; false while the server is away, or did not say what became of it.
    fileprivate func keeps(_ tick: Ticked) async throws -> Bool {
        do {
            try await write { transaction in
                let known = try transaction.row(
                    "SELECT 1 AS one FROM ticks WHERE owner = ? AND number = ?", tick.owner,
                    tick.number)
                guard known == nil else { return }
                try transaction.execute(
                    "INSERT INTO ticks (owner, number) VALUES (?, ?)", tick.owner, tick.number)
                try transaction.publish(tick, at: noon)
            }
            return true
        } catch is StoreError {
            return false
        }
    }
}
