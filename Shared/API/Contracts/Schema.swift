import Foundation

/// A type that declares its own schema, because it checks its input or has several forms. The schemas of all other
/// types come from their `init(from:)`.
public protocol Described {
    /// JSON Schema.
    static var schema: JSONValue { get }
    /// Types that the schema refers to.
    static var parts: [any Decodable.Type] { get }
    /// A sample that can be decoded.
    static var sample: JSONValue { get }
}

extension Described {
    public static var parts: [any Decodable.Type] { [] }
    public static var sample: JSONValue { .object([:]) }
}

/// A type whose name in the document differs from its name in the sources.
public protocol SchemaNamed {
    static var schemaName: String { get }
}

extension JSONValue {
    public static let time = JSONValue.reference(to: Date.self)
    public static let identifier = JSONValue.reference("Identifier")

    /// JSON Schema of a type, with further keywords.
    public static func schema(_ type: String, _ keywords: [String: JSONValue] = [:]) -> JSONValue {
        .object(keywords.merging(["type": .text(type)]) { given, _ in given })
    }

    /// A reference to the type's schema among the document's components.
    public static func reference(to type: any Decodable.Type) -> JSONValue {
        .reference(schemaName(of: type))
    }

    private static func reference(_ name: String) -> JSONValue {
        .object(["$ref": .text("#/components/schemas/\(name)")])
    }
}

/// The name of a type in the document. A nested type has both names: `ShiftBreak` for `Shift.Break`.
public func schemaName(of type: any Decodable.Type) -> String {
    if let named = type as? any SchemaNamed.Type { return named.schemaName }
    return String(reflecting: type).split(separator: ".").dropFirst().joined()
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral
{
    public init(stringLiteral text: String) { self = .text(text) }
    public init(integerLiteral value: Int) { self = .integer(value) }
    public init(arrayLiteral values: JSONValue...) { self = .list(values) }
}

extension JSONValue: Described {
    public static var schema: JSONValue { .schema("object") }
}

extension Page: SchemaNamed {
    public static var schemaName: String { "\(Item.self)Page" }
}

extension Date: Described, SchemaNamed {
    public static var schemaName: String { "Time" }
    public static var schema: JSONValue { .schema("string", ["format": "date-time"]) }
    public static var sample: JSONValue { "2026-11-21T08:15:30.250Z" }
}

extension Identifier: Described, SchemaNamed {
    public static var schemaName: String { "Identifier" }
    public static var schema: JSONValue { .schema("string", ["format": "uuid"]) }
    public static var sample: JSONValue { "019ab000-0000-7000-8000-000000000101" }
}

extension ServiceAreaID: Described, SchemaNamed {
    public static var schemaName: String { "ServiceAreaID" }
    public static var schema: JSONValue {
        .schema("string", ["pattern": "^[a-z0-9-]{1,40}$"])
    }
    public static var sample: JSONValue { "hk-island" }
}

extension Product: Described {
    public static var schema: JSONValue { .schema("string") }
    public static var sample: JSONValue { "valet" }
}
