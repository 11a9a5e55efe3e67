import Contracts
import Foundation
import Testing

@testable import Matching

/// The events as matching really says them, held against the files that readers decode.
@Suite struct FixtureTests {
    private func fixture<E: Event>(of type: E.Type) throws -> (event: E, json: NSDictionary) {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = tests.appending(
            path: "ContractTests/Fixtures/\(E.topic.rawValue)/\(E.type).json")
        let data = try Data(contentsOf: file)
        return (try Wire.decode(type, from: data), try json(data))
    }

    private func json(_ data: Data) throws -> NSDictionary {
        try #require(JSONSerialization.jsonObject(with: data) as? NSDictionary)
    }

    private func answer(to event: ValetMatched) throws -> MatchAnswer {
        try answer(event.order, event.leg, event.attempt, valet: event.valet)
    }

    private func answer(
        _ order: OrderID, _ leg: Open<OrderLeg>, _ attempt: Int, valet: ValetID?
    ) throws -> MatchAnswer {
        let request = OpenRequest(
            order: order, area: Bench.area, version: 3,
            match: Bench.match(leg: try #require(leg.known), attempt: attempt),
            openedAt: Date(timeIntervalSince1970: 1_800_000_000), traceparent: nil)
        return MatchAnswer(
            request, valet: valet, travelSeconds: 239.6,
            at: Date(timeIntervalSince1970: 1_800_000_001.25))
    }

    @Test func valetMatchedIsAsItsFixture() throws {
        let (event, json) = try fixture(of: ValetMatched.self)
        let record = try Announcer.record(answer(to: event))
        #expect(try self.json(record.value) == json)
        #expect(record.topic == "matching")
        #expect(record.key == event.order.description)
        let headers = Dictionary(record.headers.map { ($0.name, $0.value) }) { _, last in last }
        let envelope = try #require(Envelope(headers: headers))
        #expect(envelope.type == "matching.valet-matched.v1")
        #expect(envelope.source == "/matching")
        #expect(envelope.subject == record.key)
        #expect(envelope.time == Date(timeIntervalSince1970: 1_800_000_001.25))
    }

    @Test func noValetFoundIsAsItsFixture() throws {
        let (event, json) = try fixture(of: NoValetFound.self)
        let record = try Announcer.record(
            answer(event.order, event.leg, event.attempt, valet: nil))
        #expect(try self.json(record.value) == json)
        #expect(record.headers.contains { $0.name == "ce_type" && $0.value == NoValetFound.type })
    }
}
