import Contracts
import EventBus
import Foundation
import Pictures
import ServiceKit
import Store

/// The use cases of a person's own second factors.
extension AccountUseCases {
    func secondFactors(of identity: Identity) async throws -> SecondFactors {
        let person = try await credentials(of: identity).person
        return try await database.read { try secondFactors(of: person, in: $0) }
    }

    func secondFactors(
        of person: Person, in transaction: Transaction
    ) throws -> SecondFactors {
        SecondFactors(
            methods: try transaction.secondFactors.active(of: person.id),
            recoveryCodesLeft: try transaction.recoveryCodes.left(of: person.id),
            isRequired: factors.isRequired(of: person))
    }

    // MARK: Authenticator apps

    func beginTOTP(
        _ body: PasswordBody, of identity: Identity, from address: ClientAddress
    ) async throws -> TOTPSetup {
        let now = clock.now
        return try await proven(identity, body.password, from: address) { person, transaction in
            try beginTOTP(of: person, in: transaction, at: now)
        }
    }

    func beginTOTP(
        of person: Person, in transaction: Transaction, at now: Date
    ) throws -> TOTPSetup {
        let totp = TOTP.new()
        try refuse(.totp, on: person, in: transaction)
        try transaction.secondFactors.prepareTOTP(
            factors.seal(totp), of: person.id,
            until: now.addingTimeInterval(SecondFactorRules.setupLife))
        let uri = totp.uri(of: person.contacts.first?.description ?? "")
        let picture = try QRCode(uri)
        return TOTPSetup(
            secret: totp.text, uri: uri,
            qrCode: QRPicture(size: picture.size + 2 * QRCode.quietZone, path: picture.path))
    }

    func confirmTOTP(
        _ body: SecondFactorCodeBody, of identity: Identity
    ) async throws -> RecoveryCodes {
        let now = clock.now
        let codes = try await database.write { transaction in
            let person = try transaction.sessions.person(of: identity, at: now)
            return try confirmTOTP(
                body.code, of: person, but: identity.session, in: transaction, at: now)
        }
        guard let codes else { throw Refusal.wrongVerificationCode }
        return codes
    }

    /// Nil for a wrong code, which is not thrown, since it has to be counted at a sign-in. `session` is the caller's.
    func confirmTOTP(
        _ code: String, of person: Person, but session: SessionID?, in transaction: Transaction,
        at now: Date
    ) throws -> RecoveryCodes? {
        try refuse(.totp, on: person, in: transaction)
        guard let sealed = try transaction.secondFactors.preparedTOTP(of: person.id, at: now) else {
            throw Refusal.secondFactorSetupEnded
        }
        guard let step = factors.open(sealed)?.step(of: Self.typed(code), at: now) else {
            return nil
        }
        try transaction.secondFactors.endSetup(of: person.id)
        return try turnOn(
            SecondFactor(.totp, sealed: sealed, lastStep: step), of: person, but: session,
            in: transaction, at: now)
    }

    // MARK: Text messages

    func beginSMS(
        _ body: PasswordBody, of identity: Identity, from address: ClientAddress
    ) async throws {
        let now = clock.now
        try await proven(identity, body.password, from: address) { person, transaction in
            let phone = try Self.phone(of: person)
            try refuse(.sms, on: person, in: transaction)
            try factors.messages.send(to: phone, of: person, in: transaction, at: now)
        }
    }

    func confirmSMS(
        _ body: SecondFactorCodeBody, of identity: Identity
    ) async throws -> RecoveryCodes {
        let (code, now) = (Self.typed(body.code), clock.now)
        let (verdict, codes) = try await database.write {
            transaction -> (CodeVerdict, RecoveryCodes) in
            let person = try transaction.sessions.person(of: identity, at: now)
            let phone = try Self.phone(of: person)
            try refuse(.sms, on: person, in: transaction)
            // Not thrown in here: a wrong code has to be counted, so the transaction must commit.
            let verdict = try factors.messages.take(code, for: phone, in: transaction, at: now)
            guard verdict == .accepted else { return (verdict, RecoveryCodes(recoveryCodes: [])) }
            try transaction.people.change(person.id, at: now) {
                try $0.set(phone, sealedBy: sealer)
            }
            let codes = try turnOn(
                SecondFactor(.sms), of: person, but: identity.session, in: transaction, at: now)
            return (verdict, codes)
        }
        guard verdict == .accepted else { throw verdict.refusal }
        return codes
    }

    static func phone(of person: Person) throws(Refusal) -> Contact {
        guard let phone = PhoneNumber(stored: person.account.phone) else { throw .phoneMissing }
        return .phone(phone)
    }

    /// Removes the grouping with which people type a code.
    static func typed(_ code: String) -> String { code.filter { !$0.isWhitespace && $0 != "-" } }

    // MARK: On and off

    private func refuse(
        _ method: SecondFactorMethod, on person: Person, in transaction: Transaction
    ) throws {
        guard try !transaction.secondFactors.active(of: person.id).contains(method) else {
            throw Refusal.secondFactorExists
        }
    }

    /// Turns a factor on. The first one comes with recovery codes, and ends the other sessions, which began with a
    /// password alone.
    private func turnOn(
        _ factor: SecondFactor, of person: Person, but session: SessionID?,
        in transaction: Transaction, at now: Date
    ) throws -> RecoveryCodes {
        let isFirst = try transaction.secondFactors.active(of: person.id).isEmpty
        try transaction.secondFactors.insert(factor, of: person.id)
        try AccountNotices.tell(person.id, "second-factor-set", at: now, in: transaction)
        guard isFirst else { return RecoveryCodes(recoveryCodes: []) }
        if let session {
            try transaction.sessions.endAll(of: person.id, but: session, at: now)
        } else {
            try transaction.sessions.endAll(of: person.id, at: now)
        }
        return try renewRecoveryCodes(of: person, in: transaction)
    }

    private func renewRecoveryCodes(
        of person: Person, in transaction: Transaction
    ) throws -> RecoveryCodes {
        let codes = factors.newRecoveryCodes()
        try transaction.recoveryCodes.set(
            codes.map { factors.hash($0, of: person.id) }, of: person.id)
        return RecoveryCodes(recoveryCodes: codes)
    }

    func renewRecoveryCodes(
        _ body: PasswordBody, of identity: Identity, from address: ClientAddress
    ) async throws -> RecoveryCodes {
        try await proven(identity, body.password, from: address) { person, transaction in
            guard try !transaction.secondFactors.active(of: person.id).isEmpty else {
                throw Refusal.secondFactorUnknown
            }
            return try renewRecoveryCodes(of: person, in: transaction)
        }
    }

    func remove(
        _ body: SecondFactorRemovalBody, of identity: Identity, from address: ClientAddress
    ) async throws -> SecondFactors {
        let now = clock.now
        return try await proven(identity, body.password, from: address) { person, transaction in
            let on = try transaction.secondFactors.active(of: person.id)
            guard on.contains(body.method) else { throw Refusal.secondFactorUnknown }
            guard on.count > 1 || !factors.isRequired(of: person) else {
                throw Refusal.lastSecondFactor
            }
            try transaction.secondFactors.remove(body.method, of: person.id)
            try AccountNotices.tell(person.id, "second-factor-removed", at: now, in: transaction)
            return try secondFactors(of: person, in: transaction)
        }
    }

    /// Runs a change once the password is proved. Throws if it has changed in the meantime.
    private func proven<Result: Sendable>(
        _ identity: Identity, _ password: String, from address: ClientAddress,
        _ change: @escaping @Sendable (Person, Transaction) throws -> Result
    ) async throws -> Result {
        let known = try await credentials(of: identity)
        try await prove(known, password, field: "password", from: address)
        let now = clock.now
        return try await database.write { transaction in
            // Hashing took a while, in which the session may have ended or the password changed.
            let person = try transaction.sessions.person(of: identity, at: now)
            guard try transaction.people.credentials(person.id)?.password == known.password else {
                throw Refusal.wrongPassword.about("password")
            }
            return try change(person, transaction)
        }
    }

    // MARK: A lost phone

    /// Removes a person's second factors. They then sign in with their password alone, or set up a new factor if they
    /// need one.
    func removeSecondFactors(of id: PersonID, by identity: Identity) async throws {
        let now = clock.now
        guard id != identity.person else { throw Refusal.ownSecondFactors }
        try await database.write { transaction in
            try transaction.sessions.requireAlive(identity, at: now)
            guard try transaction.people.find(id) != nil else { throw Refusal.accountUnknown }
            guard try removeSecondFactors(of: id, in: transaction, at: now) else { return }
            try transaction.publish(
                OperatorActed(
                    by: identity.operatorID, action: "accounts.remove-second-factors",
                    subject: id.description, actedAt: now), at: now)
        }
    }

    /// Returns false if there were none.
    func removeSecondFactors(
        of id: PersonID, in transaction: Transaction, at now: Date
    ) throws -> Bool {
        guard try !transaction.secondFactors.active(of: id).isEmpty else { return false }
        try transaction.secondFactors.removeAll(of: id)
        try factors.forget(id, in: transaction)
        try AccountNotices.tell(id, "second-factors-removed", at: now, in: transaction)
        return true
    }
}
