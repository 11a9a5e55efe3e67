import Client
import Contracts
import Foundation
import Geo

/// Gates of car parks that report plates. Each has its own token and no signed-in person.
struct Gates: Sendable {
    private let gates: [CarParkID: NewGate]
    private let keeper: SimulatedPerson

    init(_ gates: [CarParkID: NewGate], keeper: SimulatedPerson) {
        (self.gates, self.keeper) = (gates, keeper)
    }

    func has(_ carPark: CarParkID) -> Bool { gates[carPark] != nil }

    /// The gate's answer for a vehicle; nil if the car park has no gate in the simulation.
    func report(
        _ plate: String, _ direction: PassageDirection, of carPark: CarParkID, at time: Date
    ) async throws -> PassageAnswer? {
        guard let gate = gates[carPark] else { return nil }
        let passage = PassageBody(direction, plate: plate, at: time)
        return try await keeper.ask { try await $0.pass(gate, passage) }
    }
}

extension SimulatedPerson {
    private static let mostCarParks = 40
    /// From the service point; includes the whole area.
    private static let radiusMeters = 50_000.0
    private static let pageSize = 200

    /// Adds, as an operator, a gate to each car park of the town with hourly bookings. The next run with this seed
    /// uses it again.
    func gates(in town: SimulatedTown, seed: Int) async throws -> [CarParkID: NewGate] {
        let name = "Simulation \(seed)"
        let carParks = try await bookableCarParks(in: town)
        guard !carParks.isEmpty else { return [:] }
        let known = try await all {
            try await $0(CarParkEndpoints.gates(after: $1, limit: Self.pageSize))
        }
        .filter { $0.name == name }
        var gates: [CarParkID: NewGate] = [:]
        for id in carParks {
            gates[id] = try await ask { client in
                if let gate = known.first(where: { $0.carParkId == id }) {
                    return try await client(CarParkEndpoints.rotateGateToken(gate.id))
                }
                return try await client(
                    CarParkEndpoints.addGate(body: GateBody(carParkId: id, name: name)))
            }
        }
        return gates
    }

    private func bookableCarParks(in town: SimulatedTown) async throws -> [CarParkID] {
        let center = town.feature.properties.servicePoint.coordinate
        let offering = try await all { client, after in
            try await client(
                CarParkEndpoints.carParks(
                    asks: FindCarParksQuery(near: center).with(\.radiusMeters, Self.radiusMeters)
                        .page(after: after, limit: Self.pageSize)))
        }.filter { $0.price != nil && town.contains($0.position) }
        var found: [CarParkID] = []
        for summary in offering where found.count < Self.mostCarParks {
            let carPark = try await ask(CarParkEndpoints.carPark(summary.id))
            if carPark.bookable[.general] > 0, carPark.hourly(for: 1) != nil {
                found.append(carPark.id)
            }
        }
        return found
    }

    /// All pages of a list.
    func all<Item: Sendable>(
        _ page: (OpenValetClient, String?) async throws -> Page<Item>
    ) async throws -> [Item] {
        var (items, after): ([Item], String?) = ([], nil)
        repeat {
            let next = try await ask { [after] client in try await page(client, after) }
            items += next.items
            after = next.next
        } while after != nil
        return items
    }
}

extension CarPark {
    /// The cheapest product for that many hours.
    func hourly(for hours: Int) -> ParkingProduct? {
        products.filter { product in
            product.kind == .hourly && product.isOffered && product.classes.contains(.general)
                && (product.minQuantity...product.maxQuantity).contains(hours)
        }.min { $0.price < $1.price }
    }
}
