import Contracts
import Foundation
import ServiceKit
import Store

/// Where people have left their vehicles: one place a person, which only they see.
struct ParkedVehicles: Sendable {
    static let migration = Migration(
        "parked-vehicles-1",
        """
        CREATE TABLE parked_vehicles (
            person TEXT NOT NULL PRIMARY KEY,
            body TEXT NOT NULL)
        """)
    private static let longestSign = 20
    private static let longestNote = 200

    let database: Database
    let clock: ServiceClock

    func put(_ body: ParkedVehicleBody, by person: PersonID) async throws -> ParkedVehicle {
        var checked = ParkedVehicleBody(
            position: try Check.coordinate(
                latitude: body.position.latitude, longitude: body.position.longitude, "position"))
        checked.level = try Check.optionalText(body.level, "level", most: Self.longestSign)
        checked.bay = try Check.optionalText(body.bay, "bay", most: Self.longestSign)
        checked.note = try Check.optionalText(body.note, "note", most: Self.longestNote)
        let vehicle = ParkedVehicle(checked, at: clock.now)
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            try transaction.execute(
                """
                INSERT INTO parked_vehicles (person, body) VALUES (?, ?)
                ON CONFLICT (person) DO UPDATE SET body = excluded.body
                """, person, Wire.json(vehicle))
        }
        return vehicle
    }

    func vehicle(of person: PersonID) async throws -> ParkedVehicle {
        guard let found = try await database.read({ try $0.parkedVehicle(of: person) }) else {
            throw CarParkError.parkedVehicleUnknown
        }
        return found
    }

    /// Also where there is none.
    func remove(of person: PersonID) async throws {
        try await database.write { try $0.forgetParkedVehicle(of: person) }
    }
}

extension Transaction {
    func parkedVehicle(of person: PersonID) throws -> ParkedVehicle? {
        try row("SELECT body FROM parked_vehicles WHERE person = ?", person)?.json()
    }

    func forgetParkedVehicle(of person: PersonID) throws {
        try execute("DELETE FROM parked_vehicles WHERE person = ?", person)
    }
}
