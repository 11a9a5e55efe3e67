/// What went wrong in the database, by what the caller can do about it. Never holds a stored value.
public struct StoreError: Error, Sendable, Hashable {
    public enum Kind: String, Sendable {
        /// Another row has this value already.
        case uniqueViolation
        case foreignKeyViolation
        /// A `CHECK` or `NOT NULL` constraint.
        case checkViolation
        /// Others changed the same at the same time, in each of several tries: nothing was done.
        case conflict
        /// Somebody else holds the database, or too many wait for it: try again later.
        case busy
        /// The database can't be reached, or was lost before the commit: nothing was done.
        case unavailable
        /// The database was lost in the commit: whether it was done is not known.
        case outcomeUnknown
        /// The disk is full.
        case full
        /// A column is missing, null, or not what was asked for.
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

/// Somebody else changed the row between its reading and this writing: thrown inside of
/// `Database.write`, it runs the transaction again.
public struct LostRace: Error {
    public init() {}
}
