import Contracts
import Foundation
import Support
import Testing

@testable import Matching

/// The events as matching really says them, held against the files that readers decode.
@Suite struct FixtureTests {
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
        let event = try EventFixtures.read(ValetMatched.self)
        let record = try Announcer.record(answer(to: event))
        try EventFixtures.expect(record.value, of: ValetMatched.self)
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
        let event = try EventFixtures.read(NoValetFound.self)
        let record = try Announcer.record(
            answer(event.order, event.leg, event.attempt, valet: nil))
        try EventFixtures.expect(record.value, of: NoValetFound.self)
        #expect(record.headers.contains { $0.name == "ce_type" && $0.value == NoValetFound.type })
    }
}
