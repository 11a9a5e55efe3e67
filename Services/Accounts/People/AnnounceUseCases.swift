import Contracts
import EventBus
import Foundation
import Store

/// Accounts that an earlier release announced. Services that keep more of them since then, for example names and
/// whether there is a confirmed e-mail address, need them once more.
let announcementMigration = Migration.addition(
    "announcements-1",
    "CREATE TABLE announcements (person TEXT NOT NULL PRIMARY KEY)",
    "INSERT INTO announcements (person) SELECT id FROM people WHERE deleted = 0")

extension AccountUseCases {
    /// Accounts that one transaction announces.
    static let announcedAtOnce = 100

    /// Announces each account that waits for it, with its confirmed address sealed. What a crash interrupts is
    /// continued by the next call.
    func announceEarlier(atOnce most: Int = announcedAtOnce) async throws {
        let now = clock.now
        try await database.sweep(batch: most) { transaction, limit in
            let waiting = try transaction.rows(
                "SELECT person FROM announcements ORDER BY person LIMIT ?", limit
            ).map { try $0.get("person", as: PersonID.self) }
            for person in waiting {
                try transaction.people.change(person, at: now) { try $0.announce(sealedBy: sealer) }
                try transaction.execute("DELETE FROM announcements WHERE person = ?", person)
            }
            return waiting.count
        }
    }
}
