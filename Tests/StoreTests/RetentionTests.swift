import Synchronization
import Testing

@testable import Store

@Suite struct RetentionTests {
    @Test(arguments: TestEngine.allCases)
    func rowsGoABatchATime(engine: TestEngine) async throws {
        let database = try engine.open()
        for number in 0..<7 { try await database.add("\(number)") }
        let batches = Mutex<[Int]>([])
        let remove: @Sendable (Transaction, Int) throws -> Int = { transaction, limit in
            let count = try transaction.execute(
                "DELETE FROM things WHERE id IN (SELECT id FROM things LIMIT ?)", limit)
            batches.withLock { $0.append(count) }
            return count
        }
        #expect(try await database.sweep(batch: 2, most: 2, remove) == 4)
        #expect(batches.withLock { $0 } == [2, 2])
        #expect(try await database.sweep(batch: 2, remove) == 3)
        #expect(batches.withLock { $0 } == [2, 2, 2, 1])
        #expect(try await database.ids() == [])
    }
}
