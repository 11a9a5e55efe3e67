import Contracts
import Crypto
import EventBus
import Foundation
import ServiceKit
import Store

/// What a code that somebody typed turned out to be.
enum CodeVerdict: Sendable, Equatable {
    case accepted
    case wrong
    /// Typed wrong as often as may be: no try is left.
    case usedUp

    var refusal: Refusal {
        guard self == .usedUp else { return .wrongVerificationCode }
        return .wrongVerificationCode.because(
            "A wrong code was typed \(VerificationCodes.mostTries) times: ask for a new one.")
    }
}

/// Makes, keeps and checks the codes of one purpose that go out by text message or mail.
struct VerificationCodes: Sendable {
    /// Seconds that a code is good for.
    static let life: TimeInterval = 600
    static let mostTries = 5
    /// Wrong codes for a new password that a number or address may have in a day, whichever codes they were meant for.
    static let triesOfDay = Quota(name: "tries of resets", most: 20, seconds: day)
    /// Codes that go to a number or address in a day.
    static let messagesOfDay = 20
    private static let day: TimeInterval = 86_400

    private let purpose: CodeRequested.Purpose
    private let pepper: SymmetricKey
    private let sealer: Sealer
    private let quotas: Quotas
    /// What may be asked for a number or address, whoever has it, so that the answers don't tell whether anybody does.
    private let asks: [Quota]
    /// What is sent there: bounds what a stranger can make us send, by whatever way.
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

    /// Of all purposes together, but for second factors: who asks for their messages knows the password, and no
    /// stranger uses them up.
    private static func ofDay(_ purpose: CodeRequested.Purpose) -> Quota {
        let name =
            switch purpose {
            case .verification, .passwordReset: "messages"
            case .secondFactor: "messages of second factors"
            }
        return Quota(name: name, most: messagesOfDay, seconds: day)
    }

    /// A million codes are tried in no time against any plain hash, however slow; so the hash is
    /// keyed with a secret that is not in the database.
    func hash(_ code: String, for contact: Contact) -> String {
        HMAC<SHA256>.authenticationCode(for: message(code, contact), using: pepper).hex
    }

    /// A code for a new password opens the account, so it is longer.
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

    /// Differs by purpose, so that one table's hash is worth nothing in the other.
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

    /// The first code of a new account: what strangers asked for it before does not keep it back, but for
    /// what was sent.
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

    /// Nothing is sent beyond what a number or address may get: the seconds to wait then.
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

    /// No code is good for it any more: it gets an owner, or loses its owner. What was counted stays.
    func forget(_ contact: Contact, in transaction: Transaction) throws {
        try transaction.execute("DELETE FROM \(table) WHERE contact = ?", contact.description)
    }

    /// Whether it is the code that was sent there; each question counts as a try.
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
        // Both are keyed hashes: the time of comparing them tells nothing about the code.
        if tried == 1, try row.get("hash", as: String.self) == hash(code, for: contact) {
            return .accepted
        }
        return try row.get("tries", as: Int.self) < Self.mostTries ? .wrong : .usedUp
    }

    /// The code is no longer good, whoever else has it; false when it was not that code.
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

    /// Judges it, and uses it when it is right.
    func take(
        _ code: String, for contact: Contact, in transaction: Transaction, at now: Date
    ) throws -> CodeVerdict {
        let verdict = try judge(code, for: contact, in: transaction, at: now)
        guard verdict == .accepted else { return verdict }
        return try use(code, for: contact, in: transaction, at: now) ? .accepted : .wrong
    }

    /// Instead of a hash, which it never equals: there is no code any more.
    static let spent = "spent"

    /// Seconds to wait when a code was asked for a moment ago, or as many as may be; nil when the new
    /// one has taken its place.
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
