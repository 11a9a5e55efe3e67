import Contracts
import Foundation
import Geo
import ServiceKit

/// The spaces of car parks in which an order's vehicle has stood, one after the other, and what they cost.
struct CarParkStays: Codable, Equatable, Sendable {
    private struct Stay: Codable, Equatable, Sendable {
        let carPark: CarParkID
        /// As it was when the vehicle came.
        let rate: ParkingRate
        let from: Date
        var until: Date?
    }

    private var stays: [Stay] = []

    var isEmpty: Bool { stays.isEmpty }

    mutating func begin(in space: TakenSpace, at now: Date) {
        stays.append(Stay(carPark: space.carParkId, rate: space.rate, from: now))
    }

    /// The vehicle has left.
    mutating func end(at now: Date) {
        guard let last = stays.indices.last, stays[last].until == nil else { return }
        stays[last].until = now
    }

    /// It has not left after all.
    mutating func resume(in carPark: CarParkID?) {
        guard let last = stays.indices.last, stays[last].carPark == carPark else { return }
        stays[last].until = nil
    }

    /// In minor units.
    func amount(at now: Date) -> Int {
        stays.reduce(0) { sum, stay in
            min(
                Money.largestAmount,
                sum + stay.rate.amount(from: stay.from, until: stay.until ?? now))
        }
    }
}

extension OrderUseCases {
    /// Has a space of a car park taken for the order's vehicle. Nil where it can't be parked: the order says why then.
    func takeSpace(
        for body: ParkBody, of id: OrderID, by valet: ValetID
    ) async throws -> TakenSpace? {
        guard let carPark = body.carParkId,
            let order = try await database.read({ try $0.orders.find(id) }),
            order.status == .parking, order.activeValet == valet
        else { return nil }
        do {
            return try await owners.carParks(
                InternalEndpoints.takeSpace(
                    body: SpaceBody(
                        order: id, orderVersion: order.version.number, carParkId: carPark,
                        plate: body.vehicle.plate,
                        position: Coordinate(latitude: body.latitude, longitude: body.longitude),
                        currency: order.tariff.currency)))
        } catch Peer.Failure.refused(let problem) {
            throw Refusal(problem).about("carParkId")
        }
    }
}

extension ParkedAt {
    /// At its entrance: inside a car park nobody knows where they are. What the valet calls it stays.
    func within(_ space: TakenSpace) -> ParkedAt {
        var place = self
        (place.latitude, place.longitude) = (space.position.latitude, space.position.longitude)
        place.lot = lot ?? space.name
        place.carParkId = space.carParkId
        return place
    }
}
