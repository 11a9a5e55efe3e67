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
}

/// Makes, keeps and checks the six-digit codes of one purpose that go out by text message.
struct VerificationCodes: Sendable {
    static let digits = 6
    /// Seconds that a code is good for.
    static let life: TimeInterval = 600
    static let mostTries = 5
    /// Seconds between two codes for one number.
    static let interval: TimeInterval = 30
    /// Codes for one number in an hour: bounds what a stranger can make us send, and how many
    /// guesses new codes give.
    static let mostPerHour = 10
    static let hour: TimeInterval = 3_600

    private let purpose: CodeRequested.Purpose
    private let pepper: SymmetricKey
    private let sealer: Sealer

    init(_ purpose: CodeRequested.Purpose = .verification, secret: String, sealer: Sealer) {
        self.purpose = purpose
        pepper = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Data(secret.utf8)),
            info: Data("openvalet verification codes".utf8), outputByteCount: 32)
        self.sealer = sealer
    }

    /// A million codes are tried in no time against any plain hash, however slow; so the hash is
    /// keyed with a secret that is not in the database.
    func hash(_ code: String, for phone: PhoneNumber) -> String {
        HMAC<SHA256>.authenticationCode(for: message(code, phone), using: pepper)
            .map { String(format: "%02x", $0) }.joined()
    }

    static func new() -> String {
        String(format: "%0\(digits)d", Int.random(in: 0..<1_000_000))
    }

    static func isWellFormed(_ code: String) -> Bool {
        code.utf8.count == digits && code.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Differs by purpose, so that one table's hash is worth nothing in the other.
    private func message(_ code: String, _ phone: PhoneNumber) -> Data {
        switch purpose {
        case .verification: Data("\(phone)\n\(code)".utf8)
        case .passwordReset: Data("reset\n\(phone)\n\(code)".utf8)
        }
    }

    private var table: String {
        switch purpose {
        case .verification: "codes"
        case .passwordReset: "reset_codes"
        }
    }

    /// Stores a new code and, when the number is a person's, has it sent. A stranger's number goes
    /// through the same steps and limits, so that the answers don't tell the two apart.
    func send(to phone: PhoneNumber, in transaction: Transaction, at now: Date) throws {
        let code = Self.new()
        if let wait = try reserve(phone, hash(code, for: phone), in: transaction, at: now) {
            throw AccountError.codeTooSoon(retryAfterSeconds: wait)
        }
        guard let person = try transaction.person(phone: phone), !person.account.phoneVerified
        else { return }
        try publish(
            code, to: person, until: now.addingTimeInterval(Self.life), in: transaction, at: now)
    }

    func publish(
        _ code: String, to person: Person, until expiry: Date, in transaction: Transaction,
        at now: Date
    ) throws {
        let event = CodeRequested(
            account: person.id, purpose: purpose, language: person.account.language,
            sealed: try sealer.seal(CodeSecret(phone: person.account.phone, code: code)),
            expiresAt: expiry)
        try transaction.publish(event, at: now)
    }

    /// Forgets what was asked for a number: it gets an owner, or loses its owner.
    func forget(_ phone: PhoneNumber, in transaction: Transaction) throws {
        try transaction.execute("DELETE FROM \(table) WHERE phone = ?", phone.description)
    }

    /// Whether it is the number's code; each question counts as a try.
    func judge(
        _ code: String, for phone: PhoneNumber, in transaction: Transaction, at now: Date
    ) throws -> CodeVerdict {
        let tried = try transaction.execute(
            """
            UPDATE \(table) SET tries = tries + 1
            WHERE phone = ? AND tries < ? AND expires_at > ?
            """, phone.description, Self.mostTries, now)
        let row = try transaction.row(
            "SELECT hash, tries FROM \(table) WHERE phone = ? AND expires_at > ?",
            phone.description, now)
        guard let row else { return .wrong }
        // Both are keyed hashes: the time of comparing them tells nothing about the code.
        if tried == 1, try row.get("hash", as: String.self) == hash(code, for: phone) {
            return .accepted
        }
        return try row.get("tries", as: Int.self) < Self.mostTries ? .wrong : .usedUp
    }

    /// The code is no longer good, whoever else has it; false when it was not the number's code.
    func use(
        _ code: String, for phone: PhoneNumber, in transaction: Transaction, at now: Date
    ) throws -> Bool {
        try transaction.execute(
            "UPDATE \(table) SET hash = ? WHERE phone = ? AND hash = ? AND expires_at > ?",
            Self.spent, phone.description, hash(code, for: phone), now) == 1
    }

    /// Instead of a hash, which it never equals: there is no code any more.
    static let spent = "spent"

    /// Seconds to wait when a code was sent a moment ago, or as many as an hour allows; nil when
    /// the new one has taken its place.
    func reserve(
        _ phone: PhoneNumber, _ hash: String, in transaction: Transaction, at now: Date
    ) throws -> Int? {
        let hourAgo = now.addingTimeInterval(-Self.hour)
        let reserved = try transaction.execute(
            """
            INSERT INTO \(table)
                (phone, hash, tries, sent_at, expires_at, hour_began_at, sent_in_hour)
            VALUES (?, ?, 0, ?, ?, ?, 1)
            ON CONFLICT (phone) DO UPDATE SET
                hash = excluded.hash, tries = 0, sent_at = excluded.sent_at,
                expires_at = excluded.expires_at,
                hour_began_at = CASE WHEN \(table).hour_began_at <= ?
                    THEN excluded.hour_began_at ELSE \(table).hour_began_at END,
                sent_in_hour = CASE WHEN \(table).hour_began_at <= ?
                    THEN 1 ELSE \(table).sent_in_hour + 1 END
            WHERE \(table).sent_at <= ?
                AND (\(table).hour_began_at <= ? OR \(table).sent_in_hour < ?)
            """,
            phone.description, hash, now, now.addingTimeInterval(Self.life), now, hourAgo, hourAgo,
            now.addingTimeInterval(-Self.interval), hourAgo, Self.mostPerHour)
        guard reserved == 0 else { return nil }
        let row = try transaction.row(
            "SELECT sent_at, hour_began_at, sent_in_hour FROM \(table) WHERE phone = ?",
            phone.description)
        guard let row else { throw LostRace() }
        var next = try row.get("sent_at", as: Date.self).addingTimeInterval(Self.interval)
        if try row.get("sent_in_hour", as: Int.self) >= Self.mostPerHour {
            let hourEnd = try row.get("hour_began_at", as: Date.self).addingTimeInterval(Self.hour)
            next = max(next, hourEnd)
        }
        return Int(next.timeIntervalSince(now).rounded(.up))
    }
}
