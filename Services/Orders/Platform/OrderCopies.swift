import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

/// What orders keeps of a person, as accounts told it.
struct KnownPerson: Codable, Sendable, Hashable {
    var firstName: String
    var lastName: String
    var phone: String
    var photo: PictureID?
    var suspended: Bool
}

let people = Replica<KnownPerson>("people")
let ratings = Replica<RatingSummary>("ratings")

/// What orders keeps of other services' facts, as their events told them.
///
/// Each row has the version that the owner gave it: an event that is late changes nothing.
enum OrderCopies {
    static let migrations = [
        people.migration, ratings.migration, KnownVehicles.migration,
        Migration(
            "copies-1",
            """
            CREATE TABLE arrivals (
                order_id TEXT NOT NULL,
                leg TEXT NOT NULL,
                valet TEXT NOT NULL,
                arrived_at BIGINT NOT NULL,
                PRIMARY KEY (order_id, leg, valet))
            """),
    ]
}

extension Transaction {
    /// False when it is no news.
    func keep(_ event: AccountChanged, at now: Date) throws -> Bool {
        let account = event.account
        return try people.keep(
            KnownPerson(
                firstName: account.firstName, lastName: account.lastName, phone: account.phone,
                photo: event.photo, suspended: event.suspended),
            of: account.id, version: event.version, at: now, in: self)
    }

    func keep(_ event: VehicleChanged) throws {
        guard try !people.isForgotten(event.owner, in: self) else { return }
        try keepVehicle(event)
    }

    func keep(_ event: RatingGiven, at now: Date) throws {
        try ratings.keep(event.summary, of: event.to, version: event.version, at: now, in: self)
    }

    /// The first arrival counts: false when it is known already.
    func keep(_ event: PartyArrived, at leg: OrderLeg) throws -> Bool {
        try execute(
            """
            INSERT INTO arrivals (order_id, leg, valet, arrived_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (order_id, leg, valet) DO NOTHING
            """, event.engagement, leg, event.mover, event.arrivedAt) == 1
    }

    /// Throws for who may not act any more although their access token still lives: who deleted the account, and
    /// as a valet who is suspended.
    func requireStanding(of person: PersonID, as role: Role) throws {
        if try people.isForgotten(person, in: self) { throw Refusal.tokenInvalid }
        if role == .valet, try isSuspended(person.as(ValetID.self)) {
            throw Refusal.orderValetSuspended
        }
    }

    /// Also who is gone is given no job.
    func isSuspended(_ valet: ValetID) throws -> Bool {
        try people.value(of: valet, in: self)?.suspended ?? people.isForgotten(valet, in: self)
    }

    func arrival(_ order: OrderID, _ leg: OrderLeg, _ valet: ValetID) throws -> Date? {
        try row(
            "SELECT arrived_at FROM arrivals WHERE order_id = ? AND leg = ? AND valet = ?", order,
            leg, valet)?.get("arrived_at")
    }

    /// The people of some orders, as parties see each other.
    func parties(of orders: [Order], _ photos: PhotoAddresses) throws -> Parties {
        let ids = Set(orders.flatMap(\.people))
        let known = try people.values(of: ids, in: self)
        let rated = try ratings.values(of: ids, in: self)
        return Parties(
            ids.compactMap { id in
                guard let person = known[id.description] else { return nil }
                return Party(
                    id: id, firstName: person.firstName, lastName: person.lastName,
                    phone: person.phone, photoURL: person.photo.map(photos.address(of:)),
                    rating: rated[id.description]?.average)
            })
    }
}

extension OrderVehicle {
    init(_ vehicle: Vehicle) {
        self.init(
            id: vehicle.id, plate: vehicle.plate, make: vehicle.make, model: vehicle.model,
            colour: vehicle.colour)
    }
}
