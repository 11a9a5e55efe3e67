import Contracts
import EventBus
import Foundation
import Store

/// Whom an engagement binds: all that accounts keeps of it.
enum Bonds {
    /// Seconds that one which binds nobody any more stays: as long as an event of it may come again.
    static let retention = TimeInterval(Outbox.inboxRetention.components.seconds)
    /// In SQL: it binds nobody.
    static let isLoose = "id NOT IN (SELECT engagement FROM bonds)"

    static let engagements = Replica<[PersonID]>("engagements")

    static let migrations = [
        engagements.migration,
        Migration(
            "bonds-1",
            """
            CREATE TABLE bonds (
                person TEXT NOT NULL,
                engagement TEXT NOT NULL,
                PRIMARY KEY (person, engagement))
            """,
            "CREATE INDEX bonds_of_engagement ON bonds (engagement)"),
    ]
}

extension Transaction {
    /// An older version than what is known changes nothing.
    func follow(_ engagement: Engagement, at now: Date) throws {
        // What is in a state of a later release is not known to be over.
        let isOver = engagement.state == .ended || engagement.state == .cancelled
        let bound = isOver ? [] : engagement.participants.filter(\.isPresent).map(\.person)
        let isNews = try Bonds.engagements.keep(
            bound, of: engagement.id, version: engagement.version, at: now, in: self)
        guard isNews else { return }
        try execute("DELETE FROM bonds WHERE engagement = ?", engagement.id)
        for person in Set(bound) {
            try execute(
                "INSERT INTO bonds (person, engagement) VALUES (?, ?)", person, engagement.id)
        }
    }

    /// Something that is unfinished or unpaid, and which the person is bound by.
    func bond(of person: PersonID) throws -> EngagementID? {
        try row(
            "SELECT engagement FROM bonds WHERE person = ? ORDER BY engagement DESC LIMIT 1",
            person)?.get("engagement")
    }
}
