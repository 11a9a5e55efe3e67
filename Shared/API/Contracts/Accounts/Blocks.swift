import Foundation

/// A person whom the caller has blocked.
public struct BlockedPerson: Codable, Sendable, Hashable {
    public var person: PersonID
    public var firstName: String
    public var createdAt: Date

    public init(person: PersonID, firstName: String, createdAt: Date) {
        self.person = person
        self.firstName = firstName
        self.createdAt = createdAt
    }
}

/// A person blocked another, or removed the block. While it lasts, products hide each from the
/// other and arrange nothing new between them.
public struct PersonBlocked: StateEvent {
    public static let type = "accounts.person-blocked.v1"
    public static let topic = Topic.accounts
    public var by: PersonID
    public var person: PersonID
    public var isBlocked: Bool
    /// Grows with each change of the blocks of `by`. Gaps have no meaning.
    public var version: Int
    public var changedAt: Date
    public var key: String { by.description }
    public var marks: [StateMark] {
        isBlocked ? [StateMark(.blocks, "\(by)/\(person)", version: version)] : []
    }

    public init(by: PersonID, person: PersonID, isBlocked: Bool, version: Int, changedAt: Date) {
        self.by = by
        self.person = person
        self.isBlocked = isBlocked
        self.version = version
        self.changedAt = changedAt
    }
}
