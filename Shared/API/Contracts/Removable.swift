/// A field of a JSON Merge Patch (RFC 7396) that can be removed: nil if it is absent, which changes nothing, and a nil
/// inside it if it is `null`.
@propertyWrapper
public struct Removable<Value: Codable & Sendable & Hashable>: Codable, Sendable, Hashable {
    public var wrappedValue: Value??

    public init() { wrappedValue = nil }

    public init(wrappedValue: Value??) { self.wrappedValue = wrappedValue }

    public init(from decoder: any Decoder) throws {
        wrappedValue = .some(try decoder.singleValueContainer().decode(Value.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue ?? nil)
    }
}

extension KeyedDecodingContainer {
    public func decode<Value>(
        _ type: Removable<Value>.Type, forKey key: Key
    ) throws -> Removable<Value> {
        if let found = try decodeIfPresent(type, forKey: key) { return found }
        return Removable(wrappedValue: contains(key) ? .some(nil) : nil)
    }
}

extension KeyedEncodingContainer {
    public mutating func encode<Value>(_ field: Removable<Value>, forKey key: Key) throws {
        guard let value = field.wrappedValue else { return }
        try encodeIfPresent(value, forKey: key)
        if value == nil { try encodeNil(forKey: key) }
    }
}
