import Contracts
import Foundation
import Kafka
import ServiceContextModule
import Store
import Support
import Testing

@testable import EventBus

@Suite struct OutboxTests {
    @Test func anEventIsStoredWithItsAttributes() async throws {
        let database = try busDatabase()
        try await database.publish(Ticked(owner: "a", number: 7))
        let entry = try #require(try await Outbox.unsent(10, in: database).first)
        #expect(entry.record.topic == "orders")
        #expect(entry.record.key == "a")
        let headers = Dictionary(
            uniqueKeysWithValues: entry.record.headers.map { ($0.name, $0.value) })
        let envelope = try #require(Envelope(headers: headers))
        #expect(envelope.type == "orders.ticked.v1")
        #expect(envelope.source == "/orders")
        #expect(envelope.subject == "a")
        #expect(envelope.time == noon)
        #expect(envelope.traceparent.flatMap(TraceContext.init) != nil)
        let event = try Wire.decode(Ticked.self, from: entry.record.value)
        #expect(event == Ticked(owner: "a", number: 7))
        #expect(try await Outbox.events(of: Ticked.self, in: database) == [event])
        #expect(try await Outbox.events(of: Tocked.self, in: database) == [])
    }

    @Test func anEventOfATransactionThatFailsIsNeverHeardOf() async throws {
        let database = try busDatabase()
        await #expect(throws: Broken.self) {
            try await database.write { transaction in
                try transaction.publish(Ticked(owner: "a", number: 1), at: noon)
                throw Broken()
            }
        }
        #expect(try await database.pending() == 0)
    }

    @Test func anEventThatNoBrokerWouldTakeIsRefused() async throws {
        let database = try busDatabase()
        let text = String(repeating: "x", count: Outbox.largestBodyBytes)
        await #expect(throws: BusError.self) {
            try await database.publish(Ticked(owner: "a", number: 1, text: text))
        }
        #expect(try await database.pending() == 0)
    }

    @Test func whatWasPublishedOfAKeyIsFoundByIt() async throws {
        let plan = try await busDatabase(.memory).read { transaction in
            try transaction.rows(
                "EXPLAIN QUERY PLAN DELETE FROM outbox WHERE topic = ? AND key = ?",
                Topic.notifications, "a"
            ).map { try $0.get("detail", as: String.self) }
        }
        #expect(plan.count == 1)
        #expect(plan.allSatisfy { $0.contains("USING") && $0.contains("INDEX outbox_by_key") })
    }

    @Test func positionsFollowTheCommits() async throws {
        let database = try busDatabase()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<20 {
                group.addTask {
                    for number in 0..<10 {
                        try await database.publish(Ticked(owner: "\(writer)", number: number))
                    }
                }
            }
            try await group.waitForAll()
        }
        let entries = try await Outbox.unsent(1_000, in: database)
        #expect(entries.count == 200)
        #expect(entries.map(\.position) == Set(entries.map(\.position)).sorted())
        for writer in 0..<20 {
            let numbers = try entries.filter { $0.record.key == "\(writer)" }
                .map { try Wire.decode(Ticked.self, from: $0.record.value).number }
            #expect(numbers == Array(0..<10))
        }
    }

    @Test func anEventContinuesTheTraceOfItsCause() async throws {
        let database = try busDatabase()
        let trace = TraceContext.root()
        var context = ServiceContext.topLevel
        context.traceContext = trace
        try await ServiceContext.$current.withValue(context) {
            try await database.publish(Ticked(owner: "a", number: 1))
        }
        let entry = try #require(try await Outbox.unsent(1, in: database).first)
        let header = try #require(entry.record.headers.first { $0.name == "traceparent" })
        let published = try #require(TraceContext(header.value))
        #expect(published.traceID == trace.traceID)
        #expect(published.spanID != trace.spanID)
    }

    @Test func whatIsSentNoLongerWaits() async throws {
        let database = try busDatabase()
        try await database.publish(Ticked(owner: "a", number: 1), at: noon)
        try await database.publish(Ticked(owner: "a", number: 2), at: noon + 60)
        #expect(try await Outbox.pending(in: database) == .init(count: 2, oldest: noon))
        let first = try await Outbox.unsent(1, in: database)
        try await Outbox.markSent(first, at: noon, in: database)
        #expect(try await Outbox.pending(in: database) == .init(count: 1, oldest: noon + 60))
    }

    @Test func aReplayConcernsWhatWasSentSinceThen() async throws {
        let database = try busDatabase()
        for number in 0..<4 {
            let time = noon + Double(number)
            try await database.publish(Ticked(owner: "a", number: number), at: time)
        }
        let three = try await Outbox.unsent(3, in: database)
        try await Outbox.markSent(three, at: noon, in: database)
        var signals = database.signals("outbox").makeAsyncIterator()
        #expect(try await Outbox.replay(since: noon + 1, in: database) == 2)
        await signals.next()
        #expect(try await Outbox.unsent(10, in: database).map(\.position) == [2, 3, 4])
        #expect(try await Outbox.replay(since: noon + 10, in: database) == 0)
    }

    @Test func aReplayOfManyChunksIsComplete() async throws {
        let database = try busDatabase()
        let count = Outbox.chunk * 2 + 1
        try await database.write { transaction in
            for number in 0..<count {
                try transaction.publish(Ticked(owner: "a", number: number), at: noon)
            }
        }
        let all = try await Outbox.unsent(count, in: database)
        try await Outbox.markSent(all, at: noon, in: database)
        #expect(try await Outbox.replay(since: noon, in: database) == count)
        #expect(try await database.pending() == count)
    }

    @Test func oldRowsAreForgottenButNothingThatWaits() async throws {
        let database = try busDatabase()
        let count = Outbox.chunk + 10
        try await database.write { transaction in
            for number in 0..<count {
                try transaction.publish(Ticked(owner: "a", number: number), at: noon)
            }
        }
        let sent = try await Outbox.unsent(count - 2, in: database)
        try await Outbox.markSent(sent, at: noon, in: database)
        let week = noon + 7 * 86_400
        #expect(try await Outbox.sweep(at: week, in: database) == 0)
        #expect(try await Outbox.sweep(at: week + 1, in: database) == count - 2)
        #expect(try await Outbox.events(of: Ticked.self, in: database).count == 2)
        #expect(try await database.pending() == 2)
        try await database.publish(Ticked(owner: "a", number: count))
        let last = try await Outbox.unsent(10, in: database).last
        #expect(last?.position == Int64(count + 1))
    }

    @Test func theInboxForgetsLaterThanTheOutbox() async throws {
        let database = try busDatabase()
        let delivery = Delivery.of(Ticked(owner: "a", number: 1), at: noon)
        #expect(try await database.write { try $0.isFirst(delivery) })
        #expect(try await Outbox.sweep(at: Date() + 13 * 86_400, in: database) == 0)
        #expect(try await !database.write { try $0.isFirst(delivery) })
        #expect(try await Outbox.sweep(at: Date() + 15 * 86_400, in: database) == 1)
        #expect(try await database.write { try $0.isFirst(delivery) })
    }
}

@Suite struct InboxTests {
    @Test func anEventIsAppliedOnce() async throws {
        let database = try busDatabase()
        let reactions = applyingTicks(to: database)
        let event = Ticked(owner: "a", number: 1)
        let delivery = Delivery.of(event, at: noon)
        for _ in 0..<3 { try await reactions.receive(event, delivery) }
        #expect(try await database.ticks() == [1])
        try await reactions.receive(event, .of(event, at: noon))
        #expect(try await database.ticks() == [1, 1])
    }

    @Test func anEventWhoseEffectFailedIsNotRemembered() async throws {
        let database = try busDatabase()
        let delivery = Delivery.of(Ticked(owner: "a", number: 1), at: noon)
        await #expect(throws: Broken.self) {
            try await database.apply(delivery) { _ in throw Broken() }
        }
        #expect(try await database.write { try $0.isFirst(delivery) })
    }

    @Test(.withoutDatabase) func idsAndNamesAreTextInAColumn() async throws {
        let id = OrderID.new()
        let area = try #require(ServiceAreaID("hk-island"))
        #expect(id.sqlValue == .text(id.description))
        #expect(OrderID(sqlValue: id.sqlValue) == id)
        #expect(OrderID(sqlValue: .text("x")) == nil)
        #expect(OrderID(sqlValue: .null) == nil)
        #expect(ServiceAreaID(sqlValue: area.sqlValue) == area)
        #expect(ServiceAreaID(sqlValue: .text("Hong Kong")) == nil)
        #expect(OrderStatus(sqlValue: .text("parked")) == .parked)
    }
}
