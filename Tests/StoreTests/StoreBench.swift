import Foundation
import Testing

@testable import Store

/// Measures; asserts nothing about time. Runs only when asked for.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["STORE_BENCH"] != nil))
struct StoreBench {
    @Test func fiftyWritersCommitSmallRows() async throws {
        try await withFile { path in
            let database = try Database(.file(path), migrations: [schema])
            let (writers, each) = (50, 400)
            let begin = ContinuousClock.now
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<writers {
                    group.addTask {
                        for number in 0..<each { try await database.add("\(writer)-\(number)") }
                    }
                }
                try await group.waitForAll()
            }
            let seconds = (ContinuousClock.now - begin) / .seconds(1)
            FileHandle.standardError.write(
                Data("\(Int(Double(writers * each) / seconds)) commits/s\n".utf8))
        }
    }
}
