import Foundation
import Store
import Support
import Synchronization
import Testing

@testable import EventBus

@Suite(.withoutDatabase) struct WorkQueueTests {
    /// A queue of one kind of work at a clock that stands still.
    private struct Bench: Sendable {
        let clock = TestClock()
        let database: Database
        let done = Asked()

        init() throws { database = try Database(.memory, migrations: WorkQueue.migrations) }

        func queue(
            pauses: WorkQueue.Pauses = .init(first: 1, most: 8),
            _ handler: @escaping WorkQueue.Handler
        ) -> WorkQueue {
            WorkQueue(
                database, now: { clock.now }, logger: silent, pauses: pauses,
                handlers: ["ask": handler])
        }

        func schedule(_ subjects: String..., after seconds: TimeInterval = 0) async throws {
            let at = clock.now.addingTimeInterval(seconds)
            try await database.write { transaction in
                for subject in subjects { try transaction.schedule("ask", subject, at: at) }
            }
        }

        func left() async throws -> Int {
            try await database.read { try $0.rows("SELECT subject FROM work").count }
        }
    }

    /// What handlers were asked for, in its order.
    final class Asked: Sendable {
        private let subjects = Mutex<[String]>([])
        var all: [String] { subjects.withLock { $0 } }
        func add(_ subject: String) { subjects.withLock { $0.append(subject) } }
    }

    @Test func workOfAnotherReleaseIsLeftToIt() async throws {
        let bench = try Bench()
        try await bench.database.write { [now = bench.clock.now] transaction in
            try transaction.schedule("newer", "a", at: now)
        }
        let queue = bench.queue { subject in
            bench.done.add(subject)
            return .done
        }
        try await bench.schedule("b")
        await queue.round()
        #expect(bench.done.all == ["b"])
        let left = try await bench.database.read { transaction in
            try transaction.rows("SELECT kind, attempts FROM work").map {
                (try $0.get("kind", as: String.self), try $0.get("attempts", as: Int.self))
            }
        }
        #expect(left.map(\.0) == ["newer"] && left.map(\.1) == [0])
    }

    @Test func whatIsDueIsDoneOnceAndWhatIsNotIsLeft() async throws {
        let bench = try Bench()
        let queue = bench.queue { subject in
            bench.done.add(subject)
            return .done
        }
        try await bench.schedule("now")
        try await bench.schedule("later", after: 60)
        await queue.round()
        await queue.round()
        #expect(bench.done.all == ["now"])
        bench.clock.advance(by: 60)
        await queue.round()
        #expect(bench.done.all == ["now", "later"])
        #expect(try await bench.left() == 0)
    }

    @Test func oneThatFailsNeverStopsTheOthers() async throws {
        let bench = try Bench()
        let queue = bench.queue { subject in
            if subject.hasPrefix("bad") { throw Broken() }
            bench.done.add(subject)
            return .done
        }
        // More than any round takes at a time, and all of them due before the good one.
        let bad = (0..<250).map { "bad \($0)" }
        let past = bench.clock.now.addingTimeInterval(-60)
        try await bench.database.write { transaction in
            for subject in bad { try transaction.schedule("ask", subject, at: past) }
            try transaction.schedule("unheard of", "x", at: past)
        }
        try await bench.schedule("good")
        await queue.round()
        #expect(bench.done.all == ["good"])
        #expect(try await bench.left() == 251)
    }

    @Test func whatFailsRestsTwiceAsLongEachTime() async throws {
        let bench = try Bench()
        let queue = bench.queue { subject in
            bench.done.add(subject)
            return .again
        }
        try await bench.schedule("x")
        var tries: [Int] = []
        for second in 0...32 {
            let before = bench.done.all.count
            await queue.round()
            if bench.done.all.count > before { tries.append(second) }
            bench.clock.advance(by: 1)
        }
        #expect(tries == [0, 1, 3, 7, 15, 23, 31])
    }

    @Test func whatADeadProcessTookIsDoneAfterItsLease() async throws {
        let bench = try Bench()
        try await bench.schedule("x")
        // Its process dies in the middle: nobody says what became of it.
        let dying = bench.queue { _ in
            bench.done.add("begun")
            try await Task.sleep(for: .seconds(3_600))
            return .done
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await dying.round() }
            let isBegun = try await eventually { !bench.done.all.isEmpty }
            #expect(isBegun)
            let heir = bench.queue { subject in
                bench.done.add(subject)
                return .done
            }
            await heir.round()
            #expect(bench.done.all == ["begun"])
            bench.clock.advance(by: WorkQueue.lease + 1)
            await heir.round()
            #expect(bench.done.all == ["begun", "x"])
            group.cancelAll()
        }
    }

    @Test func aLeaseIsRenewedWhileTheWorkGoesOn() async throws {
        let bench = try Bench()
        try await bench.schedule("x")
        let ends = AsyncStream.makeStream(of: Void.self)
        let slow = bench.queue { subject in
            bench.done.add(subject)
            for await _ in ends.stream { break }
            return .done
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await slow.round() }
            let isBegun = try await eventually { !bench.done.all.isEmpty }
            #expect(isBegun)
            // The clock goes faster than the lease is renewed, which is measured by another one.
            bench.clock.advance(by: WorkQueue.lease - 1)
            let heir = bench.queue { subject in
                bench.done.add(subject)
                return .done
            }
            let isRenewed = try await eventually {
                try await bench.database.read {
                    try $0.row("SELECT due_at FROM work")?.get("due_at", as: Date.self)
                } == bench.clock.now.addingTimeInterval(WorkQueue.lease)
            }
            #expect(isRenewed)
            bench.clock.advance(by: WorkQueue.lease - 1)
            await heir.round()
            #expect(bench.done.all == ["x"])
            ends.continuation.yield()
            try await group.waitForAll()
        }
        #expect(try await bench.left() == 0)
    }

    /// A table that can't be written to for a while stands for a database that has gone.
    @Test func aResultThatCanNotBeStoredYetIsStoredLater() async throws {
        let bench = try Bench()
        try await bench.schedule("x")
        let queue = bench.queue { subject in
            bench.done.add(subject)
            try await bench.database.write { try $0.execute("ALTER TABLE work RENAME TO away") }
            return .done
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await queue.round() }
            let isAway = try await eventually {
                try await bench.database.read {
                    try $0.row("SELECT name FROM sqlite_master WHERE name = 'away'") != nil
                }
            }
            #expect(isAway)
            try await bench.database.write { try $0.execute("ALTER TABLE away RENAME TO work") }
            try await group.waitForAll()
        }
        #expect(try await bench.left() == 0)
        #expect(bench.done.all == ["x"])
    }

    @Test func whatIsScheduledAnewWhileItIsDoneIsDoneAgain() async throws {
        let bench = try Bench()
        let queue = bench.queue { subject in
            bench.done.add(subject)
            if bench.done.all.count == 1 { try await bench.schedule(subject) }
            return .done
        }
        try await bench.schedule("x")
        await queue.round()
        #expect(try await bench.left() == 1)
        await queue.round()
        #expect(bench.done.all == ["x", "x"])
        #expect(try await bench.left() == 0)
    }

    @Test func whatIsHastenedIsDoneAtOnceUnlessItRests() async throws {
        let bench = try Bench()
        let queue = bench.queue { subject in
            bench.done.add(subject)
            return .again
        }
        try await bench.schedule("x", after: 60)
        let now = bench.clock.now
        try await bench.database.write { try $0.hasten("ask", "x", to: now) }
        await queue.round()
        #expect(bench.done.all == ["x"])
        try await bench.database.write { try $0.hasten("ask", "x", to: now) }
        await queue.round()
        #expect(bench.done.all == ["x"])
        try await bench.database.write { try $0.unschedule("ask", "x") }
        #expect(try await bench.left() == 0)
    }

    @Test func itRunsByItself() async throws {
        let bench = try Bench()
        let queue = bench.queue { subject in
            bench.done.add(subject)
            return .done
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await queue.run() }
            try await bench.schedule("x")
            let isDone = try await eventually { bench.done.all == ["x"] }
            #expect(isDone)
            group.cancelAll()
        }
    }
}
