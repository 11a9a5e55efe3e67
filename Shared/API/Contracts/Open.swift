/// A value of an enum that may grow, as another service has written it: one that this build does not know is kept
/// as it came, so that nothing is lost while releases are mixed.
///
/// It stands in events and in what is copied from them. What a client sends is the enum itself, and refused when it
/// is unknown.
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

    /// Nil for what this build does not know.
    public var known: Known? {
        switch self {
        case .known(let value): value
        case .unknown: nil
        }
    }

    /// Throws for what this build does not know: the event means nothing to who needs the value.
    public func required(_ field: String) throws(UnknownValue) -> Known {
        guard let known else { throw UnknownValue(field: field, value: rawValue) }
        return known
    }

    public static func == (one: Self, other: Known) -> Bool { one.known == other }
    public static func != (one: Self, other: Known) -> Bool { one.known != other }
}

/// An event has a value that the reader does not know and can't do without: it is left alone, and counted.
public struct UnknownValue: Error, Hashable {
    public let field: String
    public let value: String

    public init(field: String, value: String) {
        self.field = field
        self.value = value
    }
}
