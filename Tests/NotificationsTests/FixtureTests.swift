import Contracts
import Foundation
import Support
import Testing

@testable import Notifications

/// The event as notifications really publishes it when it hears the fixture of a notice, held against the file that
/// readers decode.
@Suite struct FixtureTests {
    @Test func notificationCreatedIsAsItsFixture() async throws {
        let expected = try EventFixtures.read(NotificationCreated.self)
        let bench = try Bench()
        try await bench.hear(EventFixtures.read(NoticeIssued.self))
        let created = try await bench.created()
        var event = try #require(created.first { $0.recipient == expected.recipient })
        event.item.id = expected.item.id
        try EventFixtures.expect(event)
    }
}
