import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// A service's copy of accounts' blocks between people. A late event changes nothing, and restores no deleted
/// account.
public enum KnownBlocks {
    public static let migration = Migration(
        "blocks-1",
        """
        CREATE TABLE blocks (
            blocker TEXT NOT NULL,
            blocked TEXT NOT NULL,
            version BIGINT NOT NULL,
            is_blocked BIGINT NOT NULL,
            PRIMARY KEY (blocker, blocked))
        """,
        "CREATE INDEX blocks_of_blocked ON blocks (blocked)",
        "CREATE TABLE blocks_forgotten (person TEXT NOT NULL PRIMARY KEY)")

    /// What `openvalet doctor` compares.
    public static let copies = [
        CopiedSet(
            .blocks,
            """
            SELECT blocker || '/' || blocked AS id, version FROM blocks WHERE is_blocked = 1
            """)
    ]
}

extension Transaction {
    public func keepBlock(_ event: PersonBlocked) throws {
        let gone = try row(
            "SELECT 1 AS one FROM blocks_forgotten WHERE person IN (?, ?)", event.by, event.person)
        guard gone == nil else { return }
        try execute(
            """
            INSERT INTO blocks (blocker, blocked, version, is_blocked) VALUES (?, ?, ?, ?)
            ON CONFLICT (blocker, blocked) DO UPDATE SET
                version = excluded.version, is_blocked = excluded.is_blocked
            WHERE blocks.version < excluded.version
            """, event.by, event.person, event.version, event.isBlocked)
    }

    /// Whether either person has blocked the other.
    public func areBlocked(_ one: PersonID, _ other: PersonID) throws -> Bool {
        try row(
            """
            SELECT 1 AS one FROM blocks
            WHERE is_blocked = 1
                AND ((blocker = ? AND blocked = ?) OR (blocker = ? AND blocked = ?))
            """, one, other, other, one) != nil
    }

    /// The people whom a person has blocked, and the people who have blocked them.
    public func blocked(around person: PersonID) throws -> Set<PersonID> {
        let rows = try rows(
            """
            SELECT blocked AS other FROM blocks WHERE blocker = ? AND is_blocked = 1
            UNION
            SELECT blocker AS other FROM blocks WHERE blocked = ? AND is_blocked = 1
            """, person, person)
        return Set(try rows.map { try $0.get("other", as: PersonID.self) })
    }

    /// Deletes the blocks of a deleted account, in both directions. A mark stays, so that a late event restores none.
    public func forgetBlocks(of person: PersonID) throws {
        try execute("DELETE FROM blocks WHERE blocker = ? OR blocked = ?", person, person)
        try execute(
            "INSERT INTO blocks_forgotten (person) VALUES (?) ON CONFLICT DO NOTHING", person)
    }
}
