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
            let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent()
            let data = try Data(
                contentsOf: tests.appending(
                    path: "ContractTests/Fixtures/spots/\(SpotChanged.type).json"))
            var event = try #require(
                try await outboxEvents(of: SpotChanged.self, in: bench.database).last)
            event.spot = try Wire.decode(SpotChanged.self, from: data).spot
            let (made, expected) = (
                try JSONSerialization.jsonObject(with: Wire.encode(event)) as? NSDictionary,
                try JSONSerialization.jsonObject(with: data) as? NSDictionary
            )
            #expect(made == expected)
        }
    }

    @Test func bothLanguagesSayTheSame() {
        #expect(SpotNotices.words.differences == [])
    }
}
