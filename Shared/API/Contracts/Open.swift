/// A value of an enum that may gain cases. A value that this build does not know is stored unchanged, so that nothing
/// is lost while releases are mixed.
///
/// Used in events and in copies of their data. Requests of clients have the enum itself, so an unknown value is
/// refused.
public enum Open<Known>: RawRepresentable, Codable, Hashable, Sendable
where Known: RawRepresentable<String> & Hashable & Sendable {
    case known(Known)
    case unknown(String)

    public init(_ value: Known) { self = .known(value) }

    public init(rawValue: String) {
        self = Known(rawValue: rawValue).map(Self.known) ?? .unknown(rawValue)
    }

    public var rawValue: String {
        switch self {
        case .known(let value): value.rawValue
        case .unknown(let text): text
        }
    }

    /// Nil for a value that this build does not know.
    public var known: Known? {
        switch self {
        case .known(let value): value
        case .unknown: nil
        }
    }

    /// Throws for a value that this build does not know, for readers that can't do without it.
    public func required(_ field: String) throws(UnknownValue) -> Known {
        guard let known else { throw UnknownValue(field: field, value: rawValue) }
        return known
    }

    public static func == (one: Self, other: Known) -> Bool { one.known == other }
    public static func != (one: Self, other: Known) -> Bool { one.known != other }
}

/// An event has a value that the reader does not know and can't do without. The event is skipped and counted.
public struct UnknownValue: Error, Hashable {
    public let field: String
    public let value: String

    public init(field: String, value: String) {
        self.field = field
        self.value = value
    }
}
