import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

/// What areas allow, as operators set it.
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
            return try transaction.policies.current(in: area)
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
            try transaction.policies.put(policy, for: area)
            return policy
        }
    }
}

extension Transaction {
    var policies: PolicyStore { PolicyStore(transaction: self) }
}

struct PolicyStore {
    let transaction: Transaction

    /// The default policy where none was set.
    func current(in area: ServiceAreaID) throws -> CarpoolPolicy {
        try transaction.row("SELECT body FROM carpool_policies WHERE area = ?", area)?.json()
            ?? CarpoolPolicy()
    }

    fileprivate func put(_ policy: CarpoolPolicy, for area: ServiceAreaID) throws {
        try transaction.execute(
            """
            INSERT INTO carpool_policies (area, body) VALUES (?, ?)
            ON CONFLICT (area) DO UPDATE SET body = excluded.body
            """, area, Wire.json(policy))
    }
}
