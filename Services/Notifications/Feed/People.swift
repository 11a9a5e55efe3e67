import Contracts
import Foundation
import Store

/// What is remembered of a person: no name, no number.
struct PersonCopy: Sendable, Hashable {
    let id: PersonID
    let language: Language
    let version: Int
}

extension Transaction {
    func person(_ id: PersonID) throws -> PersonCopy? {
        try row("SELECT language, version FROM people WHERE id = ? AND deleted = 0", id).map {
            PersonCopy(id: id, language: try $0.get("language"), version: try $0.get("version"))
        }
    }

    /// An older version than the one that is known changes nothing, nor does anything change who is
    /// deleted.
    func replicate(_ person: PersonCopy) throws {
        try execute(
            """
            INSERT INTO people (id, language, version) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET language = excluded.language,
                version = excluded.version
            WHERE people.version < excluded.version AND people.deleted = 0
            """, person.id, person.language, person.version)
    }

    func isDeleted(_ person: PersonID) throws -> Bool {
        try row("SELECT 1 AS one FROM people WHERE id = ? AND deleted = 1", person) != nil
    }

    /// Leaves a row that no later copy replaces.
    func putTombstone(of person: PersonID, version: Int) throws {
        try execute(
            """
            INSERT INTO people (id, language, version, deleted) VALUES (?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET language = excluded.language,
                version = excluded.version, deleted = excluded.deleted
            """, person, Language.english, version, true)
    }
}
