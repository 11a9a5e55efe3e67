import Client
import Threads
import Contracts
import Foundation
import Geo

/// A customer who comes to town, orders repeatedly, and leaves when the time is over.
struct SimulatedCustomer: Sendable {
    /// Real seconds before a failed action is retried.
    static let stumble: Duration = .seconds(2)
    /// Simulated seconds before the first order.
    private static let firstRest = 5.0...300

    let world: Simulation
    let persona: Persona
    let person: SimulatedPerson
    let wake: Signal
    let whereabouts: Whereabouts

    init(_ world: Simulation, _ index: Int) {
        self.world = world
        persona = Persona(.customer, index, seed: world.settings.seed)
        person = world.person(persona)
        wake = world.wake()
        whereabouts = Whereabouts(world.town.feature.properties.servicePoint.coordinate)
    }

    /// Returns when no new orders are placed and the last one has ended.
    func live() async throws {
        let newcomer = Newcomer(world: world, persona: persona, person: person, wake: wake)
        guard let garage = try await newcomer.arrive() else { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
            if persona.streams { group.addTask { try await person.listen(wake) } }
            try await day(garage.map(\.id))
            group.cancelAll()
        }
    }

    private func day(_ vehicles: [VehicleID]) async throws {
        try await takeUpWhatIsLeft()
        var generator = world.generator(.customer, persona.index, "day")
        var called = try await rest(world.real(generator.within(Self.firstRest)))
        var number = 0
        while world.phase == .open {
            var generator = world.generator(.customer, persona.index, "visit", number)
            let visit = Visit(
                &generator, in: world.town, vehicles: vehicles.count, called: called)
            do {
                try await self.visit(visit, vehicles)
            } catch is ClientError {
                try await wake.wait(upTo: Self.stumble)
                try await takeUpWhatIsLeft()
            }
            number += 1
            called = try await rest(world.real(visit.restSeconds))
        }
    }

    /// Rests until the time is over, no new orders are placed, or a stranger waits for work; returns that valet's
    /// position.
    private func rest(_ time: Duration) async throws -> Place? {
        let end = ContinuousClock.now + time
        while world.phase == .open, ContinuousClock.now < end {
            if let point = world.strangers.call() { return try await place(at: point) }
            try await wake.wait(upTo: end - .now)
        }
        return nil
    }

    /// With its address if a map has one.
    private func place(at point: Coordinate) async throws -> Place {
        let found = try await person.tryTo(PlaceEndpoints.placesAround(asks: PointQuery(point)))
        return Place(point, address: found?.source == .map ? found?.items.first?.address : nil)
    }

    /// Continues an order of an earlier run with a new plan.
    private func takeUpWhatIsLeft() async throws {
        var generator = world.generator(.customer, persona.index, "left")
        while world.phase < .over {
            do {
                guard
                    let order = try await person.ask(
                        OrderEndpoints.currentOrder(asks: CurrentOrderQuery()))
                else {
                    return try await seeLastOrder()
                }
                world.tally.begin(order, isNew: false)
                let visit = Visit(&generator, in: world.town, vehicles: 0)
                return try await CustomerJourney(self, visit).follow(order)
            } catch is ClientError {
                try await wake.wait(upTo: Self.stumble)
            }
        }
    }

    /// It may have ended since the last look.
    private func seeLastOrder() async throws {
        let last = try await person.ask(OrderEndpoints.orders(asks: OrdersQuery().page(limit: 1)))
            .items.first
        if let last { world.tally.see(last) }
    }

    private func visit(_ visit: Visit, _ vehicles: [VehicleID]) async throws {
        whereabouts.appear(at: visit.dropOff.coordinate)
        try await stand()
        if visit.looksAround {
            try await person.tryTo(
                LocationEndpoints.nearbyValets(
                    asks: NearbyValetsQuery(
                        around: visit.dropOff.coordinate, radiusMeters: 3_000)))
            try await person.tryTo(
                PlaceEndpoints.placesAround(asks: PointQuery(visit.dropOff.coordinate)))
        }
        if visit.isLost {
            var generator = world.generator(.customer, persona.index, "lost")
            let outside = Place(world.town.pointOutside(&generator))
            try await person.tryTo(
                OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: outside)))
        }
        let vehicle = visit.vehicle.flatMap { vehicles.indices.contains($0) ? vehicles[$0] : nil }
        guard let order = try await place(visit, vehicle) else { return }
        try await CustomerJourney(self, visit).follow(order)
    }

    /// Nil if no new orders are placed.
    private func place(_ visit: Visit, _ vehicle: VehicleID?) async throws -> OrderView? {
        while world.phase == .open {
            let body = PlaceOrderBody(
                dropOff: visit.dropOff, vehicleId: vehicle, extras: visit.extras,
                scheduledFor: visit.aheadSeconds.map { Date(timeIntervalSinceNow: $0) })
            do {
                let order = try await person.ask(OrderEndpoints.placeOrder(body: body))
                world.tally.begin(order, isNew: true)
                return order
            } catch let error as ClientError where error.code == "payment.due" {
                guard let due = error.problem?.engagementId else { throw error }
                try await CustomerJourney(self, visit).pay(due.as(OrderID.self), amount: nil)
            } catch let error as ClientError where error.code == "order.vehicle_unknown" {
                // Orders does not know the vehicle yet.
                try await wake.wait(upTo: Self.stumble)
            }
        }
        return nil
    }

    /// Reports the customer's position.
    func stand() async throws {
        let position = whereabouts.fix.body(at: Date(), accuracyMeters: 8)
        try await person.tryTo(LocationEndpoints.recordPosition(body: position))
    }
}
