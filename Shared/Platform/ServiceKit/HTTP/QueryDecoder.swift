import Contracts
import Foundation
import Geo
import Hummingbird

extension Request {
    /// The query of the address, form-encoded: a plus sign is a space. The first of several parameters with the same
    /// name counts; unknown ones are ignored. Throws 422 with the field that is wrong or missing.
    public func query<Asked: Query>(_ type: Asked.Type) throws -> Asked {
        let query = try Asked(from: QueryDecoder(texts: queryTexts, field: Asked.field))
        if let query = query as? any OptionallyPointedQuery {
            _ = try Coordinate(
                ifPresent: query.latitude, query.longitude, "latitude", "longitude")
        }
        return query
    }

    private var queryTexts: [String: String] {
        let pairs = (uri.query ?? "").split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.replacing("+", with: " ").removingPercentEncoding ?? String($0) }
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
        return Dictionary(pairs) { first, _ in first }
    }
}

extension Coordinate {
    /// Nil without both numbers. Throws if only one is given, with the name of the other.
    public init?(
        ifPresent latitude: Double?, _ longitude: Double?, _ latitudeName: String,
        _ longitudeName: String
    ) throws(Refusal) {
        switch (latitude, longitude) {
        case (let latitude?, let longitude?):
            self.init(latitude: latitude, longitude: longitude)
        case (nil, nil): return nil
        default:
            throw Refusal.invalid(
                latitude == nil ? latitudeName : longitudeName,
                "Send `\(latitudeName)` and `\(longitudeName)` together.")
        }
    }
}

/// Reads each field of a query from its text. Hummingbird's form decoder does not report which field it couldn't
/// read, and refuses the whole query because of an unknown parameter.
private struct QueryDecoder: Decoder {
    let texts: [String: String]
    let field: (String) -> QueryField?

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Fields(texts: texts, field: field))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NotFlat() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw NotFlat() }
}

private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let texts: [String: String]
    let field: (String) -> QueryField?

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { texts.keys.compactMap(Key.init) }

    func contains(_ key: Key) -> Bool { texts[key.stringValue] != nil }
    func decodeNil(forKey key: Key) -> Bool { !contains(key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let field = field(key.stringValue)
        guard let text = texts[key.stringValue],
            let value = try? FieldDecoder(text: text).decode(type),
            field?.admits(value) ?? true
        else {
            throw Refusal.invalid(key.stringValue, QueryField.complaint(type, field))
        }
        return value
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw NotFlat() }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw NotFlat()
    }

    func superDecoder() throws -> any Decoder { throw NotFlat() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw NotFlat() }
}

/// Reads a value from its text.
private struct FieldDecoder: Decoder, SingleValueDecodingContainer {
    let text: String

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let known: Any? =
            switch type {
            case is Date.Type: Wire.date(text)
            case let plain as any LosslessStringConvertible.Type: plain.init(text)
            default: try type.init(from: self)
            }
        guard let value = known as? Value else { throw NotFlat() }
        return value
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NotFlat() }
    func container<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> { throw NotFlat() }
}

/// The type is not flat, which a query must be.
private struct NotFlat: Error {}

extension QueryField {
    fileprivate func admits(_ value: Any) -> Bool {
        switch value {
        case let number as Int: admits(Double(number))
        case let number as Double: admits(number)
        case let text as String: admits(text)
        case let choice as any CaseIterable & Equatable: Self.isCase(choice)
        default: true
        }
    }

    /// False for a value of an open set that this release does not list, such as a language without texts.
    private static func isCase<Choice: CaseIterable & Equatable>(_ value: Choice) -> Bool {
        Choice.allCases.contains(value)
    }

    /// The sentence that says what the field accepts.
    fileprivate static func complaint(_ type: Any.Type, _ field: QueryField?) -> String {
        let limits =
            switch (field?.least, field?.most) {
            case (let least?, let most?): " from \(least) to \(most)"
            case (let least?, nil): " of at least \(least)"
            case (nil, let most?): " of at most \(most)"
            case (nil, nil): ""
            }
        return switch type {
        case is Int.Type: "Use a whole number\(limits)."
        case is Double.Type: "Use a number\(limits)."
        case is Bool.Type: "Use `true` or `false`."
        case is String.Type:
            "Use \(field?.least ?? 0) to \(field?.most.map(String.init) ?? "any number of") characters."
        case let written as any WrittenForm.Type: written.form
        case let choice as any CaseIterable.Type: "Use one of \(names(choice))."
        default: "This value can't be read."
        }
    }

    private static func names<Choice: CaseIterable>(_ type: Choice.Type) -> String {
        type.allCases.map { ($0 as? any RawRepresentable)?.rawValue as? String ?? "\($0)" }
            .joined(separator: ", ")
    }
}
