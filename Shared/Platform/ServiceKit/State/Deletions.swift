import Contracts
import EventBus
import Store

/// People whose data a service has deleted.
///
/// A replay tells every deletion that ever was; a service carries out each of them once. 1.0.0 doesn't know the table:
/// what it has forgotten is forgotten again after an upgrade, with the data that only this release stores.
public enum Deletions {
    static let migration = Migration.addition(
        "forgotten-people-1", "CREATE TABLE forgotten_people (person TEXT NOT NULL PRIMARY KEY)")

    /// What `openvalet doctor` compares, for a service that copies nothing else of people.
    public static let copies = [
        CopiedSet(.deletedPeople, "SELECT person AS id, 0 AS version FROM forgotten_people")
    ]
}

/// Calls `forget` for each deleted account until it has succeeded. A crash may repeat it once more.
public func whenDeleted(
    in database: Database,
    _ forget: @escaping @Sendable (AccountDeleted, Delivery) async throws -> Void
) -> Reaction {
    when(AccountDeleted.self) { event, delivery in
        let person = event.account
        let isForgotten = try await database.read { transaction in
            try transaction.row("SELECT 1 AS one FROM forgotten_people WHERE person = ?", person)
                != nil
        }
        if isForgotten { return }
        try await forget(event, delivery)
        try await database.write { transaction in
            try transaction.execute(
                "INSERT INTO forgotten_people (person) VALUES (?) ON CONFLICT (person) DO NOTHING",
                person)
        }
    }
}
