import Contracts
import EventBus
import Foundation
import Support
import Testing

@testable import Spots

@Suite struct FixtureTests {
    /// As spots really publishes it, held against the file that readers decode.
    @Test func spotChangedIsAsItsFixture() async throws {
        try await Bench.run { bench in
            _ = try await bench.reserved()
            var event = try #require(
                try await outboxEvents(of: SpotChanged.self, in: bench.database).last)
            event.spot = try EventFixtures.read(SpotChanged.self).spot
            try EventFixtures.expect(event)
        }
    }

    @Test(.withoutDatabase) func bothLanguagesSayTheSame() {
        #expect(SpotNotices.words.differences == [])
    }
}
