import Contracts
import Crypto
import Foundation
import ServiceKit
import Store

/// Tables of second factors, unconfirmed setups and pending sign-ins, and of people whose password was set with a code
/// sent to their phone.
let secondFactorMigration = Migration(
    "second-factors-1",
    """
    CREATE TABLE second_factors (
        person TEXT NOT NULL REFERENCES people (id),
        method TEXT NOT NULL,
        sealed TEXT NOT NULL,
        last_step BIGINT NOT NULL,
        PRIMARY KEY (person, method)
    )
    """,
    """
    CREATE TABLE second_factor_setups (
        person TEXT NOT NULL PRIMARY KEY REFERENCES people (id),
        sealed TEXT NOT NULL,
        expires_at BIGINT NOT NULL
    )
    """,
    "CREATE INDEX second_factor_setups_by_end ON second_factor_setups (expires_at)",
    """
    CREATE TABLE second_factor_codes (
        contact TEXT NOT NULL PRIMARY KEY,
        hash TEXT NOT NULL,
        tries BIGINT NOT NULL,
        expires_at BIGINT NOT NULL
    )
    """,
    "CREATE INDEX second_factor_codes_by_end ON second_factor_codes (expires_at)",
    """
    CREATE TABLE recovery_codes (
        person TEXT NOT NULL REFERENCES people (id),
        hash TEXT NOT NULL,
        PRIMARY KEY (person, hash)
    )
    """,
    """
    CREATE TABLE challenges (
        hash TEXT NOT NULL PRIMARY KEY,
        person TEXT NOT NULL REFERENCES people (id),
        contact TEXT NOT NULL,
        tries BIGINT NOT NULL,
        expires_at BIGINT NOT NULL
    )
    """,
    "CREATE INDEX challenges_of_person ON challenges (person)",
    "CREATE INDEX challenges_by_end ON challenges (expires_at)",
    "CREATE TABLE phone_resets (person TEXT NOT NULL PRIMARY KEY REFERENCES people (id))")

/// A second factor that is on.
struct SecondFactor: Sendable {
    let method: SecondFactorMethod
    /// Empty if there is no secret.
    let sealed: String
    /// Codes of this step and earlier ones are no longer accepted.
    let lastStep: Int

    init(_ method: SecondFactorMethod, sealed: String = "", lastStep: Int = 0) {
        (self.method, self.sealed, self.lastStep) = (method, sealed, lastStep)
    }
}

/// A sign-in with the right password that waits for the second factor.
struct Challenge: Sendable {
    static let life: TimeInterval = 300
    static let mostTries = 5

    let person: PersonID
    /// The contact used to sign in.
    let contact: Contact
    let tries: Int
}

extension Transaction {
    var secondFactors: SecondFactorStore { SecondFactorStore(transaction: self) }
    var recoveryCodes: RecoveryCodeStore { RecoveryCodeStore(transaction: self) }
    var challenges: ChallengeStore { ChallengeStore(transaction: self) }
    var phoneResets: PhoneResetStore { PhoneResetStore(transaction: self) }
}

// MARK: Factors

/// Second factors that are on, and unconfirmed setups, in SQL.
struct SecondFactorStore {
    let transaction: Transaction

    func active(of person: PersonID) throws -> [SecondFactorMethod] {
        let on = try transaction.rows("SELECT method FROM second_factors WHERE person = ?", person)
            .map { try $0.get("method", as: String.self) }
        return SecondFactorMethod.allCases.filter { on.contains($0.rawValue) }
    }

    func insert(_ factor: SecondFactor, of person: PersonID) throws {
        try transaction.execute(
            "INSERT INTO second_factors (person, method, sealed, last_step) VALUES (?, ?, ?, ?)",
            person, factor.method.rawValue, factor.sealed, factor.lastStep)
    }

    /// Removes a factor, and with the last one the recovery codes.
    func remove(_ method: SecondFactorMethod, of person: PersonID) throws {
        try transaction.execute(
            "DELETE FROM second_factors WHERE person = ? AND method = ?", person, method.rawValue)
        if try active(of: person).isEmpty { try transaction.recoveryCodes.removeAll(of: person) }
    }

    func removeAll(of person: PersonID) throws {
        try transaction.execute("DELETE FROM second_factors WHERE person = ?", person)
        try transaction.execute("DELETE FROM second_factor_setups WHERE person = ?", person)
        try transaction.recoveryCodes.removeAll(of: person)
        try transaction.challenges.endAll(of: person)
    }

    func sealedTOTP(of person: PersonID) throws -> String? {
        try transaction.row(
            "SELECT sealed FROM second_factors WHERE person = ? AND method = ?", person,
            SecondFactorMethod.totp.rawValue)?.get("sealed")
    }

    /// Returns false if a code of this step, or of a later one, was used before.
    func use(step: Int, of person: PersonID) throws -> Bool {
        try transaction.execute(
            """
            UPDATE second_factors SET last_step = ?
            WHERE person = ? AND method = ? AND last_step < ?
            """, step, person, SecondFactorMethod.totp.rawValue, step) == 1
    }

    func prepareTOTP(_ sealed: String, of person: PersonID, until end: Date) throws {
        try transaction.execute(
            """
            INSERT INTO second_factor_setups (person, sealed, expires_at) VALUES (?, ?, ?)
            ON CONFLICT (person) DO UPDATE SET
                sealed = excluded.sealed, expires_at = excluded.expires_at
            """, person, sealed, end)
    }

    func preparedTOTP(of person: PersonID, at now: Date) throws -> String? {
        try transaction.row(
            "SELECT sealed FROM second_factor_setups WHERE person = ? AND expires_at > ?", person,
            now)?.get("sealed")
    }

    func endSetup(of person: PersonID) throws {
        try transaction.execute("DELETE FROM second_factor_setups WHERE person = ?", person)
    }
}

// MARK: Recovery codes

/// Hashes of the unused recovery codes.
struct RecoveryCodeStore {
    let transaction: Transaction

    func left(of person: PersonID) throws -> Int {
        try transaction.row("SELECT COUNT(*) AS n FROM recovery_codes WHERE person = ?", person)?
            .get("n") ?? 0
    }

    func set(_ hashes: [String], of person: PersonID) throws {
        try removeAll(of: person)
        for hash in hashes {
            try transaction.execute(
                "INSERT INTO recovery_codes (person, hash) VALUES (?, ?)", person, hash)
        }
    }

    /// Returns false if there is no such unused code.
    func use(_ hash: String, of person: PersonID) throws -> Bool {
        try transaction.execute(
            "DELETE FROM recovery_codes WHERE person = ? AND hash = ?", person, hash) == 1
    }

    func removeAll(of person: PersonID) throws {
        try transaction.execute("DELETE FROM recovery_codes WHERE person = ?", person)
    }
}

// MARK: Challenges

/// Sign-ins that wait for a second factor.
struct ChallengeStore {
    let transaction: Transaction

    func insert(_ hash: String, _ challenge: Challenge, until end: Date) throws {
        try transaction.execute(
            "INSERT INTO challenges (hash, person, contact, tries, expires_at) VALUES (?, ?, ?, ?, ?)",
            hash, challenge.person, challenge.contact.description, challenge.tries, end)
    }

    /// Throws if the challenge has expired or never existed.
    func require(_ hash: String, at now: Date) throws -> Challenge {
        let row = try transaction.row(
            """
            SELECT person, contact, tries FROM challenges
            WHERE hash = ? AND tries < ? AND expires_at > ?
            """, hash, Challenge.mostTries, now)
        guard let row, let contact = Contact(try row.get("contact", as: String.self)) else {
            throw Refusal.challengeEnded
        }
        return Challenge(
            person: try row.get("person"), contact: contact, tries: try row.get("tries"))
    }

    /// The same, with one attempt used up.
    func takeTry(_ hash: String, at now: Date) throws -> Challenge {
        let challenge = try require(hash, at: now)
        try transaction.execute("UPDATE challenges SET tries = tries + 1 WHERE hash = ?", hash)
        return challenge
    }

    func end(_ hash: String) throws {
        try transaction.execute("DELETE FROM challenges WHERE hash = ?", hash)
    }

    func endAll(of person: PersonID) throws {
        try transaction.execute("DELETE FROM challenges WHERE person = ?", person)
    }
}

// MARK: Resets by phone

/// People whose password was set with a code sent to their phone.
struct PhoneResetStore {
    let transaction: Transaction

    /// Records such a reset. A later text message to the same phone would prove nothing more.
    func note(of person: PersonID) throws {
        try transaction.execute(
            "INSERT INTO phone_resets (person) VALUES (?) ON CONFLICT DO NOTHING", person)
    }

    func isNoted(of person: PersonID) throws -> Bool {
        try transaction.row("SELECT person FROM phone_resets WHERE person = ?", person) != nil
    }

    /// Clears the record, once the person has used another factor or set another password.
    func forget(of person: PersonID) throws {
        try transaction.execute("DELETE FROM phone_resets WHERE person = ?", person)
    }
}
