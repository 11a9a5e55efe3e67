internal import GRDB

/// What went wrong in the database, by what the caller can do about it. Never holds a stored value.
public struct StoreError: Error, Sendable, Hashable {
    public enum Kind: String, Sendable {
        /// Another row has this value already.
        case uniqueViolation
        case foreignKeyViolation
        /// A `CHECK` or `NOT NULL` constraint.
        case checkViolation
        /// Somebody else holds the database, or too many wait for it: try again later.
        case busy
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

extension StoreError {
    init(_ error: DatabaseError) {
        let kind: Kind =
            switch error.extendedResultCode {
            case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY: .uniqueViolation
            case .SQLITE_CONSTRAINT_FOREIGNKEY: .foreignKeyViolation
            case .SQLITE_CONSTRAINT_CHECK, .SQLITE_CONSTRAINT_NOTNULL: .checkViolation
            default:
                switch error.resultCode {
                case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
                case .SQLITE_FULL: .full
                default: .other
                }
            }
        self.init(kind, error.message ?? "SQLite error \(error.extendedResultCode.rawValue)")
    }

    /// SQLite's errors as ours; the caller's own errors as they are.
    static func translate(_ error: any Error) -> any Error {
        (error as? DatabaseError).map { StoreError($0) } ?? error
    }
}

/// Runs `body` and lets no error of the library below out.
func translatingErrors<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch { throw StoreError.translate(error) }
}
