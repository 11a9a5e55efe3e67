import Contracts
import Foundation
import Support
import Testing

@testable import OpenValet

/// A service of an earlier release reads what one of this release answers, so an enumeration there may have a value
/// that it doesn't know. For events, ContractTests change each value.
struct OpenEnumTests {
    /// Internal endpoints by name, with the type of their answer.
    private static var answers: [String: any Decodable.Type] {
        [
            "state": answer(InternalEndpoints.state),
            "stateReport": answer(InternalEndpoints.stateReport),
            "replay": answer(InternalEndpoints.replay),
            "personalData": answer(InternalEndpoints.personalData),
            "engagement": answer(InternalEndpoints.engagement),
            "binding": answer(InternalEndpoints.binding),
            "bill": answer(InternalEndpoints.bill),
            "account": answer(InternalEndpoints.account),
            "vehicle": answer(InternalEndpoints.vehicle),
            "serviceAreas": answer(InternalEndpoints.serviceAreas),
            "recognition": answer(InternalEndpoints.recognition),
            "payBill": answer(InternalEndpoints.payBill),
            "receiveBill": answer(InternalEndpoints.receiveBill),
            "billCharge": answer(InternalEndpoints.billCharge),
            "billAttempt": answer(InternalEndpoints.billAttempt),
            "resumeBill": answer(InternalEndpoints.resumeBill),
            "mailBill": answer(InternalEndpoints.mailBill),
            "billDocument": answer(InternalEndpoints.billDocument),
            "billPayment": answer(InternalEndpoints.billPayment),
            "paymentMethod": answer(InternalEndpoints.paymentMethod),
            "feed": answer(InternalEndpoints.feed),
            "feedHead": answer(InternalEndpoints.feedHead),
            "feedHeads": answer(InternalEndpoints.feedHeads),
            "positions": answer(InternalEndpoints.positions),
            "candidates": answer(InternalEndpoints.candidates),
            "whereabouts": answer(InternalEndpoints.whereabouts),
            "lastPositions": answer(InternalEndpoints.lastPositions),
            "takeSpace": answer(InternalEndpoints.takeSpace),
            "pastOrder": answer(InternalEndpoints.pastOrder),
            "pastPayment": answer(InternalEndpoints.pastPayment),
            "getaliftImport": answer(InternalEndpoints.getaliftImport),
        ]
    }

    private static func answer<Body, Answer: Decodable>(
        _ endpoint: Endpoint<Body, Answer>
    ) -> any Decodable.Type { Answer.self }

    @Test func theListHasEveryInternalEndpoint() throws {
        let file = RunningSystem.debugBinaries.deletingLastPathComponent()
            .deletingLastPathComponent()
            .appending(path: "Shared/API/Contracts/InternalEndpoints.swift")
        let names = try String(contentsOf: file, encoding: .utf8)
            .matches(of: /static let (\w+) = Endpoint</).map { String($0.1) }
        #expect(Set(names) == Set(Self.answers.keys))
    }

    @Test func noAnswerBetweenServicesHasAClosedEnumeration() throws {
        for (name, type) in Self.answers {
            var seen: Set<String> = []
            let found = try closed(in: type, at: name, &seen)
            #expect(found == [])
        }
    }

    @Test func aClosedEnumerationIsFound() throws {
        enum Colour: String, Codable, CaseIterable { case red, green }
        struct Part: Codable {
            let colour: Colour
            let other: Open<Colour>
        }
        struct Whole: Codable { let parts: [Part]? }
        var seen: Set<String> = []
        #expect(try closed(in: Whole.self, at: "whole", &seen) == ["whole.parts.colour"])
    }

    /// Paths of the enumerations that are not `Open`.
    private func closed(
        in type: any Decodable.Type, at path: String, _ seen: inout Set<String>
    ) throws -> [String] {
        // ContractTests change each value of an event.
        if type is any Event.Type { return [] }
        if String(describing: type).hasPrefix("Open<") || type is any PlainValue.Type { return [] }
        var found: [String] = []
        if let container = type as? any Container.Type {
            _ = try container.schema { element in
                found += try closed(in: element, at: path, &seen)
                return .null
            }
            return found
        }
        if let wrapper = type as? any Wrapper.Type {
            return try closed(in: wrapper.wrapped, at: path, &seen)
        }
        guard seen.insert("\(type)").inserted else { return [] }
        if let described = type as? any Described.Type {
            for part in described.parts { found += try closed(in: part, at: path, &seen) }
            return found
        }
        if type is any CaseIterable.Type { return [path] }
        switch try WireShape(of: type) {
        case .value(let other): return try closed(in: other, at: path, &seen)
        case .fields(let fields):
            for field in fields {
                found += try closed(in: field.type, at: "\(path).\(field.name)", &seen)
            }
            return found
        }
    }
}
