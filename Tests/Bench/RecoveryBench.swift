import Client
import Contracts
import Foundation
import Support

/// From `kill -9` of a part to the next order that has a valet, by people who try again as apps do.
struct RecoveryBench {
    static let parts = [
        "gateway", "orders", "payments", "matching", "location", "notifications", "accounts",
        "redis", "broker",
    ]
    private static let limit: Duration = .seconds(120)

    let system: RunningSystem

    /// Seconds of each part.
    func run() async throws -> [(part: String, seconds: Double)] {
        let people = try await BenchPeople(system, customers: 1, valets: 1)
        guard let customer = people.customers.first?.client else {
            throw RunningSystem.Failure(description: "no crew")
        }
        var times: [(String, Double)] = []
        for part in Self.parts {
            let old = try system.processes(part)
            let begun = ContinuousClock.now
            try system.kill(part)
            let order = try await assigned(customer, people)
            times.append((part, (ContinuousClock.now - begun).inSeconds))
            try await settle(order, part, old, customer)
        }
        return times
    }

    private func assigned(_ customer: OpenValetClient, _ people: BenchPeople) async throws
        -> OrderID
    {
        let key = RequestKey.new()
        var order: OrderID?
        let isAssigned = try await eventually(within: Self.limit) {
            do {
                try await people.report()
                let placed = try await customer(
                    OrderEndpoints.placeOrder(
                        body: PlaceOrderBody(dropOff: BenchPeople.place), key: key))
                order = placed.id
                return placed.status == .droppingOff
            } catch is ClientError {
                return false
            }
        }
        guard isAssigned, let order else {
            throw RunningSystem.Failure(description: "nobody came: \(system.log.suffix(4_000))")
        }
        return order
    }

    /// Until all is as it was before.
    private func settle(
        _ order: OrderID, _ part: String, _ old: [Int32], _ customer: OpenValetClient
    ) async throws {
        guard try await system.restarted(part, since: old) else {
            throw RunningSystem.Failure(description: "\(part) did not come back")
        }
        try await customer(OrderEndpoints.cancel(order, body: ReasonBody()))
        _ = try await eventually(within: Self.limit) {
            try await !customer(
                LocationEndpoints.nearbyValets(
                    asks: NearbyValetsQuery(around: BenchPeople.place.coordinate, radiusMeters: 500)
                )
            ).items
                .isEmpty
        }
        _ = try await eventually(within: Self.limit) { try await system.hasReadEverything() }
    }
}
