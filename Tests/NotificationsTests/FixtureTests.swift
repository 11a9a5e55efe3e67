import Contracts
import Foundation
import Support
import Testing

@testable import Notifications

/// The event as notifications really publishes it, held against the file that readers decode.
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
        let id = try #require(OrderID("01900000-0000-7000-8000-000000000101"))
        let order = OrderSnapshot.of(.droppingOff, version: 2, id: id)
        try await bench.hear(
            ValetAssigned(
                order: order, leg: .dropOff, valet: TestPerson.victor.valet,
                meetingPoint: order.dropOff))
        let created = try await bench.created()
        var event = try #require(created.first { $0.recipient == expected.recipient })
        event.item.id = expected.item.id
        #expect(try json(Wire.encode(event)) == json(data))
    }
}
