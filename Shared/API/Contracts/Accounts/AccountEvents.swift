import Foundation

extension Topic {
    public static let accounts: Topic = "accounts"
}

/// An account was made or changed. It has everything of which other services store a copy.
public struct AccountChanged: StateEvent {
    public static let type = "accounts.account-changed.v1"
    public static let topic = Topic.accounts
    /// The account without `email`, `emailVerified` and `address`, which are null here.
    public var account: Account
    /// Whether a valet may not work at present. False for everybody else.
    public var suspended: Bool
    /// Grows by one with each change.
    public var version: Int
    /// Id of the profile picture, if there is one. `account.photoURL` is null here, since addresses
    /// expire.
    public var photo: PictureID?
    /// The confirmed e-mail address, for mails such as receipts; sealed, so that the bus does not
    /// tell it. Absent without one.
    public var sealedEmail: String?
    public var key: String { account.id.description }
    public var marks: [StateMark] {
        let sets: [StateSet] = account.roles.contains(.valet) ? [.people, .valets] : [.people]
        return sets.map { StateMark($0, account.id, version: version) }
    }

    public init(
        account: Account, suspended: Bool, version: Int, photo: PictureID? = nil,
        sealedEmail: String? = nil
    ) {
        self.account = account.shared
        self.sealedEmail = sealedEmail
        self.suspended = suspended
        self.version = version
        self.photo = photo
    }
}

/// A person deleted their account. Every service deletes what it holds on them, except what the law
/// requires it to keep, which it stores without the name.
public struct AccountDeleted: StateEvent {
    public static let type = "accounts.account-deleted.v1"
    public static let topic = Topic.accounts
    public var account: PersonID
    public var role: Open<Role>
    /// The account's last version. Discard copies of earlier versions, including any that arrive
    /// later.
    public var version: Int
    public var deletedAt: Date
    public var key: String { account.description }
    public var marks: [StateMark] { [StateMark(.deletedPeople, account, version: version)] }

    public init(account: PersonID, role: Role, version: Int, deletedAt: Date) {
        self.account = account
        self.role = .known(role)
        self.version = version
        self.deletedAt = deletedAt
    }
}

/// Sign-ins of a person ended, for example by signing out, a new password, suspension or expiry.
/// Data set up only for their devices, such as push subscriptions, is removed with them.
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

/// A vehicle was added, changed or removed.
public struct VehicleChanged: StateEvent {
    public static let type = "accounts.vehicle-changed.v1"
    public static let topic = Topic.accounts
    public var owner: CustomerID
    public var vehicle: Vehicle
    public var removed: Bool
    public var version: Int
    public var key: String { owner.description }
    public var marks: [StateMark] { [StateMark(.vehicles, vehicle.id, version: version)] }

    public init(owner: CustomerID, vehicle: Vehicle, removed: Bool, version: Int) {
        self.owner = owner
        self.vehicle = vehicle
        self.removed = removed
        self.version = version
    }
}

/// A text message or a mail with a secret in it is to be sent. Only notifications can open
/// `sealed`.
public struct CodeRequested: Event {
    /// Purpose of a code: verifying a phone number or an e-mail address, resetting the password, or
    /// proving a second factor.
    public enum Purpose: String, CaseIterable, Codable, Sendable {
        case verification, passwordReset, secondFactor
    }

    public static let type = "accounts.code-requested.v1"
    public static let topic = Topic.accounts
    public var account: PersonID
    public var purpose: Open<Purpose>
    public var language: Language
    /// Phone number or e-mail address, and the code, as JSON, sealed with AES-GCM, in base64.
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

/// The content of `CodeRequested.sealed`: a phone number or an e-mail address, and the code for it.
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
