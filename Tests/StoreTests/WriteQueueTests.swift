import Foundation
import Support
import Testing

@testable import Store

private struct Refused: Error {}

@Suite struct WriteQueueTests {
    @Test func aWriterThatFailsDoesNotHurtThoseWhoShareItsCommit() async throws {
        let database = try memory()
        try await withThrowingTaskGroup(of: (Int, Bool).self) { group in
            try await database.whileHeld {
                for number in 0..<30 {
                    group.addTask {
                        do {
                            try await database.write { transaction in
                                try transaction.execute(
                                    "INSERT INTO things (id, number) VALUES (?, ?)",
                                    "\(number)", number)
                                if number % 3 == 0 { throw Refused() }
                            }
                            return (number, true)
                        } catch is Refused {
                            return (number, false)
                        }
                    }
                }
                try await database.untilWaiting(30)
            }
            for try await (number, succeeded) in group { #expect(succeeded == (number % 3 != 0)) }
        }
        #expect(try await database.ids().count == 20)
        #expect(try await database.ids().allSatisfy { Int($0).map { $0 % 3 != 0 } == true })
    }

    @Test func writersAreServedInTheOrderOfTheirArrival() async throws {
        let database = try memory()
        let count = WriteQueue.largestBatch * 2 + 5
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await database.whileHeld {
                for number in 0..<count {
                    group.addTask {
                        try await database.write { transaction in
                            let row = try transaction.row("SELECT COUNT(*) AS n FROM things")
                            #expect(try row?.get("n") == number)
                            try transaction.execute(
                                "INSERT INTO things (id) VALUES (?)", "\(number)")
                        }
                    }
                    try await database.untilWaiting(number + 1)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await database.ids().count == count)
    }

    @Test func aCommitThatFailsFailsAllWhoShareIt() async throws {
        let database = try memory()
        let kinds = try await withThrowingTaskGroup(of: StoreError.Kind?.self) { group in
            try await database.whileHeld {
                group.addTask { try await kind { try await database.add("good") } }
                try await database.untilWaiting(1)
                group.addTask {
                    try await kind {
                        // Deferred: noticed by the commit only.
                        try await database.write {
                            try $0.execute("INSERT INTO parts (id, thing) VALUES ('p', 'none')")
                        }
                    }
                }
                try await database.untilWaiting(2)
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(kinds == [.foreignKeyViolation, .foreignKeyViolation])
        #expect(try await database.ids() == [])
        try await database.add("after")
        #expect(try await database.ids() == ["after"])
    }

    @Test func tooManyWritersAreToldToComeBack() async throws {
        let database = try memory()
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await database.whileHeld {
                for number in 0..<WriteQueue.mostWaiting {
                    group.addTask { try await database.add("\(number)") }
                }
                try await database.untilWaiting(WriteQueue.mostWaiting)
                let refused = try await kind { try await database.add("beyond") }
                #expect(refused == .busy)
            }
            try await group.waitForAll()
        }
        #expect(try await database.ids().count == WriteQueue.mostWaiting)
    }

    @Test func closingServesThoseWhoWaitAndRefusesTheRest() async throws {
        let database = try memory()
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await database.whileHeld {
                group.addTask {
                    let ids = try await database.write { transaction in
                        try transaction.execute("INSERT INTO things (id) VALUES ('a')")
                        return try transaction.rows("SELECT id FROM things").count
                    }
                    #expect(ids == 1)
                }
                try await database.untilWaiting(1)
                group.addTask { try await database.close() }
                try await database.untilWaiting(2)
            }
            try await group.waitForAll()
        }
        #expect(try await kind { try await database.add("b") } == .other)
        #expect(try await kind { try await database.ids() } == .other)
    }
}
