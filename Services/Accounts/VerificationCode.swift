import Contracts
import Crypto
import EventBus
import Foundation
import ServiceKit
import Store

/// Makes, keeps and checks the six-digit codes that go out by text message.
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

    private let pepper: SymmetricKey
    private let sealer: Sealer

    init(secret: String, sealer: Sealer) {
        pepper = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Data(secret.utf8)),
            info: Data("openvalet verification codes".utf8), outputByteCount: 32)
        self.sealer = sealer
    }

    /// A million codes are tried in no time against any plain hash, however slow; so the hash is
    /// keyed with a secret that is not in the database.
    func hash(_ code: String, for phone: PhoneNumber) -> String {
        HMAC<SHA256>.authenticationCode(for: Self.message(code, phone), using: pepper)
            .map { String(format: "%02x", $0) }.joined()
    }

    static func new() -> String {
        String(format: "%0\(digits)d", Int.random(in: 0..<1_000_000))
    }

    static func isWellFormed(_ code: String) -> Bool {
        code.utf8.count == digits && code.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func message(_ code: String, _ phone: PhoneNumber) -> Data {
        Data("\(phone)\n\(code)".utf8)
    }

    /// Stores a new code and, when the number is a person's, has it sent. A stranger's number goes
    /// through the same steps and limits, so that the answers don't tell the two apart.
    func send(to phone: PhoneNumber, in transaction: Transaction, at now: Date) throws {
        let code = Self.new()
        try reserve(phone, hash(code, for: phone), in: transaction, at: now)
        guard let person = try transaction.person(phone: phone), !person.account.phoneVerified
        else { return }
        let event = CodeRequested(
            account: person.id, purpose: .verification, language: person.account.language,
            sealed: try sealer.seal(CodeSecret(phone: phone.description, code: code)),
            expiresAt: now.addingTimeInterval(Self.life))
        try transaction.publish(event, at: now)
    }

    /// Forgets what strangers have asked for a number that has an owner from now on.
    func forget(_ phone: PhoneNumber, in transaction: Transaction) throws {
        try transaction.execute("DELETE FROM codes WHERE phone = ?", phone.description)
    }

    /// Whether it is the number's code; each question counts as a try.
    func accepts(
        _ code: String, for phone: PhoneNumber, in transaction: Transaction, at now: Date
    ) throws -> Bool {
        let tried = try transaction.execute(
            "UPDATE codes SET tries = tries + 1 WHERE phone = ? AND tries < ? AND expires_at > ?",
            phone.description, Self.mostTries, now)
        let row = try transaction.row(
            "SELECT hash FROM codes WHERE phone = ?", phone.description)
        guard tried == 1, let stored = try row?.get("hash", as: String.self) else { return false }
        // Both are keyed hashes: the time of comparing them tells nothing about the code.
        return stored == hash(code, for: phone)
    }

    private func reserve(
        _ phone: PhoneNumber, _ hash: String, in transaction: Transaction, at now: Date
    ) throws {
        let hourAgo = now.addingTimeInterval(-Self.hour)
        let reserved = try transaction.execute(
            """
            INSERT INTO codes
                (phone, hash, tries, sent_at, expires_at, hour_began_at, sent_in_hour)
            VALUES (?, ?, 0, ?, ?, ?, 1)
            ON CONFLICT (phone) DO UPDATE SET
                hash = excluded.hash, tries = 0, sent_at = excluded.sent_at,
                expires_at = excluded.expires_at,
                hour_began_at = CASE WHEN codes.hour_began_at <= ?
                    THEN excluded.hour_began_at ELSE codes.hour_began_at END,
                sent_in_hour = CASE WHEN codes.hour_began_at <= ?
                    THEN 1 ELSE codes.sent_in_hour + 1 END
            WHERE codes.sent_at <= ? AND (codes.hour_began_at <= ? OR codes.sent_in_hour < ?)
            """,
            phone.description, hash, now, now.addingTimeInterval(Self.life), now, hourAgo, hourAgo,
            now.addingTimeInterval(-Self.interval), hourAgo, Self.mostPerHour)
        guard reserved == 0 else { return }
        let row = try transaction.row(
            "SELECT sent_at, hour_began_at, sent_in_hour FROM codes WHERE phone = ?",
            phone.description)
        guard let row else { throw LostRace() }
        var next = try row.get("sent_at", as: Date.self).addingTimeInterval(Self.interval)
        if try row.get("sent_in_hour", as: Int.self) >= Self.mostPerHour {
            let hourEnd = try row.get("hour_began_at", as: Date.self).addingTimeInterval(Self.hour)
            next = max(next, hourEnd)
        }
        throw AccountError.codeTooSoon(
            retryAfterSeconds: Int(next.timeIntervalSince(now).rounded(.up)))
    }
}
