import Dispatch
import Synchronization
import Testing
import Threads

@Suite struct BlockingExecutorTests {
    private struct Broken: Error {}

    private final class Flag: Sendable {
        private let state = Mutex(false)
        var isRaised: Bool { state.withLock { $0 } }
        func raise() { state.withLock { $0 = true } }
    }

    private let executor = BlockingExecutor(label: "tests.threads")

    @Test func itAnswersWithWhatTheWorkDoes() async throws {
        #expect(try await executor.run(within: .seconds(60)) { 7 } == 7)
        await #expect(throws: Broken.self) {
            try await executor.run(within: .seconds(60)) { () -> Int in throw Broken() }
        }
    }

    @Test func whatIsPerformedComesBeforeWhatIsAskedLater() async throws {
        let flag = Flag()
        executor.perform { [executor] in
            executor.checkIsolated()
            flag.raise()
        }
        #expect(try await executor.run(within: .seconds(60)) { flag.isRaised })
    }

    /// Once what blocks is let go, `body` has waited for nothing but its own limits.
    private func whileBlocked(
        _ body: (@Sendable @escaping () -> Void) async throws -> Void
    ) async throws {
        let hold = DispatchSemaphore(value: 0)
        let begun = Flag()
        while !begun.isRaised {
            await #expect(throws: TooSlow.self) {
                try await executor.run(within: .milliseconds(1)) {
                    begun.raise()
                    // Bounded, so that a failure is no hang.
                    _ = hold.wait(timeout: .now() + .seconds(30))
                }
            }
        }
        try await body { hold.signal() }
    }

    @Test func nobodyWaitsForWorkThatBlocksAndWhatComesAfterItIsDone() async throws {
        try await whileBlocked { letGo in
            letGo()
            let isDone = try await executor.run(within: .seconds(60)) { true }
            #expect(isDone)
        }
    }

    @Test func whatNobodyWaitsForAnyMoreIsNotBegun() async throws {
        let done = Flag()
        try await whileBlocked { letGo in
            await #expect(throws: TooSlow.self) {
                try await executor.run(within: .milliseconds(1)) { done.raise() }
            }
            letGo()
            try await executor.run(within: .seconds(60)) {}
        }
        #expect(!done.isRaised)
    }

    @Test func onlySoManyWait() async throws {
        try await whileBlocked { letGo in
            for _ in 0..<BlockingExecutor.mostWaiting {
                await #expect(throws: TooSlow.self) {
                    try await executor.run(within: .milliseconds(1)) {}
                }
            }
            // It would have come to it: it is not in the line.
            await #expect(throws: TooSlow.self) {
                try await executor.run(within: .seconds(120)) {}
            }
            letGo()
        }
    }
}
