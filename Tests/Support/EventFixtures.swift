import Contracts
import Foundation
import Testing

/// Events against the files that readers decode.
public enum EventFixtures {
    /// As its file has it.
    public static func read<E: Event>(_ type: E.Type) throws -> E {
        try Wire.decode(type, from: data(type))
    }

    /// Whether what a service really says is its file, field for field.
    public static func expect<E: Event>(
        _ event: E, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try expect(Wire.encode(event), of: E.self, sourceLocation: sourceLocation)
    }

    /// The same of what goes over the bus.
    public static func expect(
        _ json: Data, of type: any Event.Type, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try object(json) == object(data(type)), sourceLocation: sourceLocation)
    }

    /// Whether what a service really says has the fields of its file, each of the same kind; what is null in one of
    /// them may be anything.
    public static func expectShape<E: Event>(
        of event: E, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (said, known) = (try object(Wire.encode(event)), try object(data(E.self)))
        #expect(differences(said, known, at: E.type) == [], sourceLocation: sourceLocation)
    }

    private static func object(_ data: Data) throws -> NSDictionary {
        try #require(JSONSerialization.jsonObject(with: data) as? NSDictionary)
    }

    private static func data(_ type: any Event.Type) throws -> Data {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try Data(
            contentsOf: tests.appending(
                path: "ContractTests/Fixtures/\(type.topic.rawValue)/\(type.type).json"))
    }

    private static func differences(_ said: Any, _ known: Any, at path: String) -> [String] {
        switch (said, known) {
        case (let said as [String: Any], let known as [String: Any]):
            return Set(said.keys).union(known.keys).sorted().flatMap { key in
                guard let one = said[key], let other = known[key] else { return ["\(path).\(key)"] }
                return differences(one, other, at: "\(path).\(key)")
            }
        case (let said as [Any], let known as [Any]):
            guard let one = said.first, let other = known.first else { return [] }
            return differences(one, other, at: "\(path)[]")
        case (is String, is String), (is NSNumber, is NSNumber), (is NSNull, _), (_, is NSNull):
            return []
        default: return [path]
        }
    }
}
