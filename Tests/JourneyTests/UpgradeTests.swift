import Client
import Contracts
import Foundation
import Support
import Testing

/// Processes of the last release and of this one on the same databases, broker and Redis.
///
/// Runs only where `make last-release` has built the last release, which takes a quarter of an hour.
@Suite(.serialized, .enabled(if: TestRelease.isLastBuilt, "make last-release"))
struct UpgradeTests {
    /// The order of docs/operations.md: a service comes after those that it asks.
    static let order = [
        "areas", "accounts", "notifications", "location", "payments", "plates", "ratings",
        "matching", "carparks", "orders", "spots", "carpool", "places", "gateway", "getalift",
        "web",
    ]

    @Test func eachServiceIsRolledForwardAndBackUnderJourneys() async throws {
        let system = try await ReplicatedSystem.startLastRelease()
        let pair = try await Pair.meet(in: try await World(system))
        try await journey(of: pair)
        for service in Self.order {
            for release in [TestRelease.this, .last] {
                try await system.roll(service, to: release)
                try await journey(of: pair)
            }
        }
        // Orders that begin with one release and end with the other, in both directions.
        let services = [Self.order, Self.order.reversed(), Self.order]
        for (services, release) in zip(services, [TestRelease.this, .last, .this]) {
            let parked = try await parked(by: pair)
            let due = try await pair.handBack(try await pair.recall(parked))
            for service in services { try await system.roll(service, to: release) }
            try await pay(due.id, by: pair)
            try await journey(of: pair)
        }
        try await requireOrder(in: pair, system)
    }

    /// From the tap to the stars.
    private func journey(of pair: Pair) async throws {
        let parked = try await parked(by: pair)
        let due = try await pair.handBack(try await pair.recall(parked))
        try await pay(due.id, by: pair)
    }

    private func parked(by pair: Pair) async throws -> OrderID {
        try await pair.valet.begin(at: pair.town.east(200))
        return try await pair.park().id
    }

    private func pay(_ order: OrderID, by pair: Pair) async throws {
        let ada = pair.customer
        let payment = try await ada.client.payWhenDue(order, PayBody(token: "pm_card_visa"))
        #expect(payment.status == .succeeded)
        _ = try await ada.order(order, reaches: .finished)
        let rating = try await insisting(
            past: ["rating.not_finished", "rating.engagement_unknown"]) {
                try await ada.client(RatingEndpoints.rate(order, body: RatingBody(stars: 5)))
            }
        #expect(rating.stars == 5)
    }

    /// Each order is paid once, what is paid is earned, the ledger balances, nothing was given up, and every copy is
    /// whole.
    private func requireOrder(in pair: Pair, _ system: ReplicatedSystem) async throws {
        let boss = pair.town.world.boss
        let payments = try await pair.customer.client(
            PaymentEndpoints.payments(asks: PaymentsQuery().page(limit: 200))
        ).items.compactMap(\.payment)
        #expect(payments.allSatisfy { $0.status == .succeeded })
        #expect(Set(payments.map(\.bill)).count == payments.count)
        #expect(payments.count == 1 + 2 * Self.order.count + 3 * 2)
        let isEarned = try await eventually {
            let lines = try await boss(PaymentEndpoints.trialBalance()).lines
            return lines.reduce(0) { $0 + $1.balance } == 0
                && lines.allSatisfy { !$0.account.hasPrefix("billed") || $0.balance == 0 }
        }
        #expect(isEarned)
        let letters = try await boss(NotificationEndpoints.deadLetters()).items
        #expect(letters.isEmpty, "\(letters.map(\.reason))")
        #expect(!system.log.contains("unexpected error"))
        _ = try await system.services.becomeWhole()
    }
}

struct UpgradeOrderTests {
    @Test func theOrderHasEveryService() {
        #expect(Set(UpgradeTests.order) == Set(allServices.map(\.name)))
        #expect(UpgradeTests.order.count == allServices.count)
    }
}
