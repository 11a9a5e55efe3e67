import Testing
import Threads

@Suite struct SignalTests {
    @Test func oneThatNobodyWaitedForIsKeptOnce() async {
        let signal = Signal()
        signal.raise()
        signal.raise()
        #expect(await signal.isRaised(within: nil))
        // The second would wait for ever without a limit.
        #expect(await !signal.isRaised(within: .milliseconds(1)))
    }

    @Test func itWakesWhoWaits() async {
        let signal = Signal()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await signal.isRaised(within: nil) }
            signal.raise()
            await group.waitForAll()
        }
    }

    @Test func cancellationWakes() async {
        let signal = Signal()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await signal.isRaised(within: nil) }
            group.cancelAll()
            await group.waitForAll()
        }
    }

    @Test func aWaitSaysWhetherItCameAndThrowsWhenItIsCancelled() async throws {
        let signal = Signal()
        signal.raise()
        #expect(try await signal.wait(upTo: .seconds(60)))
        #expect(try await !signal.wait(upTo: .milliseconds(1)))
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { (try? await signal.wait(upTo: .seconds(60))) == nil }
            group.cancelAll()
            #expect(await group.next() == true)
        }
    }

    @Test func oneAfterACancelledWaitIsNotLost() async {
        let signal = Signal()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await signal.isRaised(within: nil) }
            group.cancelAll()
        }
        signal.raise()
        await signal.isRaised(within: nil)
    }
}
