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

private let asyncAPI = Outline(Array(Documents.asyncAPI.body.readableBytesView))

@Suite struct DocumentTests {
    @Test func whatTheGatewayComposesIsInTheTable() throws {
        let gateway = try Gateway(
            TestGateway.config(base: "http://127.0.0.1:1"), ServiceEnvironment.test("gateway"))
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

    @Test func bothDocumentsAreServed() async throws {
        try await TestGateway.run { test in
            let http = try await test.send(.get, "/openapi.yaml")
            #expect(http.headers[.contentType] == "application/yaml")
            #expect(http.text.contains("\nopenapi: 3.1"))
            let events = try await test.send(.get, "/asyncapi.yaml")
            #expect(events.text.contains("\nasyncapi: 3"))
        }
    }
}
