import Contracts
import Testing

@testable import Matching

@Suite struct AreasTests {
    @Test func eachAreaIsDiscoveredOnce() async throws {
        let areas = Areas()
        let (first, second) = (Bench.area, try #require(ServiceAreaID("kowloon")))
        for area in [first, second, first] { areas.call(area) }
        var discovered: [ServiceAreaID] = []
        for await (area, wake) in areas.discovered {
            discovered.append(area)
            await wake.isRaised(within: nil)
            if discovered.count == 2 { break }
        }
        #expect(discovered == [first, second])
    }
}
