import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

// Past orders for a new demo.

extension OrderUseCases {
    /// Stores a finished order as if each step had been taken at its time, up to its bill. An existing order is kept.
    ///
    /// Only the last event is published, so that no search starts and nobody is notified. Returns the bill; payments
    /// asks for it when it is paid.
    func keep(_ past: PastOrder) async throws -> Bill {
        let now = clock.now
        try past.times.check(at: now)
        _ = (
            try Check.place(past.dropOff, "dropOff"), try Check.place(past.returnTo, "returnTo")
        )
        try await learnPayment(by: past.customer)
        var named = past
        named.dropOff = await addresses.named(past.dropOff)
        named.parkedAt = await addresses.named(past.parkedAt)
        named.returnTo = await addresses.named(past.returnTo)
        let places = named
        return try await database.write { transaction in
            if let known = try transaction.orders.find(past.id) { return known.currentBill() }
            if let unfinished = try transaction.orders.unfinished(of: past.customer) {
                throw Refusal.unfinishedOrderExists.because {
                    $0.engagementId = unfinished.id.as(EngagementID.self)
                }
            }
            let area = try areas.area(at: past.dropOff, field: "dropOff", in: transaction)
            _ = try areas.area(at: past.returnTo, field: "returnTo", in: transaction)
            let draft = OrderDraft(
                id: past.id, ticket: try freeTicket(in: transaction), code: names.newCode(),
                customer: past.customer, serviceArea: area.id,
                areaName: area.feature.properties.name, tariff: area.tariff,
                dropOff: places.dropOff, vehicle: nil, extras: [])
            let (order, steps) = try Order.live(places, draft)
            for (event, time) in steps {
                guard let fact = event.custodyFact(at: time) else { continue }
                try transaction.custody.append(fact, to: order.id, chain, at: now)
            }
            try transaction.orders.insert(order, limits)
            if let last = steps.last { try transaction.publish(last.event, at: now) }
            try transaction.orders.publishEngagement(of: order.snapshot, at: now)
            return order.currentBill()
        }
    }
}

extension Order {
    /// Replays the steps of a past order; returns the events and their times.
    fileprivate static func live(
        _ past: PastOrder, _ draft: OrderDraft
    ) throws(Refusal) -> (Order, [(event: any OrderEvent, at: Date)]) {
        let times = past.times
        var order = try place(draft, at: times.placed).0
        var steps: [(event: any OrderEvent, at: Date)] = []
        func seconds(_ from: Date, _ to: Date) -> Int { Int(to.timeIntervalSince(from)) }
        steps.append(
            (
                try order.assign(
                    past.dropOffValet, etaSeconds: seconds(times.assigned, times.collected),
                    at: times.assigned), times.assigned
            ))
        steps.append(
            (try order.collect(by: past.dropOffValet, at: times.collected), times.collected))
        steps.append(
            (
                try order.park(
                    Parking(place: past.parkedAt, vehicle: past.vehicle), by: past.dropOffValet,
                    at: times.parked), times.parked
            ))
        steps.append(
            (
                try order.recall(
                    to: past.returnTo, code: draft.code, by: past.customer, at: times.recalled),
                times.recalled
            ))
        steps.append(
            (
                try order.assign(
                    past.returnValet, etaSeconds: seconds(times.returnAssigned, times.retrieved),
                    at: times.returnAssigned), times.returnAssigned
            ))
        steps.append(
            (try order.retrieve(by: past.returnValet, at: times.retrieved), times.retrieved))
        steps.append(
            (try order.handBack(by: past.returnValet, at: times.returned), times.returned))
        return (order, steps)
    }
}

extension PastOrder.Times {
    fileprivate func check(at now: Date) throws {
        let steps = [
            placed, assigned, collected, parked, recalled, returnAssigned, retrieved, returned,
        ]
        guard zip(steps, steps.dropFirst()).allSatisfy(<), returned < now else {
            throw Refusal.invalid(
                "times", "Each step must be later than the one before, and in the past.")
        }
    }
}
