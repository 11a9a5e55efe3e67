import Contracts
import Foundation
import Store

/// The subject of a line, as its product published it.
struct KnownSubject: Sendable, Hashable {
    let name: FeedSubject
    let link: String?
    /// Nil once a person whose data it had was deleted.
    let data: JSONValue?
}

extension Transaction {
    var subjects: SubjectStore { SubjectStore(transaction: self) }
}

/// Stores the last known state of subjects.
struct SubjectStore {
    let transaction: Transaction

    /// The state from the notice, else the last one that its product published; nil without either.
    func update(from notice: Notice, at time: Date) throws -> KnownSubject? {
        guard let state = notice.state else { return try find(notice.subject) }
        let isForgotten = try state.about.contains { try people.isForgotten($0, in: transaction) }
        if !isForgotten { try replicate(state, of: notice.subject, at: time) }
        return KnownSubject(
            name: FeedSubject(product: state.product, kind: state.kind, id: notice.subject),
            link: state.link, data: isForgotten ? nil : state.data)
    }

    private func find(_ id: String) throws -> KnownSubject? {
        try transaction.row("SELECT body FROM subjects WHERE id = ?", id).map { row in
            let state: SubjectState = try row.json()
            return KnownSubject(
                name: FeedSubject(product: state.product, kind: state.kind, id: id),
                link: state.link, data: state.data)
        }
    }

    /// A state older than the stored one changes nothing.
    private func replicate(_ state: SubjectState, of id: String, at time: Date) throws {
        let isNewer =
            try transaction.execute(
                """
                INSERT INTO subjects (id, version, changed_at, body) VALUES (?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET version = excluded.version,
                    changed_at = excluded.changed_at, body = excluded.body
                WHERE subjects.version < excluded.version
                """, id, state.version, time, Wire.json(state)) == 1
        guard isNewer else { return }
        for person in state.about {
            try transaction.execute(
                """
                INSERT INTO subject_people (person, subject) VALUES (?, ?)
                ON CONFLICT (person, subject) DO NOTHING
                """, person, id)
        }
    }

    /// Deletes the subjects of a deleted person, after the lines about them.
    func forget(of person: PersonID) throws {
        try transaction.execute(
            """
            DELETE FROM subjects WHERE id IN (
                SELECT subject FROM subject_people WHERE person = ?)
            """, person)
    }
}
