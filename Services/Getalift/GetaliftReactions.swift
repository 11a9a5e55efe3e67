import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// Reactions to other services' events.
func getaliftReactions(_ database: Database) -> Reactions {
    Reactions {
        whenDeleted(in: database) { event, delivery in
            try await database.apply(delivery) { try forget(event.account, in: $0) }
        }
    }
}

/// All data that getalift holds about a person, for their export.
struct HeldByGetalift: Encodable, Sendable {
    let username: String?
    let sessions: Int
    let foundTrips: [GetaliftStore.Found]
    let ratings: [GetaliftStore.Given]
}

extension GetaliftParts {
    func held(on person: PersonID) async throws -> HeldByGetalift {
        let sessions: Int = try await database.read {
            try $0.row(
                "SELECT COUNT(*) AS count FROM getalift_sessions WHERE person = ?", person
            )?.get("count") ?? 0
        }
        return HeldByGetalift(
            username: try await names.username(of: person), sessions: sessions,
            foundTrips: try await store.found(by: person),
            ratings: try await store.given(by: person).map(\.given))
    }
}

private func forget(_ person: PersonID, in transaction: Transaction) throws {
    for (table, column) in [
        ("getalift_sessions", "person"), ("getalift_names", "person"),
        ("getalift_people", "person"), ("getalift_found", "person"),
        ("getalift_found", "driver"), ("getalift_ratings", "author"),
        ("getalift_ratings", "target"), ("getalift_answers", "driver"),
    ] {
        try transaction.execute("DELETE FROM \(table) WHERE \(column) = ?", person)
    }
    try transaction.integerIDs.forget(person)
}
