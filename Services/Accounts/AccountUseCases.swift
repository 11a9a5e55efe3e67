import Blobs
import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// What accounts can do; each function is one transaction.
struct AccountUseCases: Sendable {
    let database: Database
    let keys: SigningKeys
    let codes: VerificationCodes
    let resets: VerificationCodes
    let attempts: SignInAttempts
    let hasher: PasswordHasher
    let photos: PhotoStore
    let clock: ServiceClock

    init(
        _ database: Database, _ keys: SigningKeys, _ environment: ServiceEnvironment,
        _ hasher: PasswordHasher,
        _ blobs: any BlobStore
    ) {
        self.database = database
        self.keys = keys
        self.hasher = hasher
        clock = environment.clock
        let secret = environment.common.serviceSecret
        codes = VerificationCodes(secret: secret, sealer: environment.sealer)
        resets = VerificationCodes(.passwordReset, secret: secret, sealer: environment.sealer)
        attempts = SignInAttempts(quotas: Quotas(secret: secret))
        photos = PhotoStore(
            blobs: blobs, addresses: environment.signedAddresses, logger: environment.logger)
    }
}

// MARK: Signing up

extension AccountUseCases {
    /// Makes the customer, starts a session, and sends the first code.
    func signUp(
        _ body: SignUpBody, on client: ClientName?, from address: ClientAddress,
        once key: IdempotencyKey?
    ) async throws -> SignedUp {
        let profile = try Person.Profile(checking: body)
        try PasswordRules.check(body.password, phone: profile.phone)
        let password = try await hasher.hash(body.password, for: address)
        let now = clock.now
        let (person, event) = Person.new(.customer, profile, at: now)
        let session = Session.new(of: person.id, on: client, at: now)
        let tokens = try await tokens(session.id, session.token, of: person)
        return try await database.write(once: key) { transaction in
            try transaction.insert(person, password: password)
            try transaction.publish(event, at: now)
            try transaction.begin(session)
            try resets.forget(profile.phone, in: transaction)
            try codes.sendFirst(to: profile.phone, of: person, in: transaction, at: now)
            return SignedUp(customer: person.account, tokens: tokens)
        }
    }

    /// Sends a code to whoever has the number; says nothing about whether anybody has.
    func sendCode(_ body: PhoneBody) async throws {
        let phone = try PhoneNumber(checking: body.phone)
        let now = clock.now
        try await database.write { transaction in
            try codes.send(to: phone, in: transaction, at: now)
        }
    }

    /// The number is verified from now on; the same code again changes nothing.
    func confirm(_ body: ConfirmCodeBody) async throws {
        let phone = try PhoneNumber(checking: body.phone)
        let now = clock.now
        guard codes.isWellFormed(body.code) else {
            throw AccountError.wrongCode(.wrong)
        }
        let verdict = try await database.write { transaction -> CodeVerdict in
            // Not thrown from in here: a wrong code changes something, the number of tries.
            let verdict = try codes.judge(body.code, for: phone, in: transaction, at: now)
            guard verdict == .accepted else { return verdict }
            guard let person = try transaction.person(phone: phone) else { return .wrong }
            try transaction.change(person.id, at: now) { $0.verifyPhone() }
            return .accepted
        }
        guard verdict == .accepted else { throw AccountError.wrongCode(verdict) }
    }
}

// MARK: Sessions

extension AccountUseCases {
    /// An unknown number costs the same time and gets the same answer as a wrong password.
    func signIn(
        _ body: SignInBody, on client: ClientName?, from address: ClientAddress
    ) async throws -> SignedIn {
        let phone = try PhoneNumber(checking: body.phone)
        try await takeAttempt(phone, from: address)
        let credentials = try await database.read { try $0.credentials(phone: phone) }
        let isRight = try await check(
            body.password, credentials?.password, for: phone, from: address)
        guard isRight, let credentials else { throw AccountError.credentialsMismatch }
        _ = try credentials.person.requireRoles()
        let now = clock.now
        let session = Session.new(of: credentials.person.id, on: client, at: now)
        let person = try await database.write { transaction in
            // Hashing took a while: a new password or a suspension may have come meanwhile.
            guard let current = try transaction.credentials(phone: phone),
                current.password == credentials.password
            else { throw AccountError.credentialsMismatch }
            _ = try current.person.requireRoles()
            try attempts.succeed(phone, from: address, in: transaction, at: now)
            try transaction.begin(session)
            return current.person
        }
        return try await signedIn(person, session)
    }

    func signedIn(_ person: Person, _ session: Session) async throws -> SignedIn {
        let tokens = try await tokens(session.id, session.token, of: person)
        return SignedIn(account: view(person), tokens: tokens)
    }

    func takeAttempt(_ phone: PhoneNumber, from address: ClientAddress) async throws {
        let now = clock.now
        try await database.write { transaction in
            try attempts.take(phone, from: address, in: transaction, at: now)
        }
    }

    func check(
        _ password: String, _ hash: PasswordHash?, for phone: PhoneNumber,
        from address: ClientAddress
    ) async throws -> Bool {
        do {
            return try await hasher.fits(password, hash, for: address)
        } catch let error as Unavailable {
            // Nobody is locked out because the service was busy.
            try await database.write { try attempts.giveBack(phone, from: address, in: $0) }
            throw error
        }
    }

    /// The next pair of tokens, for a refresh token that was not used before.
    func refresh(_ body: RefreshBody, on client: ClientName?) async throws -> Tokens {
        let token = RefreshToken(text: body.refreshToken)
        let (next, now) = (RefreshToken.new(), clock.now)
        let rotated = try await database.write { transaction in
            // Not thrown from in here: a token in two hands changes something, its session ends.
            try transaction.rotate(token, to: next, on: client, at: now)
        }
        guard let rotated else { throw AccountError.sessionEnded }
        return try await tokens(rotated.session, next, of: rotated.person)
    }

    /// Ends the session. Access tokens that it gave out are good until they expire, minutes later.
    func signOut(_ identity: Identity) async throws {
        let now = clock.now
        try await database.write { try $0.end(identity.session, at: now) }
    }

    private func tokens(
        _ session: SessionID, _ refreshToken: RefreshToken, of person: Person
    ) async throws -> Tokens {
        let claims = AccessClaims(
            person: person.id, roles: try person.requireRoles(), session: session,
            issuedAt: clock.now)
        return Tokens(
            accessToken: try await keys.sign(claims), refreshToken: refreshToken.text,
            expiresInSeconds: AccessClaims.life)
    }
}

// MARK: Profile

extension AccountUseCases {
    func account(_ id: PersonID) async throws -> Account {
        guard let person = try await database.read({ try $0.person(id) }) else {
            throw AccountError.unknown
        }
        return view(person)
    }

    /// As they see themselves, with an address of their photo that is good for minutes.
    func view(_ person: Person) -> Account {
        var account = person.account
        account.photoURL = person.photo.map { photos.address(of: $0, at: clock.now) }
        return account
    }

    func change(_ id: PersonID, _ body: ProfileChange) async throws -> Account {
        var change = body
        change.language = try Check.language(body.language, "language")
        change.firstName = try body.firstName.map {
            try Check.text($0, "firstName", Person.nameLength)
        }
        change.lastName = try body.lastName.map {
            try Check.text($0, "lastName", Person.nameLength)
        }
        let (checked, now) = (change, clock.now)
        let person = try await database.write { transaction in
            try transaction.change(id, at: now) { $0.change(checked) }
        }
        guard let person else { throw AccountError.unknown }
        return view(person)
    }
}

extension Person.Profile {
    init(checking body: SignUpBody) throws {
        language = try Check.language(body.language, "language") ?? .english
        firstName = try Check.text(body.firstName, "firstName", Person.nameLength)
        lastName = try Check.text(body.lastName, "lastName", Person.nameLength)
        phone = try PhoneNumber(checking: body.phone)
    }

    init(checking body: NewValetBody) throws {
        try self.init(
            checking: SignUpBody(
                firstName: body.firstName, lastName: body.lastName, phone: body.phone,
                password: body.password, language: body.language))
    }
}
