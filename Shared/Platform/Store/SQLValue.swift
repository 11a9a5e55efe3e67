import Foundation

/// A value of a column.
public enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)
}

/// A type that can be stored in a column.
public protocol SQLConvertible: Sendable {
    var sqlValue: SQLValue { get }
    /// Nil if the value does not fit this type.
    init?(sqlValue: SQLValue)
}

extension SQLValue: SQLConvertible {
    public var sqlValue: SQLValue { self }
    public init?(sqlValue: SQLValue) { self = sqlValue }
}

extension Int64: SQLConvertible {
    public var sqlValue: SQLValue { .integer(self) }

    public init?(sqlValue: SQLValue) {
        guard case .integer(let value) = sqlValue else { return nil }
        self = value
    }
}

extension Int: SQLConvertible {
    public var sqlValue: SQLValue { .integer(Int64(self)) }

    public init?(sqlValue: SQLValue) {
        guard case .integer(let value) = sqlValue else { return nil }
        self.init(exactly: value)
    }
}

extension Double: SQLConvertible {
    public var sqlValue: SQLValue { .real(self) }

    public init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .real(let value): self = value
        case .integer(let value): self = Double(value)
        case .null, .text, .blob: return nil
        }
    }
}

/// 0 or 1 in a BIGINT column.
extension Bool: SQLConvertible {
    public var sqlValue: SQLValue { .integer(self ? 1 : 0) }

    public init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .integer(0): self = false
        case .integer(1): self = true
        case .integer, .null, .real, .text, .blob: return nil
        }
    }
}

extension String: SQLConvertible {
    public var sqlValue: SQLValue { .text(self) }

    public init?(sqlValue: SQLValue) {
        guard case .text(let value) = sqlValue else { return nil }
        self = value
    }
}

extension Data: SQLConvertible {
    public var sqlValue: SQLValue { .blob(self) }

    public init?(sqlValue: SQLValue) {
        guard case .blob(let value) = sqlValue else { return nil }
        self = value
    }
}

/// Microseconds since 1970 in a BIGINT column: exact, sortable, and the precision of PostgreSQL.
extension Date: SQLConvertible {
    private static let microsecondsPerSecond = 1_000_000.0

    public var sqlValue: SQLValue { .integer(microseconds) }

    public var microseconds: Int64 {
        let microseconds = (timeIntervalSince1970 * Self.microsecondsPerSecond).rounded()
        return Int64(exactly: microseconds) ?? (microseconds < 0 ? .min : .max)
    }

    public init?(sqlValue: SQLValue) {
        guard case .integer(let microseconds) = sqlValue else { return nil }
        self.init(timeIntervalSince1970: Double(microseconds) / Self.microsecondsPerSecond)
    }
}

/// An enum of strings or integers opts in with an empty extension.
extension SQLConvertible where Self: RawRepresentable, RawValue: SQLConvertible {
    public var sqlValue: SQLValue { rawValue.sqlValue }

    public init?(sqlValue: SQLValue) {
        guard let raw = RawValue(sqlValue: sqlValue) else { return nil }
        self.init(rawValue: raw)
    }
}
