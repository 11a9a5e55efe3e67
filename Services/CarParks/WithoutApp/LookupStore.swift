import Contracts
import Foundation
import ServiceKit
import Store

extension Transaction {
    var lookups: LookupStore { LookupStore(transaction: self) }
    var stayCodes: StayCodes { StayCodes(transaction: self) }
}

/// Wrong questions about stays.
struct LookupStore {
    let transaction: Transaction

    /// Seconds until a question may be asked again; nil if it may now.
    func wait(for question: LookupQuestion, at now: Date) throws -> Int? {
        let end: Date? = try transaction.row(
            "SELECT waits_until FROM lookup_tries WHERE subject = ? AND waits_until > ?",
            question.subject, now)?.get("waits_until")
        return end.map { Int($0.timeIntervalSince(now).rounded(.up)) }
    }

    /// Counts a wrong question, and forgets them after a right one.
    func count(_ question: LookupQuestion, isRight: Bool, at now: Date) throws {
        guard !isRight else {
            try transaction.execute(
                "DELETE FROM lookup_tries WHERE subject = ?", question.subject)
            return
        }
        let row = try transaction.row(
            """
            INSERT INTO lookup_tries (subject, tries, waits_until, ends_at) VALUES (?, 1, ?, ?)
            ON CONFLICT (subject) DO UPDATE SET
                tries = CASE WHEN lookup_tries.ends_at <= excluded.waits_until
                    THEN 1 ELSE lookup_tries.tries + 1 END,
                ends_at = CASE WHEN lookup_tries.ends_at <= excluded.waits_until
                    THEN excluded.ends_at ELSE lookup_tries.ends_at END
            RETURNING tries, ends_at
            """, question.subject, now, now.addingTimeInterval(GuestPayments.triesKept))
        guard let row, let wait = GuestPayments.wait(after: try row.get("tries")) else { return }
        let end = min(now.addingTimeInterval(wait), try row.get("ends_at", as: Date.self))
        try transaction.execute(
            "UPDATE lookup_tries SET waits_until = ? WHERE subject = ?", end, question.subject)
    }

    func sweep(before now: Date, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM lookup_tries WHERE subject IN (
                SELECT subject FROM lookup_tries WHERE ends_at <= ? LIMIT ?)
            """, now, limit)
    }
}

/// The codes of stays that may be paid by them, and counts of wrong ones.
struct StayCodes {
    static let migration = Migration.addition(
        "without-app-1",
        """
        CREATE TABLE stay_codes (
            code TEXT NOT NULL,
            session TEXT NOT NULL,
            PRIMARY KEY (code, session))
        """,
        """
        CREATE TABLE lookup_tries (
            subject TEXT NOT NULL PRIMARY KEY,
            tries BIGINT NOT NULL,
            waits_until BIGINT NOT NULL,
            ends_at BIGINT NOT NULL)
        """,
        "CREATE INDEX lookup_tries_by_end ON lookup_tries (ends_at)",
        """
        CREATE TABLE gate_openings (
            gate TEXT NOT NULL PRIMARY KEY,
            session TEXT,
            plate TEXT,
            expires_at BIGINT NOT NULL)
        """)

    let transaction: Transaction

    /// Keeps the code while something may be due for the stay.
    func keep(_ record: SessionRecord) throws {
        let id = record.session.id
        if record.isOpenToGuests {
            try transaction.execute(
                "INSERT INTO stay_codes (code, session) VALUES (?, ?) ON CONFLICT DO NOTHING",
                record.reference, id)
        } else {
            try transaction.execute(
                "DELETE FROM stay_codes WHERE code = ? AND session = ?", record.reference, id)
        }
    }
}
