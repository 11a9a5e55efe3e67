import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

let spotPolicies = SettingTable<ServiceAreaID, SpotPolicy>(
    "spot_policies", of: "area", usual: SpotPolicy())

/// The rules by area, set by operators.
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
            guard let currency = try areas.area(area, in: transaction)?.feature.properties.currency
            else { throw Refusal.serviceAreaUnknown }
            return try spotPolicies.value(of: area, in: transaction).chargeable(in: currency)
        }
    }

    func put(
        _ body: SpotPolicy, for area: ServiceAreaID, by person: PersonID
    ) async throws -> SpotPolicy {
        let policy = try Self.checked(body)
        let now = clock.now
        return try await database.write { transaction in
            guard let currency = try areas.area(area, in: transaction)?.feature.properties.currency
            else { throw Refusal.serviceAreaUnknown }
            _ = try Check.price(policy.noShowFee, "noShowFee", in: currency)
            try transaction.record("spots.change-policy", area, by: person, at: now)
            try spotPolicies.put(policy, of: area, in: transaction)
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
                "Use 1 to \(mostIncrements) rows in order of `from`, starting at 0, with steps above 0."
            )
        }
        return policy
    }
}

extension SpotPolicy {
    /// With a fee that a card can be charged: the usual one is too little in some currencies.
    func chargeable(in currency: String) -> SpotPolicy {
        guard noShowFee > 0 else { return self }
        var policy = self
        policy.noShowFee = max(noShowFee, Money.leastCharge(in: currency))
        return policy
    }
}
