import Client
import Contracts
import Foundation
import Support

/// Whole journeys side by side: tap, hand-over, park, recall, hand-back, payment.
struct JourneyBench {
    /// Journeys that are under way at once.
    static let lanes = 8
    let system: RunningSystem
    let seconds: Int

    /// Journeys a second.
    func run() async throws -> Double {
        let people = try await BenchPeople(system, customers: Self.lanes, valets: Self.lanes * 2)
        let begun = ContinuousClock.now
        let end = begun + .seconds(seconds)
        let done = try await withThrowingTaskGroup(of: Int.self) { group in
            for customer in people.customers {
                group.addTask {
                    var journeys = 0
                    while ContinuousClock.now < end {
                        try await journey(customer.client, people)
                        journeys += 1
                    }
                    return journeys
                }
            }
            group.addTask {
                while ContinuousClock.now < end {
                    try await people.report()
                    try await Task.sleep(for: .seconds(5))
                }
                return 0
            }
            return try await group.reduce(0, +)
        }
        return Double(done) / (ContinuousClock.now - begun).inSeconds
    }

    private func journey(_ customer: OpenValetClient, _ people: BenchPeople) async throws {
        let placed = try await customer(
            OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: BenchPeople.place)).waiting(30))
        guard let taker = placed.dropOffValet.flatMap({ people.valets[$0.id] }),
            let code = placed.handoverCode
        else { throw RunningSystem.Failure(description: "nobody came: \(placed.status)") }
        try await taker.client(OrderEndpoints.collect(placed.id, body: CodeBody(code: code)))
        try await taker.client(
            OrderEndpoints.park(
                placed.id, body: ParkBody(at: BenchPeople.garage, vehicle: BenchPeople.car)))
        try await customer(
            OrderEndpoints.recall(placed.id, body: RecallBody(returnTo: BenchPeople.place)))
        var order = placed
        _ = try await eventually(within: .seconds(60)) {
            order = try await customer(OrderEndpoints.order(placed.id))
            return order.returnValet != nil || order.status == .parked
        }
        guard let bringer = order.returnValet.flatMap({ people.valets[$0.id] }),
            let newCode = order.handoverCode
        else { throw RunningSystem.Failure(description: "not brought back: \(order)") }
        try await bringer.client(OrderEndpoints.retrieve(order.id))
        try await bringer.client(OrderEndpoints.handBack(order.id, body: CodeBody(code: newCode)))
        _ = try await customer(
            PaymentEndpoints.pay(order.id, body: InCurrency(PayBody(token: "pm_card_visa")))
        ).payment
        _ = try await eventually {
            try await customer(OrderEndpoints.order(order.id)).status == .finished
        }
    }
}
