import Foundation
import Testing

/// The release before runs beside this one on the same databases: for the minutes of an upgrade, and after a step back.
struct MigrationTests {
    /// The schema of 1.0.0, by service or shared module. Nothing may be added here: later migrations are additions,
    /// which the store checks.
    private static let first = [
        "Accounts": ["accounts-1", "conduct-1", "quotas-1", "second-factors-1"],
        "Areas": ["areas-1"],
        "CarParks": [
            "auto-pay-1", "bookings-1", "car-park-pictures-1", "carparks-1", "fines-1", "gates-1",
            "imports-1", "inventory-1", "loyalty-1", "parked-pictures-1", "parked-vehicles-1",
            "spending-1", "valet-spaces-1", "watches-1",
        ],
        "Carpool": ["carpool-policies-1", "saved-searches-1", "seats-1", "trips-1"],
        "EventBus": [#"\(table)-replica-1"#, "bus-1", "work-1"],
        "Getalift": [
            "getalift-memory-1", "getalift-names-1", "getalift-numbers-1", "getalift-sessions-1",
        ],
        "Notifications": ["notifications-1"],
        "Orders": [
            "alerts-1", "copies-1", "custody-1", "debts-1", "orders-1", "recognitions-1",
            "shifts-1", "tasks-1",
        ],
        "Payments": ["ledger-1", "payments-1", "payouts-1", "stripe-1", "stub-provider-1"],
        "Places": ["mobility-1", "vendor-imports-1", "vendors-1"],
        "Plates": ["plates-1"],
        "ProductKit": ["bills-1", "blocks-1", "vehicles-1"],
        "Ratings": ["ratings-1"],
        "ServiceKit": ["idempotency", "standings-1"],
        "Spots": ["parking-alerts-1", "spot-photos-1", "spot-policies-1", "spots-1", "strikes-1"],
    ]

    @Test func everyMigrationAfterTheFirstReleaseIsAnAddition() throws {
        var found: [String: [String]] = [:]
        for file in try Repository.swiftFiles("Shared", "Services") {
            let folders = file.split(separator: "/")
            let owner = String(folders[folders[0] == "Services" ? 1 : 2])
            for match in try Repository.text(file).matches(of: /\bMigration\(\s*"([^"]+)"/) {
                found[owner, default: []].append(String(match.1))
            }
        }
        #expect(found.mapValues { $0.sorted() } == Self.first)
    }

    /// A migration without a name at its start would escape the list above.
    @Test func everyMigrationNamesItself() throws {
        let store: Set = ["Shared/Platform/Store/Migration.swift"]
        let files = try Repository.swiftFiles("Shared", "Services").filter { !store.contains($0) }
        for file in files {
            let text = try Repository.text(file)
            let all = text.matches(of: /\bMigration(?:\.addition|\.init)?\(/).count
            let named = text.matches(of: /\bMigration(?:\.addition)?\(\s*"/).count
            #expect(all == named, "\(file)")
        }
    }
}
