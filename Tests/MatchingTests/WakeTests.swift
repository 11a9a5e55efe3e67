import Contracts
import Testing

@testable import Matching

@Suite struct WakeTests {
    @Test func aCallWhileNobodyWaitsIsKeptOnce() async {
        let wake = Wake()
        wake.call()
        wake.call()
        #expect(await wake.wait(atMost: nil))
        // The second would wait for ever without a limit.
        #expect(await !wake.wait(atMost: .milliseconds(1)))
    }

    @Test func aCallWakesWhoWaits() async {
        let wake = Wake()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await wake.wait(atMost: nil) }
            wake.call()
            await group.waitForAll()
        }
    }

    @Test func cancellationWakes() async {
        let wake = Wake()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await wake.wait(atMost: nil) }
            group.cancelAll()
            await group.waitForAll()
        }
    }

    @Test func aCallAfterACancelledWaitIsNotLost() async {
        let wake = Wake()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await wake.wait(atMost: nil) }
            group.cancelAll()
        }
        wake.call()
        await wake.wait(atMost: nil)
    }

    @Test func eachAreaIsDiscoveredOnce() async throws {
        let areas = Areas()
        let (first, second) = (Bench.area, try #require(ServiceAreaID("kowloon")))
        for area in [first, second, first] { areas.call(area) }
        var discovered: [ServiceAreaID] = []
        for await (area, wake) in areas.discovered {
            discovered.append(area)
            await wake.wait(atMost: nil)
            if discovered.count == 2 { break }
        }
        #expect(discovered == [first, second])
    }
}
