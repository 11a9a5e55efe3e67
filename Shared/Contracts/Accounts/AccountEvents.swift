import Foundation

extension Topic {
    public static let accounts: Topic = "accounts"
}

/// An account was made or changed; carries all that other services keep a copy of.
public struct AccountChanged: Event {
    public static let type = "accounts.account-changed.v1"
    public static let topic = Topic.accounts
    /// Without `email`, `emailVerified` and `address`, which are nobody else's.
    public var account: Account
    /// Valets only: may not work as one at present.
    public var suspended: Bool
    /// Grows by one with each change.
    public var version: Int
    /// Of the profile picture; `account.photoURL` is always null here, since addresses expire.
    public var photo: PictureID?
    public var key: String { account.id.description }

    public init(account: Account, suspended: Bool, version: Int, photo: PictureID? = nil) {
        self.account = account.shared
        self.suspended = suspended
        self.version = version
        self.photo = photo
    }
}

/// Somebody deleted their account: every service forgets what it holds on them, but for what the
/// law makes it keep, which loses the name.
public struct AccountDeleted: Event {
    public static let type = "accounts.account-deleted.v1"
    public static let topic = Topic.accounts
    public var account: PersonID
    public var role: Open<Role>
    /// The account's last version: copies of a smaller one are gone for good.
    public var version: Int
    public var deletedAt: Date
    public var key: String { account.description }

    public init(account: PersonID, role: Role, version: Int, deletedAt: Date) {
        self.account = account
        self.role = .known(role)
        self.version = version
        self.deletedAt = deletedAt
    }
}

/// Sign-ins of a person ended: by signing out, by a new password, by suspension, or by their age. What
/// was set up for their devices alone, as pushes are, ends with them.
public struct SessionsEnded: Event {
    public static let type = "accounts.sessions-ended.v1"
    public static let topic = Topic.accounts
    public var account: PersonID
    public var sessions: [SessionID]
    public var endedAt: Date
    public var key: String { account.description }

    public init(account: PersonID, sessions: [SessionID], endedAt: Date) {
        self.account = account
        self.sessions = sessions
        self.endedAt = endedAt
    }
}

public struct VehicleChanged: Event {
    public static let type = "accounts.vehicle-changed.v1"
    public static let topic = Topic.accounts
    public var owner: CustomerID
    public var vehicle: Vehicle
    public var removed: Bool
    public var version: Int
    public var key: String { owner.description }

    public init(owner: CustomerID, vehicle: Vehicle, removed: Bool, version: Int) {
        self.owner = owner
        self.vehicle = vehicle
        self.removed = removed
        self.version = version
    }
}

/// A text message or a mail with a secret in it is to be sent. Only notifications can open `sealed`.
public struct CodeRequested: Event {
    public enum Purpose: String, Codable, Sendable {
        case verification, passwordReset, secondFactor
    }

    public static let type = "accounts.code-requested.v1"
    public static let topic = Topic.accounts
    public var account: PersonID
    public var purpose: Open<Purpose>
    public var language: Language
    /// `CodeSecret` as JSON, sealed with AES-GCM, in base64.
    public var sealed: String
    public var expiresAt: Date
    public var key: String { account.description }

    public init(
        account: PersonID, purpose: Purpose, language: Language, sealed: String, expiresAt: Date
    ) {
        self.account = account
        self.purpose = .known(purpose)
        self.language = language
        self.sealed = sealed
        self.expiresAt = expiresAt
    }
}

/// What `CodeRequested.sealed` holds: where the code goes, either to a phone or by mail.
public struct CodeSecret: Codable, Sendable, Hashable {
    public var phone: String?
    public var email: String?
    public var code: String

    public init(phone: String? = nil, email: String? = nil, code: String) {
        self.phone = phone
        self.email = email
        self.code = code
    }
}
