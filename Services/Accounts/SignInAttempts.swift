import Contracts
import Foundation
import Store

/// Bounds how many passwords can be tried for one phone number, known or not.
///
/// An attempt is counted before its password is looked at, so that many at once get no further than
/// many in a row; a success takes the count back.
enum SignInAttempts {
    static let most = 10
    /// Seconds from the first attempt until the count starts anew.
    static let window: TimeInterval = 900

    /// Throws `account.too_many_attempts` when there is none left.
    static func take(_ phone: PhoneNumber, in transaction: Transaction, at now: Date) throws {
        let windowStart = now.addingTimeInterval(-window)
        let taken = try transaction.execute(
            """
            INSERT INTO sign_in_attempts (phone, attempts, began_at) VALUES (?, 1, ?)
            ON CONFLICT (phone) DO UPDATE SET
                attempts = CASE WHEN sign_in_attempts.began_at <= ?
                    THEN 1 ELSE sign_in_attempts.attempts + 1 END,
                began_at = CASE WHEN sign_in_attempts.began_at <= ?
                    THEN excluded.began_at ELSE sign_in_attempts.began_at END
            WHERE sign_in_attempts.began_at <= ? OR sign_in_attempts.attempts < ?
            """, phone.description, now, windowStart, windowStart, windowStart, most)
        guard taken == 0 else { return }
        let row = try transaction.row(
            "SELECT began_at FROM sign_in_attempts WHERE phone = ?", phone.description)
        guard let row else { throw LostRace() }
        let end = try row.get("began_at", as: Date.self).addingTimeInterval(window)
        throw AccountError.tooManyAttempts(
            retryAfterSeconds: Int(end.timeIntervalSince(now).rounded(.up)))
    }

    /// For an attempt that ended before its password was looked at.
    static func giveBack(_ phone: PhoneNumber, in transaction: Transaction) throws {
        try transaction.execute(
            "UPDATE sign_in_attempts SET attempts = attempts - 1 WHERE phone = ? AND attempts > 0",
            phone.description)
    }

    static func clear(_ phone: PhoneNumber, in transaction: Transaction) throws {
        try transaction.execute(
            "DELETE FROM sign_in_attempts WHERE phone = ?", phone.description)
    }
}
