/// A database error, classified by what the caller can do about it. It never contains a stored value.
public struct StoreError: Error, Sendable, Hashable {
    public enum Kind: String, Sendable {
        /// Another row has this value already.
        case uniqueViolation
        case foreignKeyViolation
        /// A `CHECK` or `NOT NULL` constraint.
        case checkViolation
        /// Other transactions changed the same data in each of several tries: nothing was done.
        case conflict
        /// Another process has locked the database, or too many are waiting: try again later.
        case busy
        /// The database is unreachable, or was lost before the commit: nothing was done.
        case unavailable
        /// The connection was lost during the commit: it is unknown whether it was done.
        case outcomeUnknown
        /// The disk is full.
        case full
        /// A column is missing, null or of another type.
        case decoding
        case other
    }

    public let kind: Kind
    /// Names of tables and columns, for a developer.
    public let message: String

    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}

extension StoreError: CustomStringConvertible {
    public var description: String { "\(kind.rawValue): \(message)" }
}

/// The row was changed between reading and writing it. Thrown inside `Database.write`, it runs the transaction again.
public struct LostRace: Error {
    public init() {}
}
