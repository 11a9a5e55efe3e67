import Blobs
import Contracts
import Foundation
import Geo
import Routing
import ServiceKit
import Store

let parkedPictures = PictureTable("parked_pictures", removal: "parked-picture")

/// Places where people have parked, one per person and visible only to them, with an optional picture.
struct ParkedVehicles: Sendable {
    static let migrations = [
        Migration(
            "parked-vehicles-1",
            """
            CREATE TABLE parked_vehicles (
                person TEXT NOT NULL PRIMARY KEY,
                body TEXT NOT NULL)
            """),
        Migration(
            "parked-pictures-1",
            """
            CREATE TABLE parked_pictures (
                person TEXT NOT NULL PRIMARY KEY,
                id TEXT NOT NULL)
            """,
            "CREATE UNIQUE INDEX parked_pictures_by_id ON parked_pictures (id)"),
    ]
    private static let longestSign = 20
    private static let longestNote = 200

    let database: Database
    let clock: ServiceClock
    let roads: Roads
    let pictures: ListedPictures
    let addresses: SignedAddresses

    func put(_ body: ParkedVehicleBody, by person: PersonID) async throws -> ParkedVehicle {
        var checked = ParkedVehicleBody(
            position: try Check.coordinate(
                latitude: body.position.latitude, longitude: body.position.longitude, "position"))
        checked.level = try Check.optionalText(body.level, "level", most: Self.longestSign)
        checked.bay = try Check.optionalText(body.bay, "bay", most: Self.longestSign)
        checked.note = try Check.optionalText(body.note, "note", most: Self.longestNote)
        let now = clock.now
        let vehicle = ParkedVehicle(checked, at: now)
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            try transaction.parkedVehicles.forget(of: person, at: now)
            try transaction.execute(
                "INSERT INTO parked_vehicles (person, body) VALUES (?, ?)", person,
                Wire.json(vehicle))
        }
        return vehicle
    }

    func vehicle(of person: PersonID) async throws -> ParkedVehicle {
        let now = clock.now
        return try await database.read { try $0.parkedVehicles.require(of: person, addresses, now) }
    }

    /// The walk back to the vehicle.
    func way(to person: PersonID, from point: Coordinate) async throws -> WayAnswer {
        await roads.way(from: point, to: try await vehicle(of: person).position, by: .foot)
    }

    /// Does nothing if there is none.
    func remove(of person: PersonID) async throws {
        let now = clock.now
        try await database.write { try $0.parkedVehicles.forget(of: person, at: now) }
    }

    // MARK: Pictures

    /// Stores a picture in place of the previous one.
    func put(_ data: Data, by person: PersonID) async throws -> ParkedVehicle {
        let now = clock.now
        return try await pictures.add(data, at: now) { transaction, _ in
            try transaction.requireStanding(of: person)
            return try transaction.parkedVehicles.require(of: person, addresses, now)
        } store: { transaction, photo, place in
            try transaction.requireStanding(of: person)
            // The vehicle may have been parked elsewhere in the meantime; the picture is not of that place.
            guard try transaction.parkedVehicles.require(of: person, addresses, now).at == place.at
            else { throw Refusal.parkedVehicleUnknown }
            try transaction.parkedVehicles.hidePicture(of: person, at: now)
            try transaction.execute(
                "INSERT INTO parked_pictures (person, id) VALUES (?, ?)", person, photo)
            return try transaction.parkedVehicles.require(of: person, addresses, now)
        }
    }

    /// Does nothing if there is none.
    func removePicture(of person: PersonID) async throws {
        let now = clock.now
        try await database.write { try $0.parkedVehicles.hidePicture(of: person, at: now) }
    }
}

extension Transaction {
    var parkedVehicles: ParkedVehicleStore { ParkedVehicleStore(transaction: self) }
}

/// Places where people have parked, and their pictures, in SQL.
struct ParkedVehicleStore {
    let transaction: Transaction

    func find(
        of person: PersonID, _ addresses: SignedAddresses, _ now: Date
    ) throws -> ParkedVehicle? {
        let found = try transaction.row("SELECT body FROM parked_vehicles WHERE person = ?", person)
        guard var vehicle: ParkedVehicle = try found?.json() else { return nil }
        vehicle.photo = try picture(of: person).map {
            addresses.sign(SignedAddresses.path(parkedVehicle: $0), at: now)
        }
        return vehicle
    }

    fileprivate func require(
        of person: PersonID, _ addresses: SignedAddresses, _ now: Date
    ) throws -> ParkedVehicle {
        guard let vehicle = try find(of: person, addresses, now) else {
            throw Refusal.parkedVehicleUnknown
        }
        return vehicle
    }

    private func picture(of person: PersonID) throws -> PictureID? {
        try transaction.row("SELECT id FROM parked_pictures WHERE person = ?", person)?.get("id")
    }

    fileprivate func hidePicture(of person: PersonID, at now: Date) throws {
        guard let picture = try picture(of: person) else { return }
        try parkedPictures.remove(picture, at: now, in: transaction)
    }

    func forget(of person: PersonID, at now: Date) throws {
        try hidePicture(of: person, at: now)
        try transaction.execute("DELETE FROM parked_vehicles WHERE person = ?", person)
    }
}
