import Contracts
import Crypto
import Foundation
import ServiceKit
import Store

/// A limit on how often something may happen within a time that starts with the first occurrence.
struct Quota: Sendable {
    let name: String
    let most: Int
    let seconds: TimeInterval
}

/// Counts per phone number, e-mail address or network address. These are stored as keyed hashes that differ by quota,
/// so that the counts outlive an account without revealing whose they are.
struct Quotas: Sendable {
    static let migration = Migration(
        "quotas-1",
        """
        CREATE TABLE quotas (
            id TEXT NOT NULL PRIMARY KEY,
            taken BIGINT NOT NULL,
            ends_at BIGINT NOT NULL
        )
        """,
        "CREATE INDEX quotas_by_end ON quotas (ends_at)")

    private let pepper: SymmetricKey

    init(secret: String) {
        pepper = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Data(secret.utf8)),
            info: Data("openvalet quotas".utf8), outputByteCount: 32)
    }

    private func id(_ quota: Quota, _ subject: String) -> String {
        HMAC<SHA256>.authenticationCode(for: Data("\(quota.name)\n\(subject)".utf8), using: pepper)
            .hex
    }

    /// Counts one against each quota. If one is exhausted, counts none and returns the seconds to wait.
    func take(
        _ quotas: [Quota], of subject: String, in transaction: Transaction, at now: Date
    ) throws -> Int? {
        if let wait = try wait(for: quotas, of: subject, in: transaction, at: now) { return wait }
        try count(quotas, of: subject, in: transaction, at: now)
        return nil
    }

    /// The seconds to wait if one of the quotas is exhausted. Counts none.
    func wait(
        for quotas: [Quota], of subject: String, in transaction: Transaction, at now: Date
    ) throws -> Int? {
        let ends = try quotas.compactMap { quota -> Date? in
            let row = try transaction.row(
                "SELECT ends_at FROM quotas WHERE id = ? AND ends_at > ? AND taken >= ?",
                id(quota, subject), now, quota.most)
            return try row?.get("ends_at")
        }
        return ends.max().map { Int($0.timeIntervalSince(now).rounded(.up)) }
    }

    /// Counts one against each quota, even if it is exhausted.
    func count(
        _ quotas: [Quota], of subject: String, in transaction: Transaction, at now: Date
    ) throws {
        for quota in quotas {
            try transaction.execute(
                """
                INSERT INTO quotas (id, taken, ends_at) VALUES (?, 1, ?)
                ON CONFLICT (id) DO UPDATE SET
                    taken = CASE WHEN quotas.ends_at <= ? THEN 1 ELSE quotas.taken + 1 END,
                    ends_at = CASE WHEN quotas.ends_at <= ?
                        THEN excluded.ends_at ELSE quotas.ends_at END
                """, id(quota, subject), now.addingTimeInterval(quota.seconds), now, now)
        }
    }

    func giveBack(_ quotas: [Quota], of subject: String, in transaction: Transaction) throws {
        for quota in quotas {
            try transaction.execute(
                "UPDATE quotas SET taken = taken - 1 WHERE id = ? AND taken > 0",
                id(quota, subject))
        }
    }

    func clear(_ quotas: [Quota], of subject: String, in transaction: Transaction) throws {
        for quota in quotas {
            try transaction.execute("DELETE FROM quotas WHERE id = ?", id(quota, subject))
        }
    }

    /// Whether anything was counted within the quota's time.
    func isTaken(
        _ quota: Quota, of subject: String, in transaction: Transaction, at now: Date
    ) throws -> Bool {
        try transaction.row(
            "SELECT 1 AS one FROM quotas WHERE id = ? AND ends_at > ?", id(quota, subject), now)
            != nil
    }
}
