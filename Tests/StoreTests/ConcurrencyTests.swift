import Foundation
import Support
import Synchronization
import Testing

@testable import Store

/// Writers at the same time, which each believe that they are alone.
@Suite struct ConcurrencyTests {
    @Test(arguments: TestEngine.allCases)
    func aCounterThatManyIncrementMissesNone(engine: TestEngine) async throws {
        let database = try engine.open()
        try await database.add("a", number: 0)
        let (tasks, each) = (12, 10)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<tasks {
                group.addTask {
                    for _ in 0..<each { try await database.increment("a") }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await database.number(of: "a") == tasks * each)
    }

    @Test(arguments: TestEngine.allCases)
    func whatOneHasReadDoesNotChangeBeforeItCommits(engine: TestEngine) async throws {
        let database = try engine.open()
        let tasks = 20
        let made = try await withThrowingTaskGroup(of: Bool.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    try await database.write { transaction in
                        let row = try transaction.row("SELECT COUNT(*) AS n FROM things")
                        guard try row?.get("n") == 0 else { return false }
                        try transaction.execute("INSERT INTO things (id) VALUES (?)", "\(task)")
                        return true
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(made == 1)
        #expect(try await database.ids().count == 1)
    }

    @Test(arguments: TestEngine.allCases)
    func thoseWhoWaitForEachOtherBothGetThrough(engine: TestEngine) async throws {
        let database = try engine.open()
        for id in ["a", "b"] { try await database.add(id) }
        try await database.write { try $0.execute("UPDATE things SET size = 0") }
        let rounds = 10
        try await withThrowingTaskGroup(of: Void.self) { group in
            for order in [["a", "b"], ["b", "a"]] {
                group.addTask {
                    for _ in 0..<rounds {
                        try await database.write { transaction in
                            for id in order {
                                try transaction.execute(
                                    "UPDATE things SET size = size + 1 WHERE id = ?", id)
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let sizes = try await database.read { transaction in
            try transaction.rows("SELECT size FROM things").map { try $0.get("size", as: Int.self) }
        }
        #expect(sizes == [2 * rounds, 2 * rounds])
    }

    @Test(arguments: TestEngine.allCases)
    func aLostRaceIsRunAgain(engine: TestEngine) async throws {
        let database = try engine.open()
        let tries = Mutex(0)
        try await database.write { transaction in
            try transaction.execute("INSERT INTO things (id) VALUES ('a')")
            if tries.withLock({ tries in
                tries += 1
                return tries < 3
            }) {
                throw LostRace()
            }
        }
        #expect(tries.withLock { $0 } == 3)
        #expect(try await database.ids() == ["a"])
    }

    @Test(arguments: TestEngine.allCases)
    func aRaceThatIsLostEachTimeIsAConflict(engine: TestEngine) async throws {
        let database = try engine.open()
        let tries = Mutex(0)
        let refused = try await kind {
            try await database.write { _ in
                tries.withLock { $0 += 1 }
                throw LostRace()
            }
        }
        #expect(refused == .conflict)
        #expect(tries.withLock { $0 } == Conflicts.mostTries)
    }

    /// As when many place orders at once, and a gateway's second attempt meets the first: one loss after the other.
    @Test(arguments: TestEngine.allCases)
    func aValueThatIsTakenAfterConflictsIsSeenByTheNextTryToo(engine: TestEngine) async throws {
        let database = try engine.open()
        let losses: [StoreError.Kind] = [
            .conflict, .conflict, .uniqueViolation, .unavailable, .conflict,
        ]
        let tries = Mutex(0)
        try await database.write { transaction in
            let number = tries.withLock { tries in
                defer { tries += 1 }
                return tries
            }
            if number < losses.count { throw StoreError(losses[number], "by others") }
            try transaction.execute("INSERT INTO things (id) VALUES ('a')")
        }
        #expect(try await database.ids() == ["a"])
    }

    @Test(arguments: TestEngine.allCases)
    func aValueThatSomebodyWasFasterWithIsSeenByTheNextTry(engine: TestEngine) async throws {
        let database = try engine.open()
        try await database.add("a")
        let tries = Mutex(0)
        let name = try await database.write { transaction in
            let number = tries.withLock { tries in
                tries += 1
                return tries
            }
            let name = number == 1 ? "a" : "b"
            try transaction.execute("INSERT INTO things (id) VALUES (?)", name)
            return name
        }
        #expect(name == "b")
        #expect(try await database.ids() == ["a", "b"])
    }

    @Test(arguments: TestEngine.allCases)
    func aFailureThatAWriterSwallowsStillUndoesAll(engine: TestEngine) async throws {
        let database = try engine.open()
        try await database.add("a")
        let refused = try await kind {
            try await database.write { transaction in
                try transaction.execute("INSERT INTO things (id) VALUES ('b')")
                _ = try? transaction.execute("INSERT INTO labels (thing, text) VALUES ('x', '')")
                _ = try? transaction.execute("INSERT INTO things (id) VALUES ('c')")
            }
        }
        #expect(refused == .foreignKeyViolation)
        #expect(try await database.ids() == ["a"])
    }

    @Test(arguments: TestEngine.allCases)
    func textsCompareByTheirBytes(engine: TestEngine) async throws {
        let database = try engine.open()
        for id in ["é", "b", "a:", "B", "a;", "a-b", "ab", "~"] { try await database.add(id) }
        let expected = ["B", "a-b", "a:", "a;", "ab", "b", "~", "é"]
        #expect(try await database.ids() == expected)
        let between = try await database.read { transaction in
            try transaction.rows("SELECT id FROM things WHERE id >= ? AND id < ?", "a:", "a;").count
        }
        #expect(between == 1)
    }

    @Test(arguments: TestEngine.allCases)
    func nothingAndNumbersAreWhatTheyWere(engine: TestEngine) async throws {
        let database = try engine.open([
            Migration("v", "CREATE TABLE v (id \(Migration.identity), r DOUBLE PRECISION, t TEXT)")
        ])
        let rows = try await database.write { transaction in
            for (real, text) in [(1.5, "a?'"), (nil, nil), (3, "")] as [(Double?, String?)] {
                try transaction.execute("INSERT INTO v (r, t) VALUES (?, ?)", real, text)
            }
            try transaction.execute("UPDATE v SET t = 'what? -- \"' WHERE r = ?", 3)
            return try transaction.rows("SELECT id, r, t FROM v WHERE id > ? ORDER BY id", 0)
        }
        #expect(try rows.map { try $0.get("id") } == [1, 2, 3])
        #expect(try rows.map { try $0.getIfPresent("r") } == [1.5, nil, 3.0])
        #expect(try rows.map { try $0.getIfPresent("t") } == ["a?'", nil, "what? -- \""])
        let sums = try await database.read { transaction in
            try transaction.row(
                "SELECT SUM(id) AS whole, COUNT(*) AS n, AVG(id) AS mean, MAX(t) AS last FROM v")
        }
        #expect(try sums?.get("whole") == 6)
        #expect(try sums?.get("n") == 3)
        #expect(try sums?.get("mean") == 2.0)
    }
}

extension Database {
    func increment(_ id: String) async throws {
        try await write { transaction in
            let row = try transaction.row("SELECT number FROM things WHERE id = ?", id)
            let number = try row?.get("number", as: Int.self) ?? 0
            try transaction.execute("UPDATE things SET number = ? WHERE id = ?", number + 1, id)
        }
    }

    func number(of id: String) async throws -> Int? {
        try await read { try $0.row("SELECT number FROM things WHERE id = ?", id)?.get("number") }
    }
}
