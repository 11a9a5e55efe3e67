import Contracts
import Foundation
import Testing
import Yams

@testable import OpenValet

struct OpenAPITests {
    private let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static let comments = Result { try DocComments() }

    @Test func theDocumentIsWhatTheSourcesSay() throws {
        let kept = try String(
            contentsOf: repository.appending(path: OpenAPIDocument.path), encoding: .utf8)
        let isTheSame = try OpenAPIDocument(repository, comments: Self.comments.get()).text == kept
        #expect(isTheSame, "run make documents")
    }

    @Test func theDocumentOfEventsIsWhatTheSourcesSay() throws {
        let kept = try String(
            contentsOf: repository.appending(path: EventsDocument.path), encoding: .utf8)
        let isTheSame = try EventsDocument(repository, comments: Self.comments.get()).text == kept
        #expect(isTheSame, "run make documents")
    }

    @Test func anExampleIsReadAndWrittenByItsTypeAndHasEveryField() throws {
        let schemas = try OpenAPIDocument(repository, comments: Self.comments.get()).schemas
        var checked = 0
        for (name, type) in schemas.types {
            let schema = try #require(schemas.components[name])
            guard let examples = schema["examples"]?.sequence else { continue }
            var seen: Set<String> = []
            for example in examples {
                let json = try JSONSerialization.data(
                    withJSONObject: example.any, options: .fragmentsAllowed)
                let given: JSONValue = try Wire.decode(from: json)
                // Its document is that of a stand-in.
                let type: any Decodable.Type = name == "FeedItem" ? FeedItem.self : type
                let value = try Wire.decode(type, from: json) as? any Encodable
                #expect(try value.map { try JSONValue(of: $0) } == given, "\(name)")
                if case .object(let fields) = given { seen.formUnion(fields.keys) }
                checked += 1
            }
            let fields = schema["properties"]?.mapping?.keys.compactMap(\.string) ?? []
            #expect(Set(fields) == seen, "\(name)")
        }
        #expect(checked > 90)
    }
}
