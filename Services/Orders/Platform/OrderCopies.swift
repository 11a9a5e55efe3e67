import Contracts
import EventBus
import Foundation
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
        people.migration, ratings.migration,
        Migration(
            "copies-1",
            """
            CREATE TABLE vehicles (
                id TEXT NOT NULL PRIMARY KEY,
                version BIGINT NOT NULL,
                owner TEXT NOT NULL,
                plate TEXT NOT NULL,
                make TEXT NOT NULL,
                model TEXT NOT NULL,
                colour TEXT NOT NULL,
                removed BIGINT NOT NULL)
            """,
            "CREATE INDEX vehicles_of_owner ON vehicles (owner)",
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
        try execute(
            """
            INSERT INTO vehicles (id, version, owner, plate, make, model, colour, removed)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                version = excluded.version, owner = excluded.owner, plate = excluded.plate,
                make = excluded.make, model = excluded.model, colour = excluded.colour,
                removed = excluded.removed
            WHERE vehicles.version < excluded.version
            """,
            event.vehicle.id, event.version, event.owner, event.vehicle.plate, event.vehicle.make,
            event.vehicle.model, event.vehicle.colour, event.removed)
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
        if try people.isForgotten(person, in: self) { throw RequestError.tokenInvalid }
        if role == .valet, try isSuspended(person.as(ValetID.self)) {
            throw OrderError.dispatch(.valetSuspended)
        }
    }

    /// Also who is gone is given no job.
    func isSuspended(_ valet: ValetID) throws -> Bool {
        try people.value(of: valet, in: self)?.suspended ?? people.isForgotten(valet, in: self)
    }

    func vehicle(_ id: VehicleID, of owner: CustomerID) throws -> OrderVehicle? {
        let row = try row(
            """
            SELECT plate, make, model, colour FROM vehicles
            WHERE id = ? AND owner = ? AND removed = 0
            """, id, owner)
        return try row.map { row in
            OrderVehicle(
                id: id, plate: try row.get("plate"), make: try row.get("make"),
                model: try row.get("model"), colour: try row.get("colour"))
        }
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
