import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// The use cases of a person's own phone number, e-mail address and postal address.
extension AccountUseCases {
    static let streetLength = 1...200
    static let cityLength = 1...80
    static let longestPostalCode = 16

    /// The number or address that a request names, as it is stored: a number that we read otherwise than earlier
    /// releases did stays with the account that has it, so that its owner can sign in as before.
    func contact(of body: some HasContact) async throws -> Contact {
        guard body.email == nil, let text = body.phone, let earlier = try await earlier(text) else {
            return try Contact(of: body, in: country)
        }
        return .phone(earlier)
    }

    /// The number as earlier releases read it, if they read it otherwise and somebody still has it.
    func earlier(_ text: String) async throws -> PhoneNumber? {
        guard let earlier = PhoneNumber(earlier: text), earlier != PhoneNumber(text),
            try await database.read({ try $0.people.find(.phone(earlier)) }) != nil
        else { return nil }
        return earlier
    }

    /// Sends a code to a new contact. Only a person who has the code learns whether another account uses the contact.
    func sendContactCode(_ body: ContactBody, to identity: Identity) async throws {
        let contact = try Contact(of: body, in: country)
        let person = try await credentials(of: identity).person
        let now = clock.now
        try await database.write { transaction in
            try codes.send(to: contact, of: person, in: transaction, at: now)
        }
    }

    /// Makes a phone number or an e-mail address the person's own and verified, in place of the previous one.
    /// An account that never verified it and can do without it loses it, so that nobody can occupy somebody
    /// else's contact by signing up with it.
    func setContact(
        _ body: ContactChangeBody, of identity: Identity, from address: ClientAddress
    ) async throws -> Account {
        let contact = try Contact(of: body, in: country)
        guard codes.isWellFormed(body.code) else { throw Refusal.wrongVerificationCode }
        let known = try await credentials(of: identity)
        try await prove(known, body.password, field: "password", from: address)
        let now = clock.now
        let verdict = try await database.write { transaction in
            // Not thrown in here: a wrong code has to be counted, so the transaction must commit.
            try codes.judge(body.code, for: contact, in: transaction, at: now)
        }
        guard verdict == .accepted else { throw verdict.refusal }
        return try await change(known, contact, at: now) { person, transaction in
            guard try codes.use(body.code, for: contact, in: transaction, at: now) else {
                throw Refusal.wrongVerificationCode
            }
            if let owner = try transaction.people.find(contact), owner.id != person.id {
                try take(contact, from: owner, in: transaction, at: now)
            }
            // A code requested by the previous owner must not open this account.
            try resets.forget(contact, in: transaction)
            return try person.set(contact, sealedBy: sealer)
        }
    }

    func removeContact(
        _ body: ContactRemovalBody, of identity: Identity, from address: ClientAddress
    ) async throws -> Account {
        let contact = try await contact(of: body)
        let known = try await credentials(of: identity)
        try await prove(known, body.password, field: "password", from: address)
        return try await change(known, contact, at: clock.now) { person, _ in
            try person.remove(contact)
        }
    }

    /// Changes a contact and notifies the person. Throws if their password has changed in the meantime.
    private func change(
        _ known: Credentials, _ contact: Contact, at now: Date,
        _ change: @escaping @Sendable (inout Person, Transaction) throws -> AccountChanged?
    ) async throws -> Account {
        let person = try await database.write { transaction in
            guard try transaction.people.credentials(known.person.id)?.password == known.password
            else {
                throw Refusal.wrongPassword.about("password")
            }
            return try self.change(known.person.id, contact, in: transaction, at: now) { person in
                try change(&person, transaction)
            }
        }
        return view(person)
    }

    /// Takes the contact from its owner if they never verified it and have another; otherwise throws that it is taken.
    private func take(
        _ contact: Contact, from owner: Person, in transaction: Transaction, at now: Date
    ) throws {
        guard !owner.isVerified(contact), owner.canLose(contact) else { throw contact.taken }
        _ = try change(owner.id, contact, in: transaction, at: now) { try $0.remove(contact) }
    }

    private func change(
        _ id: PersonID, _ contact: Contact, in transaction: Transaction, at now: Date,
        _ change: (inout Person) throws -> AccountChanged?
    ) throws -> Person {
        // The current contacts: they may have changed while a password was checked.
        var contacts: [Contact] = []
        let changed = try transaction.people.change(id, at: now) { person in
            contacts = person.contacts
            return try change(&person)
        }
        guard let person = changed else { throw Refusal.accountUnknown }
        guard person.contacts != contacts else { return person }
        for old in contacts where !person.contacts.contains(old) {
            try codes.forget(old, in: transaction)
            try resets.forget(old, in: transaction)
            try factors.messages.forget(old, in: transaction)
        }
        try dropMessages(of: person, in: transaction, at: now)
        try AccountNotices.tell(person.id, "\(contact.field)-changed", at: now, in: transaction)
        return person
    }

    /// Turns off codes by text message for a person who has no phone number any more. Throws
    /// `lastSecondFactor` if they need a second factor and have no other.
    private func dropMessages(
        of person: Person, in transaction: Transaction, at now: Date
    ) throws {
        let on = try transaction.secondFactors.active(of: person.id)
        guard person.account.phone.isEmpty, on.contains(.sms) else { return }
        guard on.count > 1 || !factors.isRequired(of: person) else {
            throw Refusal.lastSecondFactor
        }
        try transaction.secondFactors.remove(.sms, of: person.id)
        try AccountNotices.tell(person.id, "second-factor-removed", at: now, in: transaction)
    }

    /// Nil removes the address.
    func setAddress(_ address: PostalAddress?, of id: PersonID) async throws -> Account {
        let checked = try address.map(Self.checked)
        let now = clock.now
        let person = try await database.write { transaction in
            try transaction.people.change(id, at: now) { $0.live(at: checked) }
        }
        guard let person else { throw Refusal.accountUnknown }
        return view(person)
    }

    private static func checked(_ address: PostalAddress) throws -> PostalAddress {
        PostalAddress(
            street: try Check.text(address.street, "street", streetLength),
            postalCode: try Check.optionalText(
                address.postalCode, "postalCode", most: longestPostalCode),
            city: try Check.text(address.city, "city", cityLength),
            country: try Country(checking: address.country).description)
    }
}
