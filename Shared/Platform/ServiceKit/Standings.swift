import Contracts
import EventBus
import Foundation
import Store

/// People who may not act although their access token is still valid: deleted accounts, and suspended valets in their
/// role as valets. A copy of what accounts publishes, checked in the transaction of each action.
public enum Standings {
    public static let migration = Migration(
        "standings-1",
        """
        CREATE TABLE standings (
            person TEXT NOT NULL PRIMARY KEY,
            version BIGINT NOT NULL,
            suspended BIGINT NOT NULL,
            valet_only BIGINT NOT NULL,
            deleted BIGINT NOT NULL
        )
        """)

    /// What `openvalet doctor` compares.
    public static let copies = [
        CopiedSet(
            .valets, "SELECT person AS id, version FROM standings WHERE deleted = 0"),
        CopiedSet(
            .deletedPeople, "SELECT person AS id, version FROM standings WHERE deleted = 1"),
    ]
}

extension Transaction {
    /// Only valets can be suspended.
    public func keepStanding(_ event: AccountChanged) throws {
        let roles = event.account.roles
        guard roles.contains(.valet) else { return }
        try keepStanding(
            of: event.account.id, event.version, suspended: event.suspended,
            valetOnly: roles.removing(.valet) == nil)
    }

    /// The mark stays, so that a late event does not restore the person.
    public func keepStanding(_ event: AccountDeleted) throws {
        try keepStanding(of: event.account, event.version, deleted: true)
    }

    private func keepStanding(
        of person: PersonID, _ version: Int, suspended: Bool = false, valetOnly: Bool = false,
        deleted: Bool = false
    ) throws {
        try execute(
            """
            INSERT INTO standings (person, version, suspended, valet_only, deleted)
            VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (person) DO UPDATE SET
                version = excluded.version, suspended = excluded.suspended,
                valet_only = excluded.valet_only, deleted = excluded.deleted
            WHERE standings.deleted = 0
                AND (standings.version < excluded.version OR excluded.deleted = 1)
            """, person, version, suspended, valetOnly, deleted)
    }

    public func isGone(_ person: PersonID) throws -> Bool {
        try row("SELECT 1 AS one FROM standings WHERE person = ? AND deleted = 1", person) != nil
    }

    /// Throws if the person may not act. A suspended valet may still act in other roles.
    public func requireStanding(of person: PersonID, as role: Role? = nil) throws {
        if try isGone(person) { throw Refusal.tokenInvalid }
        let suspended = try row(
            """
            SELECT 1 AS one FROM standings WHERE person = ? AND suspended = 1 AND valet_only >= ?
            """, person, role != .valet)
        if suspended != nil { throw Refusal.suspended }
    }
}
