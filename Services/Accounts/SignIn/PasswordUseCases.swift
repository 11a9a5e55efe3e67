import Contracts
import EventBus
import Foundation
import Logging
import ServiceKit
import ServiceLifecycle
import Store

// MARK: Forgotten passwords

extension AccountUseCases {
    /// Fires when a reset is requested.
    static let resetSignal = "resets"
    /// Stored in place of a hash, which it never equals: the code is requested, but not made yet.
    static let askedFor = ""
    /// Requests per batch.
    static let resetBatch = 100

    /// Stores the request, and does nothing else. `sendResets` looks up the number or address later, so that answer and
    /// work are the same for all. A request too soon after the last one gets the same answer and is dropped.
    func askForReset(_ body: ContactBody) async throws {
        let contact = try await contact(of: body)
        let now = clock.now
        try await database.write { transaction in
            _ = try resets.reserve(contact, Self.askedFor, in: transaction, at: now)
            transaction.signal(Self.resetSignal)
        }
    }

    /// Makes the requested codes and sends them to existing accounts. Returns the number of requests.
    @discardableResult
    func sendResets() async throws -> Int {
        let now = clock.now
        let asked = try await database.read { transaction in
            try transaction.rows(
                "SELECT contact FROM reset_codes WHERE hash = ? LIMIT ?", Self.askedFor,
                Self.resetBatch
            ).map { try $0.get("contact", as: String.self) }
        }
        for contact in asked.compactMap(Contact.init) {
            try await database.write { try sendReset(to: contact, in: $0, at: now) }
        }
        return asked.count
    }

    private func sendReset(
        to contact: Contact, in transaction: Transaction, at now: Date
    ) throws {
        let row = try transaction.row(
            "SELECT expires_at FROM reset_codes WHERE contact = ? AND hash = ?",
            contact.description, Self.askedFor)
        guard let expiry = try row?.get("expires_at", as: Date.self) else { return }
        let person = try transaction.people.find(contact).flatMap {
            $0.isOpened(by: contact) ? $0 : nil
        }
        let code = resets.newCode()
        try transaction.execute(
            "UPDATE reset_codes SET hash = ? WHERE contact = ?",
            person == nil ? VerificationCodes.spent : resets.hash(code, for: contact),
            contact.description)
        guard let person, expiry > now else { return }
        try resets.publish(
            code, to: contact, of: person, until: expiry, in: transaction, at: now)
    }

    /// Sets the new password if the code is right, ends all sessions, and starts one or asks for the second
    /// factor, which stays on. The code proves that the person reads messages at this contact, so the contact
    /// is verified too.
    func confirmReset(
        _ body: ResetConfirmBody, on client: ClientName?, from address: ClientAddress
    ) async throws -> SignedIn {
        let contact = try await contact(of: body)
        try PasswordRules.check(body.newPassword, of: [contact], field: "newPassword")
        guard resets.isWellFormed(body.code) else {
            throw Refusal.wrongVerificationCode
        }
        let now = clock.now
        let verdict = try await database.write { transaction in
            // Not thrown in here: a wrong code has to be counted, so the transaction must commit.
            try resets.judge(body.code, for: contact, in: transaction, at: now)
        }
        guard verdict == .accepted else { throw verdict.refusal }
        let password = try await hasher.hash(body.newPassword, for: address)
        let admission = try await database.write { transaction in
            // Hashing took a while, in which the code may have been used.
            guard try resets.use(body.code, for: contact, in: transaction, at: now),
                let person = try transaction.people.find(contact), person.isOpened(by: contact)
            else { throw Refusal.wrongVerificationCode }
            _ = try person.requireRoles()
            try transaction.people.setPassword(password, of: person.id)
            if case .phone = contact { try transaction.phoneResets.note(of: person.id) }
            try transaction.sessions.endAll(of: person.id, at: now)
            let verified = try transaction.people.change(person.id, at: now) {
                try $0.set(contact, sealedBy: sealer)
            }
            return try admit(
                verified ?? person, contact, on: client, from: address, in: transaction, at: now)
        }
        return try await signedIn(admission)
    }
}

// MARK: One's own password

extension AccountUseCases {
    /// Changes the password. The current session continues; all others end, and a pending reset code becomes invalid.
    func changePassword(
        _ identity: Identity, _ body: PasswordChangeBody, from address: ClientAddress
    ) async throws {
        let known = try await credentials(of: identity)
        let contacts = known.person.contacts
        try PasswordRules.check(body.newPassword, of: contacts, field: "newPassword")
        try await prove(
            known, body.currentPassword, field: "currentPassword", from: address)
        let password = try await hasher.hash(body.newPassword, for: address)
        let now = clock.now
        try await database.write { transaction in
            // Hashing took a while, in which the password may have changed.
            guard try transaction.people.credentials(known.person.id)?.password == known.password
            else {
                throw Refusal.wrongPassword.about("currentPassword")
            }
            try transaction.people.setPassword(password, of: known.person.id)
            try transaction.sessions.endAll(of: known.person.id, but: identity.session, at: now)
            for contact in contacts {
                try attempts.succeed(contact, from: address, in: transaction, at: now)
                try resets.forget(contact, in: transaction)
            }
        }
    }

    func credentials(of identity: Identity) async throws -> Credentials {
        let now = clock.now
        return try await database.read { transaction in
            try transaction.sessions.requireAlive(identity, at: now)
            guard let credentials = try transaction.people.credentials(identity.person) else {
                throw Refusal.sessionEnded
            }
            return credentials
        }
    }

    /// Throws unless it is the person's password. A wrong one counts like one at sign-in, so that a stolen token does
    /// not allow more guesses.
    func prove(
        _ known: Credentials, _ password: String, field: String, from address: ClientAddress
    ) async throws {
        guard let contact = known.person.contacts.first else { throw Refusal.accountUnknown }
        try await takeAttempt(contact, from: address)
        guard try await check(password, known.password, for: contact, from: address) else {
            throw Refusal.wrongPassword.about(field)
        }
        let now = clock.now
        try await database.write { transaction in
            try attempts.succeed(contact, from: address, in: transaction, at: now)
        }
    }
}

/// Sends reset codes as soon as they are requested.
struct ResetSender: Service {
    /// The time between retries, and between checks for requests that another process stored.
    static let interval: Duration = .seconds(5)

    let accounts: AccountUseCases
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                // Listening starts before the check, and again each time, since a stream ends with its reader's task.
                let asked = accounts.database.signals(AccountUseCases.resetSignal)
                await send()
                await next(asked)
            }
        }
    }

    private func send() async {
        do {
            while try await accounts.sendResets() == AccountUseCases.resetBatch {}
        } catch {
            logger.warning("codes could not be sent yet", metadata: ["error": "\(loggable(error))"])
        }
    }

    private func next(_ asked: AsyncStream<Void>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await Task.sleep(for: Self.interval) }
            group.addTask { for await _ in asked { return } }
            await group.next()
            group.cancelAll()
        }
    }
}
