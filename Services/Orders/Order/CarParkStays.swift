import Contracts
import Foundation
import Geo
import ServiceKit

/// The successive car park spaces of an order's vehicle, and their price.
struct CarParkStays: Codable, Equatable, Sendable {
    private struct Stay: Codable, Equatable, Sendable {
        let carPark: CarParkID
        /// Nil in orders of earlier releases.
        let name: String?
        /// The rate when the vehicle arrived.
        let rate: ParkingRate
        let from: Date
        var until: Date?
    }

    private var stays: [Stay] = []

    var isEmpty: Bool { stays.isEmpty }

    mutating func begin(in space: TakenSpace, at now: Date) {
        stays.append(Stay(carPark: space.carParkId, name: space.name, rate: space.rate, from: now))
    }

    /// Ends the present stay when the vehicle leaves.
    mutating func end(at now: Date) {
        guard let last = stays.indices.last, stays[last].until == nil else { return }
        stays[last].until = now
    }

    /// Reopens the last stay when the vehicle stays after all.
    mutating func resume(in carPark: CarParkID?) {
        guard let last = stays.indices.last, stays[last].carPark == carPark else { return }
        stays[last].until = nil
    }

    /// The price of one stay, and the car park that earns it.
    struct Share {
        let site: Bill.Site
        /// In minor units.
        let amount: Int
        let hourly: Money
    }

    /// The prices of the stays that have ended, in their order.
    var shares: [Share] {
        stays.compactMap { stay in
            guard let until = stay.until, let name = stay.name else { return nil }
            return Share(
                site: Bill.Site(.carPark, id: stay.carPark.description, name: name),
                amount: stay.rate.amount(from: stay.from, until: until), hourly: stay.rate.hourly)
        }
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
    /// Takes the requested car park space for the order's vehicle; nil if none is requested, or it isn't being parked.
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
    /// Places the vehicle at the car park's entrance, because there is no position indoors. Keeps the valet's
    /// description.
    func within(_ space: TakenSpace) -> ParkedAt {
        var place = self
        (place.latitude, place.longitude) = (space.position.latitude, space.position.longitude)
        place.lot = lot ?? space.name
        place.carParkId = space.carParkId
        return place
    }
}
