import Contracts
import EventBus
import ServiceKit
import Store

extension AccountUseCases {
    /// Creates a valet's account with a first password. Valets don't sign up; an operator does this.
    func addValet(
        _ body: NewValetBody, by identity: Identity, once key: IdempotencyKey?
    ) async throws -> ValetRecord {
        let profile = try Person.Profile(checking: body, in: country)
        let now = clock.now
        let (person, event) = Person.new(.valet, profile, at: now)
        try PasswordRules.check(body.password, of: person.contacts)
        let password = try await hasher.hash(body.password)
        return try await database.write(once: key) { transaction in
            try transaction.sessions.requireAlive(identity, at: now)
            for contact in person.contacts {
                guard let known = try transaction.people.find(contact) else { continue }
                throw Refusal.phoneTaken.because { $0.personId = known.id }
            }
            try transaction.people.insert(person, password: password)
            try transaction.publish(event, at: now)
            try transaction.publish(
                OperatorActed(
                    by: identity.operatorID, action: "accounts.add-valet",
                    subject: person.id.description, actedAt: now), at: now)
            return person.valetRecord
        }
    }

    /// Newest first. The gateway fills in status and position.
    func valets(_ page: PageRequest) async throws -> Page<ValetRecord> {
        let people = try await database.read { try $0.people.list(.valet, page) }
        return page.page(of: people, cursor: \.id, \.valetRecord)
    }

    /// Adds the role of a valet to an existing account. It is in the person's next access token.
    func employ(_ id: PersonID, by identity: Identity) async throws -> ValetRecord {
        let now = clock.now
        let changed = try await database.write { transaction in
            try transaction.sessions.requireAlive(identity, at: now)
            return try transaction.people.change(id, at: now) { person in
                guard let event = try person.employ() else { return nil }
                try transaction.publish(
                    OperatorActed(
                        by: identity.operatorID, action: "accounts.grant-valet",
                        subject: id.description, actedAt: now), at: now)
                return event
            }
        }
        guard let changed else { throw Refusal.accountUnknown }
        return changed.valetRecord
    }

    /// Suspends or reinstates a valet. A suspension ends their sessions, and they can sign in only in their other
    /// roles. Their access tokens remain valid for minutes, but each service refuses them once it has received the
    /// event.
    func change(
        _ id: ValetID, _ body: ValetChange, by identity: Identity
    ) async throws -> ValetRecord {
        let (person, now) = (id.as(PersonID.self), clock.now)
        let changed = try await database.write { transaction in
            try transaction.sessions.requireAlive(identity, at: now)
            let changed = try transaction.people.change(person, at: now) { person in
                guard person.roles.contains(.valet) else { throw Refusal.accountUnknown }
                guard let event = person.suspend(body.suspended) else { return nil }
                let action =
                    body.suspended ? "accounts.suspend-valet" : "accounts.reinstate-valet"
                try transaction.publish(
                    OperatorActed(
                        by: identity.operatorID, action: action, subject: id.description,
                        actedAt: now), at: now)
                try AccountNotices.announceSuspension(event, at: now, in: transaction)
                return event
            }
            if body.suspended { try transaction.sessions.endAll(of: person, at: now) }
            return changed
        }
        guard let changed else { throw Refusal.accountUnknown }
        return changed.valetRecord
    }
}

// MARK: The first operator

extension AccountUseCases {
    static let firstOperatorName = (first: "First", last: "Operator")

    /// Creates the configured operator if missing. If the configured password has changed since it was last read, the
    /// operator gets it, and their second factors are removed; a password that they chose themselves stays otherwise.
    /// An operator who has changed their number is not created again.
    func ensureOperator(_ first: AccountsConfig.FirstOperator) async throws {
        let earlier = try await earlier(first.phone)
        guard let phone = earlier ?? PhoneNumber(first.phone, in: country) else {
            throw ConfigError("OPENVALET_OPERATOR_PHONE is no phone number like +447700900123")
        }
        if let reason = PasswordRules.weakness(of: first.password, contacts: [.phone(phone)]) {
            throw ConfigError("OPENVALET_OPERATOR_PASSWORD is refused: \(reason)")
        }
        let contact = Contact.phone(phone)
        if try await keepOperator(contact, first.password) { return }
        let password = try await hasher.hash(first.password)
        let setting = Self.setting(of: contact)
        let (name, now) = (Self.firstOperatorName, clock.now)
        let profile = Person.Profile(
            firstName: name.first, lastName: name.last, phone: phone, language: .english)
        let (person, event) = Person.new(.operator, profile, at: now)
        try await database.write { transaction in
            // Another process may have created the operator.
            guard try transaction.people.find(contact) == nil,
                try transaction.settings.find(setting) == nil
            else { return }
            try transaction.people.insert(person, password: password)
            try transaction.settings.set(setting, password.description)
            try transaction.publish(event, at: now)
        }
    }

    /// The name of the setting that stores the hash of the configured password.
    static func setting(of contact: Contact) -> String { "operator password \(contact)" }

    /// Returns false if the operator has yet to be created: nobody has the number, and nobody was created with it.
    private func keepOperator(_ contact: Contact, _ password: String) async throws -> Bool {
        let setting = Self.setting(of: contact)
        let (known, applied) = try await database.read { transaction in
            (
                try transaction.people.credentials(contact),
                try transaction.settings.find(setting).flatMap(PasswordHash.init)
            )
        }
        guard let known else { return applied != nil }
        guard known.person.roles.contains(.operator) else {
            // The operator has changed their number.
            if applied != nil { return true }
            throw ConfigError("OPENVALET_OPERATOR_PHONE belongs to somebody who is no operator")
        }
        if let applied, try await hasher.fits(password, applied) { return true }
        if applied == nil, try await hasher.fits(password, known.password) {
            try await database.write { try $0.settings.set(setting, known.password.description) }
            return true
        }
        let changed = try await hasher.hash(password)
        let now = clock.now
        try await database.write { transaction in
            try transaction.settings.set(setting, changed.description)
            try transaction.people.setPassword(changed, of: known.person.id)
            try transaction.sessions.endAll(of: known.person.id, at: now)
            // The only operator may have lost their second factor.
            _ = try removeSecondFactors(of: known.person.id, in: transaction, at: now)
        }
        return true
    }
}
