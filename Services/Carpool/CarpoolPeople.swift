import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// What carpool keeps of a person, as accounts told it.
struct KnownPerson: Codable, Sendable, Hashable {
    var firstName: String
    var phone: String
}

let people = Replica<KnownPerson>("people")
let ratings = Replica<RatingSummary>("ratings")

/// Names and stars of those whom a page shows, read at once.
struct CarpoolPeople: Sendable {
    private let people: [String: KnownPerson]
    private let ratings: [String: RatingSummary]

    init(_ ids: some Sequence<PersonID>, in transaction: Transaction) throws {
        let ids = Set(ids)
        people = try Carpool.people.values(of: ids, in: transaction)
        ratings = try Carpool.ratings.values(of: ids, in: transaction)
    }

    func person(_ id: PersonID, withPhone: Bool = false) -> TripPerson {
        let known = people[id.description]
        return TripPerson(
            id: id, firstName: known?.firstName ?? "", rating: rating(id),
            phone: withPhone ? known?.phone : nil)
    }

    func rating(_ id: PersonID) -> Double? { ratings[id.description]?.average }
}

extension Transaction {
    func keep(_ event: AccountChanged, at now: Date) throws {
        try people.keep(
            KnownPerson(firstName: event.account.firstName, phone: event.account.phone),
            of: event.account.id, version: event.version, at: now, in: self)
        try keepStanding(event)
    }

    /// The vehicle of that id, or the only one that somebody has.
    func vehicle(_ id: VehicleID?, orOnlyOneOf person: PersonID) throws -> OrderVehicle? {
        let owner = person.as(CustomerID.self)
        if let id {
            guard let vehicle = try vehicle(id, of: owner) else {
                throw CarpoolError.vehicleUnknown
            }
            return OrderVehicle(vehicle)
        }
        let all = try vehicles(of: owner)
        return all.count == 1 ? all.first.map(OrderVehicle.init) : nil
    }
}

extension OrderVehicle {
    fileprivate init(_ vehicle: Vehicle) {
        self.init(
            id: vehicle.id, plate: vehicle.plate, make: vehicle.make, model: vehicle.model,
            colour: vehicle.colour)
    }
}
