import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

/// What areas allow, as operators set it.
struct SpotPolicies: Sendable {
    static let migration = Migration(
        "spot-policies-1",
        """
        CREATE TABLE spot_policies (
            area TEXT NOT NULL PRIMARY KEY,
            body TEXT NOT NULL)
        """)
    private static let mostIncrements = 20

    let database: Database
    let clock: ServiceClock
    let areas: KnownAreas

    func policy(of area: ServiceAreaID) async throws -> SpotPolicy {
        try await database.read { transaction in
            guard try areas.area(area, in: transaction) != nil else {
                throw Refusal.serviceAreaUnknown
            }
            return try transaction.policies.policy(of: area)
        }
    }

    func put(
        _ body: SpotPolicy, for area: ServiceAreaID, by person: PersonID
    ) async throws -> SpotPolicy {
        let policy = try Self.checked(body)
        let now = clock.now
        return try await database.write { transaction in
            guard try areas.area(area, in: transaction) != nil else {
                throw Refusal.serviceAreaUnknown
            }
            try transaction.record("spots.change-policy", area, by: person, at: now)
            try transaction.policies.put(policy, for: area)
            return policy
        }
    }

    private static func checked(_ policy: SpotPolicy) throws -> SpotPolicy {
        _ = try Check.int(policy.priceCap, "priceCap", in: 0...Money.largestAmount)
        _ = try Check.int(policy.commissionPercent, "commissionPercent", in: 0...100)
        _ = try Check.int(policy.noShowFee, "noShowFee", in: 0...Money.largestAmount)
        _ = try Check.int(policy.graceSeconds, "graceSeconds", in: 0...3_600)
        let rows = policy.increments
        guard (1...mostIncrements).contains(rows.count), rows.first?.from == 0,
            zip(rows, rows.dropFirst()).allSatisfy({ $0.from < $1.from }),
            rows.allSatisfy({ (1...Money.largestAmount).contains($0.step) })
        else {
            throw Refusal.invalid(
                "increments",
                "1 to \(mostIncrements) rows by growing `from`, the first of 0, with steps above 0."
            )
        }
        return policy
    }
}

extension Transaction {
    var policies: PolicyStore { PolicyStore(transaction: self) }
}

/// What operators have set; an area without it has the usual policy.
struct PolicyStore {
    let transaction: Transaction

    func policy(of area: ServiceAreaID) throws -> SpotPolicy {
        try transaction.row("SELECT body FROM spot_policies WHERE area = ?", area)?.json()
            ?? SpotPolicy()
    }

    fileprivate func put(_ policy: SpotPolicy, for area: ServiceAreaID) throws {
        try transaction.execute(
            """
            INSERT INTO spot_policies (area, body) VALUES (?, ?)
            ON CONFLICT (area) DO UPDATE SET body = excluded.body
            """, area, Wire.json(policy))
    }
}
