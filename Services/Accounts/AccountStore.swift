import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// Schema of accounts. All people share one table, so that a phone number or an e-mail address belongs to one
/// person only.
///
/// The phone column of a deleted account holds the account's id instead: the real number can be used again,
/// and nobody can sign in with an id. The same applies to accounts that have only an e-mail address.
let accountMigrations =
    [
        Quotas.migration,
        Migration(
            "accounts-1",
            """
            CREATE TABLE people (
                id TEXT NOT NULL PRIMARY KEY,
                phone TEXT NOT NULL UNIQUE,
                email TEXT UNIQUE,
                password TEXT NOT NULL,
                version BIGINT NOT NULL,
                deleted BIGINT NOT NULL DEFAULT 0,
                body TEXT NOT NULL
            )
            """,
            """
            CREATE TABLE roles (
                role TEXT NOT NULL,
                person TEXT NOT NULL REFERENCES people (id),
                PRIMARY KEY (role, person)
            )
            """,
            "CREATE INDEX roles_of_person ON roles (person)",
            """
            CREATE TABLE sessions (
                id TEXT NOT NULL PRIMARY KEY,
                person TEXT NOT NULL REFERENCES people (id),
                expires_at BIGINT NOT NULL,
                user_agent TEXT,
                created_at BIGINT NOT NULL,
                last_used_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX sessions_by_person ON sessions (person, id)",
            "CREATE INDEX sessions_by_end ON sessions (expires_at)",
            """
            CREATE TABLE refresh_tokens (
                hash TEXT NOT NULL PRIMARY KEY,
                session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
                used BIGINT NOT NULL,
                expires_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX refresh_tokens_by_session ON refresh_tokens (session)",
            "CREATE INDEX refresh_tokens_by_end ON refresh_tokens (expires_at)",
            """
            CREATE TABLE codes (
                contact TEXT NOT NULL PRIMARY KEY,
                hash TEXT NOT NULL,
                tries BIGINT NOT NULL,
                expires_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX codes_by_end ON codes (expires_at)",
            """
            CREATE TABLE vehicles (
                id TEXT NOT NULL PRIMARY KEY,
                owner TEXT NOT NULL REFERENCES people (id),
                removed BIGINT NOT NULL,
                version BIGINT NOT NULL,
                body TEXT NOT NULL
            )
            """,
            "CREATE INDEX vehicles_by_owner ON vehicles (owner, removed, id)",
            """
            CREATE TABLE reset_codes (
                contact TEXT NOT NULL PRIMARY KEY,
                hash TEXT NOT NULL,
                tries BIGINT NOT NULL,
                expires_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX reset_codes_by_end ON reset_codes (expires_at)",
            "CREATE INDEX reset_codes_by_hash ON reset_codes (hash)",
            """
            CREATE TABLE photos (
                id TEXT NOT NULL PRIMARY KEY,
                person TEXT NOT NULL REFERENCES people (id),
                shown BIGINT NOT NULL,
                changed_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX photos_by_person ON photos (person)",
            "CREATE INDEX photos_by_change ON photos (shown, changed_at)",
            "CREATE TABLE settings (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)"),
        secondFactorMigration, conductMigration, announcementMigration,
    ]

/// A person and their password's hash.
struct Credentials: Sendable {
    var person: Person
    var password: PasswordHash
}

extension Transaction {
    var people: PersonStore { PersonStore(transaction: self) }
    var settings: SettingStore { SettingStore(transaction: self) }
    var vehicles: VehicleStore { VehicleStore(transaction: self) }
}

// MARK: People

/// People with their roles and passwords, in SQL.
struct PersonStore {
    let transaction: Transaction

    func find(_ id: PersonID) throws -> Person? {
        try transaction.row("SELECT body FROM people WHERE id = ? AND deleted = 0", id)?.json()
    }

    func find(_ contact: Contact) throws -> Person? {
        try transaction.row(
            "SELECT body FROM people WHERE \(contact.field) = ?", contact.description)?.json()
    }

    func credentials(_ contact: Contact) throws -> Credentials? {
        try credentials(
            transaction.row(
                "SELECT body, password FROM people WHERE \(contact.field) = ?",
                contact.description))
    }

    func credentials(_ id: PersonID) throws -> Credentials? {
        try credentials(
            transaction.row("SELECT body, password FROM people WHERE id = ? AND deleted = 0", id))
    }

    private func credentials(_ row: Row?) throws -> Credentials? {
        guard let row else { return nil }
        guard let password = PasswordHash(try row.get("password", as: String.self)) else {
            throw StoreError(.decoding, "column password is no PHC string")
        }
        return Credentials(person: try row.json(), password: password)
    }

    /// Throws if another account has the number or the address.
    func insert(_ person: Person, password: PasswordHash) throws {
        for contact in person.contacts where try find(contact) != nil {
            throw contact.taken
        }
        try transaction.execute(
            """
            INSERT INTO people (id, phone, email, password, version, body)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            person.id, person.phoneColumn, person.account.email, password.description,
            person.version, Wire.json(person))
        try addRoles(of: person)
    }

    /// Adds a row per role. Roles are only added, and are deleted with the account.
    private func addRoles(of person: Person) throws {
        for role in person.roles {
            try transaction.execute(
                "INSERT INTO roles (role, person) VALUES (?, ?) ON CONFLICT DO NOTHING", role,
                person.id)
        }
    }

    /// Loads, changes, saves and publishes a person; nil if the id is unknown.
    @discardableResult
    func change(
        _ id: PersonID, at now: Date, _ change: (inout Person) throws -> AccountChanged?
    ) throws -> Person? {
        guard var person = try find(id) else { return nil }
        let version = person.version
        guard let event = try change(&person) else { return person }
        let changed = try transaction.execute(
            """
            UPDATE people SET phone = ?, email = ?, version = ?, body = ?
            WHERE id = ? AND version = ?
            """, person.phoneColumn, person.account.email, person.version, Wire.json(person), id,
            version)
        guard changed == 1 else { throw LostRace() }
        try addRoles(of: person)
        try transaction.publish(event, at: now)
        return person
    }

    /// People by id, those of deleted accounts too, as other services may hear of them at any age.
    func told(
        after id: String, limit: Int, at now: Date
    ) throws -> [StateSource.Entry] {
        try transaction.rows(
            "SELECT id, version, deleted, body FROM people WHERE id > ? ORDER BY id LIMIT ?", id,
            limit
        ).map { row in
            let id: PersonID = try row.get("id")
            guard try row.get("deleted", as: Int.self) == 1 else {
                return .init(id, try row.json(as: Person.self).changed)
            }
            let trace: ErasedPerson = try row.json()
            return .init(id, trace.deleted(id, version: try row.get("version"), toldAt: now))
        }
    }

    /// Removes everything but the id, and when it was. Throws `LostRace` if the person has changed in the meantime.
    func erase(_ person: Person, at now: Date) throws {
        let trace = ErasedPerson(deletedAt: now, role: person.roles.highest)
        let erased = try transaction.execute(
            """
            UPDATE people
            SET phone = id, email = NULL, password = '', body = ?, deleted = 1, version = ?
            WHERE id = ? AND version = ?
            """, Wire.json(trace), person.version + 1, person.id, person.version)
        guard erased == 1 else { throw LostRace() }
        try transaction.execute("DELETE FROM roles WHERE person = ?", person.id)
    }

    func count(_ role: Role) throws -> Int {
        try transaction.row("SELECT COUNT(*) AS n FROM roles WHERE role = ?", role)?.get("n") ?? 0
    }

    /// Throws if this is the last operator.
    func requireNotLast(_ person: Person) throws {
        guard person.roles.contains(.operator) else { return }
        try lock(.operator)
        guard try count(.operator) > 1 else { throw Refusal.lastOperator }
    }

    /// Locks all rows of a role, so that two concurrent transactions can't remove the last two operators.
    private func lock(_ role: Role) throws {
        try transaction.execute("UPDATE roles SET role = role WHERE role = ?", role)
    }

    func setPassword(_ password: PasswordHash, of person: PersonID) throws {
        try transaction.execute(
            "UPDATE people SET password = ? WHERE id = ?", password.description, person)
        // Pending sign-ins were begun with the previous password.
        try transaction.challenges.endAll(of: person)
        try transaction.phoneResets.forget(of: person)
    }

    /// People with the role, newest first, with one more than the page shows.
    func list(_ role: Role, _ page: PageRequest) throws -> [Person] {
        try transaction.rows(
            """
            SELECT body FROM roles JOIN people ON people.id = roles.person
            WHERE roles.role = ? AND roles.person < ? ORDER BY roles.person DESC LIMIT ?
            """, role, page.below(PersonID.self), page.rows
        ).map { try $0.json() }
    }
}

extension Person {
    /// The number, or the id if there is none, since the column is unique and not null.
    fileprivate var phoneColumn: String {
        account.phone.isEmpty ? id.description : account.phone
    }
}

/// What is stored of a deleted account besides its id, so that services can hear of the deletion at any age. Those that
/// an earlier release has deleted have none of it; they are told as deleted now.
struct ErasedPerson: Codable, Sendable {
    var deletedAt: Date?
    var role: Open<Role>?

    func deleted(_ id: PersonID, version: Int, toldAt now: Date) -> AccountDeleted {
        AccountDeleted(
            account: id, role: role?.known ?? .customer, version: version,
            deletedAt: deletedAt ?? now)
    }
}

// MARK: Settings

/// Named texts that the service stores.
struct SettingStore {
    let transaction: Transaction

    func find(_ name: String) throws -> String? {
        try transaction.row("SELECT value FROM settings WHERE name = ?", name)?.get("value")
    }

    func set(_ name: String, _ value: String) throws {
        try transaction.execute(
            """
            INSERT INTO settings (name, value) VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """, name, value)
    }

    func remove(_ name: String) throws {
        try transaction.execute("DELETE FROM settings WHERE name = ?", name)
    }
}

// MARK: Vehicles

/// Customers' vehicles, including removed ones.
struct VehicleStore {
    let transaction: Transaction

    /// Throws `account.too_many_vehicles` if the limit is reached.
    func insert(_ vehicle: OwnedVehicle) throws {
        // Locks the owner's row, so that two concurrent additions can't both use the last free place.
        let owners = try transaction.execute(
            "UPDATE people SET version = version WHERE id = ? AND deleted = 0", vehicle.owner)
        guard owners == 1 else { throw Refusal.accountUnknown }
        let row = try transaction.row(
            "SELECT COUNT(*) AS n FROM vehicles WHERE owner = ? AND removed = 0", vehicle.owner)
        guard try row?.get("n", as: Int.self) ?? 0 < OwnedVehicle.mostPerCustomer else {
            throw Refusal.tooManyVehicles
        }
        try transaction.execute(
            "INSERT INTO vehicles (id, owner, removed, version, body) VALUES (?, ?, ?, ?, ?)",
            vehicle.vehicle.id, vehicle.owner, vehicle.removed, vehicle.version, Wire.json(vehicle))
    }

    /// Loads, changes, saves and publishes a vehicle. Another person's vehicle counts as unknown, like a removed one.
    func change(
        _ id: VehicleID, of owner: CustomerID, at now: Date,
        _ change: (inout OwnedVehicle) -> VehicleChanged?
    ) throws -> Vehicle {
        let row = try transaction.row(
            "SELECT body FROM vehicles WHERE id = ? AND owner = ? AND removed = 0", id, owner)
        guard var vehicle: OwnedVehicle = try row?.json() else {
            throw Refusal.ownVehicleUnknown
        }
        let version = vehicle.version
        guard let event = change(&vehicle) else { return vehicle.vehicle }
        let changed = try transaction.execute(
            "UPDATE vehicles SET removed = ?, version = ?, body = ? WHERE id = ? AND version = ?",
            vehicle.removed, vehicle.version, Wire.json(vehicle), id, version)
        guard changed == 1 else { throw LostRace() }
        try transaction.publish(event, at: now)
        return vehicle.vehicle
    }

    /// Also finds a removed vehicle.
    func find(_ id: VehicleID) throws -> OwnedVehicle? {
        try transaction.row("SELECT body FROM vehicles WHERE id = ?", id)?.json()
    }

    /// By id, removed ones too, as other services may hear of them at any age.
    func told(after id: String, limit: Int) throws -> [StateSource.Entry] {
        try transaction.rows(
            "SELECT body FROM vehicles WHERE id > ? ORDER BY id LIMIT ?", id, limit
        ).map { row in
            let vehicle: OwnedVehicle = try row.json()
            return .init(vehicle.vehicle.id, vehicle.changed)
        }
    }

    /// Includes removed vehicles; newest first.
    func all(of owner: CustomerID, most: Int) throws -> [OwnedVehicle] {
        try transaction.rows(
            "SELECT body FROM vehicles WHERE owner = ? ORDER BY id DESC LIMIT ?", owner, most
        ).map { try $0.json() }
    }

    func erase(of owner: CustomerID) throws {
        try transaction.execute("DELETE FROM vehicles WHERE owner = ?", owner)
    }

    /// Newest first.
    func list(of owner: CustomerID, _ page: PageRequest) throws -> Page<Vehicle> {
        try transaction.page(
            page, of: "vehicles", where: Conditions("owner = ? AND removed = 0", owner)
        ) { try $0.json(as: OwnedVehicle.self).vehicle }
    }
}
