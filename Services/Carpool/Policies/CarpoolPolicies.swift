import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

let carpoolPolicies = SettingTable<ServiceAreaID, CarpoolPolicy>(
    "carpool_policies", of: "area", usual: CarpoolPolicy())

/// The carpool policies of areas, set by operators.
struct CarpoolPolicies: Sendable {
    static let migration = Migration(
        "carpool-policies-1",
        """
        CREATE TABLE carpool_policies (
            area TEXT NOT NULL PRIMARY KEY,
            body TEXT NOT NULL)
        """)

    let database: Database
    let clock: ServiceClock
    let areas: KnownAreas

    func policy(of area: ServiceAreaID) async throws -> CarpoolPolicy {
        try await database.read { transaction in
            guard try areas.area(area, in: transaction) != nil else {
                throw Refusal.serviceAreaUnknown
            }
            return try carpoolPolicies.value(of: area, in: transaction)
        }
    }

    func put(
        _ policy: CarpoolPolicy, for area: ServiceAreaID, by person: PersonID
    ) async throws -> CarpoolPolicy {
        _ = try Check.int(policy.mostPerKilometer, "mostPerKilometer", in: 0...10_000)
        _ = try Check.int(policy.tripsPerDay, "tripsPerDay", in: 1...1_000)
        _ = try Check.int(policy.commissionPercent, "commissionPercent", in: 0...100)
        let now = clock.now
        return try await database.write { transaction in
            guard try areas.area(area, in: transaction) != nil else {
                throw Refusal.serviceAreaUnknown
            }
            try transaction.record("carpool.change-policy", area, by: person, at: now)
            try carpoolPolicies.put(policy, of: area, in: transaction)
            return policy
        }
    }
}
