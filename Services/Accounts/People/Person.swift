import Contracts
import Foundation
import ServiceKit

/// A person with an account, in one or more roles. Each change returns the event that announces it.
struct Person: Codable, Hashable, Sendable {
    static let nameLength = 1...80

    private(set) var account: Account
    /// Whether they are suspended as a valet.
    private(set) var suspended: Bool
    /// Increases by one with each change.
    private(set) var version: Int
    private(set) var photo: PictureID?
    /// The confirmed e-mail address as events tell it; absent without one, and in accounts that confirmed theirs to an
    /// earlier release.
    private(set) var sealedEmail: String?

    var id: PersonID { account.id }
    var roles: Roles { account.roles }

    var changed: AccountChanged {
        AccountChanged(
            account: account, suspended: suspended, version: version, photo: photo,
            sealedEmail: sealedEmail)
    }

    /// The details that a person gives at sign-up, already checked.
    struct Profile: Sendable {
        var firstName: String
        var lastName: String
        var phone: PhoneNumber?
        var email: EmailAddress?
        var language: Language
    }

    /// The contacts at which they are reached and with which they sign in: at least one.
    var contacts: [Contact] {
        [PhoneNumber(stored: account.phone).map(Contact.phone)].compactMap(\.self)
            + [account.email.flatMap(EmailAddress.init).map(Contact.email)].compactMap(\.self)
    }

    static func new(
        _ role: Role, _ profile: Profile, at now: Date
    ) -> (person: Person, event: AccountChanged) {
        var account = Account(
            id: .new(at: now), roles: Roles(role), firstName: profile.firstName,
            lastName: profile.lastName, phone: profile.phone?.description ?? "",
            phoneVerified: false, language: profile.language, createdAt: now)
        account.email = profile.email?.description
        account.emailVerified = profile.email.map { _ in false }
        let person = Person(account: account, suspended: false, version: 1)
        return (person, person.changed)
    }

    /// Nil if nothing changes.
    mutating func change(_ change: ProfileChange) -> AccountChanged? {
        edit { person in
            person.account.firstName = change.firstName ?? person.account.firstName
            person.account.lastName = change.lastName ?? person.account.lastName
            person.account.language = change.language ?? person.account.language
        }
    }

    func isVerified(_ contact: Contact) -> Bool {
        switch contact {
        case .phone: account.phoneVerified
        case .email: account.emailVerified == true
        }
    }

    /// Whether messages to this contact can be assumed to reach the person. Not so for an unverified contact if another
    /// one is verified.
    func isOpened(by contact: Contact) -> Bool {
        isVerified(contact) || !contacts.contains(where: isVerified)
    }

    /// Makes the contact theirs, and verified; nil if it already was.
    mutating func set(_ contact: Contact, sealedBy sealer: Sealer) throws -> AccountChanged? {
        switch contact {
        case .phone(let phone):
            return edit { person in
                person.account.phone = phone.description
                person.account.phoneVerified = true
            }
        case .email(let email):
            let isSealed =
                sealedEmail != nil && isVerified(contact) && account.email == email.description
            let sealed = isSealed ? sealedEmail : try sealer.seal(email.description)
            return edit { person in
                person.account.email = email.description
                person.account.emailVerified = true
                person.sealedEmail = sealed
            }
        }
    }

    /// The account as it is, with its confirmed address sealed, so that all services learn of it once more.
    mutating func announce(sealedBy sealer: Sealer) throws -> AccountChanged {
        if sealedEmail == nil, account.emailVerified == true, let email = account.email {
            sealedEmail = try sealer.seal(email)
        }
        version += 1
        return changed
    }

    /// False for the last contact, and for a valet's phone number.
    func canLose(_ contact: Contact) -> Bool {
        contacts.count > 1 && (contact.field == "email" || !roles.contains(.valet))
    }

    /// Nil if it was not theirs.
    mutating func remove(_ contact: Contact) throws(Refusal) -> AccountChanged? {
        guard contacts.contains(contact) else { return nil }
        guard canLose(contact) else { throw .lastContact }
        return edit { person in
            switch contact {
            case .phone:
                person.account.phone = ""
                person.account.phoneVerified = false
            case .email:
                person.account.email = nil
                person.account.emailVerified = nil
                person.sealedEmail = nil
            }
        }
    }

    /// Nil if nothing changes.
    mutating func live(at address: PostalAddress?) -> AccountChanged? {
        edit { $0.account.address = address }
    }

    /// Nil if nothing changes.
    mutating func suspend(_ isSuspended: Bool) -> AccountChanged? {
        edit { $0.suspended = isSuspended }
    }

    /// Adds the role of a valet; nil if they have it. A valet needs a phone number.
    mutating func employ() throws(Refusal) -> AccountChanged? {
        guard !account.phone.isEmpty else { throw .phoneMissing }
        return edit { $0.account.roles = $0.roles.adding(.valet) }
    }

    /// The roles in which they may act now. Throws for a suspended valet without another role.
    func requireRoles() throws(Refusal) -> Roles {
        guard let left = suspended ? roles.removing(.valet) : roles else { throw .suspended }
        return left
    }

    /// Nil if nothing changes.
    mutating func show(_ photo: PictureID?) -> AccountChanged? {
        edit { $0.photo = photo }
    }

    /// The event of a deletion.
    func deleted(at now: Date) -> AccountDeleted {
        AccountDeleted(
            account: id, role: roles.highest.known ?? .customer, version: version + 1,
            deletedAt: now)
    }

    private mutating func edit(_ change: (inout Person) -> Void) -> AccountChanged? {
        var edited = self
        change(&edited)
        guard edited != self else { return nil }
        edited.version += 1
        self = edited
        return changed
    }

    /// The valet as operators see them; the gateway adds the position.
    var valetRecord: ValetRecord {
        ValetRecord(
            id: id.as(ValetID.self), firstName: account.firstName, lastName: account.lastName,
            phone: account.phone, suspended: suspended, createdAt: account.createdAt)
    }
}

/// A customer's vehicle, also after its removal, since old orders still show it.
struct OwnedVehicle: Codable, Hashable, Sendable {
    static let mostPerCustomer = 20
    static let plateLength = 1...Vehicle.longestPlate
    static let textLength = 1...40

    let owner: CustomerID
    private(set) var vehicle: Vehicle
    private(set) var removed: Bool
    private(set) var version: Int

    var changed: VehicleChanged {
        VehicleChanged(owner: owner, vehicle: vehicle, removed: removed, version: version)
    }

    static func new(
        _ description: VehicleDescription, of owner: CustomerID, at now: Date
    ) -> (vehicle: OwnedVehicle, event: VehicleChanged) {
        let vehicle = Vehicle(
            id: .new(at: now), plate: description.plate, make: description.make,
            model: description.model, colour: description.colour)
        let owned = OwnedVehicle(owner: owner, vehicle: vehicle, removed: false, version: 1)
        return (owned, owned.changed)
    }

    /// Nil if nothing changes.
    mutating func change(_ change: VehicleChange) -> VehicleChanged? {
        edit { vehicle, _ in
            vehicle.plate = change.plate ?? vehicle.plate
            vehicle.make = change.make ?? vehicle.make
            vehicle.model = change.model ?? vehicle.model
            vehicle.colour = change.colour ?? vehicle.colour
        }
    }

    mutating func remove() -> VehicleChanged? { edit { _, removed in removed = true } }

    private mutating func edit(_ change: (inout Vehicle, inout Bool) -> Void) -> VehicleChanged? {
        var edited = self
        change(&edited.vehicle, &edited.removed)
        guard edited != self else { return nil }
        edited.version += 1
        self = edited
        return changed
    }
}
