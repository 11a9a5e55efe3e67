import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// All data that places holds about a person, for their export.
struct HeldByPlaces: Encodable, Sendable {
    let mobility: Mobility?
    let savedVendors: [SavedVendor]
    let suggestions: [VendorSuggestion]
}

extension VendorUseCases {
    func held(on person: PersonID) async throws -> HeldByPlaces {
        let now = clock.now
        return try await database.read { transaction in
            HeldByPlaces(
                mobility: try mobilities.find(person, in: transaction),
                savedVendors: try transaction.vendors.saved(by: person, at: now),
                suggestions: try transaction.rows(
                    "SELECT body FROM vendor_suggestions WHERE person = ? ORDER BY id DESC LIMIT ?",
                    person, Self.mostHeld
                ).map { try $0.json() })
        }
    }

    private static let mostHeld = 1_000

    /// Deletes a person's data. Their suggestions stay, without their name.
    func forget(_ event: AccountDeleted, _ delivery: Delivery) async throws {
        try await database.apply(delivery) { transaction in
            try transaction.keepStanding(event)
            for table in ["mobility", "saved_vendors"] {
                try transaction.execute("DELETE FROM \(table) WHERE person = ?", event.account)
            }
            try transaction.execute(
                "UPDATE vendor_suggestions SET person = NULL WHERE person = ?", event.account)
        }
    }
}
