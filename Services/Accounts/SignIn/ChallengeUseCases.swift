import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// The result of a password or a second factor.
enum Admission: Sendable {
    case session(Person, Session)
    case challenge(RefreshToken, [SecondFactorMethod])
    case wrong(CodeVerdict)
    /// Wrong, with no attempt left.
    case ended
}

/// The step of a sign-in after the password.
extension AccountUseCases {
    /// Begins a session, or returns a challenge to a person who has or needs a second factor.
    func admit(
        _ person: Person, _ contact: Contact, on client: ClientName?, from address: ClientAddress,
        in transaction: Transaction, at now: Date
    ) throws -> Admission {
        let methods = try methods(of: person, in: transaction)
        guard methods.isEmpty, !factors.isRequired(of: person) else {
            // As hard to guess as a refresh token, and stored in the same way.
            let token = RefreshToken.new()
            let challenge = Challenge(person: person.id, contact: contact, tries: 0)
            try transaction.challenges.insert(
                token.hash, challenge, until: now.addingTimeInterval(Challenge.life))
            return .challenge(token, methods)
        }
        return try begin(person, contact, on: client, from: address, in: transaction, at: now)
    }

    private func begin(
        _ person: Person, _ contact: Contact, on client: ClientName?, from address: ClientAddress,
        in transaction: Transaction, at now: Date
    ) throws -> Admission {
        try attempts.succeed(contact, from: address, in: transaction, at: now)
        let session = Session.new(of: person.id, on: client, at: now)
        try transaction.sessions.begin(session)
        return .session(person, session)
    }

    func lacksFactor(_ person: Person, in transaction: Transaction) throws -> Bool {
        try factors.isRequired(of: person)
            && transaction.secondFactors.active(of: person.id).isEmpty
    }

    /// Returns the tokens, and throws any other result.
    func signedIn(_ admission: Admission) async throws -> SignedIn {
        switch admission {
        case .session(let person, let session): return try await signedIn(person, session)
        case .challenge(let token, let methods):
            throw Refusal.secondFactorRequired.because {
                ($0.challenge, $0.methods) = (token.text, methods.map(Open.init))
            }
        case .wrong(let verdict): throw verdict.refusal
        case .ended: throw Refusal.challengeEnded
        }
    }

    /// The methods that are accepted. A text message is not, if the password was set by a code to the same phone and an
    /// app is available.
    private func methods(
        of person: Person, in transaction: Transaction
    ) throws -> [SecondFactorMethod] {
        var on = try transaction.secondFactors.active(of: person.id)
        if on.count > 1, try transaction.phoneResets.isNoted(of: person.id) {
            on.removeAll { $0 == .sms }
        }
        let hasCodes = try transaction.recoveryCodes.left(of: person.id) > 0
        return on + (hasCodes ? [.recoveryCode] : [])
    }

    func answer(
        _ body: SecondFactorBody, on client: ClientName?, from address: ClientAddress
    ) async throws -> SignedIn {
        let (hash, now) = (RefreshToken(text: body.challenge).hash, clock.now)
        let admission = try await database.write { transaction -> Admission in
            let (challenge, person) = try tried(hash, from: address, in: transaction, at: now)
            guard try methods(of: person, in: transaction).contains(body.method) else {
                throw Refusal.secondFactorUnknown
            }
            // Not thrown in here: a wrong code has to be counted, so the transaction must commit.
            let verdict = try judge(body.code, body.method, of: person, in: transaction, at: now)
            guard verdict == .accepted else {
                return challenge.isLast ? .ended : .wrong(verdict)
            }
            try transaction.challenges.end(hash)
            if body.method != .sms { try transaction.phoneResets.forget(of: person.id) }
            try factors.succeed(person.id, from: address, in: transaction)
            return try begin(
                person, challenge.contact, on: client, from: address, in: transaction, at: now)
        }
        return try await signedIn(admission)
    }

    /// Uses up one attempt of the challenge, the account and the address.
    private func tried(
        _ hash: String, from address: ClientAddress, in transaction: Transaction, at now: Date
    ) throws -> (Challenge, Person) {
        let challenge = try transaction.challenges.takeTry(hash, at: now)
        guard let person = try transaction.people.find(challenge.person) else {
            throw Refusal.challengeEnded
        }
        _ = try person.requireRoles()
        try factors.take(person.id, from: address, in: transaction, at: now)
        return (challenge, person)
    }

    private func judge(
        _ code: String, _ method: SecondFactorMethod, of person: Person,
        in transaction: Transaction, at now: Date
    ) throws -> CodeVerdict {
        switch method {
        case .totp:
            let sealed = try transaction.secondFactors.sealedTOTP(of: person.id)
            guard let totp = sealed.flatMap(factors.open),
                let step = totp.step(of: Self.typed(code), at: now),
                try transaction.secondFactors.use(step: step, of: person.id)
            else { return .wrong }
            return .accepted
        case .sms:
            let (code, phone) = (Self.typed(code), try Self.phone(of: person))
            return try factors.messages.take(code, for: phone, in: transaction, at: now)
        case .recoveryCode:
            let hash = factors.hash(code, of: person.id)
            guard try transaction.recoveryCodes.use(hash, of: person.id) else { return .wrong }
            try AccountNotices.tell(person.id, "recovery-code-used", at: now, in: transaction)
            return .accepted
        }
    }

    func sendMessage(_ body: ChallengeBody) async throws {
        let (hash, now) = (RefreshToken(text: body.challenge).hash, clock.now)
        try await database.write { transaction in
            let challenge = try transaction.challenges.require(hash, at: now)
            guard let person = try transaction.people.find(challenge.person),
                try methods(of: person, in: transaction).contains(.sms)
            else { throw Refusal.secondFactorUnknown }
            try factors.messages.send(
                to: Self.phone(of: person), of: person, in: transaction, at: now)
        }
    }

    // MARK: Setting up a second factor that is required

    func beginEnrolment(_ body: ChallengeBody) async throws -> TOTPSetup {
        let (hash, now) = (RefreshToken(text: body.challenge).hash, clock.now)
        return try await database.write { transaction in
            let challenge = try transaction.challenges.require(hash, at: now)
            let person = try enrolling(challenge.person, in: transaction)
            return try beginTOTP(of: person, in: transaction, at: now)
        }
    }

    func confirmEnrolment(
        _ body: EnrolmentBody, on client: ClientName?, from address: ClientAddress
    ) async throws -> Enrolled {
        let (hash, now) = (RefreshToken(text: body.challenge).hash, clock.now)
        let none = RecoveryCodes(recoveryCodes: [])
        let (admission, codes) = try await database.write {
            transaction -> (Admission, RecoveryCodes) in
            let (challenge, person) = try tried(hash, from: address, in: transaction, at: now)
            _ = try enrolling(person.id, in: transaction)
            guard
                let codes = try confirmTOTP(
                    body.code, of: person, but: nil, in: transaction, at: now)
            else { return (challenge.isLast ? .ended : .wrong(.wrong), none) }
            try transaction.challenges.end(hash)
            try factors.succeed(person.id, from: address, in: transaction)
            let admission = try begin(
                person, challenge.contact, on: client, from: address, in: transaction, at: now)
            return (admission, codes)
        }
        return Enrolled(try await signedIn(admission), recoveryCodes: codes.recoveryCodes)
    }

    /// Throws for a person who already has a second factor: their challenge can't set up another one.
    private func enrolling(_ id: PersonID, in transaction: Transaction) throws -> Person {
        guard let person = try transaction.people.find(id) else { throw Refusal.challengeEnded }
        guard try transaction.secondFactors.active(of: id).isEmpty else {
            throw Refusal.secondFactorExists
        }
        return person
    }
}

extension Challenge {
    /// Whether this attempt is the last.
    fileprivate var isLast: Bool { tries + 1 >= Self.mostTries }
}
