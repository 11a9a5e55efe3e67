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
        let owners = Set(allServices.map(\.name) + Topic.all.map(\.rawValue))
        for event in allEvents {
            let owner = event.type.wholeMatch(of: /([a-z]+)\.[a-z-]+\.v[1-9]/)?.1
            #expect(owners.contains(owner.map(String.init) ?? ""), "\(event.type)")
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

    /// A rolling upgrade may meet it.
    @Test func aValueOfAnEnumThatNobodyHasHeardOfIsKept() throws {
        var places: [String] = []
        for type in allEvents { places += try withUnheardOfValues(type) }
        let known = [
            "accounts.account-changed.v1 account.role",
            "accounts.account-changed.v1 account.roles.0",
            "accounts.code-requested.v1 purpose", "bills.changed.v1 bill.terms",
            "engagements.changed.v1 engagement.photos.windows.0.moment",
            "matching.valet-matched.v1 leg", "notices.issued.v1 notice.messages.0.push.urgency",
            "orders.needs-operator.v1 cause", "orders.task-changed.v1 order.tasks.0.status",
            "payments.payment-succeeded.v1 payment.status", "plates.photo-taken.v1 role",
        ]
        #expect(Set(places).isSuperset(of: known))
    }

    /// Each value that may be one of an enum, changed to one that is not, is read and written as it is; returns
    /// where they stand.
    private func withUnheardOfValues<E: Event>(_ type: E.Type) throws -> [String] {
        let literal = try JSONSerialization.jsonObject(with: Fixtures.data(type))
        return try words(in: literal).map { path in
            let changed = replacing(path[...], in: literal)
            let data = try JSONSerialization.data(withJSONObject: changed)
            let place = "\(E.type) \(path.joined(separator: "."))"
            do {
                let written = try Wire.encode(Wire.decode(E.self, from: data))
                let object = try JSONSerialization.jsonObject(with: written) as? NSDictionary
                #expect(object == changed as? NSDictionary, "\(place)")
            } catch {
                Issue.record("\(place): \(error)")
            }
            return place
        }
    }

    /// Paths of the values that look like those of an enum. Leaves out `to`, which is the address of a
    /// notice, and `subject`, whose kind is the name of the field that holds its data.
    private func words(in value: Any) -> [[String]] {
        switch value {
        case let object as [String: Any]:
            object.filter { $0.key != "to" && $0.key != "subject" }.flatMap { key, value in
                words(in: value).map { [key] + $0 }
            }
        case let list as [Any]:
            list.enumerated().flatMap { index, value in
                words(in: value).map { [String(index)] + $0 }
            }
        case let text as String where text.wholeMatch(of: /[a-z][A-Za-z]*/) != nil: [[]]
        default: []
        }
    }

    private func replacing(_ path: ArraySlice<String>, in value: Any) -> Any {
        guard let first = path.first else { return "unheard" }
        if var object = value as? [String: Any], let inner = object[first] {
            object[first] = replacing(path.dropFirst(), in: inner)
            return object
        }
        guard var list = value as? [Any], let index = Int(first) else { return value }
        list[index] = replacing(path.dropFirst(), in: list[index])
        return list
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
