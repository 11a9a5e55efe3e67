import Blobs
import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// The use cases of accounts. Each function is one transaction.
struct AccountUseCases: Sendable {
    let database: Database
    let keys: SigningKeys
    let codes: VerificationCodes
    let sealer: Sealer
    let resets: VerificationCodes
    let attempts: SignInAttempts
    let renewals: Renewals
    let factors: SecondFactorRules
    let quotas: Quotas
    let hasher: PasswordHasher
    let photos: PhotoStore
    /// The services that can veto deleting an account.
    let owners: Owners
    /// The country of phone numbers for which a request names none.
    let country: Country?
    let clock: ServiceClock

    init(
        _ database: Database, _ keys: SigningKeys, _ environment: ServiceEnvironment,
        _ hasher: PasswordHasher,
        _ blobs: any BlobStore, owners: Owners, operatorsNeedSecondFactor: Bool = false,
        country: Country? = nil
    ) {
        self.database = database
        self.keys = keys
        self.hasher = hasher
        self.owners = owners
        self.country = country
        clock = environment.clock
        let secret = environment.common.serviceSecret
        sealer = environment.sealer
        codes = VerificationCodes(secret: secret, sealer: sealer)
        resets = VerificationCodes(.passwordReset, secret: secret, sealer: environment.sealer)
        quotas = Quotas(secret: secret)
        attempts = SignInAttempts(quotas: quotas)
        renewals = Renewals(secret: secret)
        factors = SecondFactorRules(
            secret: secret, sealer: environment.sealer,
            operatorsNeedOne: operatorsNeedSecondFactor)
        photos = PhotoStore(
            blobs: blobs, addresses: environment.signedAddresses, logger: environment.logger)
    }
}

// MARK: Signing up

extension AccountUseCases {
    /// Sign-ups with a number or address that is taken, per network address. A sign-up has to say that it is, so this
    /// keeps anybody from finding out who has an account, number by number. After so many, every sign-up has to wait: a
    /// refusal of those alone would say the same.
    static let takenOfAddress = Quota(name: "taken at sign-up", most: 20, seconds: 3_600)

    /// Creates a customer, starts a session, and sends a first code to each number and address.
    func signUp(
        _ body: SignUpBody, on client: ClientName?, from address: ClientAddress,
        once key: IdempotencyKey?
    ) async throws -> SignedUp {
        let profile = try Person.Profile(checking: body, in: country)
        let now = clock.now
        let (person, event) = Person.new(.customer, profile, at: now)
        try PasswordRules.check(body.password, of: person.contacts)
        // Somebody may still have the number as earlier releases read this text.
        let earlier = body.phone.flatMap(PhoneNumber.init(earlier:)).map(Contact.phone)
        let contacts = person.contacts + [earlier].compactMap(\.self)
        return try await database.answer(once: key) {
            if let refusal = try await taken(contacts, from: address, at: now) {
                throw refusal
            }
            let password = try await hasher.hash(body.password, for: address)
            let session = Session.new(of: person.id, on: client, at: now)
            let tokens = try await tokens(session.id, session.token, of: person)
            return try await database.write(once: key) { transaction in
                try transaction.people.insert(person, password: password)
                try transaction.publish(event, at: now)
                try transaction.sessions.begin(session)
                for contact in person.contacts {
                    try resets.forget(contact, in: transaction)
                    try codes.sendFirst(to: contact, of: person, in: transaction, at: now)
                }
                return SignedUp(customer: person.account, tokens: tokens)
            }
        }
    }

    /// The refusal of a sign-up with a contact that is taken, or of any from an address that tried too many of these;
    /// otherwise nil. It is counted, so it isn't thrown here.
    private func taken(
        _ contacts: [Contact], from address: ClientAddress, at now: Date
    ) async throws -> Refusal? {
        try await database.write { transaction in
            // Only requests that come through the gateway from other machines are counted.
            let network = address.isThisMachine ? nil : address.text
            let quota = [Self.takenOfAddress]
            if let network,
                let wait = try quotas.wait(for: quota, of: network, in: transaction, at: now)
            {
                return Refusal.tooManyAttempts.retrying(after: wait)
            }
            guard let taken = try contacts.first(where: { try transaction.people.find($0) != nil })
            else { return nil }
            if let network { try quotas.count(quota, of: network, in: transaction, at: now) }
            return taken.taken
        }
    }

    /// Sends a code to a number or address that is known and not verified. The answer does not reveal whether it is.
    func sendCode(_ body: ContactBody) async throws {
        let contact = try await contact(of: body)
        let now = clock.now
        try await database.write { transaction in
            let owner = try transaction.people.find(contact)
            try codes.send(
                to: contact, of: owner.flatMap { $0.isVerified(contact) ? nil : $0 },
                in: transaction, at: now)
        }
    }

    /// Verifies the number or address. A repeat with the same code changes nothing.
    func confirm(_ body: ConfirmCodeBody) async throws {
        let contact = try await contact(of: body)
        let now = clock.now
        guard codes.isWellFormed(body.code) else {
            throw Refusal.wrongVerificationCode
        }
        let verdict = try await database.write { transaction -> CodeVerdict in
            // Not thrown in here: a wrong code has to be counted, so the transaction must commit.
            let verdict = try codes.judge(body.code, for: contact, in: transaction, at: now)
            guard verdict == .accepted else { return verdict }
            guard let person = try transaction.people.find(contact) else { return .wrong }
            try transaction.people.change(person.id, at: now) {
                try $0.set(contact, sealedBy: sealer)
            }
            return .accepted
        }
        guard verdict == .accepted else { throw verdict.refusal }
    }
}

// MARK: Sessions

extension AccountUseCases {
    /// Signs in. An unknown number or address takes the same time and gets the same answer as a wrong password.
    func signIn(
        _ body: SignInBody, on client: ClientName?, from address: ClientAddress
    ) async throws -> SignedIn {
        let contact = try await contact(of: body)
        try await takeAttempt(contact, from: address)
        let credentials = try await database.read { try $0.people.credentials(contact) }
        let isRight = try await check(
            body.password, credentials?.password, for: contact, from: address)
        guard isRight, let credentials else { throw Refusal.credentialsMismatch }
        _ = try credentials.person.requireRoles()
        let now = clock.now
        let admission = try await database.write { transaction in
            // Hashing took a while, in which the password may have changed or the person been suspended.
            guard let current = try transaction.people.credentials(contact),
                current.password == credentials.password
            else { throw Refusal.credentialsMismatch }
            _ = try current.person.requireRoles()
            return try admit(
                current.person, contact, on: client, from: address, in: transaction, at: now)
        }
        return try await signedIn(admission)
    }

    func signedIn(_ person: Person, _ session: Session) async throws -> SignedIn {
        let tokens = try await tokens(session.id, session.token, of: person)
        return SignedIn(account: view(person), tokens: tokens)
    }

    func takeAttempt(_ contact: Contact, from address: ClientAddress) async throws {
        let now = clock.now
        try await database.write { transaction in
            try attempts.take(contact, from: address, in: transaction, at: now)
        }
    }

    func check(
        _ password: String, _ hash: PasswordHash?, for contact: Contact,
        from address: ClientAddress
    ) async throws -> Bool {
        do {
            return try await hasher.fits(password, hash, for: address)
        } catch let error as Refusal where Refusal.unavailable ~= error {
            // An attempt does not count if the service was too busy to check it.
            try await database.write { try attempts.giveBack(contact, from: address, in: $0) }
            throw error
        }
    }

    /// Returns the next pair of tokens for a refresh token that is unused, or was used with the same key.
    func refresh(
        _ body: RefreshBody, on client: ClientName?, for key: String?
    ) async throws -> Tokens {
        let token = RefreshToken(text: body.refreshToken)
        let (next, now) = (renewals.next(after: token, for: key), clock.now)
        let rotated = try await database.write { transaction in
            // Not thrown in here: the session of a token that is used twice ends, so the transaction must commit.
            let rotated = try transaction.sessions.rotate(token, to: next, on: client, at: now)
            guard let rotated, try lacksFactor(rotated.person, in: transaction) else {
                return rotated
            }
            // The session began when no second factor was required.
            try transaction.sessions.end(rotated.session, at: now)
            return nil
        }
        guard let rotated else { throw Refusal.sessionEnded }
        return try await tokens(rotated.session, next, of: rotated.person)
    }

    /// Ends the session. Its access tokens remain valid until they expire, minutes later.
    func signOut(_ identity: Identity) async throws {
        let now = clock.now
        try await database.write { try $0.sessions.end(identity.session, at: now) }
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
        guard let person = try await database.read({ try $0.people.find(id) }) else {
            throw Refusal.accountUnknown
        }
        return view(person)
    }

    /// The account as its owner sees it, with an address of the photo that is valid for minutes.
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
            try transaction.people.change(id, at: now) { $0.change(checked) }
        }
        guard let person else { throw Refusal.accountUnknown }
        return view(person)
    }
}

extension Person.Profile {
    /// The phone number is one of `country`, if it has no country code and the body names no country.
    init(checking body: SignUpBody, in country: Country?) throws {
        language = try Check.language(body.language, "language") ?? .english
        firstName = try Check.text(body.firstName, "firstName", Person.nameLength)
        lastName = try Check.text(body.lastName, "lastName", Person.nameLength)
        let country = try body.country.map { try Country(checking: $0) } ?? country
        phone = try body.phone.map { try PhoneNumber(checking: $0, in: country) }
        email = try body.email.map { try EmailAddress(checking: $0) }
        guard phone != nil || email != nil else {
            throw Refusal.invalid("phone", "Enter a phone number or an e-mail address.")
        }
    }

    init(checking body: NewValetBody, in country: Country?) throws {
        try self.init(
            checking: SignUpBody(
                firstName: body.firstName, lastName: body.lastName, phone: body.phone,
                country: body.country, password: body.password, language: body.language),
            in: country)
    }
}
