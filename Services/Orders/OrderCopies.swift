import Contracts
import Foundation
import ServiceKit
import Store

/// What orders keeps of other services' facts, as their events told them.
///
/// Each row has the version that the owner gave it: an event that is late changes nothing.
enum OrderCopies {
    static let migrations = [
        Migration(
            "copies-1",
            """
            CREATE TABLE people (
                id TEXT NOT NULL PRIMARY KEY,
                version BIGINT NOT NULL,
                first_name TEXT NOT NULL,
                last_name TEXT NOT NULL,
                phone TEXT NOT NULL,
                photo_url TEXT,
                suspended BIGINT NOT NULL)
            """,
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
            """
            CREATE TABLE ratings (
                person TEXT NOT NULL PRIMARY KEY,
                version BIGINT NOT NULL,
                average DOUBLE PRECISION)
            """,
            """
            CREATE TABLE arrivals (
                order_id TEXT NOT NULL,
                leg TEXT NOT NULL,
                valet TEXT NOT NULL,
                arrived_at BIGINT NOT NULL,
                PRIMARY KEY (order_id, leg, valet))
            """),
        Migration(
            "copies-2", "ALTER TABLE people DROP COLUMN photo_url",
            "ALTER TABLE people ADD COLUMN photo TEXT",
            "ALTER TABLE people ADD COLUMN deleted_at BIGINT",
            "CREATE INDEX vehicles_of_owner ON vehicles (owner)"),
    ]

    /// Fires when a copy of a vehicle has arrived.
    static func signal(_ id: VehicleID) -> String { "vehicle:\(id)" }
}

extension Transaction {
    /// False when it is no news.
    func keep(_ event: AccountChanged) throws -> Bool {
        try execute(
            """
            INSERT INTO people (id, version, first_name, last_name, phone, photo, suspended)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                version = excluded.version, first_name = excluded.first_name,
                last_name = excluded.last_name, phone = excluded.phone,
                photo = excluded.photo, suspended = excluded.suspended
            WHERE people.version < excluded.version AND people.deleted_at IS NULL
            """,
            event.account.id, event.version, event.account.firstName, event.account.lastName,
            event.account.phone, event.photo, event.suspended) == 1
    }

    func keep(_ event: VehicleChanged) throws {
        guard try !isDeleted(event.owner.as(PersonID.self)) else { return }
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
        signal(OrderCopies.signal(event.vehicle.id))
    }

    func keep(_ event: RatingGiven) throws {
        guard try !isDeleted(event.to) else { return }
        try execute(
            """
            INSERT INTO ratings (person, version, average) VALUES (?, ?, ?)
            ON CONFLICT (person) DO UPDATE SET
                version = excluded.version, average = excluded.average
            WHERE ratings.version < excluded.version
            """, event.to, event.version, event.summary.average)
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
    /// valets who are suspended.
    func requireStanding(of person: PersonID) throws {
        if try isDeleted(person) { throw RequestError.tokenInvalid }
        if try isSuspended(person.as(ValetID.self)) { throw OrderError.dispatch(.valetSuspended) }
    }

    func isSuspended(_ valet: ValetID) throws -> Bool {
        try row("SELECT suspended FROM people WHERE id = ?", valet)?.get("suspended") ?? false
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
        let ids = Array(Set(orders.flatMap(\.people)))
        guard !ids.isEmpty else { return Parties([]) }
        let marks = Array(repeating: "?", count: ids.count).joined(separator: ", ")
        let rows = try rows(
            """
            SELECT id, first_name, last_name, phone, photo, average
            FROM people LEFT JOIN ratings ON ratings.person = people.id
            WHERE people.id IN (\(marks))
            """, arguments: ids)
        return Parties(
            try rows.map { row in
                Party(
                    id: try row.get("id"), firstName: try row.get("first_name"),
                    lastName: try row.get("last_name"), phone: try row.get("phone"),
                    photoURL: try row.getIfPresent("photo", as: PictureID.self).map(
                        photos.address(of:)),
                    rating: try row.getIfPresent("average"))
            })
    }
}
