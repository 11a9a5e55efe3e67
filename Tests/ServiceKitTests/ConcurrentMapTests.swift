import ServiceKit
import Synchronization
import Support
import Testing

@Suite(.withoutDatabase) struct ConcurrentMapTests {
    @Test(arguments: [1, 3, .max])
    func eachIsAnsweredInItsPlace(_ atOnce: Int) async {
        let busy = Mutex((now: 0, most: 0))
        let found = await (0..<20).concurrentMap(atOnce: atOnce) { number in
            busy.withLock { busy in
                busy.now += 1
                busy.most = max(busy.most, busy.now)
            }
            for _ in number..<20 { await Task.yield() }
            busy.withLock { $0.now -= 1 }
            return number * number
        }
        #expect(found == (0..<20).map { $0 * $0 })
        #expect(busy.withLock { $0.most } <= atOnce)
    }

    @Test func whatIsThrownIsKept() async throws {
        func answer(_ number: Int) async throws -> Int {
            await Task.yield()
            guard number > 0 else { throw TimedOut() }
            return number
        }
        let failed = await Result { try await answer(0) }
        #expect(throws: TimedOut.self) { try failed.get() }
        let answered = await Result { try await answer(1) }
        #expect(try answered.get() == 1)
    }
}
