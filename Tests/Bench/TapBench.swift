import Client
import Contracts
import Foundation
import Support
import Synchronization

/// From the customer's tap until both live streams have said that a valet is on the way.
struct TapBench {
    let system: RunningSystem
    let taps: Int
    /// Valets are heard of this often at least.
    private static let reportEach = 50
    /// Taps before the first that counts: topics, connections and caches are cold.
    private static let warmUp = 10

    func run() async throws -> (both: Sample, bare: Sample) {
        let people = try await BenchPeople(system, customers: 1, valets: 1)
        guard let customer = people.customers.first, let valet = people.valets.values.first else {
            throw RunningSystem.Failure(description: "no crew")
        }
        let heard = Heard()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for (side, member) in [(0, customer), (1, valet)] {
                group.addTask {
                    for try await event in member.client.stream() {
                        guard case .order(let item) = event, let order = item.order else {
                            continue
                        }
                        if order.status == .droppingOff { heard.note(order.id, side: side) }
                    }
                }
            }
            // Streams begin with what happens from now on, so they have to be there first.
            try await Task.sleep(for: .milliseconds(500))
            var both: [Double] = []
            var bare: [Double] = []
            for tap in 0..<(Self.warmUp + taps) {
                if tap % Self.reportEach == 0 { try await people.report() }
                let (time, baseline) = try await one(customer, valet, heard)
                if tap >= Self.warmUp {
                    both.append(time)
                    bare.append(baseline)
                }
            }
            group.cancelAll()
            try await endShift(of: valet)
            return (Sample(both), Sample(bare))
        }
    }

    /// Location may hear only now that the last order is cancelled.
    private func endShift(of valet: BenchPeople.Member) async throws {
        let isOver = try await eventually {
            do {
                try await valet.client(
                    LocationEndpoints.setAvailability(body: AvailabilityBody(status: .offline)))
                return true
            } catch let error as ClientError where error.code == "location.on_job" {
                return false
            }
        }
        guard isOver else { throw RunningSystem.Failure(description: "a shift did not end") }
    }

    private func one(
        _ customer: BenchPeople.Member, _ valet: BenchPeople.Member, _ heard: Heard
    ) async throws -> (both: Double, bare: Double) {
        let before = ContinuousClock.now
        _ = try await customer.client(AccountEndpoints.me())
        let begun = ContinuousClock.now
        let order = try await customer.client(
            OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: BenchPeople.place)))
        guard let last = await heard.both(order.id) else {
            throw RunningSystem.Failure(description: "an order was not heard of")
        }
        try await customer.client(OrderEndpoints.cancel(order.id, body: ReasonBody()))
        // The valet is free again when location has heard of it.
        _ = try await eventually {
            try await !customer.client(
                LocationEndpoints.nearbyValets(
                    asks: NearbyValetsQuery(around: BenchPeople.place.coordinate, radiusMeters: 500)
                )
            ).items.isEmpty
        }
        return ((last - begun).inSeconds, (begun - before).inSeconds)
    }
}

/// When each side heard of each order.
private final class Heard: Sendable {
    private static let limit: Duration = .seconds(30)
    private let times = Mutex<[OrderID: [Int: ContinuousClock.Instant]]>([:])

    func note(_ order: OrderID, side: Int) {
        times.withLock { times in
            if times[order]?[side] == nil { times[order, default: [:]][side] = .now }
        }
    }

    /// When the later of both sides heard.
    func both(_ order: OrderID) async -> ContinuousClock.Instant? {
        let isHeard = try? await eventually(within: Self.limit) {
            times.withLock { $0[order]?.count == 2 }
        }
        guard isHeard == true else { return nil }
        return times.withLock { $0[order]?.values.max() }
    }
}
