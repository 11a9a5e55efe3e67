import Contracts
import Crypto
import EventBus
import Foundation
import ServiceKit
import Store

/// The result of checking a code.
enum CodeVerdict: Sendable, Equatable {
    case accepted
    case wrong
    /// Wrong too often: no attempt is left.
    case usedUp

    var refusal: Refusal {
        guard self == .usedUp else { return .wrongVerificationCode }
        return .wrongVerificationCode.because(
            "You entered a wrong code \(VerificationCodes.mostTries) times. Request a new one.")
    }
}

/// Makes, stores and checks the codes of one purpose, which are sent by text message or e-mail.
struct VerificationCodes: Sendable {
    /// Seconds for which a code works.
    static let life: TimeInterval = 600
    static let mostTries = 5
    /// Wrong reset codes per number or address and day, for all codes together.
    static let triesOfDay = Quota(name: "tries of resets", most: 20, seconds: day)
    /// Codes sent to a number or address per day.
    static let messagesOfDay = 20
    private static let day: TimeInterval = 86_400

    private let purpose: CodeRequested.Purpose
    private let pepper: SymmetricKey
    private let sealer: Sealer
    private let quotas: Quotas
    /// Limits on requests for a number or address, known or not, so that the answers don't reveal whether it is.
    private let asks: [Quota]
    /// Limits on messages sent there, which bound the messages that a stranger can cause.
    private let messages: [Quota]

    init(_ purpose: CodeRequested.Purpose = .verification, secret: String, sealer: Sealer) {
        self.purpose = purpose
        quotas = Quotas(secret: secret)
        func limits(_ what: String) -> [Quota] {
            [
                Quota(name: "\(what) \(purpose) at once", most: 1, seconds: 30),
                Quota(name: "\(what) \(purpose)", most: 10, seconds: 3_600),
            ]
        }
        asks =
            limits("asked") + [Quota(name: "asked \(purpose) of day", most: 20, seconds: Self.day)]
        messages = limits("sent") + [Self.ofDay(purpose)]
        pepper = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Data(secret.utf8)),
            info: Data("openvalet verification codes".utf8), outputByteCount: 32)
        self.sealer = sealer
    }

    /// The limit for all purposes together except second factors: a person who requests those has given the password,
    /// so no stranger can use up their limit.
    private static func ofDay(_ purpose: CodeRequested.Purpose) -> Quota {
        let name =
            switch purpose {
            case .verification, .passwordReset: "messages"
            case .secondFactor: "messages of second factors"
            }
        return Quota(name: name, most: messagesOfDay, seconds: day)
    }

    /// A million codes are soon tried against any plain hash, however slow. So the hash is keyed with a secret that is
    /// not in the database.
    func hash(_ code: String, for contact: Contact) -> String {
        HMAC<SHA256>.authenticationCode(for: message(code, contact), using: pepper).hex
    }

    /// A reset code opens the account, so it is longer.
    var digits: Int {
        switch purpose {
        case .verification, .secondFactor: 6
        case .passwordReset: 8
        }
    }

    func newCode() -> String {
        String((0..<digits).map { _ in Character(String(Int.random(in: 0...9))) })
    }

    func isWellFormed(_ code: String) -> Bool {
        code.utf8.count == digits && code.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Depends on the purpose, so that a hash of one table is useless in the other.
    private func message(_ code: String, _ contact: Contact) -> Data {
        switch purpose {
        case .verification: Data("\(contact)\n\(code)".utf8)
        case .passwordReset: Data("reset\n\(contact)\n\(code)".utf8)
        case .secondFactor: Data("second factor\n\(contact)\n\(code)".utf8)
        }
    }

    private var table: String {
        switch purpose {
        case .verification: "codes"
        case .passwordReset: "reset_codes"
        case .secondFactor: "second_factor_codes"
        }
    }

    /// Stores a new code and, if there is a person to send it to, has it sent. An unknown number or address
    /// goes through the same steps and limits, so that the answers don't tell whether it is known. A person
    /// who is asked for a second factor is known anyway: they get `codeTooSoon` if nothing is sent, and the
    /// previous code stays valid.
    func send(
        to contact: Contact, of person: Person?, in transaction: Transaction, at now: Date
    ) throws {
        let code = newCode()
        if let wait = try reserve(contact, hash(code, for: contact), in: transaction, at: now) {
            throw Refusal.codeTooSoon.retrying(after: wait)
        }
        guard let person else { return }
        let wait = try publish(
            code, to: contact, of: person, until: now.addingTimeInterval(Self.life),
            in: transaction, at: now)
        if let wait, purpose == .secondFactor {
            throw Refusal.codeTooSoon.retrying(after: wait)
        }
    }

    /// Sends the first code of a new account. Earlier requests by strangers do not delay it, but messages already sent
    /// count against the limit.
    func sendFirst(
        to contact: Contact, of person: Person, in transaction: Transaction, at now: Date
    ) throws {
        let code = newCode()
        try quotas.count(asks, of: contact.description, in: transaction, at: now)
        try keep(hash(code, for: contact), of: contact, in: transaction, at: now)
        try publish(
            code, to: contact, of: person, until: now.addingTimeInterval(Self.life),
            in: transaction, at: now)
    }

    /// Sends a code, unless the limit is reached; then returns the seconds to wait.
    @discardableResult
    func publish(
        _ code: String, to contact: Contact, of person: Person, until expiry: Date,
        in transaction: Transaction, at now: Date
    ) throws -> Int? {
        let wait = try quotas.take(messages, of: contact.description, in: transaction, at: now)
        if let wait { return wait }
        let secret =
            switch contact {
            case .phone(let phone): CodeSecret(phone: phone.description, code: code)
            case .email(let email): CodeSecret(email: email.description, code: code)
            }
        let event = CodeRequested(
            account: person.id, purpose: purpose, language: person.account.language,
            sealed: try sealer.seal(secret),
            expiresAt: expiry)
        try transaction.publish(event, at: now)
        return nil
    }

    /// Invalidates the contact's code when it gets an owner or loses its owner. The counts stay.
    func forget(_ contact: Contact, in transaction: Transaction) throws {
        try transaction.execute("DELETE FROM \(table) WHERE contact = ?", contact.description)
    }

    /// Checks a code. Each check counts as an attempt.
    func judge(
        _ code: String, for contact: Contact, in transaction: Transaction, at now: Date
    ) throws -> CodeVerdict {
        if purpose == .passwordReset {
            let wait = try quotas.take(
                [Self.triesOfDay], of: contact.description, in: transaction, at: now)
            if let wait { throw Refusal.tooManyAttempts.retrying(after: wait) }
        }
        let tried = try transaction.execute(
            """
            UPDATE \(table) SET tries = tries + 1
            WHERE contact = ? AND tries < ? AND expires_at > ?
            """, contact.description, Self.mostTries, now)
        let row = try transaction.row(
            "SELECT hash, tries FROM \(table) WHERE contact = ? AND expires_at > ?",
            contact.description, now)
        guard let row else { return .wrong }
        // Both are keyed hashes, so the time to compare them reveals nothing about the code.
        if tried == 1, try row.get("hash", as: String.self) == hash(code, for: contact) {
            return .accepted
        }
        return try row.get("tries", as: Int.self) < Self.mostTries ? .wrong : .usedUp
    }

    /// Uses up the code, whoever else knows it. Returns false if it was not that code.
    func use(
        _ code: String, for contact: Contact, in transaction: Transaction, at now: Date
    ) throws -> Bool {
        let used = try transaction.execute(
            "UPDATE \(table) SET hash = ? WHERE contact = ? AND hash = ? AND expires_at > ?",
            Self.spent, contact.description, hash(code, for: contact), now)
        guard used == 1 else { return false }
        try quotas.clear([Self.triesOfDay], of: contact.description, in: transaction)
        return true
    }

    /// Checks the code, and uses it up if it is right.
    func take(
        _ code: String, for contact: Contact, in transaction: Transaction, at now: Date
    ) throws -> CodeVerdict {
        let verdict = try judge(code, for: contact, in: transaction, at: now)
        guard verdict == .accepted else { return verdict }
        return try use(code, for: contact, in: transaction, at: now) ? .accepted : .wrong
    }

    /// Stored in place of a hash, which it never equals: the code is used up.
    static let spent = "spent"

    /// Stores a new code in place of the previous one. If a code was requested too recently or too often, returns the
    /// seconds to wait.
    func reserve(
        _ contact: Contact, _ hash: String, in transaction: Transaction, at now: Date
    ) throws -> Int? {
        let wait = try quotas.take(asks, of: contact.description, in: transaction, at: now)
        if wait == nil { try keep(hash, of: contact, in: transaction, at: now) }
        return wait
    }

    private func keep(
        _ hash: String, of contact: Contact, in transaction: Transaction, at now: Date
    ) throws {
        try transaction.execute(
            """
            INSERT INTO \(table) (contact, hash, tries, expires_at) VALUES (?, ?, 0, ?)
            ON CONFLICT (contact) DO UPDATE SET
                hash = excluded.hash, tries = 0, expires_at = excluded.expires_at
            """, contact.description, hash, now.addingTimeInterval(Self.life))
    }
}
