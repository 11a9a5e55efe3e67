import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// A service's copies of people's vehicles. A late event changes nothing.
public enum KnownVehicles {
    public static let migration = Migration(
        "vehicles-1",
        """
        CREATE TABLE vehicles (
            id TEXT NOT NULL PRIMARY KEY,
            version BIGINT NOT NULL,
            owner TEXT NOT NULL,
            plate TEXT NOT NULL,
            plate_characters TEXT NOT NULL,
            make TEXT NOT NULL,
            model TEXT NOT NULL,
            colour TEXT NOT NULL,
            removed BIGINT NOT NULL)
        """,
        "CREATE INDEX vehicles_of_owner ON vehicles (owner)",
        "CREATE INDEX vehicles_by_plate ON vehicles (plate_characters)")

    /// What `openvalet doctor` compares.
    public static let copies = [CopiedSet(.vehicles, "SELECT id, version FROM vehicles")]
}

extension Transaction {
    public func keepVehicle(_ event: VehicleChanged) throws {
        try execute(
            """
            INSERT INTO vehicles (
                id, version, owner, plate, plate_characters, make, model, colour, removed)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                version = excluded.version, owner = excluded.owner, plate = excluded.plate,
                plate_characters = excluded.plate_characters, make = excluded.make,
                model = excluded.model, colour = excluded.colour, removed = excluded.removed
            WHERE vehicles.version < excluded.version
            """,
            event.vehicle.id, event.version, event.owner, event.vehicle.plate,
            event.vehicle.plate.plateCharacters, event.vehicle.make, event.vehicle.model,
            event.vehicle.colour, event.removed)
    }

    /// Nil if the vehicle is removed or belongs to somebody else.
    public func vehicle(_ id: VehicleID, of owner: CustomerID) throws -> Vehicle? {
        try row(
            """
            SELECT id, plate, make, model, colour FROM vehicles
            WHERE id = ? AND owner = ? AND removed = 0
            """, id, owner
        ).map(Vehicle.init)
    }

    public func vehicles(of owner: CustomerID) throws -> [Vehicle] {
        try rows(
            """
            SELECT id, plate, make, model, colour FROM vehicles
            WHERE owner = ? AND removed = 0 ORDER BY id
            """, owner
        ).map(Vehicle.init)
    }

    /// The vehicle with that id. If the id is nil, the person's only vehicle, or nil if they don't have exactly one.
    /// Throws `vehicleUnknown` if it isn't theirs.
    public func vehicle(
        _ id: VehicleID?, orOnlyOneOf person: PersonID
    ) throws -> OrderVehicle? {
        let owner = person.as(CustomerID.self)
        if let id {
            guard let vehicle = try vehicle(id, of: owner) else { throw Refusal.vehicleUnknown }
            return OrderVehicle(vehicle)
        }
        let all = try vehicles(of: owner)
        return all.count == 1 ? all.first.map(OrderVehicle.init) : nil
    }

    public func forgetVehicles(of owner: PersonID) throws {
        try execute("DELETE FROM vehicles WHERE owner = ?", owner)
    }
}

extension Vehicle {
    fileprivate init(_ row: Row) throws {
        self.init(
            id: try row.get("id"), plate: try row.get("plate"), make: try row.get("make"),
            model: try row.get("model"), colour: try row.get("colour"))
    }
}

extension String {
    /// Letters and digits only, for comparing plates.
    public var plateCharacters: String { uppercased().filter { $0.isLetter || $0.isNumber } }
}

extension Owners {
    /// Asks accounts for an unknown vehicle before anybody is refused because of it.
    public func learn(
        of id: VehicleID?, of person: PersonID, in database: Database
    ) async throws {
        guard let id,
            try await database.read({ try $0.vehicle(id, of: person.as(CustomerID.self)) }) == nil
        else { return }
        do {
            let latest = try await newest(InternalEndpoints.vehicle(id))
            guard let latest else { return }
            try await database.write { try $0.keepVehicle(latest) }
        } catch is Peer.Failure {
            throw Refusal.unavailable("We can't look up your vehicles at the moment.")
        }
    }
}

extension OrderVehicle {
    fileprivate init(_ vehicle: Vehicle) {
        self.init(
            id: vehicle.id, plate: vehicle.plate, make: vehicle.make, model: vehicle.model,
            colour: vehicle.colour)
    }
}
