import Contracts

/// The shape of a type in JSON: the fields that its `init(from:)` asks a decoder for.
enum WireShape {
    struct Field {
        let name: String
        let type: any Decodable.Type
        /// False if the field may be absent.
        var isRequired: Bool
        var isNullable: Bool
    }

    /// An object, with its fields in the order of decoding.
    case fields([Field])
    /// The same shape as another type.
    case value(any Decodable.Type)

    init(of type: any Decodable.Type) throws {
        let probe = SchemaProbe()
        _ = try type.init(from: probe)
        self = try probe.shape()
    }
}

/// A decoder that returns a plausible value for every field and records the fields.
private final class SchemaProbe: Decoder {
    private var fields: [WireShape.Field] = []
    private var value: (any Decodable.Type)?
    private var optionals: Set<String> = []

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func shape() throws -> WireShape {
        guard let value else { return .fields(fields) }
        guard fields.isEmpty else {
            throw ToolError(
                "A type can't be both an object and a value: give its schema (Described).")
        }
        return .value(value)
    }

    func noteOptional(_ name: String) { optionals.insert(name) }

    func note(_ type: any Decodable.Type, as name: String) {
        let nullable = type as? any NullableValue.Type
        fields.append(
            WireShape.Field(
                name: name, type: nullable?.wrapped ?? type,
                isRequired: nullable?.isAlwaysThere ?? !optionals.contains(name),
                isNullable: nullable != nil))
    }

    func note(_ type: any Decodable.Type) { value = type }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ProbedFields(probe: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw ToolError("A list of different types needs a schema of its own (Described).")
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { ProbedValue(probe: self) }

    /// A value that decodes as this type.
    static func sample<T: Decodable>(_ type: T.Type) throws -> T {
        let known: Any? =
            (type as? any PlainValue.Type)?.sample ?? (type as? any Container.Type)?.empty
            ?? (type as? any CaseIterable.Type).flatMap(firstCase)
        if let known = known as? T { return known }
        if let described = type as? any Described.Type { return try described.sample.decoded() }
        return try T(from: SchemaProbe())
    }

    private static func firstCase(_ type: any CaseIterable.Type) -> Any? {
        func first<Cases: CaseIterable>(_ type: Cases.Type) -> Any? { type.allCases.first }
        return first(type)
    }
}

private struct ProbedFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: SchemaProbe

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }

    /// Decoders call this only before a field that may be absent.
    func decodeNil(forKey key: Key) -> Bool {
        probe.noteOptional(key.stringValue)
        return false
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        probe.note(type, as: key.stringValue)
        return try SchemaProbe.sample(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        throw ToolError("\(key.stringValue) has to be a type of its own.")
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw ToolError("\(key.stringValue) has to be a type of its own.")
    }

    func superDecoder() -> any Decoder { probe }
    func superDecoder(forKey key: Key) -> any Decoder { probe }
}

private struct ProbedValue: SingleValueDecodingContainer {
    let probe: SchemaProbe

    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        probe.note(type)
        return try SchemaProbe.sample(type)
    }
}

/// A type that JSON has itself.
protocol PlainValue {
    static var schemaType: String { get }
    static var sample: Self { get }
}

extension Bool: PlainValue {
    static var schemaType: String { "boolean" }
    static var sample: Bool { false }
}

extension Int: PlainValue {
    static var schemaType: String { "integer" }
    static var sample: Int { 1 }
}

extension Double: PlainValue {
    static var schemaType: String { "number" }
    static var sample: Double { 1 }
}

extension String: PlainValue {
    static var schemaType: String { "string" }
    static var sample: String { "" }
}

/// A list or dictionary of one type.
protocol Container {
    static var empty: Any { get }
    /// The JSON Schema, from that of the element.
    static func schema(_ element: (any Decodable.Type) throws -> JSONValue) rethrows -> JSONValue
}

extension Array: Container where Element: Decodable {
    static var empty: Any { Self() }
    static func schema(_ element: (any Decodable.Type) throws -> JSONValue) rethrows -> JSONValue {
        .schema("array", ["items": try element(Element.self)])
    }
}

extension Dictionary: Container where Key == String, Value: Decodable {
    static var empty: Any { Self() }
    static func schema(_ element: (any Decodable.Type) throws -> JSONValue) rethrows -> JSONValue {
        .schema("object", ["additionalProperties": try element(Value.self)])
    }
}

private protocol NullableValue {
    static var wrapped: any Decodable.Type { get }
    /// Whether it can be null, but not absent.
    static var isAlwaysThere: Bool { get }
}

extension Nullable: NullableValue {
    fileprivate static var wrapped: any Decodable.Type { Value.self }
    fileprivate static var isAlwaysThere: Bool { true }
}

extension Removable: NullableValue {
    fileprivate static var wrapped: any Decodable.Type { Value.self }
    fileprivate static var isAlwaysThere: Bool { false }
}
