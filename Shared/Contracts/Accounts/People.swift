import Foundation

/// A person with an account, as they see themselves.
public struct Account: Codable, Sendable, Hashable {
    public var id: PersonID
    /// The most privileged of `roles`.
    public private(set) var role: Open<Role>
    public var roles: Roles { didSet { role = roles.highest } }
    public var firstName: String
    public var lastName: String
    /// E.164; empty for who has none.
    public var phone: String
    public var phoneVerified: Bool
    @Nullable public var email: String?
    /// Null without an e-mail address.
    @Nullable public var emailVerified: Bool?
    @Nullable public var address: PostalAddress?
    public var language: Language
    @Nullable public var photoURL: String?
    public var createdAt: Date

    public init(
        id: PersonID, roles: Roles, firstName: String, lastName: String, phone: String,
        phoneVerified: Bool, language: Language, createdAt: Date
    ) {
        self.id = id
        self.role = roles.highest
        self.roles = roles
        self.firstName = firstName
        self.lastName = lastName
        self.phone = phone
        self.phoneVerified = phoneVerified
        self.language = language
        self.createdAt = createdAt
        self.email = nil
        self.emailVerified = nil
        self.address = nil
        self.photoURL = nil
    }

    /// Without what only accounts and the person need to know: so it goes into events.
    public var shared: Account {
        var account = self
        account.email = nil
        account.emailVerified = nil
        account.address = nil
        return account
    }
}

/// Where somebody lives, or gets letters.
public struct PostalAddress: Codable, Sendable, Hashable {
    /// With the number of the house.
    public var street: String
    @Nullable public var postalCode: String?
    public var city: String
    /// ISO 3166-1 alpha-2.
    public var country: String

    public init(street: String, postalCode: String? = nil, city: String, country: String) {
        self.street = street
        self.postalCode = postalCode
        self.city = city
        self.country = country
    }
}

/// With a phone number, an e-mail address, or both.
public struct SignUpBody: Codable, Sendable {
    public var firstName: String
    public var lastName: String
    public var phone: String?
    public var email: String?
    public var password: String
    public var language: Language?

    public init(
        firstName: String, lastName: String, phone: String? = nil, email: String? = nil,
        password: String, language: Language? = nil
    ) {
        self.firstName = firstName
        self.lastName = lastName
        self.phone = phone
        self.email = email
        self.password = password
        self.language = language
    }
}

/// Access token (JWT, ES256) and the refresh token that gets the next one.
public struct Tokens: Codable, Sendable, Hashable {
    public var accessToken: String
    public var refreshToken: String
    /// Life of the access token.
    public var expiresInSeconds: Int

    public init(accessToken: String, refreshToken: String, expiresInSeconds: Int) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresInSeconds = expiresInSeconds
    }
}

/// An answer with which somebody is signed in.
public protocol HasTokens {
    var accessToken: String { get }
    var refreshToken: String { get }
    var expiresInSeconds: Int { get }
}

extension HasTokens {
    public var tokens: Tokens {
        Tokens(
            accessToken: accessToken, refreshToken: refreshToken,
            expiresInSeconds: expiresInSeconds)
    }
}

/// Answer of `POST /v1/customers`.
public struct SignedUp: Codable, Sendable, HasTokens {
    public var customer: Account
    public var accessToken: String
    public var refreshToken: String
    public var expiresInSeconds: Int

    public init(customer: Account, tokens: Tokens) {
        self.customer = customer
        accessToken = tokens.accessToken
        refreshToken = tokens.refreshToken
        expiresInSeconds = tokens.expiresInSeconds
    }
}

/// Answer of `POST /v1/sessions`.
public struct SignedIn: Codable, Sendable, HasTokens {
    public var account: Account
    public var accessToken: String
    public var refreshToken: String
    public var expiresInSeconds: Int

    public init(account: Account, tokens: Tokens) {
        self.account = account
        accessToken = tokens.accessToken
        refreshToken = tokens.refreshToken
        expiresInSeconds = tokens.expiresInSeconds
    }
}

/// Phone number or e-mail address, either of them.
public struct SignInBody: Codable, Sendable {
    public var phone: String?
    public var email: String?
    public var password: String

    public init(phone: String? = nil, email: String? = nil, password: String) {
        self.phone = phone
        self.email = email
        self.password = password
    }
}

public struct RefreshBody: Codable, Sendable {
    public var refreshToken: String
    public init(refreshToken: String) { self.refreshToken = refreshToken }
}

/// What somebody is reached by: a phone number or an e-mail address.
public struct ContactBody: Codable, Sendable {
    public var phone: String?
    public var email: String?

    public init(phone: String? = nil, email: String? = nil) {
        self.phone = phone
        self.email = email
    }
}

public struct ConfirmCodeBody: Codable, Sendable {
    public var phone: String?
    public var email: String?
    public var code: String

    public init(phone: String? = nil, email: String? = nil, code: String) {
        self.phone = phone
        self.email = email
        self.code = code
    }
}

/// What becomes one's own, with the code that came there: body of `PUT /v1/me/contacts`.
public struct ContactChangeBody: Codable, Sendable {
    public var phone: String?
    public var email: String?
    public var code: String
    public var password: String

    public init(phone: String? = nil, email: String? = nil, code: String, password: String) {
        self.phone = phone
        self.email = email
        self.code = code
        self.password = password
    }
}

/// Which of one's own goes: body of `POST /v1/me/contacts/removal`.
public struct ContactRemovalBody: Codable, Sendable {
    public var phone: String?
    public var email: String?
    public var password: String

    public init(phone: String? = nil, email: String? = nil, password: String) {
        self.phone = phone
        self.email = email
        self.password = password
    }
}

/// Absent fields stay as they are.
public struct ProfileChange: Codable, Sendable {
    public var firstName: String?
    public var lastName: String?
    public var language: Language?

    public init(firstName: String? = nil, lastName: String? = nil, language: Language? = nil) {
        self.firstName = firstName
        self.lastName = lastName
        self.language = language
    }
}

/// A customer's vehicle.
public struct Vehicle: Codable, Sendable, Hashable {
    public var id: VehicleID
    public var plate: String
    public var make: String
    public var model: String
    public var colour: String

    public init(id: VehicleID, plate: String, make: String, model: String, colour: String) {
        self.id = id
        self.plate = plate
        self.make = make
        self.model = model
        self.colour = colour
    }
}

/// A vehicle as it is described: added by a customer, or confirmed by the valet who parked it.
public struct VehicleDescription: Codable, Sendable, Hashable {
    public var plate: String
    public var make: String
    public var model: String
    public var colour: String

    public init(plate: String, make: String, model: String, colour: String) {
        self.plate = plate
        self.make = make
        self.model = model
        self.colour = colour
    }
}

/// Absent fields stay as they are.
public struct VehicleChange: Codable, Sendable {
    public var plate: String?
    public var make: String?
    public var model: String?
    public var colour: String?

    public init(
        plate: String? = nil, make: String? = nil, model: String? = nil, colour: String? = nil
    ) {
        self.plate = plate
        self.make = make
        self.model = model
        self.colour = colour
    }
}

public struct NewValetBody: Codable, Sendable {
    public var firstName: String
    public var lastName: String
    public var phone: String
    public var password: String
    public var language: Language?

    public init(
        firstName: String, lastName: String, phone: String, password: String,
        language: Language? = nil
    ) {
        self.firstName = firstName
        self.lastName = lastName
        self.phone = phone
        self.password = password
        self.language = language
    }
}

public struct ValetChange: Codable, Sendable {
    public var suspended: Bool
    public init(suspended: Bool) { self.suspended = suspended }
}

/// A valet as an operator sees them. Status and position are absent while location is away.
public struct ValetRecord: Codable, Sendable, Hashable {
    public var id: ValetID
    public var firstName: String
    public var lastName: String
    public var phone: String
    public var suspended: Bool
    @Nullable public var status: ValetStatus?
    @Nullable public var position: Place?
    @Nullable public var positionAgeSeconds: Double?
    public var createdAt: Date

    public init(
        id: ValetID, firstName: String, lastName: String, phone: String, suspended: Bool,
        createdAt: Date
    ) {
        self.id = id
        self.firstName = firstName
        self.lastName = lastName
        self.phone = phone
        self.suspended = suspended
        self.createdAt = createdAt
        self.status = nil
        self.position = nil
        self.positionAgeSeconds = nil
    }
}

public struct ResetConfirmBody: Codable, Sendable {
    public var phone: String?
    public var email: String?
    public var code: String
    public var newPassword: String

    public init(phone: String? = nil, email: String? = nil, code: String, newPassword: String) {
        self.phone = phone
        self.email = email
        self.code = code
        self.newPassword = newPassword
    }
}

public struct PasswordChangeBody: Codable, Sendable {
    public var currentPassword: String
    public var newPassword: String

    public init(currentPassword: String, newPassword: String) {
        self.currentPassword = currentPassword
        self.newPassword = newPassword
    }
}

/// Proves that it is the person: body of `POST /v1/me/deletion`.
public struct DeletionBody: Codable, Sendable {
    public var password: String
    public init(password: String) { self.password = password }
}

/// Where somebody is signed in: item of `GET /v1/me/sessions`.
public struct SessionRecord: Codable, Sendable, Hashable {
    public var id: SessionID
    /// What the client calls itself.
    @Nullable public var userAgent: String?
    public var createdAt: Date
    public var lastUsedAt: Date
    /// The one that asks.
    public var isCurrent: Bool

    public init(
        id: SessionID, userAgent: String?, createdAt: Date, lastUsedAt: Date, isCurrent: Bool
    ) {
        self.id = id
        self.userAgent = userAgent
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.isCurrent = isCurrent
    }
}

/// Answer of `PUT /v1/me/photo`: a signed address that expires.
public struct PhotoAnswer: Codable, Sendable, Hashable {
    public var photoURL: String
    public init(photoURL: String) { self.photoURL = photoURL }
}
