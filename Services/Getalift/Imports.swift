import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// Imports integers and names from the original's database.
extension GetaliftParts {
    func take(_ imported: GetaliftImport) async throws -> GetaliftImported {
        var answer = GetaliftImported(users: 0, routes: 0)
        for user in imported.users {
            let isOld = try await numbers.claim(user.number, for: user.person, as: .user)
            guard let name = KnownNames.checked(user.username) else { continue }
            let isFree = try await names.reserve(name)
            guard isFree else { continue }
            try await names.give(
                name, to: user.person, KnownNames.Contact(email: user.email, phone: user.phone))
            if isOld { answer.users += 1 }
        }
        for route in imported.routes
        where try await numbers.claim(route.number, for: route.trip, as: .route) {
            answer.routes += 1
        }
        return answer
    }
}

extension IntegerIDs {
    /// Assigns this integer. Returns false if the integer or the id is already assigned otherwise.
    func claim(
        _ number: Int, for id: some CustomStringConvertible, as kind: Kind
    ) async throws -> Bool {
        let text = id.description
        guard number > 0 else { return false }
        return try await database.write { transaction in
            try transaction.lock("getalift numbers \(kind.rawValue)")
            try transaction.execute(
                """
                INSERT INTO getalift_numbers (kind, number, id) VALUES (?, ?, ?)
                ON CONFLICT DO NOTHING
                """, kind.rawValue, number, text)
            return try transaction.row(
                "SELECT id FROM getalift_numbers WHERE kind = ? AND number = ? AND id = ?",
                kind.rawValue, number, text) != nil
        }
    }
}
