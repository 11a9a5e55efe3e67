import Foundation
import ServiceContextModule
import Support
import Synchronization
import Testing

@testable import Store

/// What a body throws.
private struct LostOrder: Error {}

private enum NameKey: ServiceContextKey { typealias Value = String }

@Suite struct DatabaseTests {
    @Test(arguments: TestEngine.allCases)
    func valuesOfEveryTypeSurvive(engine: TestEngine) async throws {
        let database = try engine.open(
            [
                Migration("v", "CREATE TABLE v (i BIGINT, r DOUBLE PRECISION, t TEXT, b BYTEA)")
            ])
        let row = try await database.write { transaction in
            try transaction.execute(
                "INSERT INTO v (i, r, t, b) VALUES (?, ?, ?, ?)", Int64.min, 0.1, "é😀'?",
                Data([0, 255]))
            return try transaction.row("SELECT * FROM v")
        }
        #expect(try row?.get("i") == Int64.min)
        #expect(try row?.get("r") == 0.1)
        #expect(try row?.get("t") == "é😀'?")
        #expect(try row?.get("b") == Data([0, 255]))
    }

    @Test(arguments: TestEngine.allCases)
    func aTextWithANulIsRefused(engine: TestEngine) async throws {
        let database = try engine.open()
        #expect(try await kind { try await database.add("a\0b") } == .checkViolation)
        #expect(try await database.ids() == [])
    }

    @Test(arguments: TestEngine.allCases)
    func workAfterTheCommitRunsOnceAndNeverWithoutIt(engine: TestEngine) async throws {
        let database = try engine.open()
        let done = Recorder<String>()
        try await database.write { transaction in
            transaction.afterCommit { done.add("committed") }
            #expect(done.all.isEmpty)
        }
        await #expect(throws: LostOrder.self) {
            try await database.write { transaction in
                transaction.afterCommit { done.add("rolled back") }
                throw LostOrder()
            }
        }
        let tries = Mutex(0)
        try await database.write { transaction in
            transaction.afterCommit { done.add("after a lost race") }
            let isFirst = tries.withLock { tries in
                defer { tries += 1 }
                return tries == 0
            }
            if isFirst { throw LostRace() }
        }
        #expect(done.all == ["committed", "after a lost race"])
    }

    @Test(arguments: TestEngine.allCases)
    func statementsAreCountedAlsoOfWhatFails(engine: TestEngine) async throws {
        let database = try engine.open()
        try await database.write { transaction in
            for id in ["a", "b"] {
                try transaction.execute("INSERT INTO things (id) VALUES (?)", id)
            }
        }
        #expect(database.statements.load(ordering: .relaxed) == 2)
        _ = try await database.ids()
        #expect(database.statements.load(ordering: .relaxed) == 3)
        let failure = try await kind {
            try await database.write {
                try $0.execute("INSERT INTO things (id, size) VALUES (?, ?)", "c", 100)
            }
        }
        #expect(failure == .checkViolation)
        #expect(database.statements.load(ordering: .relaxed) == 4)
    }

    @Test(arguments: TestEngine.allCases)
    func executeTellsHowManyRowsChanged(engine: TestEngine) async throws {
        let database = try engine.open()
        let counts = try await database.write { transaction in
            [
                try transaction.execute("INSERT INTO things (id) VALUES (?), (?)", "a", "b"),
                try transaction.execute("UPDATE things SET number = ? WHERE id = ?", 1, "a"),
                try transaction.execute("UPDATE things SET number = ? WHERE id = ?", 1, "x"),
                try transaction.execute(
                    "INSERT INTO things (id) VALUES (?) ON CONFLICT (id) DO NOTHING", "a"),
                try transaction.execute("DELETE FROM things", arguments: []),
            ]
        }
        #expect(counts == [2, 1, 0, 0, 2])
    }

    @Test(arguments: TestEngine.allCases)
    func returningGivesTheFirstRowAndStillChangesAll(engine: TestEngine) async throws {
        let database = try engine.open()
        try await database.add("a")
        try await database.add("b")
        let row = try await database.write {
            try $0.row("UPDATE things SET size = 1 RETURNING id")
        }
        #expect(row != nil)
        let changed = try await database.read { try $0.rows("SELECT 1 FROM things WHERE size = 1") }
        #expect(changed.count == 2)
    }

    @Test(arguments: TestEngine.allCases)
    func constraintsAreToldApart(engine: TestEngine) async throws {
        let database = try engine.open()
        try await database.add("a", number: 1)
        #expect(try await kind { try await database.add("a") } == .uniqueViolation)
        #expect(try await kind { try await database.add("b", number: 1) } == .uniqueViolation)
        let refused: [(String, StoreError.Kind)] = [
            ("INSERT INTO things (id, size) VALUES ('c', 100)", .checkViolation),
            ("INSERT INTO things (id) VALUES (NULL)", .checkViolation),
            ("INSERT INTO labels (thing, text) VALUES ('none', '')", .foreignKeyViolation),
            ("INSERT INTO parts (id, thing) VALUES ('p', 'none')", .foreignKeyViolation),
            ("INSERT INTO nowhere (id) VALUES (1)", .other),
            ("INSERT INTO things (id) VALUES (?)", .other),
        ]
        for (sql, expected) in refused {
            #expect(try await kind { try await database.write { try $0.execute(sql) } } == expected)
        }
        #expect(try await database.ids() == ["a"])
    }

    @Test(
        arguments: TestEngine.allCases,
        ["BEGIN", " commit", "\nRollback", "savepoint x", "PRAGMA user_version = 1", "set x to 1"])
    func onlyTheStoreSteersTransactions(engine: TestEngine, sql: String) async throws {
        let database = try engine.open()
        #expect(try await kind { try await database.write { try $0.execute(sql) } } == .other)
        #expect(try await kind { try await database.read { try $0.rows(sql) } } == .other)
    }

    @Test(arguments: TestEngine.allCases)
    func aReadChangesNothing(engine: TestEngine) async throws {
        let database = try engine.open()
        let refused = try await kind {
            try await database.read { try $0.execute("INSERT INTO things (id) VALUES ('a')") }
        }
        #expect(refused == .other)
        #expect(try await database.ids() == [])
    }

    @Test(arguments: TestEngine.allCases)
    func aTransactionIsOfNoUseOutsideItsClosure(engine: TestEngine) async throws {
        let database = try engine.open()
        let work: @Sendable (Transaction) throws -> Void = { transaction in
            transaction.end()
            try transaction.execute("INSERT INTO things (id) VALUES ('a')")
        }
        #expect(try await kind { try await database.write(work) } == .other)
        #expect(try await database.ids() == [])
    }

    @Test(arguments: TestEngine.allCases)
    func theCallersContextIsThereInside(engine: TestEngine) async throws {
        let database = try engine.open()
        var context = ServiceContext.topLevel
        context[NameKey.self] = "caller"
        try await ServiceContext.$current.withValue(context) {
            let read = try await database.read { _ in ServiceContext.current?[NameKey.self] }
            let written = try await database.write { _ in ServiceContext.current?[NameKey.self] }
            #expect(read == "caller")
            #expect(written == "caller")
        }
        let outside = try await database.write { _ in ServiceContext.current == nil }
        #expect(outside)
    }

    @Test(arguments: TestEngine.allCases)
    func aWriteRunsToItsEndInACancelledTask(engine: TestEngine) async throws {
        let database = try engine.open()
        let ids = try await withThrowingTaskGroup(of: [String].self) { group in
            group.cancelAll()
            group.addTask {
                try await database.add("a")
                return try await database.ids()
            }
            return try await group.next()
        }
        #expect(ids == ["a"])
    }

    @Test(arguments: TestEngine.allCases)
    func aSignalFiresAfterTheCommitAndNeverAfterARollback(engine: TestEngine) async throws {
        let database = try engine.open()
        var first = database.signals("news").makeAsyncIterator()
        var second = database.signals("news").makeAsyncIterator()
        let other = Mutex(0)
        let others = database.signals("other")
        try? await database.write { transaction in
            transaction.signal("other")
            throw CancellationError()
        }
        try await database.write { transaction in
            try transaction.execute("INSERT INTO things (id) VALUES ('a')")
            transaction.signal("news")
        }
        await first.next()
        await second.next()
        #expect(try await database.ids() == ["a"])
        try await database.close()
        for await _ in others { other.withLock { $0 += 1 } }
        // A server's listener wakes everybody when it begins.
        #expect(engine != .sqlite || other.withLock { $0 } == 0)
        while await first.next() != nil {}
        var late = database.signals("news").makeAsyncIterator()
        #expect(await late.next() == nil)
    }

    @Test(arguments: TestEngine.allCases)
    func signalsOfAListenerThatIsBusyBecomeOne(engine: TestEngine) async throws {
        let database = try engine.open()
        let stream = database.signals("news")
        for _ in 0..<5 { try await database.write { $0.signal("news") } }
        try await database.close()
        var count = 0
        for await _ in stream { count += 1 }
        #expect(count == 1)
    }
}
