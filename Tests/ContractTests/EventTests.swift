import Contracts
import Foundation
import Testing

/// Every event against its fixture.
struct EventTests {
    @Test func everyEventHasAFixtureAndEveryFixtureAnEvent() throws {
        let named = Set(allEvents.map { "\($0.topic.rawValue)/\($0.type)" })
        #expect(try Fixtures.all() == named)
    }

    @Test func typesAreTheOwnersPastTenseWithAVersion() {
        let pattern =
            #/
            (accounts|areas|orders|location|matching|plates|payments|ratings|notifications|audit
            |bills|engagements|notices)\.[a-z-]+\.v[1-9]
            /#
        for event in allEvents {
            #expect(event.type.wholeMatch(of: pattern) != nil, "\(event.type)")
        }
        #expect(Set(allEvents.map { $0.type }).count == allEvents.count)
    }

    @Test func aFixtureIsReadAndWrittenWithoutLoss() throws {
        for type in allEvents { try roundTrip(type) }
    }

    private func roundTrip<E: Event>(_ type: E.Type) throws {
        let data = try Fixtures.data(type)
        let event = try Wire.decode(E.self, from: data)
        let written = try JSONSerialization.jsonObject(with: Wire.encode(event)) as? NSDictionary
        let literal = try JSONSerialization.jsonObject(with: data) as? NSDictionary
        #expect(written == literal, "\(E.type)")
        #expect(!event.key.isEmpty)
    }

    @Test func aFieldThatAReaderDoesNotKnowIsIgnored() throws {
        for type in allEvents { try withAnUnknownField(type) }
    }

    private func withAnUnknownField<E: Event>(_ type: E.Type) throws {
        let data = try Fixtures.data(type)
        var object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        object["aFieldOfTheFuture"] = ["deep": [1, 2]]
        let extended = try JSONSerialization.data(withJSONObject: object)
        #expect(try Wire.decode(E.self, from: extended) == Wire.decode(E.self, from: data))
    }

    @Test func anEnvelopeSurvivesItsHeaders() throws {
        let envelope = Envelope(
            id: .new(), type: OrderFinished.type, source: "/orders",
            time: Date(timeIntervalSince1970: 1_767_600_000.25), subject: "x",
            traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
        let headers = Dictionary(uniqueKeysWithValues: envelope.headers.map { ($0.name, $0.value) })
        #expect(Envelope(headers: headers) == envelope)
        for required in [
            "ce_specversion", "ce_id", "ce_type", "ce_source", "ce_time", "ce_subject",
        ] {
            var incomplete = headers
            incomplete[required] = nil
            #expect(Envelope(headers: incomplete) == nil, "\(required) is required")
        }
    }
}
