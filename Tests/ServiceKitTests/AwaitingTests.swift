import Store
import Support
import Synchronization
import Testing

@testable import ServiceKit

@Suite struct AwaitingTests {
    @Test func whatNobodySignalledIsFoundByTheLastLook() async throws {
        let database = try ServiceEnvironment.test("looking").database([])
        let looks = Mutex(0)
        let found = try await database.awaiting("never", within: .milliseconds(50)) { _ -> Int? in
            looks.withLock { looks -> Int? in
                looks += 1
                return looks > 1 ? looks : nil
            }
        }
        #expect(found == 2)
    }

    @Test func whatDoesNotComeIsNotFound() async throws {
        let database = try ServiceEnvironment.test("looking").database([])
        let found = try await database.awaiting("never", within: .milliseconds(50)) { _ -> Int? in
            nil
        }
        #expect(found == nil)
    }
}
