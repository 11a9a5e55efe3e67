import Foundation

/// Somebody with whom one wants nothing to do: item of `GET /v1/me/blocks`.
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

/// Somebody wants nothing to do with somebody any more, or again. Products show neither to the other, and bring
/// them together no more.
public struct PersonBlocked: Event {
    public static let type = "accounts.person-blocked.v1"
    public static let topic = Topic.accounts
    public var by: PersonID
    public var person: PersonID
    public var isBlocked: Bool
    /// Grows with each change of what `by` has blocked; gaps mean nothing.
    public var version: Int
    public var changedAt: Date
    public var key: String { by.description }

    public init(by: PersonID, person: PersonID, isBlocked: Bool, version: Int, changedAt: Date) {
        self.by = by
        self.person = person
        self.isBlocked = isBlocked
        self.version = version
        self.changedAt = changedAt
    }
}
