import Contracts
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import ServiceKit
import Support
import Testing

@testable import Gateway

/// The little of YAML that our documents use: two spaces a level, a key a line.
private struct Outline {
    /// Lines below the path of keys, without their indentation.
    let lines: [(depth: Int, text: String)]

    init(_ bytes: [UInt8]) {
        lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
            let indent = line.prefix { $0 == " " }.count
            return (indent / 2, String(line.dropFirst(indent)))
        }
    }

    private init(lines: [(depth: Int, text: String)]) { self.lines = lines }

    func below(_ keys: String...) -> Outline {
        keys.reduce(self) { outline, key in
            let depth = outline.lines.first?.depth ?? 0
            guard
                let start = outline.lines.firstIndex(where: {
                    $0.depth == depth && $0.text.hasPrefix("\(key):")
                })
            else { return Outline(lines: []) }
            let rest = outline.lines[(start + 1)...]
            return Outline(lines: Array(rest.prefix { $0.depth > depth }))
        }
    }

    /// Keys of the outermost level.
    var keys: [String] {
        let depth = lines.first?.depth ?? 0
        return lines.filter { $0.depth == depth }.map {
            String($0.text.prefix { $0 != ":" }).trimmingCharacters(in: ["'"])
        }
    }

    func value(_ key: String) -> String? {
        let depth = lines.first?.depth ?? 0
        return lines.first { $0.depth == depth && $0.text.hasPrefix("\(key): ") }.map {
            String($0.text.dropFirst(key.count + 2))
        }
    }
}

private let openAPI = Outline(Array(Documents.openAPI.body.readableBytesView))
private let asyncAPI = Outline(Array(Documents.asyncAPI.body.readableBytesView))

/// A type of the wire and the schema that describes it.
private struct WireType: Sendable {
    let name: String
    let rewrite: @Sendable (Data) throws -> Data

    init<T: Codable & SendableMetatype>(_ name: String, _ type: T.Type) {
        self.name = name
        rewrite = { try Wire.encode(Wire.decode(T.self, from: $0)) }
    }
}

/// Each schema's example has to be read and written alike.
private let wireTypes: [WireType] = [
    WireType("Account", Account.self), WireType("SignUpBody", SignUpBody.self),
    WireType("Tokens", Tokens.self), WireType("SignedUp", SignedUp.self),
    WireType("SignedIn", SignedIn.self), WireType("SignInBody", SignInBody.self),
    WireType("RefreshBody", RefreshBody.self), WireType("PhoneBody", PhoneBody.self),
    WireType("ConfirmCodeBody", ConfirmCodeBody.self),
    WireType("ResetConfirmBody", ResetConfirmBody.self),
    WireType("PasswordChangeBody", PasswordChangeBody.self),
    WireType("DeletionBody", DeletionBody.self), WireType("SessionRecord", SessionRecord.self),
    WireType("PhotoAnswer", PhotoAnswer.self),
    WireType("ProfileChange", ProfileChange.self), WireType("Vehicle", Vehicle.self),
    WireType("VehicleDescription", VehicleDescription.self),
    WireType("VehicleChange", VehicleChange.self), WireType("NewValetBody", NewValetBody.self),
    WireType("ValetChange", ValetChange.self), WireType("ValetRecord", ValetRecord.self),
    WireType("Tariff", Tariff.self), WireType("ServiceAreaFeature", ServiceAreaFeature.self),
    WireType("ServiceAreaProperties", ServiceAreaFeature.Properties.self),
    WireType("ServiceAreaCollection", ServiceAreaCollection.self),
    WireType("AreaGeometry", AreaGeometry.self), WireType("PositionBody", PositionBody.self),
    WireType("PositionsBody", PositionsBody.self),
    WireType("PositionsAnswer", PositionsAnswer.self),
    WireType("AvailabilityBody", AvailabilityBody.self), WireType("NearbyValet", NearbyValet.self),
    WireType("TrackedPosition", TrackedPosition.self), WireType("Track", Track.self),
    WireType("Route", RouteAnswer.self), WireType("FoundPlace", FoundPlace.self),
    WireType("Places", PlacesAnswer.self),
    WireType("ParkedAt", ParkedAt.self), WireType("Party", Party.self),
    WireType("OrderVehicle", OrderVehicle.self), WireType("OrderView", OrderView.self),
    WireType("PlaceOrderBody", PlaceOrderBody.self), WireType("ReasonBody", ReasonBody.self),
    WireType("OrderTask", OrderTask.self), WireType("TaskBody", TaskBody.self),
    WireType("TaskListing", TaskListing.self), WireType("Offer", Offer.self),
    WireType("ShiftBreak", Shift.Break.self), WireType("Shift", Shift.self),
    WireType("Dispatch", Dispatch.self),
    WireType("CodeBody", CodeBody.self), WireType("ParkBody", ParkBody.self),
    WireType("RecallBody", RecallBody.self), WireType("OverrideBody", OverrideBody.self),
    WireType("QuoteLine", Quote.Line.self), WireType("Quote", Quote.self),
    WireType("CustodyEntry", CustodyEntry.self),
    WireType("CustodyVerification", CustodyVerification.self), WireType("Alert", Alert.self),
    WireType("OrderSnapshot", OrderSnapshot.self), WireType("OrderBrief", OrderBrief.self),
    WireType("FeedSubject", FeedSubject.self),
    WireType("MatchingCandidate", MatchingTrace.Candidate.self),
    WireType("MatchingDecision", MatchingTrace.Decision.self),
    WireType("MatchingTrace", MatchingTrace.self), WireType("Payment", Payment.self),
    WireType("PayBody", PayBody.self), WireType("PaymentAnswer", PaymentAnswer.self),
    WireType("PaymentMethod", PaymentMethod.self),
    WireType("PaymentTokenBody", PaymentTokenBody.self), WireType("RefundBody", RefundBody.self),
    WireType("Refund", Refund.self), WireType("PaymentEntry", PaymentEntry.self),
    WireType("PayeeBalance", PayeeBalance.self), WireType("PayoutBody", PayoutBody.self),
    WireType("Payout", Payout.self), WireType("PayoutAccountBody", PayoutAccountBody.self),
    WireType("BillLine", BillView.Line.self), WireType("BillView", BillView.self),
    WireType("BillReceipt", BillReceipt.self),
    WireType("Receipt", Receipt.self), WireType("TrialBalance", TrialBalance.self),
    WireType("TrialBalanceLine", TrialBalance.Line.self),
    WireType("LedgerPosting", LedgerRecord.Posting.self),
    WireType("LedgerRecord", LedgerRecord.self),
    WireType("ReconciliationBody", ReconciliationBody.self),
    WireType("ReconciliationDifference", Reconciliation.Difference.self),
    WireType("Reconciliation", Reconciliation.self),
    WireType("RecognitionCandidate", Recognition.Candidate.self),
    WireType("Recognition", Recognition.self), WireType("VehiclePhoto", VehiclePhoto.self),
    WireType("RatingBody", RatingBody.self), WireType("Rating", Rating.self),
    WireType("RatingSummary", RatingSummary.self), WireType("RatingComment", RatingComment.self),
    WireType("FeedItem", FeedItem.self), WireType("LivePosition", LivePosition.self),
    WireType("OrderStatistics", OrderStatistics.self),
    WireType("RevenueStatistics", RevenueStatistics.self),
    WireType("PaymentProviderInfo", PaymentProviderInfo.self),
    WireType("AuditEntry", AuditEntry.self), WireType("TextMessage", TextMessage.self),
    WireType("DeadLetter", DeadLetter.self),
    WireType("Money", Money.self), WireType("Place", Place.self), WireType("Problem", Problem.self),
]

@Suite struct DocumentTests {
    @Test func whatTheGatewayComposesIsInTheTable() throws {
        let gateway = try Gateway(
            TestGateway.config(base: "http://127.0.0.1:1"), House.test("gateway"))
        let own = GatewayEndpoints.all.map(\.id)
        let composed = Set(gateway.routes.composed.keys)
        #expect(composed.isSuperset(of: own))
        #expect(composed.isSubset(of: RoutingTable().routes.map(\.endpoint.id)))
    }

    @Test func everyEventIsInTheEventDocument() {
        let messages = asyncAPI.below("components", "messages")
        let channels = asyncAPI.below("channels")
        for event in allEvents {
            let name = String(describing: event)
            #expect(messages.below(name).value("name") == event.type)
            #expect(channels.below(event.topic.rawValue, "messages").keys.contains(name))
            #expect(asyncAPI.below("components", "schemas").keys.contains(name))
        }
        let names = allEvents.map { String(describing: $0) }
        #expect(Set(messages.keys) == Set(names + ["DeadLetter"]))
        #expect(Set(channels.keys) == Set(Topic.names))
    }

    @Test(arguments: wireTypes.map(\.name))
    func aSchemasExampleIsReadAndWrittenByTheCode(name: String) throws {
        let schema = openAPI.below("components", "schemas", name)
        let line = try #require(schema.below("examples").lines.first?.text)
        let example = try JSON.flow(String(line.dropFirst(2)))
        let type = try #require(wireTypes.first { $0.name == name })
        let written = try JSONSerialization.jsonObject(with: type.rewrite(example))
        let read = try JSONSerialization.jsonObject(with: example)
        #expect(written as? NSDictionary == read as? NSDictionary)
        let properties = schema.below("properties").keys
        let keys = (read as? [String: Any]).map { Array($0.keys) } ?? []
        if name != "PayBody" { #expect(Set(properties) == Set(keys)) }
    }

    @Test func bothDocumentsAreServed() async throws {
        try await TestGateway.run { test in
            let http = try await test.send(.get, "/openapi.yaml")
            #expect(http.headers[.contentType] == "application/yaml")
            #expect(http.text.contains("\nopenapi: 3.1"))
            let events = try await test.send(.get, "/asyncapi.yaml")
            #expect(events.text.hasPrefix("asyncapi: 3"))
        }
    }
}

/// YAML's flow style as our documents use it, as JSON.
private enum JSON {
    static func flow(_ text: String) throws -> Data {
        var rest = Substring(text)
        let value = try value(&rest)
        return try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
    }

    private struct Malformed: Error {}

    private static func value(_ rest: inout Substring) throws -> Any {
        rest = rest.drop { $0 == " " }
        switch rest.first {
        case "{": return try object(&rest)
        case "[": return try list(&rest)
        case "'", "\"": return try quoted(&rest)
        default: return plain(&rest, until: [",", "]", "}"])
        }
    }

    private static func object(_ rest: inout Substring) throws -> [String: Any] {
        rest.removeFirst()
        var object: [String: Any] = [:]
        while rest.first != "}" {
            rest = rest.drop { $0 == " " || $0 == "," }
            if rest.first == "}" { break }
            let isQuoted = rest.first == "'" || rest.first == "\""
            let key = isQuoted ? try quoted(&rest) : String(rest.prefix { $0 != ":" })
            guard let colon = rest.firstIndex(of: ":") else { throw Malformed() }
            rest = rest[rest.index(after: colon)...]
            object[key] = try value(&rest)
        }
        rest.removeFirst()
        return object
    }

    private static func list(_ rest: inout Substring) throws -> [Any] {
        rest.removeFirst()
        var list: [Any] = []
        while rest.first != "]" {
            rest = rest.drop { $0 == " " || $0 == "," }
            if rest.first == "]" { break }
            list.append(try value(&rest))
            rest = rest.drop { $0 == " " }
        }
        rest.removeFirst()
        return list
    }

    private static func quoted(_ rest: inout Substring) throws -> String {
        let quote = rest.removeFirst()
        var text = ""
        while let character = rest.popFirst() {
            guard character == quote else {
                text.append(character)
                continue
            }
            guard quote == "'", rest.first == "'" else { return text }
            text.append(rest.removeFirst())
        }
        throw Malformed()
    }

    private static func plain(_ rest: inout Substring, until ends: Set<Character>) -> Any {
        let text = rest.prefix { !ends.contains($0) }.trimmingCharacters(in: .whitespaces)
        rest = rest.drop { !ends.contains($0) }
        switch text {
        case "null": return NSNull()
        case "true": return true
        case "false": return false
        default: return Int(text) as Any? ?? Double(text) as Any? ?? text
        }
    }
}
