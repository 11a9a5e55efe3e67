import Foundation

/// A person's account, as they see it themselves.
public struct Account: Codable, Sendable, Hashable {
    public var id: PersonID
    /// The most privileged of `roles`: operator, valet, customer.
    public private(set) var role: Open<Role>
    /// All roles of the account, sorted by name.
    public var roles: Roles { didSet { role = roles.highest } }
    public var firstName: String
    public var lastName: String
    /// The phone number in E.164, for example +85251234567. Empty for people without one.
    public var phone: String
    public var phoneVerified: Bool
    /// The e-mail address in lower case.
    @Nullable public var email: String?
    /// Whether the e-mail address is confirmed. Null without an address.
    @Nullable public var emailVerified: Bool?
    @Nullable public var address: PostalAddress?
    public var language: Language
    /// Address of the profile picture, relative to the gateway. It expires after a few minutes.
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

    /// A copy for events, without what only the accounts service and the person need to know.
    public var shared: Account {
        var account = self
        account.email = nil
        account.emailVerified = nil
        account.address = nil
        return account
    }
}

/// A postal address.
public struct PostalAddress: Codable, Sendable, Hashable {
    /// Street and number.
    public var street: String
    @Nullable public var postalCode: String?
    public var city: String
    /// Country code, ISO 3166-1 alpha-2.
    public var country: String

    public init(street: String, postalCode: String? = nil, city: String, country: String) {
        self.street = street
        self.postalCode = postalCode
        self.city = city
        self.country = country
    }
}

/// A new customer, with a phone number, an e-mail address, or both.
public struct SignUpBody: Codable, Sendable, HasContact {
    public var firstName: String
    public var lastName: String
    /// A phone number, for example +85251234567. Without a country code it is a number of `country`.
    public var phone: String?
    /// Country of a phone number without country code: ISO 3166-1 alpha-2, for example FI.
    public var country: String?
    public var email: String?
    /// 10 to 128 characters. Common passwords, simple repetitions and sequences are refused, as are
    /// passwords that contain the phone number or the name of the e-mail address.
    public var password: String
    /// Language of messages to the person; defaults to English.
    public var language: Language?

    public init(
        firstName: String, lastName: String, phone: String? = nil, country: String? = nil,
        email: String? = nil,
        password: String, language: Language? = nil
    ) {
        self.firstName = firstName
        self.lastName = lastName
        self.phone = phone
        self.country = country
        self.email = email
        self.password = password
        self.language = language
    }
}

/// An access token, and the refresh token that renews it.
public struct Tokens: Codable, Sendable, Hashable {
    /// A JWT, signed with ES256.
    public var accessToken: String
    /// Renews the tokens once.
    public var refreshToken: String
    /// Lifetime of the access token.
    public var expiresInSeconds: Int

    public init(accessToken: String, refreshToken: String, expiresInSeconds: Int) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresInSeconds = expiresInSeconds
    }
}

/// An answer that signs a person in.
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

/// A new account, signed in.
public struct SignedUp: Codable, Sendable, HasTokens {
    public var customer: Account
    /// A JWT, signed with ES256.
    public var accessToken: String
    /// Renews the tokens once.
    public var refreshToken: String
    /// Lifetime of the access token.
    public var expiresInSeconds: Int

    public init(customer: Account, tokens: Tokens) {
        self.customer = customer
        accessToken = tokens.accessToken
        refreshToken = tokens.refreshToken
        expiresInSeconds = tokens.expiresInSeconds
    }
}

/// An account, signed in.
public struct SignedIn: Codable, Sendable, HasTokens {
    public var account: Account
    /// A JWT, signed with ES256.
    public var accessToken: String
    /// Renews the tokens once.
    public var refreshToken: String
    /// Lifetime of the access token.
    public var expiresInSeconds: Int

    public init(account: Account, tokens: Tokens) {
        self.account = account
        accessToken = tokens.accessToken
        refreshToken = tokens.refreshToken
        expiresInSeconds = tokens.expiresInSeconds
    }
}

/// A body that names a person by a phone number or an e-mail address.
public protocol HasContact {
    var phone: String? { get }
    var country: String? { get }
    var email: String? { get }
}

/// A phone number or an e-mail address, and the password.
public struct SignInBody: Codable, Sendable, HasContact {
    /// A phone number, for example +85251234567. Without a country code it is a number of `country`.
    public var phone: String?
    /// Country of a phone number without country code: ISO 3166-1 alpha-2, for example FI.
    public var country: String?
    public var email: String?
    public var password: String

    public init(
        phone: String? = nil, country: String? = nil, email: String? = nil, password: String
    ) {
        self.phone = phone
        self.country = country
        self.email = email
        self.password = password
    }
}

/// The latest refresh token.
public struct RefreshBody: Codable, Sendable {
    public var refreshToken: String
    public init(refreshToken: String) { self.refreshToken = refreshToken }
}

/// A phone number or an e-mail address.
public struct ContactBody: Codable, Sendable, HasContact {
    /// A phone number, for example +85251234567. Without a country code it is a number of `country`.
    public var phone: String?
    /// Country of a phone number without country code: ISO 3166-1 alpha-2, for example FI.
    public var country: String?
    public var email: String?

    public init(phone: String? = nil, country: String? = nil, email: String? = nil) {
        self.phone = phone
        self.country = country
        self.email = email
    }
}

/// The code from the text message or mail.
public struct ConfirmCodeBody: Codable, Sendable, HasContact {
    /// A phone number, for example +85251234567. Without a country code it is a number of `country`.
    public var phone: String?
    /// Country of a phone number without country code: ISO 3166-1 alpha-2, for example FI.
    public var country: String?
    public var email: String?
    public var code: String

    public init(phone: String? = nil, country: String? = nil, email: String? = nil, code: String) {
        self.phone = phone
        self.country = country
        self.email = email
        self.code = code
    }
}

/// A new phone number or e-mail address, the code that was sent there, and the password.
public struct ContactChangeBody: Codable, Sendable, HasContact {
    /// A phone number, for example +85251234567. Without a country code it is a number of `country`.
    public var phone: String?
    /// Country of a phone number without country code: ISO 3166-1 alpha-2, for example FI.
    public var country: String?
    public var email: String?
    public var code: String
    public var password: String

    public init(
        phone: String? = nil, country: String? = nil, email: String? = nil, code: String,
        password: String
    ) {
        self.phone = phone
        self.country = country
        self.email = email
        self.code = code
        self.password = password
    }
}

/// The phone number or e-mail address to remove, and the password.
public struct ContactRemovalBody: Codable, Sendable, HasContact {
    /// A phone number, for example +85251234567. Without a country code it is a number of `country`.
    public var phone: String?
    /// Country of a phone number without country code: ISO 3166-1 alpha-2, for example FI.
    public var country: String?
    public var email: String?
    public var password: String

    public init(
        phone: String? = nil, country: String? = nil, email: String? = nil, password: String
    ) {
        self.phone = phone
        self.country = country
        self.email = email
        self.password = password
    }
}

/// Changes to a profile. Absent fields stay as they are.
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
    /// Maximum length of a plate as it is typed or read, in characters.
    public static let longestPlate = 20

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

/// A vehicle, as a customer added it or the valet who parked it confirmed it.
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

/// Changes to a vehicle. Absent fields stay as they are.
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

/// A new valet.
public struct NewValetBody: Codable, Sendable {
    public var firstName: String
    public var lastName: String
    /// A phone number, for example +85251234567. Without a country code it is a number of `country`.
    public var phone: String
    /// Country of a phone number without country code: ISO 3166-1 alpha-2, for example FI.
    public var country: String?
    /// 10 to 128 characters. Common passwords, simple repetitions and sequences are refused, as are
    /// passwords that contain the phone number or the name of the e-mail address.
    public var password: String
    /// Language of messages to the valet; defaults to English.
    public var language: Language?

    public init(
        firstName: String, lastName: String, phone: String, country: String? = nil,
        password: String,
        language: Language? = nil
    ) {
        self.firstName = firstName
        self.lastName = lastName
        self.phone = phone
        self.country = country
        self.password = password
        self.language = language
    }
}

/// Whether a valet may work.
public struct ValetChange: Codable, Sendable {
    public var suspended: Bool
    public init(suspended: Bool) { self.suspended = suspended }
}

/// A valet, as operators see them. Status and position are null while the location service is away.
public struct ValetRecord: Codable, Sendable, Hashable {
    public var id: ValetID
    public var firstName: String
    public var lastName: String
    /// The phone number in E.164, for example +85251234567.
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

/// The code from the text message or mail, and the new password.
public struct ResetConfirmBody: Codable, Sendable, HasContact {
    /// A phone number, for example +85251234567. Without a country code it is a number of `country`.
    public var phone: String?
    /// Country of a phone number without country code: ISO 3166-1 alpha-2, for example FI.
    public var country: String?
    public var email: String?
    public var code: String
    public var newPassword: String

    public init(
        phone: String? = nil, country: String? = nil, email: String? = nil, code: String,
        newPassword: String
    ) {
        self.phone = phone
        self.country = country
        self.email = email
        self.code = code
        self.newPassword = newPassword
    }
}

/// The current password and the new one.
public struct PasswordChangeBody: Codable, Sendable {
    public var currentPassword: String
    public var newPassword: String

    public init(currentPassword: String, newPassword: String) {
        self.currentPassword = currentPassword
        self.newPassword = newPassword
    }
}

/// Proves that the account's owner asks for its deletion.
public struct DeletionBody: Codable, Sendable {
    public var password: String
    public init(password: String) { self.password = password }
}

/// A device or program on which the account is signed in.
public struct SessionRecord: Codable, Sendable, Hashable {
    public var id: SessionID
    /// The client's own name for itself.
    @Nullable public var userAgent: String?
    public var createdAt: Date
    /// When its tokens were last renewed.
    public var lastUsedAt: Date
    /// Whether this is the session that asks.
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

/// The address of the new profile picture, signed and expiring.
public struct PhotoAnswer: Codable, Sendable, Hashable {
    /// Relative to the gateway.
    public var photoURL: String
    public init(photoURL: String) { self.photoURL = photoURL }
}
