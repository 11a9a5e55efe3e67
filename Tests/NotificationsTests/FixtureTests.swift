import Contracts
import Foundation
import Support
import Testing

@testable import Notifications

/// The event as notifications really publishes it when it hears the fixture of a notice, held against the file that
/// readers decode.
@Suite struct FixtureTests {
    private func json(_ data: Data) throws -> NSDictionary {
        try #require(JSONSerialization.jsonObject(with: data) as? NSDictionary)
    }

    private func fixture(of type: any Event.Type) throws -> Data {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let path = "ContractTests/Fixtures/\(type.topic.rawValue)/\(type.type).json"
        return try Data(contentsOf: tests.appending(path: path))
    }

    @Test func notificationCreatedIsAsItsFixture() async throws {
        let data = try fixture(of: NotificationCreated.self)
        let expected = try Wire.decode(NotificationCreated.self, from: data)

        let bench = try Bench()
        let notice = try fixture(of: NoticeIssued.self)
        try await bench.hear(Wire.decode(NoticeIssued.self, from: notice))
        let created = try await bench.created()
        var event = try #require(created.first { $0.recipient == expected.recipient })
        event.item.id = expected.item.id
        #expect(try json(Wire.encode(event)) == json(data))
    }
}
